"""A line on standard error that says how far the work is, where that is a terminal that can move its cursor."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from cubiri_cli.table.language import _
from cubiri_cli.table.style import STYLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

BEGIN, PAUSE = 1.0, 0.2
"""After how many seconds the line is shown first, and how many pass between two of them."""


class Progress:
    """The line: to be cleared before anything else is printed, and in the end."""

    def __init__(self) -> None:
        self._next = time.monotonic() + BEGIN
        self._shown = False
        self._wanted = False
        with suppress(AttributeError, ValueError):
            self._wanted = sys.stderr.isatty() and not STYLE.plain

    def show(self, say: Callable[[], str]) -> None:
        """Show what `say` returns, five times a second at most."""
        if self._wanted and time.monotonic() >= self._next:
            self._next = time.monotonic() + PAUSE
            self._shown = True
            print(f"\r{say()}\x1b[K", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            self._shown = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def watched(names: Sequence[str]) -> Iterator[str]:
    """Yield the names of games that are read, and say how far that is where it takes long."""
    progress, done = Progress(), 0
    try:
        for name in names:
            progress.show(lambda: _("{done} of {count} games read").format(done=done, count=len(names)))  # noqa: B023
            yield name
            done += 1
    finally:
        progress.clear()
