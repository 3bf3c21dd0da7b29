"""Boards of MAGDAGDON for thinking ahead: one integer each, and every set of dice that a turn can end in.

A board is one integer, so that putting a number on a cell is one `|`:

    bits 0–47      the four rows, three bits a cell (0 empty, 1–6, 7 a ruin), the first cell lowest
    bits 48–95     the four columns likewise
    bits 96–191    for each cell six bits: the values that may not go there, because a number next to it differs by more
    bits 192–207   the cells that are taken
    bits 208–223   the cells that touch a number

The sets a turn can end in are enumerated, not the orders: a set is legal when neighbours differ by at most 1 and every
new number is connected, and then some order of it is legal. Multisets of at most four dice have numbers; 0 is the empty
one.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING

from cubiri_cli.games.magdagdon import DICE, EMPTY, NEIGHBOURS, RUIN, cells_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

COLUMNS, BLOCKED, TAKEN, TOUCHED = 48, 96, 192, 208
CELLS = 0xFFFF


def _put(cell: int, value: int) -> int:
    row, column = divmod(cell, 4)
    bits = value << 3 * cell | value << COLUMNS + 12 * column + 3 * row | 1 << TAKEN + cell
    if value == RUIN:
        return bits
    blocked = sum(1 << other - 1 for other in range(1, 7) if abs(other - value) > 1)
    return bits | sum(blocked << BLOCKED + 6 * near | 1 << TOUCHED + near for near in NEIGHBOURS[cell])


PUT = tuple(tuple(_put(cell, value) if value else 0 for cell in range(16)) for value in range(8))
"""`PUT[value][cell]`: the bits a number or ruin adds to a board."""

NEAR = tuple(sum(1 << other for other in near) for near in NEIGHBOURS)
"""For each cell those that touch it, as bits."""

_VALUES = tuple(tuple(value for value in range(1, 7) if mask >> value - 1 & 1) for mask in range(64))
_CELLS = {1 << cell: (cell, BLOCKED + 6 * cell, NEAR[cell]) for cell in range(16)}

MULTISETS = tuple(dice for count in range(DICE + 1) for dice in combinations_with_replacement(range(1, 7), count))
NUMBER = {dice: number for number, dice in enumerate(MULTISETS)}
SIZE = tuple(map(len, MULTISETS))
ROLLS = range(SIZE.index(DICE), len(MULTISETS))
"""The multisets that are rolls."""

MORE = tuple(
    tuple(NUMBER[tuple(sorted((*dice, value)))] if value and len(dice) < DICE else 0 for value in range(7))
    for dice in MULTISETS
)
"""`MORE[multiset][value]`: the multiset with one more die of this value."""

WAYS = tuple(factorial(len(dice)) // prod(factorial(dice.count(face)) for face in set(dice)) for dice in MULTISETS)
"""In how many ways each multiset falls."""

INSIDE = tuple(
    tuple(
        sorted({NUMBER[tuple(die for at, die in enumerate(dice) if mask >> at & 1)] for mask in range(1 << len(dice))})
    )
    for dice in MULTISETS
)
"""For each multiset all that it contains, the empty one and itself too."""

CHANGED = tuple(
    tuple(
        sorted(
            {
                NUMBER[tuple(sorted((*dice[:at], die + step, *dice[at + 1 :])))]
                for at, die in enumerate(dice)
                for step in (-1, 1)
                if 1 <= die + step <= 6
            }
        )
    )
    for dice in MULTISETS
)
"""For each multiset those into which a Power of one pip turns it."""


def _left(roll: int) -> tuple[int, ...]:
    """Return for each multiset the values, as bits, of which a roll holds one die more."""
    dice, masks = MULTISETS[roll], [0] * len(MULTISETS)
    for inside in INSIDE[roll]:
        taken = MULTISETS[inside]
        masks[inside] = sum(1 << value - 1 for value in range(1, 7) if dice.count(value) > taken.count(value))
    return tuple(masks)


LEFT = {roll: _left(roll) for roll in ROLLS}
ANY = (63,) * len(MULTISETS)
"""In place of `LEFT[roll]`: any dice."""


def board_of(cells: Sequence[int]) -> int:
    """Return the board of 16 cells in reading order."""
    board = 0
    for cell, value in enumerate(cells):
        if value != EMPTY:
            board |= PUT[value][cell]
    return board


def empty_cells(board: int) -> int:
    """Return the empty cells as bits."""
    return ~(board >> TAKEN) & CELLS


def numbers_on(board: int) -> dict[int, int]:
    """Return what stands on a board: cell → number or ruin."""
    return {cell: board >> 3 * cell & 7 for cell in cells_of(board >> TAKEN & CELLS)}


def with_ruin(board: int) -> Iterator[int]:
    """Yield the boards that one more ruin makes."""
    for cell in cells_of(empty_cells(board)):
        yield board | PUT[RUIN][cell]


def each_set(board: int, left: Sequence[int], least: int, found: Callable[[int, int], None]) -> None:
    """Call `found(multiset, board)` for every set of at least so many dice that a turn can end in, once.

    `left` says which values there are beside a multiset: `LEFT[roll]` or `ANY`.
    """

    def grow(board: int, todo: int, known: int, taken: int) -> None:
        # Each cell that is looked at is taken, or left out for good (Redelmeier); `known` were ever looked at.
        values = left[taken]
        more = MORE[taken]
        while todo:
            bit = todo & -todo
            todo ^= bit
            cell, blocked, near = _CELLS[bit]
            near &= ~known
            for value in _VALUES[~(board >> blocked) & values]:
                bigger, following = board | PUT[value][cell], more[value]
                if SIZE[following] >= least:
                    found(following, bigger)
                if left[following] and SIZE[following] < DICE and (todo or near):
                    grow(bigger, todo | near, known | near, following)

    empty, touched = empty_cells(board), board >> TOUCHED
    if touched:
        todo = touched & empty
        grow(board, todo, ~empty | todo, 0)
        return
    known = ~empty
    for cell in cells_of(empty):  # R3: the first number anywhere; each set from the first of its cells on
        known |= 1 << cell
        grow(board, 1 << cell, known, 0)
