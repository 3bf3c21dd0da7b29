"""Which way of asking the terminal has: a screen with prompts where it can draw, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from cubiri_cli.table.style import STYLE
from cubiri_cli.terminal.plain import Plain
from cubiri_cli.terminal.printing import is_terminal, page_width, print_lines, terminal_size
from cubiri_cli.terminal.prompter import NoScreenError
from cubiri_cli.terminal.signals import ending_signals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cubiri_cli.table.drawing import Line
    from cubiri_cli.terminal.prompter import Prompter


def can_draw() -> bool:
    """Tell whether the terminal can do more than print lines."""
    return not STYLE.plain and (os.name == "nt" or os.environ.get("TERM", "") not in ("", "dumb", "unknown"))


_open: list[Prompter] = []
"""The prompter that is open, if any."""


@contextmanager
def open_prompter() -> Iterator[Prompter]:
    """Give a way of asking, the best the terminal can do, and leave the terminal as it was found.

    Inside another `open_prompter` it is the same prompter, so that a menu and the game begun from it share one screen.
    """
    if _open:
        yield _open[-1]
        return
    prompter, close = _prompter()
    _open.append(prompter)
    try:
        yield prompter
    finally:
        _open.pop()
        close()


def show_text(title: str, lines: Callable[[int], list[Line]]) -> None:
    """Show a long text, set for a width by `lines`: printed, or a screenful at a time where a terminal is too short."""
    text = lines(page_width())
    if not is_terminal() or len(text) < terminal_size().lines:
        print_lines(text)
        return

    with ending_signals(), open_prompter() as prompter:
        prompter.page(title, lines)


def _prompter() -> tuple[Prompter, Callable[[], None]]:
    """Return a new prompter and what gives the terminal back."""
    sys.stdout.flush()
    if can_draw():
        from cubiri_cli.terminal.screen import Screen  # loads prompt_toolkit

        with suppress(NoScreenError):
            screen = Screen.open()
            return screen, screen.close
    return Plain(), lambda: None
