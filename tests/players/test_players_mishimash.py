"""The players of MISHIMASH: their tables against a slow induction from the rule text alone, and how they play."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING

import pytest

from cubiri_cli import players
from cubiri_cli.games import dice
from cubiri_cli.games.mishimash import Mishimash
from cubiri_cli.players import mishimash
from cubiri_cli.players.mishimash import MishimashPosition, Turns, rolled
from cubiri_cli.players.mishimash_last import beaten
from cubiri_cli.players.mishimash_race import racing, racing_all, tables, turn_value, turns_to
from cubiri_cli.players.mishimash_turn import START, Solution
from tests.support.induction import slow_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.players.player import Player


def slow_turns_to(rest: int) -> list[float]:
    """Return the fewest expected turns to 0, 1, … `rest` half-points: tried again until nothing changes."""
    needed = [0.0]
    for goal in range(1, rest + 1):
        guess, before = 2.0, 0.0
        while abs(guess - before) > 1e-10:
            before = guess
            left = [*needed, guess]
            guess = 1 - slow_turn(partial(lambda goal, left, banked: -left[goal - banked], goal, left), goal, -guess)
        needed.append(guess)
    return needed


def test_the_best_turn_is_that_of_the_slow_induction() -> None:
    """For points, for a step that has to be reached, and for something in between."""
    payoffs: list[tuple[list[float], float]] = [
        ([p / 2 for p in range(25)], 0.0),
        ([0.0] * 20 + [1.0], 0.0),
        ([(p / 30) ** 3 for p in range(31)], -0.5),
    ]
    for payoff, bust in payoffs:
        fast = Solution(payoff, bust, START, 0).value(START, 0)
        assert fast == pytest.approx(slow_turn(payoff.__getitem__, len(payoff) - 1, bust), abs=1e-12)


def test_turns_to_the_target_are_those_of_the_slow_induction() -> None:
    assert [turns_to(rest) for rest in range(9)] == pytest.approx(slow_turns_to(8), abs=1e-8)


@pytest.mark.parametrize("rest", [20, 75, 160])
def test_turns_to_the_target_agree_with_a_turn_solved_for_them(rest: int) -> None:
    solved = mishimash.play_for(MishimashPosition(rest, (0,), 1, False, (1,), START, 0))
    assert solved.value(START, 0) == pytest.approx(-turns_to(rest), abs=1e-6)


def test_the_best_turn_and_the_way_to_a_thousand_have_the_known_values() -> None:
    """The figures that were found before, by another program."""
    assert turn_value() == pytest.approx(15.722354, abs=5e-7)
    known = {1: 1.030, 5: 1.192, 10: 1.759, 20: 2.668, 50: 4.675, 100: 7.922, 200: 14.303, 500: 33.388, 1000: 65.190}
    assert {points: turns_to(2 * points) for points in known} == pytest.approx(known, abs=1e-3)
    # Beyond the table every point costs the same.
    steps = [turns_to(rest + 2) - turns_to(rest) for rest in (1900, 1998, 1_999_998)]
    assert steps == pytest.approx([1 / 15.722354] * 3, abs=1e-6)


def test_the_table_of_a_turn_is_the_mean_of_what_follows() -> None:
    """At every kind of state of the first rolls: rolled on, it is worth what the states behind it are."""
    play = Turns()
    assert rolled(play, START, 0) == pytest.approx(turn_value(), abs=0.02)
    states = {(1, 5, 0): (1, 20), (2, 3, 0): (15, 60), (3, 1, 0): (40, 90), (4, 6, 1): (45, 140), (9, 4, 2): (160, 200)}
    for state, all_points in states.items():
        for points in all_points:
            on = max(rolled(play, state, points), play.banked(points))
            assert play.value(state, points) == pytest.approx(on, abs=0.02), (state, points)


def test_the_chances_of_a_last_turn_are_those_of_the_slow_induction() -> None:
    second = 1 - tables()["first"]
    for asked in (1, 7, 20):
        payoff = [0.0] * asked + [second, 1.0]
        slow = slow_turn(payoff.__getitem__, asked + 1, 0.0)
        assert beaten(asked) == pytest.approx(slow, abs=2e-4)
    known = {10: 0.564, 20: 0.350, 50: 0.180, 100: 0.082, 200: 0.027}  # to get as much: half a point more than `asked`
    for points, chance in known.items():
        assert beaten(2 * points) <= chance <= beaten(2 * points - 1) + 1e-3


def test_sudden_death_of_two_is_worth_what_it_leads_to() -> None:
    """Its first player wins with the chance with which the tables count a tie."""
    tied = MishimashPosition(20, (30, 30), 1, True, (1, 2), START, 0)
    play = mishimash.play_for(tied)
    assert play.value(START, 0) == pytest.approx(tables()["first"], abs=5e-4)
    assert play.lost() == pytest.approx(1 - beaten(0))


def test_the_chances_of_a_race_add_up() -> None:
    for needed in [(100, 100), (30, 260, 90), (700, 20), (150,) * 8]:
        for moving in range(1, len(needed) + 1):
            chances = racing_all(needed, moving)
            assert sum(chances) == pytest.approx(1, abs=0.05), (needed, moving)
            moved = (moving - 2) % len(needed) + 1
            assert racing(needed, moved) == pytest.approx(chances[moved - 1], abs=1e-5)
    even = racing_all((200, 200), 1)
    assert even[0] < even[1] < 0.56  # whoever is challenged has a small disadvantage


def play(levels: Sequence[Player], target: int, seed: str) -> Mishimash:
    """Play a game to its end."""
    game, throw = Mishimash.start({"target": target}, len(levels)), partial(dice.throw, seed)
    while not game.over:
        game.apply(levels[game.seat - 1].choose(players.View(game, ["x"] * game.seats)), throw)
    return game


def test_the_levels_are_apart() -> None:
    """Alone to 40 points: each level takes clearly fewer turns than the one below it."""
    means = []
    for name in players.levels("mishimash"):
        bot = players.level(name, "mishimash", "key")
        means.append(sum(play([bot], 40, f"levels-{n}").turns[0] for n in range(60)) / 60)
    assert means[0] > means[1] + 2 > means[2] + 2.2 > means[3] + 2.3, means


def test_a_last_turn_goes_on_until_it_wins() -> None:
    """In the final round nobody who plays by a rule banks what loses, and nobody rolls who has won."""
    for name in ("casual", "steady", "master"):
        bot = players.level(name, "mishimash")
        for number in range(30):
            game, throw = Mishimash.start({"target": 10}, 2), partial(dice.throw, f"last-{number}")
            game.totals, game.final_round, game.seat = (61, 13), 1, 2
            while game.seat == 2 and not game.over:
                before = game.totals[1] + game.at_risk
                action = bot.choose(players.View(game, ["Ada", "Bob"]))
                assert action != "bank" or before >= 61
                assert not (action == "roll" and game.in_turn and before > 61)
                game.apply(action, throw)


@pytest.mark.parametrize("seats", [1, 2, 3, 8])
def test_every_level_plays_every_kind_of_game_to_its_end(seats: int) -> None:
    """Also those in which the target is far, nobody is near it, and somebody needs a miracle."""
    bots = [players.level(players.LEVELS[(seat + seats) % 4], "mishimash", str(seat)) for seat in range(seats)]
    assert play(bots, 10, "short").over
    chance = random.Random(seats)
    for number in range(4):
        game = Mishimash.start({"target": (60, 1000, 1000, 1_000_000)[number]}, seats)
        game.totals = tuple(chance.randrange(2 * game.target) for _ in range(seats))
        if seats > 1 and number != 1:
            game.seat = chance.randrange(2, seats + 1)
            game.final_round = chance.randrange(1, game.seat)
            ahead = 2 * game.target + chance.choice([0, 30, 700])
            game.totals = tuple(
                ahead if seat == game.final_round else game.totals[seat - 1] for seat in range(1, seats + 1)
            )
        throw, seat = partial(dice.throw, f"{seats}-{number}"), game.seat
        while game.seat == seat and not game.over:
            view = players.View(game, ["x"] * seats)
            chosen = [players.level(name, "mishimash").choose(view) for name in players.LEVELS]
            assert set(chosen) <= set(view.legal)
            game.apply(chosen[3], throw)
            if not game.in_turn:
                break


def test_a_choice_among_several_weighs_the_rivals() -> None:
    """Two dice left and 25 points at risk: banked when ahead, rolled on by who would lose otherwise."""

    def chosen(totals: tuple[int, int]) -> str:
        game = Mishimash.start({"target": 100}, 2)
        game.totals, game.turns, game.in_turn = totals, (4, 4), True
        game.rolls, game.free_dice, game.at_risk, game.seat = 3, 2, 50, 1
        return players.level("master", "mishimash").choose(players.View(game, ["Ada", "Bob"]))

    assert chosen((60, 60)) == "bank"
    assert chosen((60, 198)) == "roll"
