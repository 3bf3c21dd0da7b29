"""The code of a key is that key, or none, but never letters: however it is cut into pieces, with whatever pauses."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.keys import Keys

from cubiri_cli.terminal.keyboard import _Parser, without_codes
from tests.support.playing import MAGDAGDON, MISHIMASH, log
from tests.support.terminal import Terminal

ROOT = Path(__file__).parents[2]

PAUSES = (0.06, 0.15, 0.25)
"""Pauses between the pieces, in seconds: longer than prompt_toolkit's, and than a person would mind."""

UNKNOWN = ["\x1b[99~", "\x1b[1;99C", "\x1b[I", "\x1b[O", "\x1b[?1;2c", "\x1bOz", "\x1b[57;5u", "\x1b[>0;95;0c"]
"""Codes of keys, and answers of terminals, that nobody knows."""

KNOWN = [code for code in ANSI_SEQUENCES if code.startswith(("\x1b[", "\x1bO")) and code != "\x1b[200~"]


class Typist:
    """A parser, and the keys that came out of it."""

    def __init__(self) -> None:
        self.keys: list[Any] = []
        self.parser = _Parser(Vt100Parser(lambda press: self.keys.append(press)))

    def type(self, *pieces: str) -> list[str]:
        """Type pieces with so long a pause after each that nothing more is waited for; return the keys."""
        for piece in pieces:
            self.parser.feed_and_flush(piece)
        return [str(getattr(press.key, "value", press.key)) for press in self.keys]


def cuts(code: str) -> Iterator[list[str]]:
    """Yield a code whole, cut in two at every place, and cut everywhere."""
    yield [code]
    for at in range(1, len(code)):
        yield [code[:at], code[at:]]
    yield list(code)


@pytest.mark.parametrize("code", KNOWN)
def test_every_key_that_is_known_is_itself_in_any_pieces(code: str) -> None:
    key = ANSI_SEQUENCES[code]
    name = str((key[-1] if isinstance(key, tuple) else key).value)  # Alt is nothing of its own
    expected = [] if name == Keys.Ignore.value else [name]
    for pieces in cuts(code):
        typed = [one for one in Typist().type(*pieces) if one != Keys.Ignore.value]
        # Where the moment after ESC was too short, Escape has been pressed; the rest is still the key.
        assert typed == (["escape", *expected] if pieces[0] == "\x1b" else expected), pieces


@pytest.mark.parametrize("code", UNKNOWN)
def test_a_code_that_nobody_knows_is_nothing(code: str) -> None:
    for pieces in cuts(code):
        assert Typist().type(*pieces) == (["escape"] if pieces[0] == "\x1b" else []), pieces
        assert Typist().type(*pieces, "r")[-1:] == ["r"]


def test_what_is_pasted_is_one_thing_in_any_pieces() -> None:
    pasted = "\x1b[200~3b2 \x1b[C ok\x1b[201~"
    for pieces in cuts(pasted):
        typist = Typist()
        names = [name for name in typist.type(*pieces) if name != "escape"]
        assert names == ["<bracketed-paste>"], pieces
        assert typist.keys[-1].data == "3b2 \x1b[C ok"


def test_a_lone_escape_is_escape_and_what_is_typed_after_it_is_typed() -> None:
    assert Typist().type("\x1b") == ["escape"]
    assert Typist().type("\x1br", "3") == ["escape", "r", "3"]
    assert Typist().type("\x1b", "r", "[", "O") == ["escape", "r", "[", "O"]
    assert Typist().type("\x1b\x1b") == ["escape", "escape"]
    assert Typist().type("\x1b\x1b[B") == ["escape", "down"]
    typist = Typist()
    typist.parser.feed("\x1b")
    assert typist.keys == []  # it waits for the rest
    assert typist.parser.holds_escape


def test_a_code_that_breaks_off_is_nothing() -> None:
    assert Typist().type("\x1b[1;", "\x1b[B", "r") == ["down", "r"]
    assert Typist().type("\x1b[1", "\r") == ["c-m"]
    assert Typist().type("\x1b[1", "č") == ["č"]


def test_in_a_line_that_was_typed_keys_without_a_character_are_none() -> None:
    assert without_codes("\x1b[A3b\x1bOC2\x1b[1;5D ok\x1b[") == "3b2 ok"
    assert without_codes("O[C]") == "O[C]"


# At every prompt of a real terminal


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "settings.toml").write_text('animation = false\nname = "Ada"\n')
    monkeypatch.setenv("CUBIRI_HOME", str(folder))
    return folder


def pointed(terminal: Terminal, label: str) -> None:
    terminal.see(f"▶ [{label}]")


def send(terminal: Terminal, pieces: list[str], pause: float) -> None:
    """Send a code in pieces; the pauses are what is tested, nothing is hoped for in them."""
    terminal.type(pieces[0])
    for piece in pieces[1:]:
        time.sleep(pause)
        terminal.type(piece)


@pytest.mark.parametrize("pause", PAUSES)
def test_a_slow_arrow_points_and_does_nothing_else(home: Path, pause: float) -> None:
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r", "3", "j", "4", "k")
        keys = ["c", "2", "u", "p"]  # confirm is the first
        pointed(terminal, keys[0])
        at = 0
        for code, step in (("\x1b[B", 1), ("\x1bOB", 1), ("\x1b[C", 1), ("\x1b[A", -1), ("\x1b[1;3B", 1)):
            for pieces in list(cuts(code))[1:]:
                send(terminal, pieces, pause)
                at = (at + step) % len(keys)
                pointed(terminal, keys[at])
        for pieces in list(cuts("\x1b[99;5u"))[1:3]:
            send(terminal, pieces, pause)
        terminal.type("q")
        assert terminal.end() == 0
    assert log(home) == ["roll", "place 3 b2", "place 4 c2"]


@pytest.mark.parametrize("pause", [0.4, 1.0])
def test_an_arrow_slower_than_anybody_waits_goes_back_and_points(home: Path, pause: float) -> None:
    with Terminal(*MISHIMASH) as terminal:
        terminal.see("Ada, turn 1")
        terminal.type("r")
        pointed(terminal, "r")
        send(terminal, ["\x1b", "[B"], pause)
        pointed(terminal, "b")
        terminal.type("1")
        terminal.see("( ) a single 1")
        send(terminal, ["\x1b", "[B"], pause)  # the Escape takes back the tick that was taken away
        pointed(terminal, "2")
        terminal.see("(x) a single 1")
        terminal.type("q")
        assert terminal.end() == 0
    assert log(home) == ["roll"]


@pytest.mark.parametrize("pause", PAUSES)
def test_slow_keys_in_text_fields_and_menus(home: Path, pause: float) -> None:
    with Terminal() as terminal:
        terminal.see("What would you like to do?")
        pointed(terminal, "d")
        send(terminal, ["\x1b", "[B"], pause)
        pointed(terminal, "n")
        terminal.type("n", "1")
        terminal.see("Which difficulty?")
        terminal.type("1")
        terminal.see("roll the four dice")
        terminal.type("r", ":", "3b29")
        terminal.see("Actions: 3b29")
        send(terminal, ["\x1b", "[D"], pause)
        terminal.type("x")
        terminal.see("Actions: 3b2x9")
        send(terminal, ["\x1b[", "3", "~"], pause)
        terminal.miss("x9")
        terminal.type("Backspace")
        send(terminal, ["\x1b", "[200~", " 4c", "2\x1b", "[2", "01~"], pause)
        terminal.see("Actions: 3b2 4c2")
        terminal.type("Esc")
        terminal.miss("Actions:")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane
    assert log(home) == ["roll"]


@pytest.mark.parametrize("pause", PAUSES)
def test_slow_keys_while_watching_and_reading(home: Path, pause: float) -> None:
    path = ROOT / "replays" / "mishimash-solo-straight.toml"
    with Terminal("replay", path, "--step") as terminal:
        terminal.see("[g] turn")
        send(terminal, ["\x1b", "[", "F"], pause)
        terminal.see("Result: ")
        send(terminal, ["\x1b", "[H"], pause)
        terminal.see("Before the first turn")
        send(terminal, ["\x1b", "OC"], pause)
        terminal.miss("Before the first turn")
        terminal.type("Esc")
        assert terminal.end() == 0
        assert terminal.is_sane
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("?")
        terminal.see("Keys and rules")
        send(terminal, ["\x1b", "[F"], pause)
        terminal.see("Majduška")
        terminal.type("Esc", "q")
        assert terminal.end() == 0


def test_an_arrow_in_plain_mode_types_nothing(home: Path) -> None:
    with Terminal(*MAGDAGDON, "--plain") as terminal:
        terminal.line_wanted(1)
        send(terminal, ["\x1b", "[C", "r", "\x1b[1", ";5D", "\r"], 0.06)
        terminal.line_wanted(2)
        terminal.see("Which die will you place?")
        terminal.type("\x1b[A", "Enter", "q", "Enter")
        assert terminal.end() == 0
    assert log(home) == ["roll"]


def test_an_escape_that_was_read_with_the_key_before_it_is_not_forgotten(home: Path) -> None:
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r")
        terminal.see("Which die will you place?")
        terminal.type("3\x1b")
        terminal.see("Where does the 3 go?")
        terminal.see("Which die will you place?")
        terminal.type("q")
        assert terminal.end() == 0
