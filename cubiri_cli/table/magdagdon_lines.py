"""What the rows and columns of a MAGDAGDON board are worth, and which bonus each can still get."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from cubiri_cli.games.magdagdon import EMPTY, LINES, NEIGHBOURS, RUIN, TOUCHED, field_of, line_bonus

Board = tuple[int, ...]


class Prospect(NamedTuple):
    """A row or column: the sum of its numbers, the bonus it has, and the best bonus it can still get.

    `filled` are the four numbers with which it would get that bonus; empty where it can get none any more.
    """

    sum: int
    bonus: int
    reachable: int
    filled: tuple[int, ...] = ()


@cache
def _earning() -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return every line that earns a bonus and can be laid (numbers side by side differ by 1 at most), best first."""
    lines = (numbers for numbers in product(range(1, 7), repeat=4))
    laid = (numbers for numbers in lines if all(abs(numbers[i] - numbers[i + 1]) <= 1 for i in range(3)))
    return tuple(sorted(((line_bonus(numbers), numbers) for numbers in laid if line_bonus(numbers)), reverse=True))


class _Filling(NamedTuple):
    """A way to fill a line: its bonus, its four numbers, and the bits of a field of which none may be set for it."""

    bonus: int
    numbers: tuple[int, ...]
    barred: int


@cache
def _fillings(line: tuple[int, ...], numbers: tuple[int, ...]) -> tuple[_Filling, ...]:
    """Return every way to fill a line that holds these numbers so that it earns a bonus, best first."""
    return tuple(
        _Filling(bonus, wanted, sum([1 << 16 * want + cell for cell, want in zip(line, wanted, strict=True)]))
        for bonus, wanted in _earning()
        if all(number in (EMPTY, want) for number, want in zip(numbers, wanted, strict=True))
    )


@lru_cache(maxsize=256)
def prospects(board: Board) -> tuple[Prospect, ...]:
    """Return what each line of `board` is worth and can still become, in the order of `LINES`.

    A bonus counts as reachable if the empty cells of the line can be filled so that every number there differs by 1 at
    most from all its neighbours, and the line can be joined to the field.

    >>> prospects((2, 3, 4, 0) + (0,) * 12)[0]
    Prospect(sum=9, bonus=0, reachable=60, filled=(2, 3, 4, 5))
    >>> prospects((2, 3, 4, 0, 0, 0, 0, 3) + (0,) * 8)[0].reachable
    0
    """
    field = field_of(enumerate(board))
    return tuple([_prospect(board, field, line) for line in LINES])


def _prospect(board: Board, field: int, line: tuple[int, ...]) -> Prospect:
    numbers = tuple([board[cell] for cell in line])
    if RUIN in numbers:
        return Prospect(sum(number for number in numbers if number != RUIN), 0, 0)
    total = sum(numbers)
    if EMPTY not in numbers:
        return Prospect(total, line_bonus(numbers), 0)
    for bonus, wanted, barred in _fillings(line, numbers):
        if not field & barred and (total or _joins(board, field, line, wanted)):
            return Prospect(total, 0, bonus, wanted)
    return Prospect(total, 0, 0)


def _fits(board: list[int], cell: int, value: int) -> bool:
    """Tell whether `value` on `cell` differs by 1 at most from every number beside it."""
    near = (board[other] for other in NEIGHBOURS[cell])
    return all(number in (EMPTY, RUIN) or abs(number - value) <= 1 for number in near)


def _joins(board: Board, field: int, line: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Tell whether numbers laid on an empty line would be connected to the field: by touching it, or by a path."""
    touched = field >> TOUCHED
    if not touched or any(touched >> cell & 1 for cell in line):
        return True
    # The path: cells with the number laid there, each beside the one before. It begins beside the field and ends beside
    # the line; _fits holds it against the numbers of both.
    filled = list(board)
    for cell, want in zip(line, wanted, strict=True):
        filled[cell] = want
    goal = {other for cell in line for other in NEIGHBOURS[cell]}
    waiting = [(cell, value) for cell in range(16) if touched >> cell & 1 for value in range(1, 7)]
    seen = set()
    while waiting:
        cell, value = waiting.pop()
        if (cell, value) in seen or filled[cell] != EMPTY or not 1 <= value <= 6 or not _fits(filled, cell, value):
            continue
        if cell in goal:
            return True
        seen.add((cell, value))
        waiting += [(other, value + change) for other in NEIGHBOURS[cell] for change in (-1, 0, 1)]
    return False
