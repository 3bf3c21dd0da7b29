"""The last turns of a MISHIMASH: who wins once somebody has reached the target. All points are half-points."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cubiri_cli.players.mishimash_race import chances_of, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LAST_TURN = 600
"""The tables hold last turns that have to bring so many half-points or less."""


@cache
def beaten(asked: int) -> float:
    """Return the chance of a last turn to win against somebody who is ahead by `asked` half-points and has none left.

    Whoever equals that goes into sudden death as the second of two.
    """
    beats, equals = last_turn(asked)
    return beats + equals * tied(2)[1]


def last_turn(asked: int) -> tuple[float, float]:
    """Return the chances of such a turn to bring more, and to equal that."""
    beats, equals = _last_turns()
    asked = min(asked, len(beats) - 1)
    return beats[asked], equals[asked]


@cache
def _last_turns() -> tuple[list[float], list[float]]:
    beats, equals = (chances_of(tables()[name], LAST_TURN) for name in ("beats", "equals"))
    return beats, equals


@cache
def tied(count: int) -> tuple[float, ...]:
    """Return the chances of so many that go into sudden death, in their order; of three or more all the same."""
    first = float(tables()["first"])
    return (first, 1 - first) if count == 2 else (1 / count,) * count


def standing(ahead: Sequence[int], behind: Sequence[int], total: int) -> float:
    """Return the chance to win with this total, where each one behind in the order has one turn left.

    Exact where that is one at most; of several each plays its turn as if it were the last one.
    """
    if ahead and total < max(ahead):
        return 0.0
    return leading(ahead.count(total), ahead.count(total) + 1, [total - rival for rival in behind])


def leading(place: int, count: int, gaps: Iterable[int]) -> float:
    """Return the chance of one of `count` who lead, `place` of them before it, if the others need so many half-points.

    Those others have one turn each. Whoever equals the leaders joins them.
    """
    chances = [1.0]  # that so many have joined, and nobody is ahead
    for gap in gaps:
        beats, equals = last_turn(gap)
        fails = 1 - beats - equals
        chances = [
            same * fails + joined * equals for same, joined in zip([*chances, 0.0], [0.0, *chances], strict=True)
        ]
    return sum(chance * tied(count + joined)[place] for joined, chance in enumerate(chances))
