"""Pictures as prompt_toolkit takes them. Without it here: what is imported does not wait for it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cubiri_cli.table.drawing import COLORS, STYLES, degrade

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.table.drawing import Line

_WORDS = {"1": "bold", "2": "dim", "7": "reverse"}


@cache
def prompt_style(style: str) -> str:
    """Return a style as prompt_toolkit writes it.

    >>> prompt_style("staged")
    'bold #af5f00'
    """
    codes = STYLES[style].split(";")
    return " ".join(COLORS[code][1] if code in COLORS else _WORDS[code] for code in codes if code)


def to_fragments(lines: Sequence[Line], encoding: str = "utf-8") -> list[tuple[str, str]]:
    """Return lines as prompt_toolkit takes them."""
    fragments: list[tuple[str, str]] = []
    for index, spans in enumerate(lines):
        if index:
            fragments.append(("", "\n"))
        fragments += [(prompt_style(span.style), degrade(span.text, encoding)) for span in spans]
    return fragments
