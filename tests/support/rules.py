"""What tests of the rules share: the contract's vectors, dice as wanted, refusals, and every action tried."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cubiri_cli.games import dice
from cubiri_cli.games.game import Game, IllegalActionError
from cubiri_cli.table import messages

if TYPE_CHECKING:
    from cubiri_cli.games.game import Throw

VECTORS = Path(__file__).parents[1] / "vectors"


def vectors(name: str) -> list[dict[str, Any]]:
    """Return the cases of one of the contract's files."""
    loaded: list[dict[str, Any]] = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    assert loaded
    return loaded


def throwing(*rolls: tuple[int, ...]) -> Throw:
    """Return dice that fall as the test wants, one roll after the other."""
    left = list(rolls)

    def throw(name: str, count: int) -> tuple[int, ...]:
        assert len(left[0]) == count, name
        return left.pop(0)

    return throw


def state(game: Any) -> dict[str, Any]:
    """Return everything a game remembers, but what it only keeps to be faster."""
    names = [name for kind in type(game).__mro__ for name in getattr(kind, "__slots__", ())]
    return {name: getattr(game, name) for name in names if not name.startswith("_")}


def refusal(game: Game, action: str) -> str:
    """Return why an action is refused; the game must then be as it was."""
    before = state(game)
    with pytest.raises(IllegalActionError) as caught:
        game.apply(action, throwing((1,), (1,)))
    assert state(game) == before
    return caught.value.problem.code


def check_position(game: Game, seed: str) -> int:
    """Try every action text of the game on copies; return how many are legal."""
    throw = partial(dice.throw, seed)
    before = state(game)
    accepted, refusals = [], []
    for action in game.moves():
        trial = game.copy()
        announced = game.dice_for(action)
        try:
            outcome = trial.apply(action, throw)
        except IllegalActionError as error:
            assert state(trial) == before, f"{action} was refused, but left a trace"
            assert announced == Game.dice_for(game, action) == 0
            refusals.append(error)
        else:
            accepted.append(action)
            assert announced == Game.dice_for(game, action) == len(outcome.dice), action
            assert action == "hint" or state(trial) != before, f"{action} was accepted, but did nothing"
    assert state(game) == before, "a copy is not independent"
    assert all(messages.explain(error.problem, game.NAME).isprintable() for error in refusals)
    legal = game.legal_actions()
    assert len(legal) == len(set(legal))
    assert sorted([*legal, *(["hint"] if "hint" in accepted else [])]) == sorted(accepted)
    assert ("hint" in accepted) == game.in_turn
    return len(legal)
