"""`cubiri stats` and `cubiri share`: a player's games in numbers, and one game in five lines."""

from __future__ import annotations

import io
import json
import random
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

import pytest

from cubiri_cli import store
from cubiri_cli.commands import progress
from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import Session
from cubiri_cli.store import played
from cubiri_cli.store.days import challenge_of
from cubiri_cli.store.home import replays_folder
from cubiri_cli.table.language import LANGUAGES
from tests.support.running import cubiri

if TYPE_CHECKING:
    pass

NOW = datetime(2026, 11, 30, 18, tzinfo=UTC)


def record(
    game: str, options: dict[str, Any], seed: str, players: list[str], moment: datetime, patch: pytest.MonkeyPatch
) -> dict[str, Any]:
    """Play a game at random to its end, keep it at home, and return its result."""
    chance = random.Random(seed)
    with patch.context() as at:
        at.setenv("SOURCE_DATE_EPOCH", str(int(moment.timestamp())))
        session = Session.begin(game, options, [Player(name) for name in players], seed)
        while not session.game.over:
            actions = session.game.legal_actions()
            session.do(next((one for one in actions if one in ("confirm", "bank")), None) or chance.choice(actions))
        replays_folder().mkdir(parents=True, exist_ok=True)
        (replays_folder() / f"{moment:%Y%m%d-%H%M%S}-{seed}.toml").write_text(session.text(), "utf-8", newline="\n")
    return session.game.result()


@pytest.fixture
def life(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[dict[str, Any]]]:
    """Ten days of a player, with the clock on the last of them: the results by kind of game."""
    results: dict[str, list[dict[str, Any]]] = {"days": [], "nightmare": [], "others": []}
    for number in range(10):
        moment = NOW - timedelta(days=9 - number, minutes=number)
        day = challenge_of(moment.date())
        results["days"].append(record(day.game, dict(day.options), day.seed, ["Ada"], moment, monkeypatch))
        later = moment + timedelta(hours=1)
        hard = {"difficulty": "nightmare"}
        results["nightmare"].append(record("magdagdon", hard, f"n{number}", ["Ada"], later, monkeypatch))
        three = ["Ada", "Väinö", "Zuzka"]
        results["others"].append(record("mishimash", {"target": 20}, f"m{number}", three, later, monkeypatch))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(NOW.timestamp())))
    return results


def test_the_numbers_are_those_of_the_games(life: dict[str, list[dict[str, Any]]]) -> None:
    data = json.loads(cubiri("stats", "--player", "Ada", "--format", "json").out)
    days = [challenge_of((NOW - timedelta(days=9 - number)).date()).options for number in range(10)]
    results = [one for one, options in zip(life["days"], days, strict=True) if options == {"difficulty": "nightmare"}]
    scores = [one["score"] for one in [*life["nightmare"], *results]]
    hard = next(one for one in data["games"] if one.get("difficulty") == "nightmare")
    assert hard["played"] == hard["finished"] == len(scores)
    assert hard["best"] == max(scores)
    assert hard["mean"] == pytest.approx(fmean(scores))
    assert hard["median"] == median(scores)
    assert sum(count for _start, count in hard["histogram"]) == len(scores)
    assert hard["ruins"] > 0 == hard["powers"]
    solo = next(one for one in data["games"] if one["game"] == "mishimash")
    assert solo["target"] == 200
    assert solo["best"] == min(one["turns"][0] for one in life["days"] if "winner" in one)
    won = sum(one["winner"] == 1 for one in life["others"])
    assert data["wins"] == {"played": 10, "won": won}
    assert data["daily"] == {"streak": 10, "longest": 10, "days": 10, "today": life["days"][-1]}


def test_a_game_s_own_numbers_alone_and_another_player_s(life: dict[str, list[dict[str, Any]]]) -> None:
    data = json.loads(cubiri("stats", "MISHIMASH", "--player", "Ada", "--format", "json").out)
    assert {one["game"] for one in data["games"]} == {"mishimash"}
    other = json.loads(cubiri("stats", "--player", "Zuzka", "--format", "json").out)
    assert other["games"] == []
    assert other["wins"]["played"] == 10
    assert other["daily"]["days"] == 0
    ran = cubiri("stats", "--player", "Eve")
    assert (ran.status, ran.message) == (2, "cubiri: Eve has no games here; there are games of: Ada, Väinö, Zuzka")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_fits_and_the_words_need_no_drawing(language: str, life: dict[str, list[dict[str, Any]]]) -> None:
    page = cubiri("--lang", language, "stats", "--player", "Ada").out.splitlines()
    assert max(map(len, page)) <= 80
    assert any("█" in line for line in page)
    words = cubiri("--lang", language, "--plain", "stats", "--player", "Ada").out
    assert words.isascii()
    assert "█" not in words
    assert "MAGDAGDON nightmare" in words


def test_without_games_it_says_so() -> None:
    assert "No games yet." in cubiri("stats").out
    data = json.loads(cubiri("stats", "--format", "json").out)
    assert (data["games"], data["wins"], data["daily"]["today"]) == ([], {"played": 0, "won": 0}, None)


def test_what_was_read_is_remembered_until_a_file_changes(
    life: dict[str, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cubiri("stats", "--player", "Ada").out
    read: list[str] = []
    again = played._read

    def note(name: str, changed: float) -> played.Played:
        read.append(name)
        return again(name, changed)

    monkeypatch.setattr(played, "_read", note)
    assert cubiri("stats", "--player", "Ada").out == first
    assert read == []
    forged = sorted(replays_folder().iterdir())[0]
    forged.write_text(forged.read_text("utf-8").replace("finished", "finnished"), "utf-8")
    changed = json.loads(cubiri("stats", "--player", "Ada", "--format", "json").out)
    assert read == [forged.name]
    assert changed["daily"]["days"] == 9


DAMAGED = [b"", b"{", b'{"format": 1}', b"[]", b"\xff", b'{"format": 1, "program": 2, "games": 3}']


class Screen(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_reading_many_games_for_the_first_time_says_how_far_it_is(
    life: dict[str, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "BEGIN", 0.0)
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    seen = []
    for _time in range(2):
        screen = Screen()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", screen)
            patch.setattr(store, "watched", progress.watched)
            count = len(played.games_played())
        seen.append(screen.getvalue())
    assert f"\r1 of {count} games read\x1b[K" in seen[0]
    assert seen[0].endswith("\r\x1b[K")
    assert seen[1] == ""


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_memory_is_no_harm(damage: bytes, life: dict[str, list[dict[str, Any]]]) -> None:
    first = cubiri("stats", "--player", "Ada").out
    played.memory_path().write_bytes(damage)
    ran = cubiri("stats", "--player", "Ada")
    assert (ran.status, ran.out, ran.err) == (0, first, "")


def test_a_memory_with_wrong_content_is_no_harm(life: dict[str, list[dict[str, Any]]]) -> None:
    first = cubiri("stats", "--player", "Ada").out
    data = json.loads(played.memory_path().read_text("utf-8"))
    for entry in data["games"]:
        entry[2] = {"name": 1, "else": 2}
    played.memory_path().write_text(json.dumps(data), "utf-8")
    assert cubiri("stats", "--player", "Ada").out == first


# Sharing


def test_the_day_s_game_in_four_lines_without_a_die(life: dict[str, list[dict[str, Any]]]) -> None:
    ran = cubiri("share", "20261130-175100")
    head, marks, facts, command = ran.out.splitlines()
    assert head == "CUBIRI 2026-11-30 · MISHIMASH to 200"
    turns = life["days"][-1]["turns"][0]
    assert marks.endswith(f"  {turns} turns")
    assert set(marks.split()[0]) <= set("🟪🟧🟦⬛")
    assert len(marks.split()[0]) == min(turns, 20)
    assert facts.endswith(" · streak 10")
    assert command == "cubiri play mishimash --target 200 --seed daily-2026-11-30"


def test_practice_makes_no_streak(life: dict[str, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch) -> None:
    day = challenge_of(NOW.date())
    record(day.game, dict(day.options), day.seed, ["Ada"], NOW + timedelta(hours=2), monkeypatch)
    assert "streak 10" in cubiri("share", "20261130-175100").out
    lines = cubiri("share").out.splitlines()
    assert lines[0].startswith("CUBIRI 2026-11-30 · MISHIMASH")


MARKS = {
    "magdagdon-nightmare-negative-score": "🟧⬛⬛⬛ ⬛⬛⬛⬛  −75",
    "magdagdon-survival-highest-score": "🟪🟪🟪🟪 🟧🟧🟧🟧  544",
    "magdagdon-peaceful-six-straights": "🟪🟪🟪⬜ ⬜🟪🟪🟪  454",
}


@pytest.mark.parametrize("name", MARKS)
def test_one_mark_a_line_of_the_board(name: str) -> None:
    replay = Path(__file__).parents[2] / "replays" / f"{name}.toml"
    lines = cubiri("share", replay).out.splitlines()
    assert lines[1] == MARKS[name]
    assert len(lines) <= 5
    words = cubiri("--plain", "share", replay).out
    assert words.isascii()
    assert words.count("straight") == MARKS[name].count("🟪")
    marks = words.splitlines()[1]
    assert marks.count("ruin,") + marks.count("ruin;") == MARKS[name].count("⬛")


def shared_of(players: list[Player], tmp_path: Path) -> list[str]:
    """Return the lines that share a game of these players."""
    session = Session.begin("mishimash", {"target": 10}, players, "42")
    while not session.game.over:
        session.do("bank" if "bank" in session.game.legal_actions() else session.game.legal_actions()[-1])
    path = tmp_path / "game.toml"
    path.write_text(session.text(), "utf-8", newline="\n")
    return cubiri("share", path).out.splitlines()


def test_bots_are_named_where_they_played(tmp_path: Path) -> None:
    ada, casual, rob = Player("Ada"), Player("casual", "casual"), Player("rob", "program")
    lines = shared_of([ada, casual], tmp_path)
    assert lines[2].endswith(" · against the bot casual")
    assert lines[3] == "cubiri play mishimash --target 10 --bot casual --seed 42"
    lines = shared_of([ada, casual, rob], tmp_path)
    assert lines[2].endswith(" · won by a bot; bots: casual, rob")
    lines = shared_of([casual], tmp_path)
    assert lines[2].endswith(" · played by the bot casual")
    assert lines[3] == "cubiri play mishimash --target 10 --seed 42"
    assert shared_of([ada, Player("Zuzka")], tmp_path)[2].endswith(" · 2 players")
    assert shared_of([ada], tmp_path)[2].count(" · ") == 1


def test_a_simulated_game_has_no_date(tmp_path: Path) -> None:
    assert cubiri("simulate", "magdagdon", "--bot", "random", "--games", "1", "--output", tmp_path).status == 0
    (game,) = tmp_path.glob("*.toml")
    assert "1970" in game.read_text("utf-8")
    assert cubiri("share", game).out.startswith("CUBIRI · MAGDAGDON peaceful\n")
    assert "1970" not in cubiri("replay", game).out


def test_what_cannot_be_shared_is_said_in_one_line(tmp_path: Path) -> None:
    assert cubiri("share").message == "cubiri: there is no finished game yet"
    assert cubiri("share", "nope").status == 2
    replay = Path(__file__).parents[2] / "replays" / "magdagdon-peaceful-six-straights.toml"
    forged = tmp_path / "forged.toml"
    forged.write_text(replay.read_text("utf-8").replace("score = 454", "score = 544"), "utf-8")
    ran = cubiri("share", forged)
    assert (ran.status, ran.out) == (1, "")
    assert ran.message.startswith("cubiri: ")
    assert "result.score" in ran.message
