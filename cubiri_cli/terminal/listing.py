"""How choices are listed below a question: one a line, or side by side where they are short. Knows no prompt.

Nothing of a choice is cut: a long label goes on in the next line, and arrows tell where there is more than fits.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from cubiri_cli.table.drawing import Line, Span, line, line_width, width, wrap
from cubiri_cli.table.language import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.table.protocol import Choice

POINTER = "▶"

SHORT = 4
"""How wide a label may be, in columns, to stand beside others."""

_BEFORE = len(f" {POINTER} [x] ")
"""How many columns stand before a label."""


def arrange(choices: Sequence[Choice], columns: int, room: int) -> list[list[int]]:
    """Return which choices share a line, by index: short ones of the picture do, and others where there is no room.

    >>> from cubiri_cli.table.protocol import Choice
    >>> arrange([Choice(key, key * 2) for key in "abc"] + [Choice("u", "take back")], 20, 3)
    [[0, 1], [2], [3]]
    """
    has_room = sum(len(_folded(one, columns)) for one in choices) <= room

    def sort(index: int) -> tuple[bool, bool]:
        is_placed = choices[index].at is not None
        return width(choices[index].label) <= SHORT and (is_placed or not has_room), is_placed

    rows: list[list[int]] = []
    for (is_short, _is_placed), group in groupby(range(len(choices)), key=sort):
        run = list(group)
        each = max(1, columns // (_BEFORE + max(width(choices[index].label) for index in run))) if is_short else 1
        rows += [run[start : start + each] for start in range(0, len(run), each)]
    return rows


def move_pointer(rows: Sequence[Sequence[int]], pointed: int, down: int) -> int:
    """Return the choice so many lines below the one pointed at, in its column; beyond the last line is the first.

    >>> move_pointer([[0, 1], [2], [3]], 1, 1), move_pointer([[0, 1], [2], [3]], 0, -1)
    (2, 3)
    """
    at = next(number for number, row in enumerate(rows) if pointed in row)
    row = rows[(at + down) % len(rows)]
    return row[min(rows[at].index(pointed), len(row) - 1)]


def list_lines(choices: Sequence[Choice], pointed: int, columns: int, room: int) -> list[Line]:
    """Return the choices, the one with the index `pointed` marked, in at most `room` lines around it."""
    lines: list[Line] = []
    first, last = 0, 0  # the lines of the choice pointed at
    for row in arrange(choices, columns, room):
        added = _row(choices, row, pointed, columns)
        if pointed in row:
            first, last = len(lines), len(lines) + len(added) - 1
        lines += added
    # One line below the choice pointed at is shown as well, so that it is seen to go on.
    start = max(0, min(first, last + 2 - room, len(lines) - room))
    shown = lines[start : start + room]
    if start:
        shown[0] = _marked(shown[0], "↑", columns)
    if start + len(shown) < len(lines):
        shown[-1] = _marked(shown[-1], "↓", columns)
    return shown


def _folded(choice: Choice, columns: int) -> list[str]:
    """Return a label in the lines it needs; one that fits is left as it is, with its blanks."""
    room = columns - _BEFORE
    return [choice.label] if width(choice.label) <= room else wrap(choice.label, room)


def _row(choices: Sequence[Choice], row: Sequence[int], pointed: int, columns: int) -> list[Line]:
    """Return the lines of the choices that share one: all labels in it are short, or there is only one."""
    widest = max(width(choices[index].label) for index in row)
    spans: Line = []
    rest: list[str] = []
    for index in row:
        text, *rest = _folded(choices[index], columns)
        spans += [Span(f" {POINTER} " if index == pointed else "   ", "key"), Span(f"[{choices[index].key}] ", "key")]
        spans.append(Span(text + " " * (widest - width(text) if index != row[-1] else 0)))
    return [spans, *(line(" " * _BEFORE, more) for more in rest)]


def _marked(spans: Line, arrow: str, columns: int) -> Line:
    """Return a line with an arrow at its edge, and with the word for it where there is room."""
    word = " " + _("more") + " " + arrow
    room = columns - line_width(spans) - width(word)
    edge = Span(arrow + spans[0].text[1:], spans[0].style)
    return [edge, *spans[1:], *([Span(" " * room + word, "dim")] if room > 0 else [])]
