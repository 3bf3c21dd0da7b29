"""What commands say: results to standard output, messages to standard error, one line each.

Both streams are guarded while a command runs: nothing that stands on a line of them is a command to a CI runner,
whatever the names of files and players, comments and arguments hold.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO, cast

from cubiri_cli.replays.names import harmless
from cubiri_cli.table.runners import disarmed, line_begun

if TYPE_CHECKING:
    from collections.abc import Iterator

DONE, NO, USAGE, INTERRUPTED, UNANSWERED = 0, 1, 2, 130, 141
"""The exit statuses (cli.md): done; the answer is no; called wrongly; interrupted, with the game saved; the reader left
before the answer."""

TO_MENU, LEFT = -1, -2
"""What is answered instead of an exit status: the main menu comes next; the player has saved the game and quit."""


WINDOWS = os.name == "nt"


class UsageError(ValueError):
    """The command was called in a way that cannot be carried out. Its text is the one line that is shown."""


class ReaderLeftError(BrokenPipeError):
    """Nobody reads standard output any more. (It has no `errno`: typer would end the process where it is `EPIPE`.)"""


class NotAnsweredError(ReaderLeftError):
    """The reader left before the answer was given that the command is called for."""


def message(text: str) -> None:
    """Say one line to people, on standard error. It may hold anything from a file: it is shown harmlessly.

    Where it cannot be said, a terminal that is gone or a full disk, there is nowhere to say that either.
    """
    if sys.stderr is not None:  # closed; print() would then take standard output
        with suppress(OSError):
            print(harmless(text, longest=2000), file=sys.stderr)


def write_for_programs() -> None:
    """From now on write standard output as programs read it everywhere: UTF-8 and LF. A terminal keeps its own ways."""
    with suppress(AttributeError, ValueError):  # closed, or no file
        if not sys.stdout.isatty():
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]


def write_commands(text: str) -> None:
    """Write whole lines that are meant as commands to a CI runner."""
    if sys.stdout is not None:
        getattr(sys.stdout, "write_commands", sys.stdout.write)(text)
        sys.stdout.flush()


@contextmanager
def answering() -> Iterator[None]:
    """Say all of an answer for which the command is called; raise `NotAnsweredError` where the reader leaves before."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except ReaderLeftError:
        raise NotAnsweredError from None


@contextmanager
def guarded() -> Iterator[None]:
    """Guard both streams meanwhile."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_guard_of, before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _guard_of(stream: TextIO) -> TextIO:
    """Return the guard of a stream; what is none (closed) or has one stays as it is."""
    return stream if stream is None or isinstance(stream, _Guard) else cast("TextIO", _Guard(stream))


class _Guard:
    """A stream on which no line is a command to a CI runner; and one that says in one way that nobody reads it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._begun = ""  # of a line that is not ended yet, as it was written

    def __getattr__(self, name: str) -> Any:
        """Be the stream in everything else."""
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text. Raises `ReaderLeftError` where nobody reads."""
        safe = disarmed(self._begun + text)[len(self._begun) :]
        self._begun = line_begun(self._begun + safe)
        with _told_alike():
            self._stream.write(safe)
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Write texts one after the other."""
        self.write("".join(lines))

    def write_commands(self, text: str) -> None:
        """Write whole lines as they are."""
        with _told_alike():
            self._stream.write(text)

    def flush(self) -> None:
        """Write what waits. Raises `ReaderLeftError` where nobody reads."""
        with _told_alike():
            self._stream.flush()


@contextmanager
def _told_alike() -> Iterator[None]:
    """Raise `ReaderLeftError` for a closed pipe or connection, however the system says so."""
    try:
        yield
    except (BrokenPipeError, ConnectionResetError):
        raise ReaderLeftError from None
    except OSError as error:
        if WINDOWS and error.errno == errno.EINVAL:  # how Windows says it
            raise ReaderLeftError from None
        raise
