"""How MISHIMASH looks on a page: everybody's points, the dice by combination, and what is at risk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.table.mishimash_picture import (
    bar_of,
    groups_of,
    player_style,
    player_texts,
    points_at_risk,
    points_of_turn,
    round_mark,
)
from cubiri_cli.table.scene import Bar, Bars, DiceGroup, DiceRow, Piece, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.games.mishimash import Mishimash
    from cubiri_cli.table.protocol import Moment

_ANY = 10_000
"""More columns than any line of words has: a page breaks lines by itself."""


def scene(game: Mishimash, names: Sequence[str], moment: Moment) -> list[Piece]:
    """Return the state as pieces for a page."""
    pieces: list[Piece] = [Bars(tuple(_bar(game, names, seat) for seat in range(1, game.seats + 1)))]
    if mark := round_mark(game):
        pieces.insert(0, Words((mark,)))
    groups = groups_of(game, moment)
    if groups:
        pieces.append(DiceRow(tuple(DiceGroup(tuple(map(str, one.dice)), one.label, one.style) for one in groups)))
    if game.in_turn:
        of_turn = points_of_turn if game.seats == 1 else points_at_risk  # alone the bar shows how far it is
        pieces.append(Words(tuple(of_turn(game, moment, _ANY))))
    return pieces


def _bar(game: Mishimash, names: Sequence[str], seat: int) -> Bar:
    total, then, full = bar_of(game, seat)
    mark, name, points, turn = player_texts(game, names, seat)
    return Bar(f"{mark} {name}".strip(), total / full, (then - total) / full, points, turn, player_style(game, seat))
