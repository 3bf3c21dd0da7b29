"""Printing lines below one another: where there is no screen, or when it has been given back."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from cubiri_cli.replays.names import harmless
from cubiri_cli.table.drawing import degrade, line, screen_encoding, to_ansi, to_text, wrap_line
from cubiri_cli.table.style import STYLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cubiri_cli.table.drawing import Line

WIDEST_PAGE = 80
"""The widest line of a page of rules or of a manual, in columns."""


def is_terminal() -> bool:
    """Tell whether people can be asked: standard input and standard output are both a terminal."""
    try:
        return sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):  # closed
        return False


def print_lines(lines: Sequence[Line]) -> None:
    """Print lines of a picture: with colours on a terminal, in characters that standard output has."""
    encoding = screen_encoding(STYLE.ascii)
    is_styled = is_terminal() and not STYLE.plain and _takes_codes()
    for one in lines:
        if is_styled:
            print(to_ansi(one, STYLE.color, encoding))
        else:
            text = to_text(one)
            print(degrade(read_out(text) if STYLE.plain else text, encoding))


def read_out(text: str) -> str:
    """Return a line of plain mode without the dots between its parts: ASCII makes full stops of them."""
    return text.replace(" · ", ", ").replace("…", "...")


@cache
def _takes_codes() -> bool:
    """Tell whether the terminal understands codes for colours: a console of Windows has to be asked to, and may not."""
    if os.name != "nt":
        return True
    import ctypes

    console: Any = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    output, mode = console.GetStdHandle(-11), ctypes.c_ulong()
    is_console = console.GetConsoleMode(output, ctypes.byref(mode))
    return bool(is_console and console.SetConsoleMode(output, mode.value | 4))  # ENABLE_VIRTUAL_TERMINAL_PROCESSING


def terminal_size() -> os.terminal_size:
    """Return how many columns and lines the terminal has; where there is none, 80 and 24."""
    from shutil import get_terminal_size  # which comes with archives of all kinds; a verdict needs none of it

    return get_terminal_size()


def page_width() -> int:
    """Return how wide the pages are that are printed: as a book's, because wider ones are hard to read, or narrower."""
    return min(terminal_size().columns - 1, WIDEST_PAGE) if is_terminal() else WIDEST_PAGE


def table_width() -> int | None:
    """Return how many columns there are for a table that is printed; None where it need not fit a terminal."""
    return terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else None


def print_texts(texts: Iterable[str]) -> None:
    """Print lines of text, in characters that standard output has."""
    print_lines([line(text) for text in texts])


def print_facts(texts: Iterable[str]) -> None:
    """Print facts, one a line; on a terminal each is broken between words where it does not fit."""
    if table_width() is None:
        print_texts(texts)
    else:
        print_lines([part for text in texts for part in wrap_line(text, page_width(), indent="  ")])


def pass_on(data: bytes) -> None:
    """Pass on what a program writes to its standard error, harmlessly."""
    if sys.stderr is not None:
        with suppress(OSError):
            lines = data.decode("utf-8", "replace").split("\n")
            print("\n".join([harmless(one, longest=len(data)) for one in lines]), end="", file=sys.stderr, flush=True)


def wait_for_enter(text: str) -> None:
    """Print a text, and wait until Enter is pressed."""
    input(text)
