"""Waiting for a thought: where it takes a moment, the screen says so."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

from cubiri_cli.table.drawing import Span, cut_line, line
from cubiri_cli.table.language import _
from cubiri_cli.terminal.prompter import NoScreenError
from cubiri_cli.terminal.sizes import PROMPT_HEIGHT, is_too_small, too_small_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from cubiri_cli.table.drawing import Line
    from cubiri_cli.terminal.prompter import Prompter

MOMENT = 0.3
"""For so many seconds nothing is said."""
POLL = 0.03
"""How often, in seconds, it is looked whether it is over."""


class _Thinking:
    """The picture that was there, and below it that somebody thinks; keys do nothing."""

    def __init__(self, thread: Thread, picture: Callable[[int, int], list[Line]]) -> None:
        self._thread, self._picture = thread, picture
        self.left = False
        """Whether the thought is there."""

    def draw(self, columns: int, rows: int) -> list[Line]:
        """Return the whole screen."""
        if is_too_small(columns, rows):
            return too_small_lines(columns, rows)
        picture = self._picture(columns, rows - PROMPT_HEIGHT)
        return [cut_line(one, columns) for one in (*picture, [], line(" ", Span(_("Thinking…"), "bold")))]

    def press(self, key: str) -> None:
        """Do nothing."""

    def wait(self) -> float | None:
        """Return in how many seconds it is looked again."""
        return POLL

    def advance(self) -> None:
        """Look whether the thought is there."""
        self.left = not self._thread.is_alive()


def think(prompter: Prompter, thought: Callable[[], object], picture: Callable[[int, int], list[Line]]) -> None:
    """Have a thought, so that it is known when it is asked for; `picture` is what is seen meanwhile."""
    thread = Thread(target=thought, daemon=True)
    thread.start()
    thread.join(MOMENT)
    if thread.is_alive():
        try:
            prompter.show(_Thinking(thread, picture))
        except NoScreenError:
            thread.join()
