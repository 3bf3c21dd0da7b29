"""The last turns of a MISHIMASH: who wins once somebody has reached the target. All points are half-points."""

from __future__ import annotations

from functools import cache
from math import prod
from typing import TYPE_CHECKING

from cubiri_cli.players.mishimash_race import chances_of, tables

if TYPE_CHECKING:
    from collections.abc import Sequence

LAST_TURN = 600
"""The tables hold last turns that have to bring so many half-points or less."""


@cache
def beaten(asked: int) -> float:
    """Return the chance of a last turn to win against somebody who is ahead by `asked` half-points and has none left.

    Whoever equals that goes into sudden death as the second of two.
    """
    beats, equals = _last_turn()
    asked = min(asked, len(beats) - 1)
    return float(beats[asked] + equals[asked] * (1 - tables()["first"]))


@cache
def _last_turn() -> tuple[list[float], list[float]]:
    beats, equals = (chances_of(tables()[name], LAST_TURN) for name in ("beats", "equals"))
    return beats, equals


def standing(ahead: Sequence[int], behind: Sequence[int], total: int) -> float:
    """Return the chance to win with this total, where each one behind in the order has one turn left."""
    if ahead and total < max(ahead):
        return 0.0
    chance = prod([1 - beaten(total - rival) for rival in behind])
    tied = ahead.count(total)
    if not tied:
        return chance
    return float(chance * (1 - tables()["first"] if tied == 1 else 1 / (1 + tied)))
