"""`cubiri replay` elsewhere than on a terminal: the text of a game, a turn of it, and what is said of broken files."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cubiri_cli.replays.reading import read_file
from tests.support.running import cubiri

FOLDER = Path(__file__).parents[2] / "replays"
REPLAYS = sorted(FOLDER.glob("*.toml"))
POWER = FOLDER / "magdagdon-survival-power-kills-roll.toml"
SUDDEN = FOLDER / "mishimash-three-players-sudden-death.toml"


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def changed(path: Path, old: str, new: str, tmp_path: Path) -> Path:
    """Return a copy of a replay in which the first `old` is `new`."""
    text = path.read_text("utf-8")
    assert old in text
    copy = tmp_path / "changed.toml"
    copy.write_text(text.replace(old, new, 1), "utf-8")
    return copy


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
@pytest.mark.parametrize("plain", [False, True], ids=["drawn", "plain"])
def test_a_whole_game_is_told_entry_by_entry_and_ends_with_its_score(path: Path, plain: bool) -> None:
    replay = read_file(path)
    ran = cubiri("replay", path, *(["--plain"] if plain else []))
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert ran.out.isascii() or not plain
    assert replay.seed in ran.out
    told = iter(lines)
    for number, turn in enumerate(replay.turns, 1):
        assert any(line.startswith((f"Turn {number} ", f"Turn {number}, ")) for line in told), number
        for index, entry in enumerate(turn.log, 1):
            assert any(line == f"  {index:>2}  {entry}" for line in told), (number, entry)
    assert replay.result is not None
    score = replay.result.get("score", max(replay.result.get("scores", [0])))
    alone = replay.game == "mishimash" and len(replay.players) == 1
    final = f"Result: {len(replay.turns)} turns, {score:g} points" if alone else f"Final score: {score:g}"
    assert lines[-1].replace("−", "-") == final


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
def test_comments_are_told(path: Path) -> None:
    replay = read_file(path)
    shown = " ".join(cubiri("replay", path).out.split())
    for comment in [replay.comment, *(turn.comment for turn in replay.turns)]:
        assert " ".join((comment or "").split()) in shown


def test_it_is_as_wide_as_the_terminal_but_never_cramped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, cubiri("replay", POWER).out.splitlines())) <= 40
    assert max(map(len, cubiri("replay", SUDDEN, "--plain").out.splitlines())) <= 40


def test_a_turn_is_shown_as_it_ended() -> None:
    ran = cubiri("replay", POWER, "--turn", 5)
    assert ran.status == 0
    assert "After turn 5 of 7 · Ada" in ran.out
    assert "score 243" in ran.out
    assert "▒▒▒" in ran.out
    assert "Final score" not in ran.out
    plain = cubiri("replay", POWER, "--turn", 5, "--plain")
    assert "a4 ruin" in plain.out
    assert "Score 243" in plain.out


def test_turn_zero_is_before_the_first() -> None:
    ran = cubiri("replay", POWER, "--turn", 0)
    assert ran.status == 0
    assert "Before the first of 7 turns" in ran.out
    assert "score 0" in ran.out


def test_a_turn_beyond_the_end_is_refused_with_their_number() -> None:
    ran = cubiri("replay", POWER, "--turn", 8)
    assert (ran.status, ran.out) == (2, "")
    assert "7 turns" in ran.message


@pytest.mark.parametrize(
    "options",
    [
        ["--turn", "-1"],
        ["--turn", "x"],
        ["--turn", "1", "--format", "cast"],
        ["--format", "gif"],
        ["--speed", "0"],
        ["--speed", "nan"],
        ["--speed", "1000"],
    ],
    ids=" ".join,
)
def test_wrong_options_are_refused(options: list[str]) -> None:
    ran = cubiri("replay", POWER, *options)
    assert (ran.status, ran.out) == (2, "")
    assert options[0] in ran.message


def test_a_game_on_standard_input() -> None:
    assert cubiri("replay", "-", stdin=POWER.read_bytes()).out == cubiri("replay", POWER).out


def test_closed_standard_input() -> None:
    ran = cubiri("replay", "-", stdin=None)
    assert (ran.status, ran.out) == (2, "")
    assert "standard input" in ran.message


def test_a_missing_file_is_a_wrong_call() -> None:
    for missing in ("no-such-file.toml", "x" * 5000):
        ran = cubiri("replay", missing)
        assert (ran.status, ran.out) == (2, "")
        assert ran.message.startswith("cubiri: ")


def test_what_is_no_replay_is_answered_in_one_line_with_its_place(tmp_path: Path) -> None:
    malformed = tmp_path / "malformed.toml"
    malformed.write_text("this is no TOML\x00")
    unsupported = changed(POWER, "rules = 1", "rules = 7", tmp_path)
    for path, part in ((malformed, "TOML"), (unsupported, "rules: 7"), (tmp_path, "regular file")):
        ran = cubiri("replay", path)
        assert (ran.status, ran.out) == (1, ""), path
        assert part in ran.message


@pytest.mark.parametrize(
    ("old", "new", "where", "last"),
    [
        ('"place 4 a1"', '"place 4 d4"', "turn 2, entry 2", "  1  roll -> 1 1 4 6"),
        ('"roll -> 2 5 1 2"', '"roll -> 2 5 1 3"', "turn 3, entry 1", "  4  confirm"),
        ('"ruin a4",', '"ruin a4", "hint",', "turn 5, entry 5", "  4  ruin a4"),
        ("score = 389", "score = 390", "result.score", "Final score: 389"),
    ],
    ids=["illegal", "dice", "turn-ended", "mismatch"],
)
def test_a_wrong_game_is_shown_as_far_as_it_is_right(old: str, new: str, where: str, last: str, tmp_path: Path) -> None:
    path = changed(POWER, old, new, tmp_path)
    ran = cubiri("replay", path)
    assert ran.status == 1
    assert f"{where}: " in ran.message
    told = [line for line in ran.out.splitlines() if re.match(r" +\d+  [a-z]|Final", line)]
    assert told[-1].strip() == last.strip()


def test_another_player_s_turn_is_not_shown(tmp_path: Path) -> None:
    path = changed(SUDDEN, "player = 2", "player = 3", tmp_path)
    ran = cubiri("replay", path)
    assert ran.status == 1
    assert "turn 2: " in ran.message
    assert "Turn 1 " in ran.out
    assert "Turn 2 " not in ran.out


def test_two_turns_in_one_are_shown_up_to_the_end_of_the_first(tmp_path: Path) -> None:
    text = POWER.read_text("utf-8")
    begin = text.index("]", text.index('"ruin a4"'))
    path = tmp_path / "merged.toml"
    path.write_text(text[:begin] + text[text.index('    "roll', begin) :], "utf-8")
    ran = cubiri("replay", path)
    assert ran.status == 1
    assert "turn 5, entry 5: " in ran.message
    assert "  4  ruin a4" in ran.out
    assert "  5  roll" not in ran.out


def test_a_turn_that_is_not_right_is_not_shown(tmp_path: Path) -> None:
    path = changed(POWER, '"place 4 a1"', '"place 4 d4"', tmp_path)
    ran = cubiri("replay", path, "--turn", 2)
    assert (ran.status, ran.out) == (1, "")
    assert "turn 2, entry 2" in ran.message
    before = cubiri("replay", path, "--turn", 1)
    assert before.status == 1
    assert "After turn 1" in before.out


def test_an_unfinished_game_is_shown_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "unfinished.toml"
    path.write_text(POWER.read_text("utf-8").partition('    "place 6 b4"')[0] + "]\n", "utf-8")
    ran = cubiri("replay", path)
    assert (ran.status, ran.err) == (0, "")
    assert "Score so far: 32" in ran.out
    assert "score 32" in cubiri("replay", path, "--turn", 2).out


def test_names_and_comments_are_harmless_whatever_they_hold(tmp_path: Path) -> None:
    name, comment = "[bold]{name}%s\\u0301\\u0301", "<b>&amp; {turn} [red] " + "w" * 300
    path = changed(POWER, '"Ada"', f'"{name}"', tmp_path)
    path = changed(path, 'comment = "A Power', f'comment = "{comment}', tmp_path)
    ran = cubiri("replay", path)
    assert ran.status == 0
    assert "[bold]{name}%s" in ran.out
    assert max(len(line.replace("\u0301", "")) for line in ran.out.splitlines()) <= 80
    assert "<b>&amp; {turn} [red]" in ran.out
    escape = changed(POWER, '"Ada"', '"\\u001b[2J"', tmp_path)
    assert "\x1b" not in cubiri("replay", escape).err


def test_nothing_is_written_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for form in ("text", "json", "svg", "cast"):
        cubiri("replay", POWER, "--format", form)
    assert list(tmp_path.iterdir()) == []


def test_a_closed_pipe_is_left_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "cubiri_cli", "replay", str(FOLDER / "mishimash-solo-1000.toml"), "--format", "cast"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(timeout=20)
