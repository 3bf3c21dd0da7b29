"""A slow induction over a turn of MISHIMASH, straight from the rules: every selection of every roll is tried."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING

from tests.support import reference

if TYPE_CHECKING:
    from collections.abc import Callable


@cache
def rolls(count: int) -> list[tuple[int, dict[tuple[int, ...], int]]]:
    """Return every roll of so many dice: in how many ways it falls, and its selections by the reference."""
    found = []
    for roll in combinations_with_replacement(range(1, 7), count):
        ways = factorial(count) // prod(factorial(roll.count(face)) for face in set(roll))
        found.append((ways, reference.selections(list(roll))))
    return found


def slow_turn(payoff: Callable[[int], float], last: int, bust: float) -> float:
    """Return what the best turn is worth: straight from the rules, every selection of every roll tried.

    From `last` half-points on all are worth the same, so that such a turn is over.
    """
    return slow_ends(lambda points: (payoff(points),), last, (bust,))[0]


def slow_ends(ends: Callable[[int], tuple[float, ...]], last: int, bust: tuple[float, ...]) -> tuple[float, ...]:
    """Return the means of several numbers that a turn ends with, which is played for the best of the first of them."""

    @cache
    def decide(rolls_made: int, free: int, mishimashes: int, points: int) -> tuple[float, ...]:
        if points >= last:
            return ends(last)
        rolled = throw(rolls_made, free, mishimashes, points)
        return rolled if not rolls_made or rolled[0] > ends(points)[0] else ends(points)

    def throw(rolls_made: int, free: int, mishimashes: int, points: int) -> tuple[float, ...]:
        total = [0.0] * len(bust)
        for ways, selections in rolls(free):
            found = []
            for picked, worth in selections.items():
                left, more, bonuses = free - len(picked), points + worth * (rolls_made + 1), mishimashes
                if left == 0:
                    left, bonuses, more = 6, bonuses + 1, more + 20 * (bonuses + 1)
                found.append(decide(rolls_made + 1, left, bonuses, more))
            total = [one + ways * part for one, part in zip(total, max(found, default=bust), strict=True)]
        return tuple(one / 6**free for one in total)

    return decide(0, 6, 0, 0)
