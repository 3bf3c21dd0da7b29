"""The players of MAGDAGDON: boards and sets against the rules, thoughts against a slow expectation, how they play."""

from __future__ import annotations

import random
from functools import cache, partial
from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest

from cubiri_cli import players
from cubiri_cli.games import dice
from cubiri_cli.games.magdagdon import CELLS, DIFFICULTIES, EMPTY, RUIN, Magdagdon, score_board
from cubiri_cli.players import magdagdon
from cubiri_cli.players.magdagdon_board import ANY, LEFT, MULTISETS, NUMBER, ROLLS, WAYS, board_of, each_set, numbers_on
from cubiri_cli.players.magdagdon_network import UNIT, networks
from cubiri_cli.players.magdagdon_search import Search
from tests.support import reference
from tests.support.strategies import board_for_reference, pick

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Cells = tuple[int, ...]


def some_boards(number: int, empty: Iterable[int]) -> list[Cells]:
    """Return boards of random games, with so many empty cells."""
    found: list[Cells] = []
    chance, wanted = random.Random(number), set(empty)
    while len(found) < number:
        game, throw = Magdagdon.start({"difficulty": "survival"}), partial(dice.throw, str(chance.randrange(10**9)))
        while not game.over:
            game.apply(pick(game, chance, hints=0), throw)
            if not game.in_turn and game.board.count(EMPTY) in wanted:
                found.append(game.board)
                break
    return found


def slow_boards(cells: Cells, roll: Sequence[int], least: int) -> set[Cells]:
    """Return every board in which a turn can end, by placing the dice in every order as the reference allows."""
    found: set[Cells] = set()

    def go_on(board: reference.Board, left: tuple[int, ...], placed: int) -> None:
        if placed >= least:
            marks = [board.get(cell, EMPTY) for cell in CELLS]
            found.add(tuple(RUIN if mark == "X" else mark for mark in marks))
        for value in set(left):
            rest = list(left)
            rest.remove(value)
            for cell in reference.legal_cells(board, [], value):
                go_on({**board, cell: value}, tuple(rest), placed + 1)

    go_on(board_for_reference(cells), tuple(roll), 0)
    return found


def cells_of(board: int) -> Cells:
    """Return what stands on a board in reading order."""
    numbers = numbers_on(board)
    return tuple(numbers.get(cell, EMPTY) for cell in range(16))


def sets_of(cells: Cells, left: Sequence[int], least: int) -> list[tuple[int, int]]:
    """Return the sets that are enumerated: the dice each uses, and the board."""
    found: list[tuple[int, int]] = []
    each_set(board_of(cells), left, least, lambda dice, board: found.append((dice, board)))
    return found


def test_the_sets_of_a_turn_are_those_of_the_rules() -> None:
    """Each once, and all: on boards of every size, the empty one and one that holds only ruins among them."""
    chance = random.Random(1)
    boards = [*some_boards(8, range(2, 7)), *some_boards(4, range(7, 11))]
    ruins = tuple(RUIN if cell not in (5, 6, 7, 9) else EMPTY for cell in range(16))
    for cells in [*boards, (EMPTY,) * 8 + (RUIN,) * 8, ruins]:
        roll = chance.choice(ROLLS)
        for least in (1, 3):
            found = sets_of(cells, LEFT[roll], least)
            ended = [cells_of(board) for _, board in found]
            assert len(set(ended)) == len(ended)
            assert set(ended) == slow_boards(cells, MULTISETS[roll], least) - {cells}
            for dice_used, board in found:
                assert board == board_of(cells_of(board))
                added = [new for new, old in zip(cells_of(board), cells, strict=True) if new != old]
                assert MULTISETS[dice_used] == tuple(sorted(added))


def test_all_sets_at_once_are_those_of_every_roll() -> None:
    for cells in some_boards(3, range(4, 9)):
        by_roll = {one for roll in ROLLS for one in sets_of(cells, LEFT[roll], 2)}
        assert set(sets_of(cells, ANY, 2)) == by_roll


@cache
def slow_value(difficulty: str, cells: Cells, powers: int) -> float:
    """Return what a board will score before its roll under best play: all 1296 rolls, Powers and all, by the rules."""
    if EMPTY not in cells:
        return score_board(cells).total
    weights = {roll: WAYS[roll] for roll in ROLLS}
    total = sum(weight * slow_roll(difficulty, cells, powers, MULTISETS[roll]) for roll, weight in weights.items())
    return total / 1296


@cache
def slow_roll(difficulty: str, cells: Cells, powers: int, roll: tuple[int, ...]) -> float:
    """Return what the best of a roll is worth."""
    minimum, prices = DIFFICULTIES[difficulty]
    least = min(minimum, cells.count(EMPTY))
    boards = slow_boards(cells, roll, least) - {cells}
    if not boards:
        boards = {(*cells[:at], RUIN, *cells[at + 1 :]) for at in range(16) if cells[at] == EMPTY}
    best = max(slow_value(difficulty, board, powers) for board in boards)
    if not powers:
        return best
    price = prices[len(prices) - powers]
    for at, step in product(range(4), (-1, 1)):
        if 1 <= roll[at] + step <= 6:
            changed = tuple(sorted((*roll[:at], roll[at] + step, *roll[at + 1 :])))
            best = max(best, slow_roll(difficulty, cells, powers - 1, changed) - price)
    for count in range(1, 5):
        for kept in set(combinations(roll, 4 - count)):
            thrown = [tuple(sorted((*kept, *new))) for new in product(range(1, 7), repeat=count)]
            mean = sum(slow_roll(difficulty, cells, powers - 1, one) for one in thrown) / 6**count
            best = max(best, mean - price)
    return best


@pytest.mark.parametrize(
    ("difficulty", "empty", "boards"), [("nightmare", 3, 3), ("survival", 2, 3), ("peaceful", 1, 2)]
)
def test_near_the_end_a_board_is_worth_what_all_that_can_follow_is(difficulty: str, empty: int, boards: int) -> None:
    search = Search(difficulty)
    for cells in some_boards(boards, [empty]):
        for powers in range(len(DIFFICULTIES[difficulty].prices) + 1):
            slow = slow_value(difficulty, cells, powers)
            assert search.ahead(board_of(cells), powers) / UNIT == pytest.approx(slow)


def test_a_full_board_is_worth_its_score_and_symmetry_changes_nothing() -> None:
    for difficulty in DIFFICULTIES:
        for network in networks(difficulty):
            for cells in some_boards(4, [0, 5, 9, 12]):
                stage = network.stages[cells.count(EMPTY)]
                turned = tuple(cells[4 * (3 - column) + row] for row in range(4) for column in range(4))
                mirrored = tuple(cells[4 * row + 3 - column] for row in range(4) for column in range(4))
                values = {stage.value(board_of(one)) for one in (cells, turned, mirrored)}
                assert len(values) == 1
                if EMPTY not in cells:
                    assert values == {UNIT * score_board(cells).total}


def test_the_value_before_a_roll_is_the_mean_over_all_rolls() -> None:
    """Both ways of summing up agree, and a Power can only help."""
    search = Search("survival")
    for cells in some_boards(3, range(4, 8)):
        board = board_of(cells)
        before = search.before(board, 0, False)
        assert before[0] == pytest.approx(sum(WAYS[roll] * before[roll] for roll in ROLLS) / 1296)
        assert before[0] == pytest.approx(search.expected(board, 0, False))
        assert search.expected(board, 1, False) >= before[0] - 70 * UNIT


def play(level: str, difficulty: str, seed: str) -> Magdagdon:
    """Play a game to its end."""
    bot = players.level(level, "magdagdon", seed)
    game, throw = Magdagdon.start({"difficulty": difficulty}), partial(dice.throw, seed)
    while not game.over:
        game.apply(bot.choose(players.View(game, ["x"])), throw)
    return game


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_the_levels_are_apart(difficulty: str) -> None:
    """By the means of a few games each."""
    few = {"peaceful": 4, "survival": 6, "nightmare": 8}  # a master thinks
    games = {"random": 40, "casual": 40, "steady": 40, "master": few[difficulty]}
    means = [
        sum(play(level, difficulty, f"apart-{n}").score().total for n in range(count)) / count
        for level, count in games.items()
    ]
    assert means == sorted(means), means


def test_a_level_finds_its_way_from_whatever_is_staged() -> None:
    """Somebody staged dice and left: they come back where they are in the way, and the turn ends as it should."""
    chance = random.Random(5)
    for number in range(12):
        difficulty = chance.choice(list(DIFFICULTIES))
        game, throw = Magdagdon.start({"difficulty": difficulty}), partial(dice.throw, f"staged-{number}")
        for _ in range(chance.randrange(3, 25)):
            if not game.over:
                game.apply(pick(game, chance, hints=0), throw)
        bots = [players.level(level, "magdagdon") for level in ("casual", "steady", "master")]
        for bot in bots:
            trial, steps = game.copy(), 0
            while trial.in_turn:
                trial.apply(bot.choose(players.View(trial, ["x"])), throw)
                steps += 1
                assert steps < 40


def test_a_power_is_used_as_the_rules_write_it() -> None:
    for roll, to, said in [
        ((1, 2, 2, 5), (1, 2, 2, 6), "power +1 5"),
        ((1, 2, 2, 5), (1, 1, 2, 5), "power -1 2"),
        ((1, 2, 2, 5), (2,), "power reroll 1 2 5"),
        ((1, 2, 2, 5), (), "power reroll 1 2 2 5"),
    ]:
        assert magdagdon.power_action(NUMBER[roll], NUMBER[to]) == said
        assert said in Magdagdon.actions()
