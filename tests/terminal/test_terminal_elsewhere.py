"""Terminals that can do less, and systems that lack what this one has: it is the plain way there, never an error."""

from __future__ import annotations

import pytest

from tests.support.running import process
from tests.support.terminal import Terminal

GAME = ("play", "magdagdon", "--difficulty", "survival", "--seed", "42", "--player", "Ada")
REPLAY = "replays/magdagdon-peaceful-six-straights.toml"

LACKING = """
import os, signal, sys
for name in ("fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"):
    sys.modules[name] = None
for name in ("SIGHUP", "SIGTSTP", "SIGWINCH", "SIGTTOU", "SIGSTOP", "SIGPIPE", "SIGALRM", "SIGUSR1"):
    delattr(signal, name)
for name in ("fork", "fpathconf", "getpgrp", "killpg", "tcgetpgrp"):
    delattr(os, name)
"""
"""What Windows lacks is taken away."""

NO_CONSOLE = """
class NoConsoleScreenBufferError(Exception):  # prompt_toolkit's own cannot be imported here
    pass
def refuse():
    raise NoConsoleScreenBufferError("no Windows console found; are you running cmd.exe?")
from cubiri_cli.terminal import screen
screen._open_output = refuse
"""
"""The console of Windows is none, as in the windows of some other shells."""

RUN = """
from cubiri_cli.__main__ import main
main()
"""


def test_every_module_is_imported_without_what_only_posix_has() -> None:
    everything = """
import importlib, pkgutil, cubiri_cli
for module in pkgutil.walk_packages(cubiri_cli.__path__, "cubiri_cli."):
    importlib.import_module(module.name)
print("all")
"""
    assert process(program=("-c", LACKING + everything)) == (0, "all\n", "")


@pytest.mark.parametrize("lacking", [LACKING, NO_CONSOLE], ids=["without termios", "without a console"])
def test_a_terminal_that_cannot_be_drawn_on_gets_plain_lines(lacking: str) -> None:
    class Lacking(Terminal):
        PROGRAM = ("-c", lacking + RUN)

    with Lacking(*GAME) as terminal:
        terminal.line_wanted(1)
        terminal.type("r", "Enter")
        terminal.see("Which die will you place?")
        terminal.line_wanted(2)
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
        assert terminal.is_sane
        assert "Traceback" not in terminal.printed
        assert b"\x1b[?1049h" not in terminal.raw
    with Lacking("replay", REPLAY) as terminal:
        assert terminal.end() == 0
        assert "Final score: " in terminal.printed
    with Lacking() as terminal:
        terminal.see("w) Watch a replay")
        terminal.type("q", "Enter")
        assert terminal.end() == 0


def test_a_terminal_of_which_nothing_is_known_gets_plain_lines_and_a_replay_as_text() -> None:
    for name in ("unknown", ""):
        with Terminal("replay", REPLAY, TERM=name) as terminal:
            assert terminal.end() == 0
            assert "Final score: " in terminal.printed
            assert b"\x1b[?1049h" not in terminal.raw
