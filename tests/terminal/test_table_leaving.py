"""Whatever is typed, pasted, drawn or signalled, a player gets out at once, and the terminal is as it was."""

from __future__ import annotations

import os
import pty
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.replays.reading import read_file
from cubiri_cli.store.home import replays_folder
from cubiri_cli.store.settings import settings_path
from cubiri_cli.table.drawing import wrap
from tests.support.running import cubiri
from tests.support.strategies import magdagdon, play
from tests.support.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

GAME = ("play", "magdagdon", "--difficulty", "survival", "--seed", "42", "--player", "Ada")
REPLAY = "replays/magdagdon-peaceful-six-straights.toml"


@pytest.fixture(autouse=True)
def _quick() -> None:
    """Let no dice roll on the screen."""
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text("animation = false\n", encoding="utf-8")


def log() -> list[str]:
    """Return all actions of the only game that is kept, without their dice."""
    [path] = replays_folder().glob("*.toml")
    return [entry.partition(" -> ")[0] for turn in read_file(path).turns for entry in turn.log]


# Signals

BAD_MOMENT = """
import os, signal, sys
from cubiri_cli.terminal.playing import Sitting
class Last:
    def __del__(self):  # what a signal raises here, nobody hears of
        os.kill(os.getpid(), signal.{signal})
        sum(range(1000))
method = Sitting.{method}
left = [Last()]
def late(self, *arguments):
    if self.game.in_turn:
        left.clear()
    return method(self, *arguments)
Sitting.{method} = late
from cubiri_cli.__main__ import main
main()
"""
"""A program to which a signal comes while Python clears away an object; there, an exception is lost."""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
@pytest.mark.parametrize("method", ["_scene", "picture"], ids=["between two prompts", "while a prompt is drawn"])
def test_no_signal_is_lost_at_whatever_moment_it_comes(method: str, name: str) -> None:
    class Signalled(Terminal):
        PROGRAM = ("-c", BAD_MOMENT.format(method=method, signal=name))

    with Signalled(*GAME) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r")
        assert terminal.end() == 130
        assert terminal.is_sane
        assert "the game is saved" in terminal.printed
    assert log() == ["roll"]


def test_several_signals_at_once_leave_the_terminal_sane_too() -> None:
    with Terminal(*GAME) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r")
        terminal.see("Which die will you place?")
        for name in ("SIGHUP", "SIGTERM", "SIGINT") * 3:
            terminal.signal(signal.Signals[name])
        assert terminal.end() in (130, 129, 143)  # where one came after the end, the system says so
        assert terminal.is_sane
    assert log() == ["roll"]


def test_the_menu_can_be_ended_by_a_signal_after_a_replay_was_watched(tmp_path: Path) -> None:
    import random

    script = tmp_path / "script.toml"
    script.write_text(play(magdagdon("peaceful", "menu"), random.Random(1)).text(), encoding="utf-8")
    assert cubiri("play", "--script", script).status == 0
    with Terminal() as terminal:
        terminal.see("What would you like to do?")
        terminal.type("w")
        terminal.see("Which replay?")
        terminal.type("Enter")
        terminal.see("Before the first turn")
        terminal.type("q")
        terminal.see("What would you like to do?")
        terminal.signal(signal.SIGTERM)
        assert terminal.end() == 130
        assert terminal.is_sane


# Keys and pastes


def test_ctrl_c_overtakes_all_that_was_typed_before_it() -> None:
    with Terminal(*GAME) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r")
        terminal.see("Which die will you place?")
        terminal.type("?q" * 200 + "3f", "Ctrl-C")
        assert terminal.end() == 130
        assert terminal.is_sane
    assert log() == ["roll"]


UNREAD = """
import array, fcntl, signal, subprocess, sys, termios, tty
signal.signal(signal.SIGINT, signal.SIG_IGN)
job = [sys.executable, "-m", "cubiri_cli", *sys.argv[1:]]
status = subprocess.run(job, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)).returncode
before = termios.tcgetattr(0)
tty.setraw(0, termios.TCSANOW)
unread = array.array("i", [0])
fcntl.ioctl(0, termios.FIONREAD, unread)
termios.tcsetattr(0, termios.TCSANOW, before)
print(unread[0], "characters are left to the shell")
sys.exit(status)
"""


class Followed(Terminal):
    """A terminal on which something else reads when the program has ended."""

    PROGRAM = ("-c", UNREAD)


def test_what_was_pasted_before_ctrl_c_is_not_left_to_the_shell() -> None:
    with Followed(*GAME) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r")
        terminal.see("Which die will you place?")
        terminal.type("?q" * 1500, "Ctrl-C")  # more than is read at once
        assert terminal.end() == 130
        assert "\n0 characters are left to the shell" in terminal.printed
    assert log() == ["roll"]


@pytest.mark.parametrize("keys", ["", ":", "?"], ids=["question", "typing", "rules"])
@pytest.mark.parametrize("pasted", ["\x1b[200~3b2 4c2", "\x1b[M"], ids=["paste", "mouse"])
def test_ctrl_c_is_heard_in_a_paste_or_a_code_that_never_ends(keys: str, pasted: str) -> None:
    with Terminal(*GAME) as terminal:
        terminal.see("roll the four dice")
        terminal.type(keys)
        terminal.see({"": "roll the four", ":": "Actions:", "?": "Keys and rules"}[keys])
        terminal.type(pasted)
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
        assert terminal.is_sane


@pytest.mark.parametrize("keys", ["", "g", "?"], ids=["watching", "a turn is typed", "keys are shown"])
@pytest.mark.parametrize("way", ["Ctrl-C", "Ctrl-D"])
def test_watching_can_be_left_whatever_is_shown(keys: str, way: str) -> None:
    with Terminal("replay", REPLAY, "--step") as terminal:
        terminal.see("Before the first turn")
        terminal.type(keys)
        terminal.see({"": "[q]", "g": "Go to turn", "?": "Press any key"}[keys])
        terminal.type("\x1b[200~3b2" if way == "Ctrl-C" else "", way)
        assert terminal.end() == (130 if way == "Ctrl-C" else 0)
        assert terminal.is_sane


def test_a_long_paste_into_the_typed_actions_is_shown_and_can_be_corrected() -> None:
    with Terminal(*GAME) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r", ":")
        terminal.see("Actions:")
        terminal.type("power 3 b2 " * 200, "Enter")  # without a separator, it is one action of 600 words
        terminal.see("3: not possible here; possible: ")
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
    assert log() == ["roll"]


def test_ctrl_s_stops_nothing_and_ctrl_q_is_no_way_out() -> None:
    with Terminal(*GAME) as terminal:
        terminal.see("roll the four dice")
        terminal.type("\x13", "r")
        terminal.see("Which die will you place?")
        terminal.type("\x11", "3", "\x13")
        terminal.see("Where does the 3 go?")
        terminal.type("Esc", ":", "\x13", "3b2", "\x11", "Enter")
        terminal.see("1 staged")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane
    assert log() == ["roll", "place 3 b2"]


def test_keys_of_line_editors_do_no_harm_to_a_question() -> None:
    with Terminal(*GAME) as terminal:
        terminal.see("roll the four dice")
        terminal.type("\x12", "Enter")  # Ctrl-R would search what was typed before; there is nothing
        terminal.see("Which die will you place?")
        terminal.type("\x1c", "\x18\x05", "\x1f", "\x0f", "3")
        terminal.see("Where does the 3 go?")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


@pytest.mark.parametrize(
    ("arguments", "seen"),
    [
        (("replay", REPLAY), b"Before the first turn"),
        ((), b"What would you like to do?"),
        (GAME, b"roll the four dice"),
        ((*GAME, "--plain"), b"\n> "),
        (("help",), b"SYNOPSIS"),
    ],
    ids=["viewer", "menu", "game", "plain", "help"],
)
@pytest.mark.parametrize("is_ignored", [False, True], ids=["hang-up", "hang-up ignored"])
def test_a_terminal_that_is_gone_ends_it(arguments: tuple[str, ...], seen: bytes, is_ignored: bool) -> None:
    child, terminal = pty.fork()
    if child == 0:
        signal.signal(signal.SIGHUP, signal.SIG_IGN if is_ignored else signal.SIG_DFL)
        os.execv(sys.executable, [sys.executable, "-m", "cubiri_cli", *arguments])
    written = b""
    while seen not in written:
        written += os.read(terminal, 65536)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 130


# Stopped by Ctrl-Z

SHELL = """
import os, signal, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = os.fork()
if job == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.executable, [sys.executable, "-m", "cubiri_cli", *sys.argv[1:]])
while True:
    ended, status = os.waitpid(job, os.WUNTRACED)
    os.tcsetpgrp(0, os.getpgrp())
    if not os.WIFSTOPPED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
    input("stopped; go on? ")
    os.tcsetpgrp(0, job)
    os.kill(job, signal.SIGCONT)
"""
"""The least of a shell with job control: it runs the program, and goes on with it when Enter is pressed."""


class Shell(Terminal):
    PROGRAM = ("-c", SHELL)


@pytest.mark.parametrize("keys", ["3", ":", "?"], ids=["question", "typing", "rules"])
def test_ctrl_z_gives_the_terminal_back_and_the_game_is_drawn_anew_when_it_goes_on(keys: str) -> None:
    text = {"3": "Where does the 3 go?", ":": "Actions:", "?": "Keys and rules"}[keys]
    with Shell(*GAME) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r", keys)
        terminal.see(text)
        terminal.type("\x1a")
        terminal.see("stopped; go on?")
        assert terminal._modes() == terminal.modes
        assert text not in terminal.text
        terminal.type("Enter")
        terminal.see(text)
        assert terminal.raw.rfind(b"\x1b[?1049h") > terminal.raw.rfind(b"stopped")
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
        assert terminal.is_sane
    assert log() == ["roll"]


WATCHING = ("replay", REPLAY, "--step")


@pytest.mark.parametrize(
    ("arguments", "keys", "text"),
    [
        (WATCHING, "", "Before the first turn"),
        (WATCHING, "nn", "turn 1/"),
        (WATCHING, "g", "Go to turn"),
        (WATCHING, "?", "one step forward"),
        ((), "", "What would you like to do?"),
        ((), "w", "Which replay?"),
        ((), "?", "Once a game is chosen"),
        (("settings",), "", "Which setting?"),
        (("help",), "", "SYNOPSIS"),
    ],
    ids=lambda value: " ".join(value) or "-",
)
@pytest.mark.parametrize("way", ["key", "signal"])
def test_ctrl_z_does_everywhere_what_it_does_at_the_table(
    arguments: tuple[str, ...], keys: str, text: str, way: str
) -> None:
    with Shell(*arguments) as terminal:
        terminal.see({WATCHING: "Before the first turn", (): "What would you like to do?"}.get(arguments, text))
        terminal.type(*keys)
        terminal.see(text)
        for time in (1, 2):
            if way == "key":
                terminal.type("\x1a")
            else:
                os.killpg(os.tcgetpgrp(terminal.child.child_fd), signal.SIGTSTP)
            terminal._wait(lambda time=time: terminal.raw.count(b"stopped; go on?") == time, "stop")
            assert terminal._modes() == terminal.modes
            assert text not in terminal.text
            assert terminal.is_given_back
            terminal.type("Enter")
            terminal.see(text)
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
        assert terminal.is_sane


def test_ctrl_z_in_plain_mode_stops_it_and_it_goes_on_where_it_was() -> None:
    with Shell(*GAME, "--plain") as terminal:
        terminal.line_wanted(1)
        terminal.type("r", "Enter")
        terminal.see("Which die will you place?")
        terminal.line_wanted(2)
        for time in (1, 2):
            terminal.type("\x1a")
            terminal._wait(lambda time=time: terminal.raw.count(b"stopped; go on?") == time, "stop")
            assert terminal._modes() == terminal.modes
            terminal.type("Enter")
            terminal.line_wanted(2 + time)
        terminal.type("3", "Enter")
        terminal.see("Where does the 3 go?")
        terminal.type("q", "Enter")
        assert terminal.end() == 0
        assert terminal.is_sane
    assert log() == ["roll"]


def test_a_replay_stopped_while_it_plays_goes_on_with_the_page_that_was_shown() -> None:
    with Shell("replay", REPLAY, "--speed", "0.05") as terminal:
        terminal.see("Before the first turn", "paused ×0.05")
        terminal.type("Space")
        terminal.see("▶ ×0.05")
        terminal.type("\x1a")
        terminal.see("stopped; go on?")
        terminal.type("Enter")
        terminal.see("Before the first turn")
        terminal.type(*"+" * 12)
        terminal.see("Final score: ")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


# What cannot be drawn


@pytest.mark.parametrize("keys", ["", ":", "?"], ids=["question", "typing", "rules"])
def test_on_a_terminal_of_one_character_nothing_breaks(keys: str) -> None:
    with Terminal(*GAME, columns=1, rows=1) as terminal:
        for count, key in enumerate(["", "r", keys], 1):
            terminal.type(key)
            if count < 3 or keys:
                terminal._wait(lambda count=count: terminal.raw.count(b"\x1b[?7l") >= count, f"draw prompt {count}")
        terminal.resize(2, 1)
        terminal.resize(80, 24)
        terminal.see({"": "Which die will you place?", ":": "Actions:", "?": "Keys and rules"}[keys])
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
        assert terminal.is_sane
        assert "Traceback" not in terminal.raw.decode()


@pytest.mark.parametrize("columns", [-2, 0, 1, 2])
def test_words_are_broken_for_a_width_of_next_to_nothing(columns: int) -> None:
    lines = wrap("to be or", columns, indent="  ")
    assert "".join(lines).replace(" ", "") == "tobeor"


EVER_ANOTHER_SIZE = """
import os, random, signal
from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output.vt100 import Vt100_Output
chance, calls, run = random.Random(1), [], Application.run
def size(self):
    calls.append(self)
    if len(calls) == 200:
        os.kill(os.getpid(), signal.SIGTERM)
    return chance.choice([Size(60, 200), Size(8, 20)])
def run_drawing(self, **how):
    self.refresh_interval = 0.01
    return run(self, **how)
Vt100_Output.get_size, Application.run = size, run_drawing
from cubiri_cli.__main__ import main
main()
"""


class Dragged(Terminal):
    """A terminal whose window is being dragged: the program draws again and again until it is ended."""

    PROGRAM = ("-c", EVER_ANOTHER_SIZE)


def test_a_size_that_changes_while_a_picture_is_drawn_breaks_nothing() -> None:
    with Dragged("settings") as terminal:
        terminal._wait(lambda: b"\x1b[?1049h" in terminal.raw, "begin")
        terminal.type("Up")  # to the last of many: another size has it in another line
        assert terminal.end() == 130
        assert terminal.is_sane
        assert "unexpected" not in terminal.printed


BROKEN_PICTURE = """
from cubiri_cli.terminal.playing import Sitting
draw = Sitting.picture
def late(self, width, *arguments):
    return draw(self, width, *arguments) if width != 70 else 1 / 0
Sitting.picture = late
from cubiri_cli.__main__ import main
main()
"""


class Broken(Terminal):
    PROGRAM = ("-c", BROKEN_PICTURE)


def test_an_error_in_a_picture_is_told_in_one_line_the_game_saved_and_the_terminal_sane() -> None:
    with Broken(*GAME) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r")
        terminal.see("Which die will you place?")
        terminal.resize(70, 24)
        assert terminal.end() == 2
        assert terminal.is_sane
        assert "unexpected ZeroDivisionError" in terminal.printed
        assert "Traceback" not in terminal.raw.decode()
    assert log() == ["roll"]
