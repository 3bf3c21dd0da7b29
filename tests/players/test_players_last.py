"""The last turns of a MISHIMASH against a slow induction from the rule text alone: three players, one has got there."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.games.mishimash import Mishimash
from cubiri_cli.players import mishimash
from cubiri_cli.players.advice import evaluator
from cubiri_cli.players.mishimash_last import tied
from tests.support.induction import slow_ends, slow_turn

if TYPE_CHECKING:
    from collections.abc import Callable

SPARE = 24
"""More half-points beyond what gets ahead are worth no more, in both computations."""


def chances_of_ends(payoff: Callable[[int], float], last: int, of: Callable[[int], int]) -> list[float]:
    """Return how likely the best turn ends in 0, 1 or 2, as `of` says of the half-points it brings."""

    def ends(points: int) -> tuple[float, ...]:
        return (payoff(points), *(float(of(points) == end) for end in range(3)))

    return list(slow_ends(ends, last, ends(0))[1:])


@pytest.mark.parametrize("totals", [(21, 15, 12), (24, 17, 20), (22, 19, 19)])
def test_with_two_still_to_move_the_chances_are_those_of_the_slow_induction(
    totals: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each moves once, the second against what the first has made of it; who is equal then goes into sudden death."""
    monkeypatch.setattr(mishimash, "SPARE", SPARE)
    mishimash._among.cache_clear()
    game = Mishimash.start({"target": 10}, 3)
    game.totals, game.turns, game.final_round, game.seat = totals, (3, 2, 2), 1, 2
    two, three = tied(2), tied(3)

    @cache
    def third(asked: int, equal: float) -> tuple[float, float]:
        """Return the chances of the last one to beat somebody ahead by so much, and to equal him."""
        payoff = [0.0] * asked + [equal, 1.0]
        _fails, equals, beats = chances_of_ends(
            payoff.__getitem__, asked + 1, lambda points: (points >= asked) + (points > asked)
        )
        return beats, equals

    best, asked = totals[0], totals[0] - totals[1]

    def second(points: int) -> float:
        if points < asked:
            return 0.0
        beats, equals = third(max(best, totals[1] + points) - totals[2], two[1])
        place, count = (1, two) if points == asked else (0, (1.0,))
        return (1 - beats - equals) * count[place] + equals * (three if count is two else two)[place]

    last = asked + 1 + SPARE
    fails, equals, _ = chances_of_ends(second, last, lambda points: (points >= asked) + (points > asked))
    beats_now, equals_now = third(best - totals[2], two[1])
    first = fails * ((1 - beats_now - equals_now) + equals_now * two[0])
    first += equals * ((1 - beats_now - equals_now) * two[0] + equals_now * three[0])
    own = slow_turn(second, last, 0.0)
    expected = [first, own, 1 - first - own]
    assert list(evaluator("mishimash").standing(game)) == pytest.approx(expected, abs=5e-4)
    assert evaluator("mishimash").before_roll(game) == pytest.approx(own, abs=5e-4)
    mishimash._among.cache_clear()
