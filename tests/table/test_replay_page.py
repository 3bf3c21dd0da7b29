"""`cubiri replay --format html`: a game as one page that asks for nothing; nothing from a replay is markup in it."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest

from cubiri_cli.players.analysis import analyze
from cubiri_cli.replays.history import history
from cubiri_cli.replays.reading import read, read_file
from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import Session
from cubiri_cli.replays.writing import write
from cubiri_cli.table import replay_page
from cubiri_cli.table.analysis import equation
from cubiri_cli.table.language import LANGUAGES
from cubiri_cli.table.transcript import Recording
from tests.support.pages import HOSTILE, Page, check_page
from tests.support.running import cubiri, process
from tests.support.words import said

FOLDER = Path(__file__).parents[2] / "replays"
REPLAYS = sorted(FOLDER.glob("*.toml"))
POWER = FOLDER / "magdagdon-survival-power-kills-roll.toml"
THREE = FOLDER / "mishimash-three-players-sudden-death.toml"


def page_of(path: Path, *options: object, language: str = "en") -> str:
    ran = cubiri("--lang", language, "replay", path, "--format", "html", *options)
    assert (ran.status, ran.err) == (0, "")
    return ran.out


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
def test_a_page_holds_all_there_is_and_asks_for_nothing(path: Path) -> None:
    text = page_of(path)
    assert text == page_of(path)
    page = check_page(text)
    recording = Recording(history(read_file(path)))
    states = [one.attributes["id"] for one in page.all("li")]
    assert states == [f"s{number}" for number in range(len(recording.steps) + 1)]
    for name in recording.names:
        assert name in page.text
    for paragraph in (*recording.comment(0), *(one for turn in recording.comments() for one in turn)):
        assert paragraph in page.text
    for state in range(1, len(recording.steps) + 1):
        assert recording.entry(state) in page.text
    assert recording.replay.seed in page.text
    assert "verified (as it was when this page was made, by cubiri" in page.text
    assert len(text.encode()) < 200_000


def words_by_state(text: str) -> list[list[str]]:
    """Return the words of each state, put together as the script does it."""
    states: list[list[str]] = []
    for item in text.split("<li id=s")[1:]:
        found = re.search(r'<div class=words(?: data-of="([^"]*)")?>(.*?)</div>', item)
        assert found is not None
        fresh = iter([Page(one).text for one in found[2].split("<p>")[1:]])
        order = (found[1] or "").split() if found[1] is not None else ["-"] * found[2].count("<p>")
        states.append([next(fresh) if one == "-" else states[-1][int(one)] for one in order])
        assert next(fresh, None) is None
    return states


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
def test_each_state_stands_in_it_in_words_whole(path: Path) -> None:
    recording = Recording(history(read_file(path)))
    assert words_by_state(page_of(path)) == [recording.words(state) for state in range(len(recording.steps) + 1)]


def test_what_is_about_to_be_taken_is_said_last_and_the_rest_as_well() -> None:
    recording = Recording(history(read_file(THREE)))
    partial = [state for state in range(len(recording.steps)) if recording.moment(state).step is not None]
    assert partial
    words = recording.words(partial[0])
    assert words[0] == "Target 20."
    assert [word for word in words if word.startswith("Ticked")] == words[-1:]
    following = recording.steps[partial[0]].action.removeprefix("take ")
    assert words[-1].startswith(f"Ticked: {following},")


@pytest.mark.parametrize("path", [POWER, THREE], ids=["magdagdon", "mishimash"])
def test_the_replay_is_saved_byte_by_byte_under_a_name_of_its_digest(path: Path, tmp_path: Path) -> None:
    text = page_of(path)
    [link] = [one for one in Page(text).all("a") if "download" in one.attributes]
    saved = base64.b64decode(link.attributes["href"].removeprefix("data:application/toml;base64,"))
    assert saved == path.read_bytes()
    assert hashlib.sha256(saved).hexdigest() in text
    [command] = re.findall(r"<pre class=command>cubiri (.*?)</pre>", text)
    assert command == f"verify-score {link.attributes['download']}"
    assert re.fullmatch(r"[a-z]+-[0-9a-f]{16}\.toml", link.attributes["download"])
    (tmp_path / link.attributes["download"]).write_bytes(saved)
    assert cubiri("verify-score", tmp_path / link.attributes["download"]).status == 0


def play(session: Session) -> None:
    """Play a game to its end: take all, then bank."""
    while not session.game.over:
        actions = session.game.legal_actions()
        session.do("bank" if "bank" in actions else max(actions, key=len))


def hostile(name: str, comment: str) -> bytes:
    """Return a finished game with this name, and this comment everywhere it can stand."""
    session = Session.begin("mishimash", {"target": 20}, [Player(name), Player("Ada")], "42")
    play(session)
    replay = read(session.text().encode())
    replay.comment = comment
    for turn in replay.turns:
        turn.comment = comment
    return write(replay).encode()


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_from_a_name_or_a_comment_is_markup(text: str, tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_bytes(hostile(text[:32].strip(), f"{text}\n{text}"))
    (tmp_path / "plain.toml").write_bytes(hostile("Zuzka", "a\nb"))
    plain = check_page(page_of(tmp_path / "plain.toml"))
    page = check_page(page_of(tmp_path / "game.toml"))
    assert [one.tag for one in page.elements] == [one.tag for one in plain.elements]
    assert page.raw == plain.raw
    assert page.comments == []
    assert page.text.count(text) >= 10
    assert not re.search(r"^\s*::|##\[", page_of(tmp_path / "game.toml"), re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_speaks_the_language_chosen(language: str) -> None:
    text = page_of(POWER, language=language)
    assert f"<html lang={language}>" in text
    assert said("Save the replay", language) in text
    assert ("Save the replay" in text) == (language == "en")


def test_a_wrong_game_says_what_is_wrong_with_status_1(tmp_path: Path) -> None:
    path = tmp_path / "forged.toml"
    path.write_text(re.sub(r"^score = .*", "score = 544", POWER.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    ran = cubiri("replay", path, "--format", "html")
    assert ran.status == 1
    assert "544 is claimed, 389 is right" in ran.message
    page = check_page(ran.out)
    assert "mismatch (as it was" in page.text
    assert "result.score: 544 is claimed, 389 is right" in page.text
    assert "<strong>544" not in ran.out
    assert "<strong>389" not in ran.out


def test_an_unfinished_game_says_so(tmp_path: Path) -> None:
    session = Session.begin("mishimash", {"target": 100}, [Player("Ada")], "42")
    session.do("roll")
    path = tmp_path / "begun.toml"
    path.write_text(session.text(), "utf-8")
    text = page_of(path)
    assert "The game is not finished." in check_page(text).text
    assert "So far" in text


def test_a_page_of_a_very_long_game_stays_small(tmp_path: Path) -> None:
    session = Session.begin("mishimash", {"target": 2500}, [Player(f"{'&' * 31}{seat}") for seat in range(8)], "42")
    play(session)
    data = session.text().encode()
    recording = Recording(history(read(data)))
    assert len(recording.steps) > replay_page.MOST_STATES
    shown = replay_page.shown_states(recording)
    assert len(shown) == replay_page.MOST_STATES
    assert shown[-1] == len(recording.steps)
    page = check_page(replay_page.replay_page(recording, data))
    assert "This game is very long: here are the last 1000 states after turns." in page.text
    assert len(page.all("li")) == replay_page.MOST_STATES + 1
    assert page.all("input", id="at", max="1000")


def test_turns_are_for_pictures_and_a_page_is_of_the_whole_game() -> None:
    ran = cubiri("replay", POWER, "--format", "html", "--turn", 3)
    assert (ran.status, ran.message) == (2, "cubiri: --turn: a html is of the whole game")


def test_what_is_printed_is_what_the_policy_allows(tmp_path: Path) -> None:
    """As a process: standard output is guarded, and must not change a script or style by a sign."""
    (tmp_path / "game.toml").write_bytes(hostile("::error::a", "##[group]\n::warning::b"))
    ran = process("replay", tmp_path / "game.toml", "--format", "html")
    assert (ran.status, ran.err) == (0, "")
    check_page(ran.out)


@pytest.mark.parametrize("path", [POWER, THREE], ids=["magdagdon", "mishimash"])
def test_a_judged_game_has_its_curve_and_its_marked_moments(path: Path) -> None:
    plain, text = page_of(path), page_of(path, "--advice")
    assert "id=judged" not in plain
    page = check_page(text)
    recording = Recording(history(read_file(path)))
    analysis = analyze(recording.game(0), recording.steps)
    assert [one.attributes["class"] for one in page.all("svg") if "role" in one.attributes] == ["curve"] * len(
        recording.names
    )
    curves = [one.attributes["points"].split() for one in page.all("polyline")]
    assert [len(points) for points in curves] == [len({0} | {moment.state for moment in analysis.moments})] * len(
        recording.names
    )
    marked = [moment for moment in analysis.moments if moment.mark]
    assert len(page.all("line")) == len(marked)
    links = [one.attributes["href"] for one in page.all("a") if one.attributes["href"].startswith("#s")]
    assert links == [f"#s{moment.state}" for moment in marked]
    assert all(f"{moment.mark}  better: " in page.text for moment in marked)
    for ledger in analysis.ledgers:
        assert equation(ledger, analysis.unit) in page.text
