"""What a picture on a page is made of: boards, dice, bars and lines of words. Nothing here knows a game, or HTML.

A game's table makes its scene of these pieces (`Table.scene`); styles are those of `drawing.STYLES`, and as there, no
style says anything that no character says.
"""

from __future__ import annotations

from typing import NamedTuple

from cubiri_cli.table.drawing import Line


class Square(NamedTuple):
    """One place of a board: a text and its style. A `field` has a frame; other places are names, sums and the like."""

    text: str = ""
    style: str = ""
    note: str = ""
    """What stands smaller after the text, such as a bonus."""
    note_style: str = ""
    is_field: bool = True


class Board(NamedTuple):
    """Squares in rows, from the top."""

    rows: tuple[tuple[Square, ...], ...]


class DiceGroup(NamedTuple):
    """Dice side by side, and what stands below them. The style is `staged`, `chosen`, `dim` or none."""

    faces: tuple[str, ...]
    label: str = ""
    style: str = ""


class DiceRow(NamedTuple):
    """All dice that lie there."""

    groups: tuple[DiceGroup, ...]


class Bar(NamedTuple):
    """How far somebody has come: what stands before and after the bar, and its parts, from 0 to 1."""

    name: str
    solid: float
    shaded: float
    value: str
    note: str = ""
    style: str = ""


class Bars(NamedTuple):
    """Bars, one below the other."""

    bars: tuple[Bar, ...]


class Words(NamedTuple):
    """Lines of styled words."""

    lines: tuple[Line, ...]


Piece = Board | DiceRow | Bars | Words
"""One part of a picture on a page; they stand one below the other."""
