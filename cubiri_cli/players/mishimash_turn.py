"""One turn of MISHIMASH, solved backwards: what the best player can expect, whatever banked points are worth.

All points in here are half-points. A turn is a tuple (rolls, dice, mishimashes) and the points at risk: how many rolls
it has seen, how many dice the next roll throws, how many MISHIMASHes there were.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.games.mishimash import DICE, MISHIMASH_BONUS, selections

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Turn = tuple[int, int, int]
"""Rolls so far, dice free, MISHIMASHes so far."""

START: Turn = (0, DICE, 0)


class Option(NamedTuple):
    """A selection as far as it matters: how many dice it leaves, and its half-points before the multiplier."""

    left: int
    worth: int


class Rolls(NamedTuple):
    """Rolls that leave the same options: how many of the 6ⁿ there are, and the options (none: a bust)."""

    ways: int
    options: tuple[Option, ...]


@cache
def outcomes(dice: int) -> tuple[Rolls, ...]:
    """Return what a roll of so many dice can be. Of selections that leave as many dice only the best one counts.

    >>> outcomes(1)
    (Rolls(ways=4, options=()), Rolls(ways=1, options=(Option(left=0, worth=2),)), \
Rolls(ways=1, options=(Option(left=0, worth=1),)))
    """
    counts: dict[tuple[Option, ...], int] = {(): 0}
    for roll in combinations_with_replacement(range(1, 7), dice):
        best: dict[int, int] = {}
        for picked, worth in selections(roll).items():
            left = dice - len(picked)
            best[left] = max(worth, best.get(left, 0))
        options = tuple(Option(left, worth) for left, worth in sorted(best.items()))
        ways = factorial(dice) // prod(factorial(roll.count(face)) for face in set(roll))
        counts[options] = counts.get(options, 0) + ways
    return tuple(Rolls(count, options) for options, count in counts.items())


def after(turn: Turn, points: int, option: Option) -> tuple[Turn, int]:
    """Return the turn and the points at risk after one more roll, of which `option` was taken.

    >>> after((4, 1, 0), 20, Option(0, 2))
    ((5, 6, 1), 50)
    """
    rolls, _, mishimashes = turn
    points += option.worth * (rolls + 1)
    if option.left:
        return (rolls + 1, option.left, mishimashes), points
    return (rolls + 1, DICE, mishimashes + 1), points + MISHIMASH_BONUS * (mishimashes + 1)


class Solution:
    """The best play from one position of a turn on, exactly.

    `payoff[p]` is what banking `p` half-points is worth; more than the last of them is worth as much as the last.
    It must not fall as `p` grows. `bust` is what the turn is worth where it is lost.
    """

    def __init__(self, payoff: Sequence[float], bust: float, turn: Turn, points: int) -> None:
        self.payoff, self.bust, self.last = payoff, bust, len(payoff) - 1
        layers = self._reachable(turn, points)
        self._values: dict[Turn, tuple[int, list[float]]] = {}
        for least in reversed(layers):
            for state, low in least.items():
                self._values[state] = low, self._solve(state, low)

    def _reachable(self, turn: Turn, points: int) -> list[dict[Turn, int]]:
        """Return for each number of rolls from here on the turns there can be, with the fewest points at risk."""
        layers = [{turn: points}]
        while layers[-1]:
            found: dict[Turn, int] = {}
            for state, low in layers[-1].items():
                for option in _options(state[1]):
                    following, least = after(state, low, option)
                    if least < self.last:
                        found[following] = min(least, found.get(following, least))
            layers.append(found)
        return layers

    def _solve(self, turn: Turn, low: int) -> list[float]:
        """Return the value of a turn for all points at risk from `low` to the last but one."""
        length = self.last - low
        if length <= 0:
            return []
        columns = {option: self._column(turn, low, option, length) for option in _options(turn[1])}
        counts, gained = [], []
        for count, options in outcomes(turn[1]):
            if options:
                counts.append(count)
                gained.append(
                    map(max, *[columns[option] for option in options]) if len(options) > 1 else columns[options[0]]
                )
        all_rolls = 6 ** turn[1]
        lost = self.bust * (all_rolls - sum(counts))
        rolled = [(sum(map(mul, counts, row)) + lost) / all_rolls for row in zip(*gained, strict=True)]
        return list(map(max, rolled, self.payoff[low:])) if turn[0] else rolled

    def _column(self, turn: Turn, low: int, option: Option, length: int) -> list[float]:
        """Return the values after `option` for `length` points at risk from `low` on."""
        following, least = after(turn, low, option)
        found = self._values.get(following)
        known = found[1][least - found[0] :] if found and least < self.last else []
        return known + [self.payoff[-1]] * (length - len(known))

    def value(self, turn: Turn, points: int) -> float:
        """Return what the turn is worth where it can be banked or rolled on; before its first roll only rolled."""
        if points >= self.last:
            return self.payoff[-1]
        low, values = self._values[turn]
        return values[points - low]

    def banked(self, points: int) -> float:
        """Return what it is worth to bank so many points."""
        return self.payoff[min(points, self.last)]

    def lost(self) -> float:
        """Return what a bust is worth."""
        return self.bust


@cache
def _options(dice: int) -> Iterable[Option]:
    return tuple({option: None for outcome in outcomes(dice) for option in outcome.options})
