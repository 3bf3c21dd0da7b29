"""How large a terminal has to be for a game to be drawn on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.table.drawing import wrap_line
from cubiri_cli.table.language import _
from cubiri_cli.table.protocol import LEAST_PICTURE

if TYPE_CHECKING:
    from cubiri_cli.table.drawing import Line

PROMPT_HEIGHT = 8
"""How many lines are kept for the question, its choices and the keys below them."""

LEAST_WIDTH, LEAST_HEIGHT = LEAST_PICTURE[0], LEAST_PICTURE[1] + PROMPT_HEIGHT
"""The smallest terminal, in columns and lines."""


def is_too_small(columns: int, rows: int) -> bool:
    """Tell whether a terminal of this size is too small."""
    return columns < LEAST_WIDTH or rows < LEAST_HEIGHT


def too_small_lines(columns: int, rows: int) -> list[Line]:
    """Return the words that stand where a picture would, in at most `rows` lines."""
    text = _("This terminal has {columns}×{rows} characters; the picture needs {width}×{height}.").format(
        columns=columns, rows=rows, width=LEAST_WIDTH, height=LEAST_HEIGHT
    )
    return wrap_line(text, columns)[: max(1, rows - 4)]
