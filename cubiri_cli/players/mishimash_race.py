"""The race of MISHIMASH: how soon each is at the target, and who wins, if all play on as alone.

Whoever is there first is challenged by each behind it in the order in one last turn. All points are half-points.
"""

from __future__ import annotations

import json
import lzma
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from math import erf, prod, sqrt
from operator import mul
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

CHALLENGED = 0.6
"""Of the turns that would reach the target from far away, so many beat somebody who is there already."""
RACE, RACE_TURNS = 400, 48
"""The tables hold races to so many half-points, and so many turns of them."""
OVER = 1e-6
"""A race that goes on with a smaller chance is over."""


# The tables


@cache
def tables() -> dict[str, Any]:
    """Return the tables that `learning/mishimash.py` computes."""
    found: dict[str, Any] = json.loads(lzma.decompress(Path(__file__).with_name("mishimash.xz").read_bytes()))
    return found


@cache
def turns_to(rest: int) -> float:
    """Return how many turns are expected to bank `rest` half-points alone, fewest possible.

    >>> round(turns_to(2000), 3)
    65.19
    """
    known = tables()["solo"]
    if rest < len(known):
        return float(known[max(rest, 0)] / 1e9)
    return float(known[-1] / 1e9 + (rest - len(known) + 1) / (2 * turn_value()))


def turn_value() -> float:
    """Return what the best turn is expected to bank, in points.

    >>> round(turn_value(), 6)
    15.722354
    """
    return float(tables()["turn"]["value"])


def chances_of(steps: Sequence[int], last: int) -> list[float]:
    """Return the chances for 0, 1, … `last` that the tables hold as steps of ten-thousandths."""
    row = [step / 10_000 for step in accumulate(steps)]
    return row + row[-1:] * (last + 1 - len(row))


# Who is there when


class Pace(NamedTuple):
    """How soon somebody is there who needs so many half-points and plays on as alone, turn by turn (turn 0: none).

    Both lists go on with their last number for ever.
    """

    arrives: Sequence[float]
    """The chance to be there with the n-th turn, if not before."""
    wins: Sequence[float]
    """The chance to win by the n-th turn as the last one, against somebody who is there, if not there before."""

    def at(self, turn: int) -> tuple[float, float]:
        """Return both of a turn."""
        return self.arrives[min(turn, len(self.arrives) - 1)], self.wins[min(turn, len(self.wins) - 1)]


def _pace(left: Sequence[float], challenge: Sequence[float]) -> Pace:
    """Return the pace, given the chances not to be there after n turns, and to win by the n-th."""
    known = [turn for turn in range(1, len(left)) if left[turn - 1] > 0.005]  # else rounding is all there is
    arrives = [0.0] + [1 - left[turn] / left[turn - 1] for turn in known]
    wins = [0.0] + [challenge[turn] / left[turn - 1] for turn in known]
    return Pace(arrives, wins)


@lru_cache(2_000)
def pace(rest: int) -> Pace:
    """Return the pace of somebody who needs `rest` half-points."""
    if rest > RACE:
        return _far(rest)
    if str(rest) in tables()["left"]:
        return _pace(*_chances(rest))
    low = rest // 5 * 5
    weights = (low + 5 - rest) / 5, (rest - low) / 5
    near = zip(_chances(low), _chances(low + 5), strict=True)
    return _pace(*([sumprod(weights, pair) for pair in zip(*rows, strict=True)] for rows in near))


def sumprod(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the sum of the products of two rows."""
    return float(sum(map(mul, first, second)))


def _chances(rest: int) -> tuple[list[float], list[float]]:
    left, challenge = (chances_of(tables()[name][str(rest)], RACE_TURNS) for name in ("left", "challenge"))
    return left, challenge


def _far(rest: int) -> Pace:
    """Return the pace by a gamma distribution with the right mean and variance (Wilson and Hilferty's cube root)."""
    mean, variance = turns_to(rest), 0.2433 * rest / 2 - 3.1
    ninth = variance / mean**2 / 9
    left = [1.0]
    for turns in range(1, round(mean + 6 * sqrt(variance))):
        left.append((1 - erf((((turns + 0.5) / mean) ** (1 / 3) - 1 + ninth) / sqrt(2 * ninth))) / 2)
    arrived = [before - now for before, now in pairwise(left)]
    return _pace(left, [0.0, *(CHALLENGED * chance for chance in arrived)])


@lru_cache(4_000)
def _coming(rest: int) -> tuple[list[float], list[float]]:
    """Return two chances for each turn of somebody, if nobody else is there.

    To be there with it; and not to be there before, but to win by it as the last one.
    """
    paced, alive = pace(rest), 1.0
    there: list[float] = []
    last: list[float] = []
    while alive > OVER:
        arrives, wins = paced.at(len(there) + 1)
        there.append(alive * arrives)
        last.append(alive * wins)
        alive *= 1 - arrives
    return there, last


@lru_cache(100)
def _left_by(before: tuple[int, ...], behind: tuple[int, ...]) -> tuple[list[float], list[float]]:
    """Return what the others leave to somebody who has just moved, for each turn to come, as in `racing`.

    Given are the half-points that others need: those before it in the order, and those behind. Two chances: that nobody
    is there, nor wins in answer; and that somebody before it is there by now, against whom nobody else wins.
    """
    early, late = list(map(pace, before)), list(map(pace, behind))
    alive = prod([1 - one.at(1)[0] for one in late])
    first: list[float] = []
    last: list[float] = []
    while alive > OVER:
        turn, there = len(first) + 1, 0.0
        for arrives, wins in [one.at(turn) for one in early]:
            there = there * (1 - wins / 2) + alive * arrives
            alive *= 1 - arrives
        answers = [one.at(turn + 1) for one in late]
        first.append(alive * prod([1 - wins for _arrives, wins in answers]))
        last.append(there * prod([1 - wins / 2 for _arrives, wins in answers]))
        alive *= prod([1 - arrives for arrives, _wins in answers])
    return first, last


def racing(needed: Sequence[int], seat: int) -> float:
    """Return the chance to win of a seat that has just moved, where all need so many half-points each."""
    first, last = _left_by(tuple(needed[: seat - 1]), tuple(needed[seat:]))
    there, answers = _coming(needed[seat - 1])
    return sumprod(first, there) + sumprod(last, answers)


@lru_cache(2_000)
def racing_all(needed: tuple[int, ...], moving: int) -> tuple[float, ...]:
    """Return the chance of every seat to win the same race, where seat `moving` is to move."""
    paces = [pace(rest) for rest in needed]
    chances, turns, alive = [0.0] * len(paces), [0] * len(paces), 1.0
    begin = moving - 1
    while alive > OVER:
        there, round_of = 0.0, []
        for index in range(begin, len(paces)):
            turns[index] += 1
            arrives, wins = paces[index].at(turns[index])
            round_of.append((index, alive * arrives, there * wins, wins))
            there = there * (1 - wins / 2) + alive * arrives
            alive *= 1 - arrives
        kept = alone = 1.0
        for index, first, answer, wins in reversed(round_of):
            chances[index] += first * kept + answer * alone
            kept, alone = kept * (1 - wins), alone * (1 - wins / 2)
        begin = 0
    return tuple(chances)
