"""MAGDAGDON: the contract's vectors, every ruling by name, and the fast rules against the slow ones."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from cubiri_cli.games import dice
from cubiri_cli.games.game import Event, InvalidOptionError, Outcome
from cubiri_cli.games.magdagdon import (
    CELL,
    CELLS,
    PUT,
    RUIN,
    Magdagdon,
    can_place,
    cells_of,
    legal_mask,
    line_bonus,
    score_board,
)
from tests.support import reference
from tests.support.rules import refusal, throwing, vectors
from tests.support.strategies import DIFFICULTIES, board_for_reference, magdagdon, pick

pytestmark = pytest.mark.smoke


def cells(rows: list[str]) -> tuple[int, ...]:
    """Read a board as the vectors draw it: rows from the top, `.` empty, `X` a ruin."""
    return tuple({".": 0, "X": RUIN}.get(mark) or int(mark.replace(".", "0")) for mark in " ".join(rows).split())


def field_of(board: tuple[int, ...]) -> int:
    field = 0
    for cell, mark in enumerate(board):
        if mark:
            field |= PUT[mark][cell]
    return field


def game_on(board: tuple[int, ...], difficulty: str = "peaceful", powers: int = 0) -> Magdagdon:
    """Return a game between two turns on this board."""
    game = Magdagdon.start({"difficulty": difficulty})
    game.board, game.powers = board, powers
    game._fields = (field_of(board),)
    return game


def rolled(
    rows: list[str], roll: tuple[int, ...], *actions: str, difficulty: str = "peaceful", powers: int = 0
) -> Magdagdon:
    """Return a game on this board in which these dice were rolled and these actions done."""
    game = game_on(cells(rows), difficulty, powers)
    game.apply("roll", throwing(roll))
    for action in actions:
        game.apply(action, throwing())
    return game


def do(game: Magdagdon, action: str, *rolls: tuple[int, ...]) -> Outcome:
    return game.apply(action, throwing(*rolls))


EMPTY_BOARD = [". . . ."] * 4


# The contract's vectors


@pytest.mark.parametrize("number", range(len(vectors("magdagdon-placement"))))
def test_placement_vectors(number: int) -> None:
    case = vectors("magdagdon-placement")[number]
    staged = [f"place {text}" for text in case["staged"]]
    game = rolled(case["board"], tuple(case["dice"]), difficulty=case["difficulty"])
    assert game.required == case["required"]
    assert game.is_magdagdon == case["magdagdon"]
    for action in staged:
        do(game, action)
    legal = {str(value): sorted(CELLS[cell] for cell in game.legal_cells(value)) for value in set(game.available)}
    assert {value: found for value, found in legal.items() if found or value in case["legal"]} == {
        value: sorted(found) for value, found in case["legal"].items()
    }


@pytest.mark.parametrize("number", range(len(vectors("magdagdon-return"))))
def test_return_vectors(number: int) -> None:
    case = vectors("magdagdon-return")[number]
    values = tuple(int(text[0]) for text in case["staged"])
    roll = (*values, *(values[0],) * (4 - len(values)))
    game = rolled(case["board"], roll, *(f"place {text}" for text in case["staged"]))
    outcome = do(game, f"return {case['return']}")
    still = {text[2:]: int(text[0]) for text in case["still_staged"]}
    assert {CELLS[cell]: value for cell, value in game.staged.items()} == still
    gone = {text[2:] for text in case["staged"]} - set(still) - {case["return"]}
    told = {CELLS[cell] for event in outcome.events if event.kind == "returned" for cell in event.what}
    assert told == gone


@pytest.mark.parametrize("number", range(len(vectors("magdagdon-score"))))
def test_score_vectors(number: int) -> None:
    case = vectors("magdagdon-score")[number]
    game = game_on(cells(case["board"]), case["difficulty"], case["powers"])
    result = game.result()
    for name in ("base", "bonuses", "ruin_penalty", "power_penalty", "score", "ruins", "powers"):
        assert result[name] == case[name], name


# The rules, ruling by ruling


def test_cells_are_named_like_a_spreadsheet_s() -> None:
    assert CELLS[CELL["b3"]] == "b3"
    assert CELLS[:5] == ("a1", "b1", "c1", "d1", "a2")
    game = rolled(EMPTY_BOARD, (3, 3, 3, 3), "place 3 b3")
    assert {CELLS[cell] for cell in game.legal_cells(3)} == {"b2", "a3", "c3", "b4"}


def test_no_wrap_around() -> None:
    game = rolled(["3 . . .", ". . . .", ". . . .", ". . . ."], (3, 3, 3, 3))
    assert {CELLS[cell] for cell in game.legal_cells(3)} == {"b1", "a2"}
    game = rolled([". . . .", ". . . .", ". . . .", ". . . 3"], (3, 3, 3, 3))
    assert {CELLS[cell] for cell in game.legal_cells(3)} == {"d3", "c4"}
    game = rolled([". . . 3", ". . . .", ". . . .", ". . . ."], (3, 3, 3, 3))
    assert {CELLS[cell] for cell in game.legal_cells(3)} == {"c1", "d2"}


def test_a_number_has_to_fit_every_neighbour() -> None:
    game = rolled(["1 . 3 .", ". . . .", ". . . .", ". . . ."], (2, 3, 4, 4))
    assert CELL["b1"] in game.legal_cells(2)
    assert refusal(game, "place 3 b1") == "differs"
    assert CELL["d1"] in game.legal_cells(4)


def test_diagonals_and_ruins_neither_connect_nor_restrict() -> None:
    game = rolled(["3 X . .", ". . . .", ". . . .", ". . . ."], (3, 6, 3, 3))
    assert refusal(game, "place 3 c1") == "not-connected"
    assert refusal(game, "place 3 b2") == "not-connected"
    game = rolled(["3 . X .", ". . . .", ". . . .", ". . . ."], (3, 6, 3, 3))
    assert CELL["b1"] in game.legal_cells(3)


def test_r01_staged_dice_do_not_lower_the_requirement() -> None:
    game = rolled(["3 3 3 3", "3 3 3 3", "3 3 3 3", "3 . . ."], (3, 3, 3, 3), difficulty="nightmare")
    assert game.required == 3
    do(game, "place 3 b4")
    do(game, "place 3 c4")
    assert game.required == 3
    assert refusal(game, "confirm") == "too-few-staged"
    do(game, "place 3 d4")
    do(game, "confirm")
    assert game.over


def test_the_requirement_falls_to_the_number_of_empty_cells() -> None:
    for difficulty, wanted in (("peaceful", 1), ("survival", 1), ("nightmare", 1)):
        assert rolled(["3 3 3 3"] * 3 + ["3 3 3 ."], (3, 3, 3, 3), difficulty=difficulty).required == wanted
    assert rolled(["3 3 3 3"] * 3 + ["3 3 . ."], (3, 3, 3, 3), difficulty="nightmare").required == 2


def test_r02_walled_in_cells_still_count_as_empty() -> None:
    board = [". X 3 3", "X 3 3 3", "3 3 3 3", "3 3 3 ."]
    game = rolled(board, (3, 3, 3, 3))
    assert game.required == 2
    assert game.is_magdagdon  # only d4 can be reached


def test_r03_the_first_number_is_free_also_after_opening_ruins() -> None:
    game = rolled(["X . . .", ". X . .", ". . . .", ". . . ."], (1, 6, 6, 1))
    assert len(game.legal_cells(1)) == 14
    do(game, "place 1 d4")
    assert {CELLS[cell] for cell in game.legal_cells(1)} == {"d3", "c4"}
    assert game.legal_cells(6) == []


def test_r04_dice_that_lose_their_place_come_back_too() -> None:
    game = rolled(EMPTY_BOARD, (3, 3, 4, 4), "place 3 a1", "place 3 b1", "place 4 c1")
    outcome = do(game, "return b1")
    assert outcome.events == (Event("returned", what=(CELL["c1"],)),)
    assert list(game.staged) == [CELL["a1"]]


def test_r04_the_others_are_placed_again_in_order_as_often_as_that_adds_one() -> None:
    # Without the first number, 3 on b1 is free to be the first, and the rest hangs on it in a later pass.
    game = rolled(EMPTY_BOARD, (3, 4, 3, 3), "place 3 a1", "place 4 a2", "place 3 b1", "place 3 b2")
    do(game, "return a1")
    assert [(CELLS[cell], value) for cell, value in game.staged.items()] == [("a2", 4), ("b2", 3), ("b1", 3)]


def test_r04_the_rest_may_keep_its_place_once_another_number_is_the_first() -> None:
    game = rolled(EMPTY_BOARD, (3, 3, 3, 3), "place 3 a1", "place 3 b1")
    do(game, "return a1")
    assert list(game.staged) == [CELL["b1"]]


def test_r05_a_staged_die_is_moved_by_taking_it_back() -> None:
    game = rolled(["3 . . .", ". . . .", ". . . .", ". . . ."], (3, 4, 1, 1), "place 3 b1")
    assert refusal(game, "place 3 a2") == "not-available"
    do(game, "return b1")
    do(game, "place 3 a2")
    assert list(game.staged) == [CELL["a2"]]


def test_r06_not_below_1_nor_above_6_and_that_costs_nothing() -> None:
    game = rolled(["3 . . .", ". . . .", ". . . .", ". . . ."], (1, 6, 3, 3))
    assert refusal(game, "power -1 1") == "out-of-range"
    assert refusal(game, "power +1 6") == "out-of-range"
    assert game.powers == 0
    assert game.result()["power_penalty"] == 0


def test_r07_down_and_up_again_costs_two_uses() -> None:
    game = rolled(["3 . . .", ". . . .", ". . . .", ". . . ."], (3, 3, 3, 3))
    do(game, "power -1 3")
    do(game, "power +1 2")
    assert sorted(game.dice) == [3, 3, 3, 3]
    assert (game.powers, game.prices, game.result()["power_penalty"]) == (2, (40,), 30)


def test_powers_cost_what_the_difficulty_says_and_run_out() -> None:
    for difficulty, prices in (("peaceful", (10, 20, 40)), ("survival", (70,)), ("nightmare", ())):
        game = rolled(["3 . . .", ". . . .", ". . . .", ". . . ."], (3, 3, 3, 3), difficulty=difficulty)
        assert game.prices == prices
        for used in range(len(prices)):
            do(game, f"power {'-+'[used % 2]}1 {3 - used % 2}")
            assert game.result()["power_penalty"] == sum(prices[: used + 1])
        assert refusal(game, "power +1 3") == "no-power-left"
        assert refusal(game, "power reroll 3") == "no-power-left"


def test_powers_change_available_dice_only() -> None:
    game = rolled(["3 . . .", ". . . .", ". . . .", ". . . ."], (3, 4, 1, 1), "place 3 b1")
    assert refusal(game, "power +1 3") == "not-available"
    assert refusal(game, "power reroll 3") == "not-available"
    assert refusal(game, "power reroll 1 1 1") == "not-available"
    assert do(game, "power reroll 1 4", (3, 3)).dice == (3, 3)
    assert game.available == [1, 3, 3]
    assert list(game.staged) == [CELL["b1"]]


def test_rerolls_of_a_turn_are_named_in_order() -> None:
    names = []

    def throw(name: str, count: int) -> tuple[int, ...]:
        names.append((name, count))
        return (3,) * count

    game = Magdagdon.start({"difficulty": "peaceful"})
    for action in ("roll", "power reroll 3 3", "power +1 3", "power reroll 3", "place 3 a1", "place 4 a2", "confirm"):
        game.apply(action, throw)
    game.apply("roll", throw)
    assert names == [("magdagdon/1/0", 4), ("magdagdon/1/1", 2), ("magdagdon/1/2", 1), ("magdagdon/2/0", 4)]


def test_r08_a_power_can_rescue_a_roll() -> None:
    game = rolled(["3 . . .", ". . . .", ". . . .", ". . . ."], (5, 5, 6, 6))
    assert game.is_magdagdon
    do(game, "power -1 5")
    assert not game.is_magdagdon
    do(game, "place 4 a2")
    do(game, "place 5 a3")
    do(game, "confirm")


def test_r08_a_power_can_kill_a_roll() -> None:
    game = rolled(["3 . . .", ". . . .", ". . . .", ". . . ."], (4, 5, 6, 6))
    assert not game.is_magdagdon
    do(game, "power +1 4")
    assert game.is_magdagdon


def test_r09_when_a_power_kills_a_roll_staged_dice_come_back() -> None:
    game = rolled(["3 . . .", ". . . .", ". . . .", ". . . ."], (4, 5, 1, 1), "place 4 b1")
    outcome = do(game, "power +1 5")
    assert game.is_magdagdon
    assert outcome.events == (Event("returned", what=(CELL["b1"],)),)
    assert game.available == [1, 1, 4, 6]
    assert game.staged == {}


def test_r09_in_magdagdon_nothing_can_be_staged() -> None:
    game = rolled(["3 . . .", ". . . .", ". . . .", ". . . ."], (4, 1, 1, 1))
    assert game.is_magdagdon
    assert refusal(game, "place 4 b1") == "magdagdon"
    assert refusal(game, "confirm") == "too-few-staged"
    kinds = {action.split(" ")[0] for action in game.legal_actions()}
    assert kinds == {"ruin", "power"}


def test_bad_staging_cannot_force_magdagdon() -> None:
    # 4 and 5 can be placed in this order; with 2 staged first the 4 has lost nothing, and nobody may accept a ruin.
    game = rolled(["3 . . .", ". . . .", ". . . .", ". . . ."], (4, 5, 2, 6), "place 2 b1", "place 4 a2")
    assert not game.is_magdagdon
    assert refusal(game, "ruin d4") == "no-magdagdon"


def test_accepting_is_never_forced_to_use_a_power_first() -> None:
    game = rolled(["3 . . .", ". . . .", ". . . .", ". . . ."], (6, 6, 6, 6))
    assert refusal(game, "ruin a1") == "taken"
    do(game, "ruin d4")
    assert (game.board[CELL["d4"]], game.turn, game.in_turn, game.ruins, game.powers) == (RUIN, 1, False, 1, 0)


@pytest.mark.parametrize(
    ("line", "bonus"),
    [
        ((1, 2, 3, 4), 60),
        ((6, 5, 4, 3), 60),
        ((1, 3, 2, 4), 0),
        ((5, 5, 5, 5), 40),
        ((2, 2, 3, 3), 20),
        ((2, 3, 2, 3), 20),
        ((2, 3, 3, 2), 20),
        ((2, 2, 2, 3), 0),
        ((1, 1, 2, 3), 0),
        ((RUIN, 2, 3, 4), 0),
        ((RUIN, RUIN, 3, 3), 0),
        ((0, 2, 3, 4), 0),
    ],
)
def test_r10_two_pairs_are_two_different_values(line: tuple[int, ...], bonus: int) -> None:
    assert line_bonus(line) == bonus


def test_a_line_with_a_ruin_earns_no_bonus_but_its_numbers_count() -> None:
    score = score_board(cells(["X 2 2 2", "2 2 3 3", ". . . .", ". . . ."]))
    assert score._asdict() == {"base": 32, "bonuses": 20, "ruin_penalty": 15, "power_penalty": 0}


def test_a_score_can_be_negative() -> None:
    game = game_on(cells(["X X X X"] * 3 + ["X X X 1"]), "survival", powers=1)
    assert game.score().total == 2 - 15 * 15 - 70


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "choice"),
        ({"difficulty": "hard"}, "choice"),
        ({"difficulty": True}, "choice"),
        ({"difficulty": ["survival"]}, "choice"),
        ({"difficulty": "survival", "target": 10}, "no-such-option"),
    ],
)
def test_options(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidOptionError) as caught:
        Magdagdon.start(options)
    assert caught.value.problem.code == reason


def test_magdagdon_is_played_alone() -> None:
    for seats in (0, 2, -1):
        with pytest.raises(InvalidOptionError):
            Magdagdon.start({"difficulty": "survival"}, seats)


# The fast rules against the slow ones


def random_position(chance: random.Random, number: int) -> Magdagdon:
    """Return a game somewhere in the middle, right after a roll where possible."""
    setup = magdagdon(DIFFICULTIES[number % 3], f"p-{number}")
    throw = partial(dice.throw, setup.seed)
    game = setup.new_game()
    assert isinstance(game, Magdagdon)
    for _ in range(chance.randrange(60)):
        if game.over:
            return random_position(chance, number + 1)
        game.apply(pick(game, chance), throw)
    if not game.in_turn and not game.over:
        game.apply("roll", throw)
    return game


def test_can_place_is_the_brute_force_one() -> None:
    """Positions of real games with dice that fit (and real ones), every requirement: a thousand questions and more."""
    chance = random.Random(20)
    asked: dict[bool, int] = {True: 0, False: 0}
    for number in range(260):
        game = random_position(chance, number)
        board = board_for_reference(game.board)
        # The game asks for three at most; four is asked where brute force does not take for ever.
        for needed in range(1, min(3 + (game.board.count(0) < 9), game.board.count(0)) + 1):
            for roll in (game.dice or (1, 2, 3, 4), tuple(chance.randint(1, 6) for _ in range(4))):
                slow = reference.can_place(board, list(roll), needed)
                assert can_place(game._fields[0], roll, needed) == slow, (board, roll, needed)
                asked[slow] += 1
    assert min(asked.values()) > 300
    assert sum(asked.values()) > 1000


def test_can_place_on_boards_that_no_game_needs_to_reach() -> None:
    """Any board at all, ruins included: the check must not rely on how the board came about."""
    chance = random.Random(21)
    for number in range(1500):
        weights = [chance.randint(1, 20), *[chance.random() * 2] * 6, chance.random() * 6]
        board = tuple(chance.choices(range(8), weights, k=16))
        roll = tuple(chance.randint(1, 6) for _ in range(4))
        needed = number % 3 + 1
        slow = reference.can_place(board_for_reference(board), list(roll), needed)
        assert can_place(field_of(board), roll, needed) == slow, (board, roll, needed)


def test_legal_mask_is_the_slow_rule() -> None:
    chance = random.Random(22)
    for _ in range(1500):
        board = tuple(chance.choices(range(8), [8, 1, 1, 1, 1, 1, 1, 2], k=16))
        slow = board_for_reference(board)
        for value in range(1, 7):
            found = {CELLS[cell] for cell in cells_of(legal_mask(field_of(board), value))}
            assert found == set(reference.legal_cells(slow, [], value)), (board, value)


def test_magdagdon_as_the_game_judges_it_along_whole_games() -> None:
    """After every action of random games the whole state is that of the slow reference."""
    for number in range(90):
        setup = magdagdon(DIFFICULTIES[number % 3], f"w-{number}")
        chance = random.Random(number)
        game, slow = setup.new_game(), reference.Magdagdon(setup.seed, DIFFICULTIES[number % 3])
        assert isinstance(game, Magdagdon)
        throw = partial(dice.throw, setup.seed)
        while not game.over:
            action = pick(game, chance)
            outcome = game.apply(action, throw)
            thrown = slow.do(action)
            assert list(outcome.dice) == (thrown or [])
            assert board_for_reference(game.board) == slow.board
            assert game.available == sorted(slow.available)
            assert [(value, CELLS[cell]) for cell, value in game.staged.items()] == slow.staged
            assert (game.is_magdagdon, game.powers, game.over) == (slow.magdagdon, slow.powers, slow.over)
            assert not game.in_turn or game.required == slow.required
        assert game.result() == slow.result()
