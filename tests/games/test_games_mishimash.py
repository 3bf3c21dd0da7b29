"""MISHIMASH: the contract's vectors, every ruling by name, and whole games against the slow reference."""

from __future__ import annotations

import random
from functools import partial
from itertools import product

import pytest

from cubiri_cli.games import dice
from cubiri_cli.games.game import Event, InvalidOptionError, Outcome
from cubiri_cli.games.mishimash import Mishimash, combinations, selections
from tests.support import reference
from tests.support.rules import refusal, throwing, vectors
from tests.support.strategies import mishimash, pick, pick_for_a_tie

pytestmark = pytest.mark.smoke

BUST = (2, 3, 4, 6, 6, 2)
STRAIGHT = (3, 1, 2, 6, 5, 4)


def playing(seats: int = 1, target: int = 10) -> Mishimash:
    return Mishimash.start({"target": target}, seats)


def do(game: Mishimash, action: str, *rolls: tuple[int, ...]) -> Outcome:
    return game.apply(action, throwing(*rolls))


def roll_and(game: Mishimash, roll: tuple[int, ...], take: str) -> Outcome:
    do(game, "roll", roll)
    return do(game, f"take {take}")


def bank(game: Mishimash, roll: tuple[int, ...], take: str) -> Outcome:
    """Play a whole turn of one roll."""
    roll_and(game, roll, take)
    return do(game, "bank")


def ten(game: Mishimash) -> Outcome:
    """Play a turn that banks ten points: three 1s."""
    return bank(game, (1, 1, 1, 2, 3, 4), "1 1 1")


def one(game: Mishimash) -> Outcome:
    """Play a turn that banks one point."""
    return bank(game, (1, 2, 2, 3, 4, 6), "1")


@pytest.mark.parametrize("number", range(len(vectors("mishimash-selections"))))
def test_selection_vectors(number: int) -> None:
    case = vectors("mishimash-selections")[number]
    found = selections(tuple(sorted(case["roll"])))
    assert {" ".join(map(str, picked)): worth / 2 for picked, worth in found.items()} == case["selections"]


def test_every_roll_of_one_to_six_dice_divides_as_in_the_reference() -> None:
    for count in range(1, 7):
        for roll in {tuple(sorted(roll)) for roll in product(range(1, 7), repeat=count)}:
            assert sorted((c.dice, c.worth) for c in combinations(roll)) == sorted(reference.combinations(list(roll)))
            assert selections(roll) == reference.selections(list(roll))


def test_half_points_are_whole_numbers_inside_and_exact_outside() -> None:
    game = playing(target=10)
    for _ in range(19):
        bank(game, (5, 2, 2, 3, 4, 6), "5")
        assert all(type(total) is int for total in game.totals)
    assert (game.totals, game.over, game.result()["scores"]) == ((19,), False, [9.5])
    bank(game, (5, 2, 2, 3, 4, 6), "5")
    assert (game.over, game.result()) == (True, {"winner": 1, "scores": [10.0], "turns": [20]})


def test_points_times_the_number_of_the_roll() -> None:
    game = playing(target=1000)
    roll_and(game, (1, 2, 2, 3, 4, 6), "1")
    assert game.at_risk == 2
    roll_and(game, (5, 2, 3, 4, 6), "5")
    assert game.at_risk == 2 + 1 * 2
    roll_and(game, (2, 2, 2, 6), "2 2 2")
    assert game.at_risk == 2 + 2 + 4 * 3
    assert game.free_dice == 1


def test_mishimash_gains_ten_times_its_number_and_never_multiplied() -> None:
    game = playing(target=1000)
    outcome = roll_and(game, STRAIGHT, "1 2 3 4 5 6")
    assert outcome.events == (Event("mishimash", 1, 20),)
    assert (game.at_risk, game.free_dice, game.rolls) == (30 + 20, 6, 1)
    outcome = roll_and(game, (2, 2, 3, 3, 4, 4), "2 2 3 3 4 4")
    assert outcome.events == (Event("mishimash", 1, 40),)
    assert game.at_risk == 50 + 2 * 20 + 40
    # The multiplier goes on; a bust loses all of it.
    outcome = do(game, "roll", BUST)
    assert outcome.events == (Event("bust", 1, 130),)
    assert (game.totals, game.turns, game.in_turn, game.at_risk, game.free_dice) == ((0,), (1,), False, 0, 6)


def test_the_bonus_comes_at_once_and_can_be_banked() -> None:
    game = playing(target=1000)
    roll_and(game, (1, 1, 1, 1, 1, 2), "1 1 1 1 1")
    outcome = roll_and(game, (5,), "5")
    assert outcome.events == (Event("mishimash", 1, 20),)
    do(game, "bank")
    assert game.totals == (60 + 1 * 2 + 20,)


def test_nothing_can_be_banked_before_a_selection() -> None:
    game = playing()
    assert refusal(game, "bank") == "roll-first"
    do(game, "roll", (1, 2, 2, 3, 4, 6))
    assert refusal(game, "bank") == "select-first"
    assert refusal(game, "roll") == "select-first"
    do(game, "take 1")
    assert refusal(game, "take 1") == "nothing-to-take"


def test_r11_the_target_is_a_whole_number_from_10_to_a_million() -> None:
    for target in (10, 1000, 1_000_000):
        assert playing(target=target).target == target
    for wrong in (9, 0, -10, 1_000_001, 10.0, 1000.5, True, "1000", None, 10**5000):
        with pytest.raises(InvalidOptionError):
            Mishimash.start({"target": wrong})


def test_r12_three_or_more_of_a_face_all_or_none() -> None:
    game = playing()
    do(game, "roll", (1, 1, 1, 1, 5, 5))
    assert refusal(game, "take 1") == "no-selection"
    assert refusal(game, "take 1 1 1") == "no-selection"
    assert set(game.selections) == {(1, 1, 1, 1), (5,), (5, 5), (1, 1, 1, 1, 5), (1, 1, 1, 1, 5, 5)}
    assert game.selections[(1, 1, 1, 1)] == 40


def test_r13_a_straight_or_three_pairs_only_whole() -> None:
    for roll, worth in ((STRAIGHT, 30), ((1, 5, 1, 2, 5, 2), 20)):
        game = playing()
        do(game, "roll", roll)
        assert game.selections == {tuple(sorted(roll)): worth}
        assert refusal(game, "take 1") == "no-selection"


def test_r14_three_pairs_are_three_different_faces() -> None:
    assert selections((2, 2, 2, 2, 3, 3)) == {(2, 2, 2, 2): 8}
    assert selections((1, 1, 2, 2, 2, 2)) == {
        (1,): 2,
        (1, 1): 4,
        (2, 2, 2, 2): 8,
        (1, 2, 2, 2, 2): 10,
        (1, 1, 2, 2, 2, 2): 12,
    }
    assert selections((3,) * 6) == {(3,) * 6: 24}
    assert selections((1,) * 6) == {(1,) * 6: 80}
    assert selections((2, 2, 2, 3, 3, 3)) == {(2, 2, 2): 4, (3, 3, 3): 6, (2, 2, 2, 3, 3, 3): 10}


def test_solo_ends_at_the_target_and_only_by_banking() -> None:
    game = playing(target=10)
    roll_and(game, (1, 1, 1, 2, 3, 4), "1 1 1")
    assert not game.over
    assert do(game, "bank").events == (Event("banked", 1, 20), Event("over", 1))
    assert game.over
    assert game.legal_actions() == []
    assert refusal(game, "roll") == "game-over"


def test_r15_the_players_after_the_one_who_reaches_it_play_once_more() -> None:
    game = playing(3)
    one(game)
    assert ten(game).events == (Event("banked", 2, 20), Event("final-round", 2))
    assert game.seat == 3
    outcome = bank(game, (1, 1, 1, 1, 2, 3), "1 1 1 1")
    assert outcome.events[-1] == Event("over", 3)
    assert game.result() == {"winner": 3, "scores": [1.0, 10.0, 20.0], "turns": [1, 1, 1]}


def test_r15_the_last_player_ends_it_at_once() -> None:
    game = playing(2)
    one(game)
    outcome = ten(game)
    assert outcome.events == (Event("banked", 2, 20), Event("over", 2))
    assert game.result() == {"winner": 2, "scores": [1.0, 10.0], "turns": [1, 1]}


def test_r15_a_bust_in_the_final_round_leaves_the_first_the_winner() -> None:
    game = playing(2)
    ten(game)
    outcome = do(game, "roll", BUST)
    assert outcome.events == (Event("bust", 2, 0), Event("over", 1))
    assert game.result() == {"winner": 1, "scores": [10.0, 0.0], "turns": [1, 1]}


def test_r16_tied_for_first_play_sudden_death_and_drop_out() -> None:
    game = playing(4)
    ten(game)
    ten(game)
    one(game)
    outcome = ten(game)
    assert outcome.events[-1] == Event("sudden-death", what=(1, 2, 4))
    assert (game.over, game.seat, game.contenders) == (False, 1, (1, 2, 4))
    one(game)
    assert game.seat == 2
    one(game)
    assert game.seat == 4
    outcome = do(game, "roll", BUST)
    assert outcome.events == (
        Event("bust", 4, 0),
        Event("dropped-out", what=(4,)),
        Event("sudden-death-goes-on", what=(1, 2)),
    )
    assert game.seat == 1
    do(game, "roll", BUST)
    assert not game.over
    outcome = one(game)
    assert outcome.events[-1] == Event("over", 2)
    assert game.result() == {"winner": 2, "scores": [11.0, 12.0, 1.0, 10.0], "turns": [3, 3, 1, 2]}


def test_r16_all_bust_and_stay_tied() -> None:
    game = playing(2)
    ten(game)
    ten(game)
    for _ in range(2):
        do(game, "roll", BUST)
    assert (game.over, game.contenders, game.seat, game.turns) == (False, (1, 2), 1, (2, 2))


def test_rolls_are_named_by_seat_turn_and_roll_and_sudden_death_goes_on_counting() -> None:
    names = []
    rolls = iter([(1, 1, 1, 2, 3, 4)] * 4)

    def throw(name: str, count: int) -> tuple[int, ...]:
        names.append(name)
        return next(rolls, (1,) * count)[:count]

    game = playing(2)
    for action in ("roll", "take 1 1 1", "bank") * 2 + ("roll", "take 1 1 1", "roll"):
        game.apply(action, throw)
    assert names == [
        "mishimash/1/1/1",
        "mishimash/2/1/1",
        "mishimash/1/2/1",
        "mishimash/1/2/2",
    ]


def test_a_hint_stands_where_there_is_a_choice() -> None:
    game = playing()
    assert refusal(game, "hint") == "roll-first"
    do(game, "roll", (1, 2, 2, 3, 4, 6))
    do(game, "hint")
    do(game, "take 1")
    do(game, "hint")
    do(game, "roll", (2, 3, 4, 6, 6))
    assert refusal(game, "hint") == "roll-first"


def test_one_to_eight_players() -> None:
    for seats in (1, 8):
        assert playing(seats).seats == seats
    for seats in (0, 9, -1):
        with pytest.raises(InvalidOptionError):
            playing(seats)


def test_random_games_action_by_action_against_the_reference() -> None:
    """Also with players who look for a tie: sudden deaths must be among them."""
    sudden = 0
    for number in range(400):
        seats, target = number % 8 + 1, (10, 12, 25)[number % 3]
        setup = mishimash(seats, target, f"a-{number}")
        chance = random.Random(number)
        choose = pick_for_a_tie if number % 4 else pick
        game, slow = setup.new_game(), reference.Mishimash(setup.seed, seats, target)
        assert isinstance(game, Mishimash)
        throw = partial(dice.throw, setup.seed)
        while not game.over:
            action = choose(game, chance)
            outcome = game.apply(action, throw)
            assert list(outcome.dice) == (slow.do(action) or [])
            assert (list(game.totals), game.at_risk, game.over) == (slow.totals, slow.points, slow.over)
            assert game.in_turn == slow.in_turn
            if not game.over:
                assert (game.seat, game.free_dice if not game.must_select else slow.to_roll) == (
                    slow.player,
                    slow.to_roll,
                )
        assert game.result() == slow.result()
        sudden += bool(game.contenders)
    assert sudden >= 10
