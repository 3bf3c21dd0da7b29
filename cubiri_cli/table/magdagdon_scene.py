"""How MAGDAGDON looks on a page: the board with what its lines are worth, the dice, and what is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.games.magdagdon import EMPTY, RUIN
from cubiri_cli.table.drawing import Span, line
from cubiri_cli.table.language import _
from cubiri_cli.table.magdagdon_lines import prospects
from cubiri_cli.table.magdagdon_picture import faces, hopes, score_text, status, worth_mark
from cubiri_cli.table.scene import Board, DiceGroup, DiceRow, Piece, Square, Words

if TYPE_CHECKING:
    from cubiri_cli.games.magdagdon import Magdagdon
    from cubiri_cli.table.magdagdon_lines import Prospect
    from cubiri_cli.table.protocol import Moment

_ANY = 10_000
"""More columns than any line of words has: a page breaks lines by itself."""


def scene(game: Magdagdon, moment: Moment) -> list[Piece]:
    """Return the state as pieces for a page."""
    pieces: list[Piece] = [Words((line(Span(score_text(game), "bold")),)), _board(game)]
    if game.in_turn:
        groups = (DiceGroup((face,), state, style) for face, state, style in faces(game, moment))
        pieces.append(DiceRow(tuple(groups)))
    if not game.over:
        pieces.append(Words((*status(game, _ANY), *(line(hope) for hope in hopes(game)))))
    return pieces


def _board(game: Magdagdon) -> Board:
    shown = prospects(game.board_if_confirmed())
    head = tuple(Square(name, "dim", is_field=False) for name in ("", *"abcd", _("sum")))
    rows = [
        (
            Square(str(row + 1), "dim", is_field=False),
            *(_cell(game, cell) for cell in range(4 * row, 4 * row + 4)),
            _worth(shown[row]),
        )
        for row in range(4)
    ]
    return Board((head, *rows, (Square(is_field=False), *map(_worth, shown[4:]), Square(is_field=False))))


def _cell(game: Magdagdon, cell: int) -> Square:
    value = game.board[cell]
    if value == RUIN:
        return Square("▒▒▒", "ruin")
    if value != EMPTY:
        return Square(str(value), "bold")
    return Square(f"({game.staged[cell]})", "staged") if cell in game.staged_cells else Square()


def _worth(one: Prospect) -> Square:
    mark = worth_mark(one)
    return Square(str(one.sum), "bold", mark.text, mark.style, is_field=False)
