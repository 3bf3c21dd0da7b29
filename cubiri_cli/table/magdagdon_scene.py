"""How MAGDAGDON looks on a page: the board with what its lines are worth, the dice, and what is needed."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cubiri_cli.games.magdagdon import EMPTY, RUIN
from cubiri_cli.table.drawing import Span, line
from cubiri_cli.table.language import _, remembered
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
        pieces.append(Words((*status(game, _ANY), *(line(hope) for hope in hopes(game.board_if_confirmed())))))
    return pieces


def _board(game: Magdagdon) -> Board:
    shown, then = game.board, game.board_if_confirmed()
    worth = prospects(then)
    rows = [_row(row, shown[4 * row : 4 * row + 4], then[4 * row : 4 * row + 4], worth[row]) for row in range(4)]
    return Board((_head(), *rows, _foot(worth[4:])))


@remembered
def _head() -> tuple[Square, ...]:
    return tuple(Square(name, "dim", is_field=False) for name in ("", *"abcd", _("sum")))


@lru_cache(maxsize=4096)
def _row(row: int, shown: tuple[int, ...], then: tuple[int, ...], worth: Prospect) -> tuple[Square, ...]:
    """Return a row as it is `shown` and as it is `then`, if confirmed: what differs is staged."""
    return (Square(str(row + 1), "dim", is_field=False), *map(_cell, shown, then), _worth(worth))


@lru_cache(maxsize=4096)
def _foot(worth: tuple[Prospect, ...]) -> tuple[Square, ...]:
    return (Square(is_field=False), *map(_worth, worth), Square(is_field=False))


def _cell(shown: int, then: int) -> Square:
    if shown == RUIN:
        return Square("▒▒▒", "ruin")
    if shown != then:
        return Square(f"({then})", "staged")
    return Square() if shown == EMPTY else Square(str(shown), "bold")


def _worth(one: Prospect) -> Square:
    mark = worth_mark(one)
    return Square(str(one.sum), "bold", mark.text, mark.style, is_field=False)
