"""`cubiri replay` on a terminal: every key, both sizes, and how the terminal is left."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from cubiri_cli.replays.history import history
from cubiri_cli.replays.reading import read_file
from cubiri_cli.table.drawing import line_width, to_text
from cubiri_cli.table.pages import seconds
from cubiri_cli.table.transcript import Recording
from cubiri_cli.terminal.sizes import LEAST_HEIGHT, LEAST_WIDTH
from cubiri_cli.terminal.watching import Watcher
from tests.support.running import cubiri
from tests.support.terminal import Terminal

FOLDER = Path(__file__).parents[2] / "replays"
REPLAYS = sorted(FOLDER.glob("*.toml"))
POWER = FOLDER / "magdagdon-survival-power-kills-roll.toml"
SUDDEN = FOLDER / "mishimash-three-players-sudden-death.toml"


def recording(path: Path) -> Recording:
    return Recording(history(read_file(path)))


def shown(watcher: Watcher, columns: int = 80, rows: int = 24) -> str:
    return "\n".join(map(to_text, watcher.draw(columns, rows)))


# What the keys do, without a terminal


def pressed(*keys: str, paused: bool = True) -> Watcher:
    watcher = Watcher(recording(POWER), paused=paused)
    for key in keys:
        watcher.press(key)
    return watcher


def test_it_goes_on_by_itself_until_it_is_paused() -> None:
    watcher = pressed(paused=False)
    assert watcher.wait() == seconds(watcher.recording, 0)
    watcher.advance()
    assert watcher.page == 1
    watcher.press(" ")
    assert watcher.wait() is None
    watcher.press(" ")
    assert watcher.wait() is not None


def test_it_ends_with_the_breakdown_which_stays() -> None:
    watcher = pressed(paused=False)
    while watcher.wait() is not None:
        watcher.advance()
    assert watcher.page == watcher.last
    assert watcher.ended
    assert "Final score: 389" in shown(watcher)
    watcher.press("x")
    assert watcher.left


@pytest.mark.parametrize(
    ("keys", "page"),
    [
        ("n", 1),
        ("n n p", 1),
        ("right down left", 1),
        ("p", 0),
        ("end", 32),
        ("end n", 32),
        ("end p", 31),
        ("n n home", 0),
        ("g 3 enter", 11),
        ("t 7 enter", 29),
        ("g 9 enter", 29),
        ("g 0 enter", 0),
        ("g 3 escape", 0),
        ("g enter", 0),
        ("g 3 backspace 2 enter", 7),
        ("g x 2 enter", 7),
        ("pagedown", 1),
        ("pagedown pagedown", 7),
        ("pagedown pagedown n pageup", 7),
        ("pagedown pagedown n pageup pageup", 1),
        ("pagedown pageup pageup", 0),
        ("end pageup", 29),
        ("g 7 enter pagedown", 32),
        ("? n", 0),
    ],
)
def test_keys_go_to_their_pages(keys: str, page: int) -> None:
    watcher = pressed(*keys.split())
    assert watcher.page == page
    assert not watcher.left


def test_a_step_by_hand_pauses() -> None:
    assert pressed("n", paused=False).paused
    assert pressed("p", paused=False).paused


def test_faster_and_slower_have_their_bounds() -> None:
    assert pressed("+").speed == 2
    assert pressed("-").speed == 0.5
    assert pressed(*"+" * 20).speed == 100
    assert pressed(*"-" * 20).speed == 0.05
    usual, fast = pressed(paused=False), pressed("+", paused=False)
    assert fast.wait() == (usual.wait() or 0) / 2


def test_nothing_moves_while_a_turn_is_typed_or_help_is_read() -> None:
    assert pressed("g", paused=False).wait() is None
    assert pressed("?", paused=False).wait() is None
    assert "faster, slower" in shown(pressed("?"))
    assert "Go to turn (1 to 7): 3" in shown(pressed("g", "3"))


@pytest.mark.parametrize("key", ["q", "escape"])
def test_keys_that_leave(key: str) -> None:
    assert pressed(key).left


def test_what_is_unknown_does_nothing() -> None:
    watcher = pressed("z", "f5", "enter", "a long paste")
    assert (watcher.page, watcher.left, watcher.typed) == (0, False, None)


# What is seen


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 24), (LEAST_WIDTH, LEAST_HEIGHT), (132, 50)])
def test_every_page_fits_and_says_what_was_done(path: Path, columns: int, rows: int) -> None:
    watcher = Watcher(recording(path), paused=True)
    for page in range(watcher.last + 1):
        lines = watcher.draw(columns, rows)
        assert len(lines) <= rows
        assert all(line_width(one) <= columns for one in lines), page
        text = "\n".join(map(to_text, lines))
        assert "[q]" in text
        step = watcher.recording.step(page) if page < watcher.last else None
        if step is not None:
            assert f"» {watcher.recording.entry(page)}" in text
            assert f"turn {step.turn}/" in text
        watcher.press("n")


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
def test_comments_are_seen_whole(path: Path) -> None:
    watcher = Watcher(recording(path), paused=True)
    replay = watcher.recording.replay
    assert " ".join((replay.comment or "").split()) in " ".join(shown(watcher).split())
    for number, turn in enumerate(replay.turns, 1):
        watcher.page = watcher.recording.first_of(number)
        assert " ".join((turn.comment or "").split()) in " ".join(shown(watcher).split())


def test_a_long_comment_leaves_room_for_the_picture() -> None:
    told = recording(POWER)
    told.replay.comment = "word " * 1000
    watcher = Watcher(told, paused=True)
    assert "…" in shown(watcher)
    assert " 4 │" in shown(watcher)
    assert "[q]" in shown(watcher)


def test_what_is_selected_is_shown_as_it_was() -> None:
    told = recording(SUDDEN)
    first = told.first_of(4)
    assert told.entry(first) == "roll -> 1 5 6 4 4 6"
    told.steps[first] = told.steps[first]._replace(action="take 5")
    chosen = [span.text for one in told.picture(first, 78, 20) for span in one if span.style == "chosen"]
    assert "".join(chosen) == "▐ 5 ▌"


def test_a_small_terminal_is_told_so() -> None:
    text = shown(pressed(), LEAST_WIDTH - 1, LEAST_HEIGHT)
    assert f"{LEAST_WIDTH}×{LEAST_HEIGHT}" in text.replace("\n", " ")


def test_a_wrong_game_ends_with_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(POWER.read_text("utf-8").replace('"roll -> 2 5 1 2"', '"roll -> 2 5 1 3"'), "utf-8")
    watcher = Watcher(recording(path), paused=True)
    watcher.press("end")
    assert "turn 3, entry 1: " in shown(watcher)


# On a terminal


def test_a_game_plays_to_its_end_and_leaves_its_breakdown() -> None:
    with Terminal("replay", SUDDEN, "--speed", "100") as terminal:
        terminal.see("Final score: 45", "[Home]")
        terminal.type("x")
        assert terminal.end() == 0
        assert terminal.is_sane
        assert "Final score: 45" in terminal.printed


@pytest.mark.parametrize("columns", [80, 40])
def test_a_game_is_gone_through_by_keys(columns: int) -> None:
    with Terminal("replay", POWER, "--step", columns=columns) as terminal:
        terminal.see("Before the first turn", "paused", "A Power can make things worse", "[Space]", "[?]")
        terminal.type("n")
        terminal.see("turn 1/7 · 1/6", "roll -> 4 3 4 5")
        terminal.type("Down", "\x1b[C")
        terminal.see("turn 1/7 · 3/6", "place 4 b2")
        terminal.type("\x1b[D")
        terminal.see("turn 1/7 · 2/6", "place 3 b1")
        terminal.type("g", "5")
        terminal.see("Go to turn (1 to 7): 5")
        terminal.type("Enter")
        terminal.see("turn 5/7 · 1/4", "The reroll leaves no two dice that fit")
        terminal.type("g", "2", "Esc")
        terminal.see("turn 5/7 · 1/4")
        terminal.type("?")
        terminal.see("one step forward")
        terminal.type("x")
        terminal.miss("one step forward")
        terminal.type("+")
        terminal.see("×2")
        terminal.type("End")
        terminal.see("Final score: 389")
        terminal.type("Home")
        terminal.see("Before the first turn")
        terminal.type("Esc")
        assert terminal.end() == 0
        assert terminal.is_sane


def test_it_fits_a_terminal_that_changes_its_size() -> None:
    with Terminal("replay", POWER, "--step") as terminal:
        terminal.see("Before the first turn", "├─────┼")
        terminal.resize(40, 24)
        terminal.see("score 0", "[q] quit", "┌───┬")
        terminal.resize(30, 10)
        terminal.see("30×10")
        terminal.resize(80, 24)
        terminal.see("Before the first turn", "├─────┼")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


@pytest.mark.parametrize("how", ["Ctrl-C", "SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupted_game_leaves_the_terminal_sane(how: str) -> None:
    with Terminal("replay", POWER, "--step") as terminal:
        terminal.see("Before the first turn")
        if how == "Ctrl-C":
            terminal.type(how)
        else:
            terminal.signal(signal.Signals[how])
        assert terminal.end() == 130
        assert terminal.is_sane
        assert "Traceback" not in terminal.printed


def test_ctrl_d_leaves() -> None:
    with Terminal("replay", POWER, "--step") as terminal:
        terminal.see("Before the first turn")
        terminal.type("Ctrl-D")
        assert terminal.end() == 0
        assert terminal.is_sane


def test_a_wrong_game_says_so_in_the_end(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(POWER.read_text("utf-8").replace("score = 389", "score = 390"), "utf-8")
    with Terminal("replay", path, "--speed", "100") as terminal:
        terminal.see("Final score: 389", "result.score: ")
        terminal.type("q")
        assert terminal.end() == 1
        assert terminal.is_sane
        assert "wrong.toml: result.score: " in terminal.printed.replace("\n", "")


@pytest.mark.parametrize("options", [["--plain"], ["--format", "text"], ["--turn", "7"]], ids=" ".join)
def test_text_is_to_be_had_on_a_terminal_as_well(options: list[str]) -> None:
    with Terminal("replay", POWER, *options) as terminal:
        assert terminal.end() == 0
        assert "389" in terminal.printed
        assert b"\x1b[?1049h" not in terminal.raw
        assert (b"\x1b" in terminal.raw) == ("--plain" not in options)


def test_a_dumb_terminal_gets_plain_text() -> None:
    with Terminal("replay", POWER, TERM="dumb") as terminal:
        assert terminal.end() == 0
        assert b"\x1b" not in terminal.raw
        assert cubiri("replay", POWER, "--plain").out.splitlines()[-1] in terminal.printed
