"""One turn of MISHIMASH, solved backwards: what the best player can expect, whatever banked points are worth.

All points in here are half-points. A turn is a tuple (rolls, dice, mishimashes) and the points at risk: how many rolls
it has seen, how many dice the next roll throws, how many MISHIMASHes there were.
"""

from __future__ import annotations

import sys
from array import array
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
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


LANE, MARK = 64, 1 << 63
ONE = 1 << 47
"""Six dice fall in 6⁶ ways, which is less than 2¹⁶: sums of so many times `ONE` stay in their lanes."""


class Solution:
    """The best play from one position of a turn on, exactly but for rounding (10⁻¹⁴ of what is at stake).

    `payoff[p]` is what banking `p` half-points is worth; more than the last of them is worth as much as the last.
    It must not fall as `p` grows. `bust` is what the turn is worth where it is lost.

    The values of a kind of turn, for all points at risk, lie in one integer: `LANE` bits for each, a whole number from
    0 for the least there is to `ONE` for the most. So hundreds of them are added and compared at once.
    """

    def __init__(self, payoff: Sequence[float], bust: float, turn: Turn, points: int) -> None:
        self.payoff, self.bust, self.last = payoff, bust, len(payoff) - 1
        self._least = min(bust, *payoff)
        self._unit = (max(bust, *payoff) - self._least) / ONE or 1.0
        self._banked = _laid(map(self._scaled, payoff))
        self._values: dict[Turn, tuple[int, int]] = {}
        for least in reversed(self._reachable(turn, points)):
            for state, low in least.items():
                self._values[state] = low, self._solve(state, low)

    def _scaled(self, worth: float) -> int:
        return round((worth - self._least) / self._unit)

    def _reachable(self, turn: Turn, points: int) -> list[dict[Turn, int]]:
        """Return for each number of rolls from here on the turns there can be, with the fewest points at risk."""
        layers = [{turn: points}]
        while layers[-1]:
            found: dict[Turn, int] = {}
            for state, low in layers[-1].items():
                for option in _plan(state[1]).options:
                    following, least = after(state, low, option)
                    if least < self.last:
                        found[following] = min(least, found.get(following, least))
            layers.append(found)
        return layers

    def _solve(self, turn: Turn, low: int) -> int:
        """Return the values of a turn for all points at risk from `low` to the last but one."""
        length = self.last - low
        if length <= 0:
            return 0
        options, pairs, counts, busts = _plan(turn[1])
        columns = [self._column(turn, low, option, length) for option in options]
        marks = _each(length, MARK)
        for one, other in pairs:
            columns.append(_larger(columns[one], columns[other], marks))
        total = busts * self._scaled(self.bust) * _each(length, 1)
        total += sum([count * columns[at] for at, count in counts])
        rolled = _divided(total, 6 ** turn[1], length)
        return _larger(rolled, self._part(self._banked, low, length), marks) if turn[0] else rolled

    def _column(self, turn: Turn, low: int, option: Option, length: int) -> int:
        """Return the values after `option` for `length` points at risk from `low` on."""
        following, least = after(turn, low, option)
        known = min(length, max(0, self.last - least))
        most = _each(length - known, self._scaled(self.payoff[-1])) << LANE * known
        if not known:
            return most
        begin, values = self._values[following]
        return most | self._part(values, least - begin, known)

    @staticmethod
    def _part(values: int, begin: int, length: int) -> int:
        return values >> LANE * begin & (1 << LANE * length) - 1

    def value(self, turn: Turn, points: int) -> float:
        """Return what the turn is worth where it can be banked or rolled on; before its first roll only rolled."""
        if points >= self.last:
            return self.payoff[-1]
        low, values = self._values[turn]
        return self._least + self._unit * self._part(values, points - low, 1)

    def banked(self, points: int) -> float:
        """Return what it is worth to bank so many points."""
        return self.payoff[min(points, self.last)]

    def lost(self) -> float:
        """Return what a bust is worth."""
        return self.bust


class _Plan(NamedTuple):
    """How a roll of so many dice is worked out: columns of values are those of the options, then those of the pairs."""

    options: tuple[Option, ...]
    pairs: tuple[tuple[int, int], ...]
    """Columns of which the larger values make another one, in order."""
    counts: tuple[tuple[int, int], ...]
    """The columns that are what some rolls are worth, each with how many of the 6ⁿ."""
    busts: int


@cache
def _plan(dice: int) -> _Plan:
    rolls = outcomes(dice)
    options = tuple(dict.fromkeys(option for roll in rolls for option in roll.options))
    place: dict[tuple[Option, ...], int] = {(option,): at for at, option in enumerate(options)}
    pairs: list[tuple[int, int]] = []
    for roll in rolls:
        for end in range(2, len(roll.options) + 1):
            some = roll.options[:end]
            if some not in place:
                pairs.append((place[some[:-1]], place[some[-1:]]))
                place[some] = len(place)
    counts = tuple((place[roll.options], roll.ways) for roll in rolls if roll.options)
    return _Plan(options, tuple(pairs), counts, 6**dice - sum(ways for _at, ways in counts))


# Values in lanes


@lru_cache(4_000)
def _each(length: int, value: int) -> int:
    """Return so many lanes of the same value."""
    return value * (((1 << LANE * length) - 1) // ((1 << LANE) - 1))


def _larger(one: int, other: int, marks: int) -> int:
    """Return the larger of two values in each lane. `marks`, the highest bits of all lanes, tell which it is."""
    is_larger = (one | marks) - other & marks
    return other ^ (one ^ other) & is_larger - (is_larger >> LANE - 1)


def _divided(total: int, by: int, length: int) -> int:
    """Return lanes divided by a number."""
    lanes = array("Q", total.to_bytes(LANE // 8 * length, "little"))
    if sys.byteorder == "big":
        lanes.byteswap()
    return _laid([value // by for value in lanes])


def _laid(values: Iterable[int]) -> int:
    """Return values in lanes, the first one lowest."""
    lanes = array("Q", values)
    if sys.byteorder == "big":
        lanes.byteswap()
    return int.from_bytes(lanes.tobytes(), "little")
