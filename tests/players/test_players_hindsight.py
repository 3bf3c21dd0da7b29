"""Looking back: what is claimed can be played, and nothing better is found another way."""

from __future__ import annotations

from functools import partial
from heapq import nlargest
from typing import TYPE_CHECKING, Any

import pytest

from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.games.magdagdon import RUIN, score_board
from cubiri_cli.games.mishimash import Mishimash
from cubiri_cli.players.hindsight import in_hindsight
from cubiri_cli.players.magdagdon_hindsight import KnownGame, classes
from cubiri_cli.players.mishimash_hindsight import best_turn

if TYPE_CHECKING:
    from cubiri_cli.games.game import Game
    from cubiri_cli.players.hindsight import Hindsight

MAGDAGDON = [(difficulty, f"back-{n}") for difficulty in ("peaceful", "survival", "nightmare") for n in range(4)]


def played(game: Game, found: Hindsight, seed: str) -> dict[str, Any]:
    """Return the result of a game after the actions of a line."""
    for turn in found.line:
        for action in turn:
            game.apply(action, partial(dice.throw, seed))
    assert game.over
    return game.result()


@pytest.mark.parametrize(("difficulty", "seed"), MAGDAGDON)
def test_the_line_of_magdagdon_leads_to_the_score(difficulty: str, seed: str) -> None:
    options = {"difficulty": difficulty}
    found = in_hindsight("magdagdon", options, seed)
    assert found is not None
    assert (found.unit, played(games.load("magdagdon").start(options), found, seed)["score"]) == ("points", found.value)


@pytest.mark.parametrize("seed", ["1", "2", "daily-2026-11-30"])
@pytest.mark.parametrize("target", [10, 100, 1000])
def test_the_line_of_mishimash_leads_to_the_target(target: int, seed: str) -> None:
    found = in_hindsight("mishimash", {"target": target}, seed)
    assert found is not None
    result = played(games.load("mishimash").start({"target": target}), found, seed)
    assert (found.unit, found.is_exact, result["turns"]) == ("turns", True, [found.value])


def best_by_trying(game: Mishimash, seed: str) -> int:
    """Return the most half-points with which a turn can be banked, by trying everything."""
    best = 0
    for action in game.legal_actions():
        if action == "bank":
            best = max(best, game.at_risk)
            continue
        following = game.copy()
        following.apply(action, partial(dice.throw, seed))
        if following.in_turn:
            best = max(best, best_by_trying(following, seed))
    return best


@pytest.mark.parametrize("number", range(60))
def test_no_way_through_a_turn_of_mishimash_is_better(number: int) -> None:
    seed = f"turn-{number}"
    game = Mishimash.start({"target": 1000})
    assert best_turn(partial(dice.throw, seed), 1, 1).points == best_by_trying(game, seed)


def followed_by_rules(difficulty: str, seed: str, most: int) -> int:
    """Return the best score that a beam of positions finds, knowing nothing but the rules; Powers are not used."""
    game = games.load("magdagdon").start({"difficulty": difficulty})
    states, best = [game], -1000
    while states:
        following: dict[tuple[Any, ...], Game] = {}
        for state in states:
            for action in state.legal_actions():
                if action.startswith(("power", "return")):
                    continue
                after: Any = state.copy()
                after.apply(action, partial(dice.throw, seed))
                staged = tuple(sorted(after.staged.items()))
                following.setdefault((after.board, staged, after.turn, after.in_turn), after)
        ended = [state.result()["score"] for state in following.values() if state.over]
        best = max([best, *ended])
        going = [state for state in following.values() if not state.over]
        states = nlargest(most, going, key=lambda state: score_board(state.board_if_confirmed()).total)  # type: ignore[attr-defined]
    return best


@pytest.mark.parametrize(("difficulty", "seed"), MAGDAGDON[::4])
def test_a_beam_by_the_rules_alone_finds_nothing_better(difficulty: str, seed: str) -> None:
    found = in_hindsight("magdagdon", {"difficulty": difficulty}, seed)
    assert found is not None
    assert found.is_exact
    assert followed_by_rules(difficulty, seed, 40) <= found.value


@pytest.mark.parametrize(("difficulty", "seed"), MAGDAGDON)
def test_following_the_best_boards_finds_nothing_better_than_what_is_exact(difficulty: str, seed: str) -> None:
    game = KnownGame(difficulty, seed)
    found, followed = game.best(), game.followed(30)
    assert followed.value <= found.value
    assert played(games.load("magdagdon").start({"difficulty": difficulty}), followed, seed)["score"] == followed.value


def test_the_list_of_boards_is_what_it_says() -> None:
    found = classes()
    assert [score for score, _boards in found] == sorted({score for score, _boards in found}, reverse=True)
    assert found[0][0] == 544
    assert sum(len(boards) for score, boards in found if score >= 300) == 13_900
    for score, boards in found[::7]:
        for board in boards[::50]:
            assert score_board(tuple(board)).total == score
    assert max(score for score, boards in found for board in boards if RUIN in board) <= 525
    assert len({board for _score, boards in found for board in boards}) == sum(len(boards) for _s, boards in found)


def test_a_game_that_nobody_looks_back_at_has_nothing_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.MODULES, "pig", "tests.third_game")
    assert in_hindsight("pig", {"dice": "one", "target": 20}, "1") is None
