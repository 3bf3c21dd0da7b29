"""Going on with a game on a terminal, whatever ended it, and the main menu that leads there."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.verifying import verify_file
from cubiri_cli.store.home import replays_folder
from cubiri_cli.store.saved import Keeper, recent
from tests.running import cubiri
from tests.strategies import magdagdon
from tests.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

STAGED = ("roll", "place 2 b2")
"""With the seed 42, a die is staged then, and three are free: 2, 3 and 4."""


def begun(*actions: str, output: Path | None = None) -> Path:
    """Return the file of an unfinished game."""
    session = magdagdon("survival", "42").begin()
    keeper = Keeper(session, output)
    for action in actions or STAGED:
        session.do(action)
    keeper.finish()
    assert keeper.path is not None
    return keeper.path


def log(path: Path) -> list[str]:
    return [entry for turn in read_file(path).turns for entry in turn.log]


def test_without_a_terminal_it_is_one_line_and_status_2() -> None:
    nothing = cubiri("resume")
    assert (nothing.status, nothing.out) == (2, "")
    assert "no unfinished game" in nothing.message
    path = begun()
    before = path.read_bytes()
    for arguments in (["resume"], ["resume", path]):
        ran = cubiri(*arguments)
        assert (ran.status, ran.out) == (2, "")
        assert "terminal" in ran.message
    assert path.read_bytes() == before


def test_what_cannot_be_gone_on_with(tmp_path: Path) -> None:
    assert cubiri("resume", tmp_path / "missing.toml").status == 2
    assert cubiri("resume", tmp_path).status == 2
    broken = tmp_path / "broken.toml"
    broken.write_text("format = 'x'", encoding="utf-8")
    assert cubiri("resume", broken).status == 1
    script = tmp_path / "finished.toml"
    from random import Random

    from tests.strategies import play

    script.write_text(play(magdagdon("survival", "done"), Random(1)).text(), encoding="utf-8")
    ran = cubiri("resume", script)
    assert ran.status == 1
    assert "finished" in ran.message


def test_the_latest_one_that_was_edited_is_refused_with_the_place() -> None:
    path = begun()
    path.write_text(path.read_text(encoding="utf-8").replace("roll -> 2", "roll -> 5"), encoding="utf-8")
    ran = cubiri("resume")
    assert ran.status == 1
    assert f"{path}: " in ran.message
    assert "turn 1, entry 1" in ran.message


def go_on_and_stage_another(*arguments: object) -> None:
    with Terminal("--plain", *arguments) as terminal:
        terminal.see("staged", ">")
        terminal.type("place 3 b3; confirm", "Enter")
        terminal.see("Turn 2")
        terminal.type("q", "Enter")
        assert terminal.end() == 0


def test_staged_dice_are_still_staged() -> None:
    path = begun()
    go_on_and_stage_another("resume")
    assert log(path)[:4] == ["roll -> 2 2 4 3", "place 2 b2", "place 3 b3", "confirm"]
    assert verify_file(path).status == "unfinished"
    assert len(list(replays_folder().iterdir())) == 1


def test_a_game_of_output_goes_on_in_its_file_and_is_not_ranked(tmp_path: Path) -> None:
    path = begun(output=tmp_path / "game.toml")
    go_on_and_stage_another("resume", path)
    assert log(path)[3] == "confirm"
    assert not (tmp_path / "cubiri-home").exists()


@pytest.mark.parametrize("end", ["Ctrl-C", "Ctrl-D", signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=str)
def test_whatever_ends_the_program_the_game_goes_on_from_there(end: str | signal.Signals) -> None:
    with Terminal("play", "magdagdon", "--difficulty", "survival", "--seed", "42", "--player", "Ada") as terminal:
        terminal.see("turn 1")
        terminal.type(":")
        terminal.see("Actions:")
        terminal.type("roll; place 2 b2", "Enter")
        terminal.see("1 staged")
        if isinstance(end, str):
            terminal.type(end)
        else:
            terminal.signal(end)
        assert terminal.end() == (137 if end == signal.SIGKILL else 130)
    (path,) = replays_folder().glob("*.toml")
    assert log(path) == ["roll -> 2 2 4 3", "place 2 b2"]
    go_on_and_stage_another("resume")
    assert log(path)[3] == "confirm"


def test_two_terminals_cannot_go_on_with_one_game() -> None:
    path = begun()
    with Terminal("resume") as first:
        first.see("turn 1")
        with Terminal("resume") as second:
            second.see("another terminal")
            assert second.end() == 1
        first.type("q")
        assert first.end() == 0
    go_on_and_stage_another("resume", path)


# The menu


def test_the_menu_leads_everywhere_and_back() -> None:
    with Terminal() as terminal:
        for key, there in (
            ("n", "Which game?"),
            ("d", "Which game?"),
            ("w", "Which replay?"),
            ("b", "no results"),
            ("r", "Which game?"),
            ("s", "Change which?"),
        ):
            terminal.see("What shall it be?", "[q]")
            terminal.type(key)
            terminal.see(there)
            terminal.type("Esc")
        terminal.see("What shall it be?")
        assert "Go on" not in terminal.text
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


def test_the_menu_goes_on_with_the_latest_game_and_comes_back() -> None:
    path = begun()
    with Terminal() as terminal:
        terminal.see("Go on with MAGDAGDON · survival", "A new game leaves")
        terminal.type("g")
        terminal.see("1 staged")
        terminal.type("q")
        terminal.see("Enter goes back to the menu.", str(path)[:40])
        terminal.type("Enter")
        terminal.see("What shall it be?")
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
        assert terminal.is_sane


def test_a_new_game_from_the_menu_leaves_the_other_as_it_is() -> None:
    path = begun()
    before = path.read_bytes()
    with Terminal() as terminal:
        terminal.see("A new game leaves MAGDAGDON · survival")
        terminal.type("n")
        terminal.see("Which game?")
        terminal.type("1")
        terminal.see("nightmare")
        terminal.type("1")  # whose first roll can always be played
        terminal.see("turn 1")
        terminal.type("r")
        terminal.see("Which die")
        terminal.type("q")
        terminal.see("Enter goes back")
        terminal.type("Enter")
        terminal.see("Go on with MAGDAGDON · peaceful")
        terminal.type("Esc")
        assert terminal.end() == 0
    assert path.read_bytes() == before
    assert len(recent()) == 2


def test_today_s_game_from_the_menu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796061731")
    with Terminal() as terminal:
        terminal.see("Today's game")
        terminal.type("d")
        terminal.see("Which game?")
        terminal.type("1")
        terminal.see("nightmare")
        terminal.type("2")
        terminal.see("turn 1")
        terminal.type("r")
        terminal.see("Which die")
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
    (path,) = recent()
    assert read_file(path).seed == "daily-2026-11-30"


def test_the_menu_says_why_a_game_cannot_be_gone_on_with() -> None:
    path = begun()
    path.write_text(path.read_text(encoding="utf-8").replace("roll -> 2", "roll -> 5"), encoding="utf-8")
    with Terminal() as terminal:
        terminal.see("Go on with")
        terminal.type("g")
        terminal.see("turn 1, entry 1", "What shall it be?")
        terminal.type("q")
        assert terminal.end() == 0


def test_the_menu_in_plain_mode() -> None:
    begun()
    with Terminal("--plain") as terminal:
        terminal.see("What shall it be?", "g) Go on with MAGDAGDON")
        terminal.type("b", "Enter")
        terminal.see("no results")
        terminal.type("s", "Enter")
        terminal.see("Change which?")
        terminal.type("0", "Enter")
        terminal.see("What shall it be?")
        terminal.type("g", "Enter")
        terminal.see("b2")
        terminal.type("q", "Enter")
        terminal.see("Enter goes back to the menu.")
        terminal.type("Enter")
        terminal.type("q", "Enter")
        assert terminal.end() == 0


def test_elsewhere_it_is_the_help() -> None:
    ran = cubiri()
    assert ran.status == 0
    assert "leaderboard" in ran.out
