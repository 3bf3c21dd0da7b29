"""A terminal for tests: a real pseudo-terminal, and a screen that holds what a person would see."""

from __future__ import annotations

import codecs
import os
import re
import signal
import sys
import termios
import time
from collections.abc import Iterable
from types import TracebackType
from typing import Any

import pexpect
import pyte

from cubiri_cli import games
from cubiri_cli.store.settings import LANGUAGES, known
from cubiri_cli.table.drawing import degrade
from cubiri_cli.terminal import questions
from tests.support.words import said

KEYS = {
    "Enter": "\r",
    "Esc": "\x1b",
    "Up": "\x1b[A",
    "Down": "\x1b[B",
    "Right": "\x1b[C",
    "Left": "\x1b[D",
    "Tab": "\t",
    "Space": " ",
    "PageDown": "\x1b[6~",
    "Home": "\x1b[H",
    "End": "\x1b[F",
    "Backspace": "\x7f",
    "Ctrl-C": "\x03",
    "Ctrl-D": "\x04",
}
"""Keys by name; any other text is typed as it is."""

NEXT = {degrade(said("What next?", code), encoding) for code in LANGUAGES for encoding in ("utf-8", "ascii")}
"""What is asked after a finished game, in all languages, with all their letters and in ASCII."""

PATIENCE = float(os.environ.get("CUBIRI_TEST_PATIENCE", "20"))
"""How many seconds a text may take to appear, on a busy machine."""


def key_of_game(name: str) -> str:
    """Return the key of a game where it is asked which."""
    return _key(name, games.names())


def key_of_setting(name: str) -> str:
    """Return the key of a setting in the menu of settings."""
    return _key(name, known())


def _key(name: str, listed: Iterable[str]) -> str:
    return questions.KEYS[list(listed).index(name)]


class Terminal:
    """The command line running in a terminal: `with Terminal("play", "magdagdon") as terminal: …`."""

    PROGRAM: tuple[str, ...] = ("-m", "cubiri_cli")
    """What Python is given to run before the arguments."""

    def __init__(
        self, *arguments: object, columns: int = 80, rows: int = 24, encoding: str = "utf-8", **environment: str | None
    ) -> None:
        self._main = self._new_screen(columns, rows)
        self.screen = self._main
        """What is shown now: the main screen, or the alternate one."""
        self.raw = b""
        """Everything that was ever written to the terminal."""
        self._stream = pyte.Stream(self.screen)
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        given: dict[str, str | None] = {**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1", **environment}
        child: Any = pexpect.spawn(
            sys.executable,
            [*self.PROGRAM, *map(str, arguments)],
            dimensions=(rows, columns),
            env={name: value for name, value in given.items() if value is not None},
            timeout=PATIENCE,
        )
        child.delaybeforesend = None
        child.ptyproc.delayafterterminate = 0.05
        self.child = child
        self.modes = self._modes()
        self._modes_left: list[Any] = []

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.child.close(force=True)

    # What a person does

    def type(self, *keys: str) -> None:
        """Type keys by name (`Enter`, `Ctrl-C` …) or as they are."""
        for key in keys:
            self.child.send(KEYS.get(key, key))

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        for screen in {id(one): one for one in (self._main, self.screen)}.values():
            screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program."""
        self.child.kill(number)

    # What a person sees

    @property
    def lines(self) -> list[str]:
        """The lines of the screen, without the blanks at their ends."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        """The whole screen."""
        return "\n".join(self.lines)

    @property
    def printed(self) -> str:
        """What scrolled off the screen, and the screen."""
        above = [
            "".join(row[column].data for column in range(self.screen.columns)).rstrip()
            for row in self.screen.history.top
        ]
        return "\n".join([*above, *self.lines]).rstrip()

    def see(self, *texts: str) -> str:
        """Wait until all texts stand on the screen at once, and return the screen."""
        return self._wait(lambda: all(text in self.text for text in texts), f"see {texts}")

    def miss(self, text: str) -> str:
        """Wait until a text is gone from the screen, and return the screen."""
        return self._wait(lambda: text not in self.text, f"miss {text!r}")

    def line_wanted(self, count: int) -> str:
        """Wait until plain mode has asked for a line so many times since the start, and return the screen."""
        return self._wait(lambda: self.raw.count(b"\n> ") >= count, f"be asked for line {count}")

    def end(self) -> int:
        """Wait for the program to end and return its exit status; a signal that killed it counts 128 more.

        Where a finished game is followed by the question what comes next, that is left with `q`.
        """
        self._wait(self._has_asked_what_next, "end", until_end=True)
        if not self.child.eof():
            self.type("q", *([] if self._is_drawn else ["Enter"]))
            self._wait(lambda: False, "end", until_end=True)
        self._modes_left = self._modes()  # of the terminal, which outlives the program
        self.child.close()
        status: int | None = self.child.exitstatus
        return 128 + int(self.child.signalstatus) if status is None else status

    @property
    def _is_drawn(self) -> bool:
        return b"\x1b" in self.raw

    def _has_asked_what_next(self) -> bool:
        """Tell whether the whole question stands there: plain mode writes it line by line, and then wants a line."""
        is_whole = self._is_drawn or self.text.rstrip().endswith("\n>")
        return is_whole and any(question in self.text for question in NEXT)

    @property
    def is_sane(self) -> bool:
        """Whether the program left the terminal's modes as they were, its cursor seen, and its main screen shown."""
        return self.is_given_back and self._modes_left == self.modes

    @property
    def is_given_back(self) -> bool:
        """Whether the main screen is shown, with its cursor, and pastes come as they are typed."""
        left = self.raw.rfind(b"\x1b[?1049l") >= self.raw.rfind(b"\x1b[?1049h")
        shown = self.raw.rfind(b"\x1b[?25h") >= self.raw.rfind(b"\x1b[?25l")
        pasting = self.raw.rfind(b"\x1b[?2004l") >= self.raw.rfind(b"\x1b[?2004h")
        return left and shown and pasting

    @staticmethod
    def _new_screen(columns: int, rows: int) -> Any:
        return pyte.HistoryScreen(columns, rows, history=2000, ratio=0.5)

    def _feed(self, data: bytes) -> None:
        """Show what was written. pyte knows no alternate screen, so there are two."""
        for part in re.split(r"(\x1b\[\?1049[hl])", self._decoder.decode(data)):
            if part == "\x1b[?1049h":
                self.screen = self._new_screen(self._main.columns, self._main.lines)
                self._stream = pyte.Stream(self.screen)
            elif part == "\x1b[?1049l":
                self.screen = self._main
                self._stream = pyte.Stream(self.screen)
            else:
                self._stream.feed(part)

    def _modes(self) -> list[Any]:
        modes: list[Any] = termios.tcgetattr(self.child.child_fd)[:4]
        return modes

    def _wait(self, is_reached: Any, what: str, until_end: bool = False) -> str:
        deadline = time.monotonic() + PATIENCE
        while not is_reached():
            try:
                data = self.child.read_nonblocking(65536, timeout=max(0.01, min(0.5, deadline - time.monotonic())))
            except pexpect.EOF:
                if until_end or is_reached():
                    break
                raise AssertionError(f"ended before it could {what}:\n{self.printed}") from None
            except pexpect.TIMEOUT:
                if time.monotonic() < deadline:
                    continue
                raise AssertionError(f"waited in vain to {what}:\n{self.printed}") from None
            self.raw += data
            self._feed(data)
        return self.text
