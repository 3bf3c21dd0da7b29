"""Two bots on the same dice: the pairs, the test that stops, and the levels."""

from __future__ import annotations

import random
import sys
from collections import Counter
from itertools import pairwise
from math import hypot, log
from typing import TYPE_CHECKING

import pytest

from cubiri_cli import players
from cubiri_cli.players.comparing import Comparison, Pair, play_pair
from cubiri_cli.players.sequential import ALPHA, BETA, EFFECT, FEWEST, LOWER, UPPER, SequentialTest
from cubiri_cli.players.series import Series, sitter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MOST = 20_000
"""So many pairs are more than any test takes here."""


def outcomes(draw: Callable[[random.Random], float], tests: int) -> Counter[str | None]:
    """Return what so many tests of differences drawn at random decide."""
    found: Counter[str | None] = Counter()
    for seed in range(tests):
        chance, test = random.Random(seed), SequentialTest()
        for _ in range(MOST):
            test.add(draw(chance))
            if test.decided:
                break
        found[test.decided] += 1
    return found


def three(mean: float) -> Callable[[random.Random], float]:
    """Return how pairs at one table come out: won, drawn or lost; the deviation is about 0.7."""
    return lambda chance: (chance.random() < 0.25 + mean / 2) - (chance.random() < 0.25 - mean / 2)


@pytest.mark.parametrize(
    "equal", [lambda chance: chance.gauss(0, 3), lambda chance: chance.expovariate(1) - 1, three(0)]
)
def test_of_equal_bots_one_is_found_better_as_seldom_as_is_said(equal: Callable[[random.Random], float]) -> None:
    """0.05 of 300 is 15; three standard errors of that are 11."""
    found = outcomes(equal, 300)
    assert found["first"] + found["second"] <= 26
    assert found["first"] + found["second"] + found["equal"] == 300


@pytest.mark.parametrize(
    ("better", "who"),
    [
        (lambda chance: chance.gauss(3 * EFFECT, 3), "first"),
        (lambda chance: chance.gauss(-3 * EFFECT, 3), "second"),
        (lambda chance: chance.expovariate(1) - 1 + EFFECT, "first"),
        (three(0.07), "first"),
    ],
)
def test_a_difference_as_large_as_is_tested_for_is_missed_as_seldom_as_is_said(
    better: Callable[[random.Random], float], who: str
) -> None:
    found = outcomes(better, 300)
    assert 300 - found[who] <= 26


def test_a_large_difference_is_decided_soon() -> None:
    test = SequentialTest()
    chance = random.Random(1)
    while not test.decided:
        test.add(chance.gauss(1, 1))
    assert (test.decided, test.count < 60) == ("first", True)


def test_the_ratio_is_that_of_two_normal_densities() -> None:
    """Slowly: the densities of all differences under both means, with the deviation found."""
    from statistics import NormalDist, fmean, stdev

    chance, test = random.Random(2), SequentialTest()
    given = [chance.gauss(0.2, 2) for _ in range(40)]
    for one in given:
        test.add(one)
    deviation = stdev(given)
    assert test.mean == pytest.approx(fmean(given))
    assert test.stdev == pytest.approx(deviation)
    for sign in (1, -1):
        better, equal = NormalDist(sign * EFFECT * deviation, deviation), NormalDist(0, deviation)
        ratio = 1.0
        for one in given:
            ratio *= better.pdf(one) / equal.pdf(one)
        assert test.ratio(sign) == pytest.approx(log(ratio))


def test_bounds_are_wald_s() -> None:
    assert (ALPHA, BETA) == (0.05, 0.05)
    assert (round(UPPER, 2), round(LOWER, 2)) == (3.64, -2.97)


def test_nothing_is_decided_by_a_handful_of_pairs_and_what_is_decided_stays() -> None:
    test = SequentialTest()
    for _ in range(FEWEST - 1):
        test.add(5.0)
    assert test.decided is None
    test.add(5.0)
    assert test.decided == "first"
    for _ in range(1000):
        test.add(-100.0)
    assert test.decided == "first"


def test_who_never_differs_is_equal() -> None:
    found = players.match("mishimash", {"target": 30}, "casual", "casual")
    assert (found.decided, found.won, found.lost, found.difference) == ("equal", 0, 0, 0.0)


def test_a_pair_is_two_games_of_one_seed_and_the_difference_says_who_is_better() -> None:
    for number in range(1, 6):
        for game, options, sign in (
            ("magdagdon", {"difficulty": "survival"}, 1),
            ("mishimash", {"target": 30}, -1),  # in turns fewer are better
        ):
            series, bots = Series(game, options, "p"), [sitter("casual"), sitter("random")]
            pair = play_pair(series, bots, 1, number)
            alone = [series.play(number, [one]).standing.value for one in bots]
            assert pair == Pair((alone[0], alone[1]), sign * (alone[0] - alone[1]))


def test_at_one_table_seats_are_exchanged_on_the_same_dice() -> None:
    series, bots = Series("mishimash", {"target": 20}, "p"), [sitter("casual"), sitter("random")]
    for number in range(1, 20):
        winners = [series.play(number, order).result["winner"] for order in (bots, bots[::-1])]
        won = (winners[0] == 1) + (winners[1] == 2)
        assert play_pair(series, bots, 2, number) == Pair((won / 2, 1 - won / 2), won - 1)


def test_who_fails_loses_the_pair_and_the_means_are_those_of_the_others() -> None:
    from cubiri_cli.games.problem import Problem
    from cubiri_cli.players.player import BotError

    failure = BotError("crashed", Problem("bot-ended", {}))
    found = Comparison([Pair((4.0, 1.0), 3.0), Pair(None, -1, ((0, failure),)), Pair((2.0, 2.0), 0.0)])
    assert (found.pairs, found.won, found.drawn, found.lost) == (3, 1, 1, 1)
    assert (found.means, found.difference, found.verdicts) == ([3.0, 1.5], 1.5, ({"crashed": 1}, {}))
    assert found.failures[0]["crashed"] == (2, failure)


@pytest.mark.skipif(sys.platform == "win32", reason="starts many processes")
def test_a_program_that_fails_loses_alone_and_at_the_table(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("raise SystemExit(1)")
    command = f"{sys.executable} -S {bot}"
    for seats in (1, 2):
        found = players.match("mishimash", {"target": 10}, command, "casual", pairs=3, seats=seats)
        assert (found.won, found.lost, found.verdicts[1]) == (0, 3, {})
        assert found.verdicts[0] == {"crashed": 3 * seats}
        assert found.decided is None


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("mishimash", {"target": 100}),
        ("magdagdon", {"difficulty": "peaceful"}),
        ("magdagdon", {"difficulty": "nightmare"}),
    ],
)
def test_levels_are_clearly_apart(game: str, options: dict[str, object]) -> None:
    levels = players.levels(game)[:3]
    for weaker, stronger in pairwise(levels):
        found = players.match(game, options, stronger, weaker, pairs=400)
        assert found.decided == "first", (stronger, weaker)


@pytest.mark.parametrize(
    ("game", "options", "count"), [("mishimash", {"target": 100}, 60), ("magdagdon", {"difficulty": "nightmare"}, 12)]
)
def test_master_is_clearly_above(game: str, options: dict[str, object], count: int) -> None:
    """Above steady, too: that takes hundreds of games of master, which the strengths in players/ tell of."""
    master, casual = (players.simulate(game, options, name, count=count) for name in ("master", "casual"))
    error = hypot(master.stderr or 0, casual.stderr or 0)
    assert abs((master.mean or 0) - (casual.mean or 0)) > 2 * error
