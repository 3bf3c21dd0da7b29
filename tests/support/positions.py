"""Games on their way: positions of random ones with their tables, and where given actions lead."""

from __future__ import annotations

import random
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.games.game import WordOption
from cubiri_cli.table.messages import table_of

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG_NAMES = ["Ada", "W" * 32, "数" * 32, "Väinö", "i" * 32, "Zuzka", "数独 w", "m" * 31]
"""Eight names as long and as wide as they may be."""


def starts() -> Iterator[tuple[str, dict[str, Any], int]]:
    """Yield for every game its name, options and seats: each word, short and endless games, one player to the most."""
    for name in games.names():
        game = games.load(name)
        values = [
            option.values if isinstance(option, WordOption) else (option.low + 10, option.high)
            for option in game.OPTIONS
        ]
        for chosen in product(*values):
            endless = any(
                value == getattr(option, "high", None) for value, option in zip(chosen, game.OPTIONS, strict=True)
            )
            options = {option.name: value for option, value in zip(game.OPTIONS, chosen, strict=True)}
            for seats in {game.MOST_SEATS} if endless else sorted({1, min(3, game.MOST_SEATS)}):
                yield name, options, seats


def positions(seeds: int, steps: int = 400) -> Iterator[tuple[Any, Any, list[str], str]]:
    """Yield positions of random games, each with its table, names, and what was just done."""
    for name, options, seats in starts():
        for seed in range(seeds):
            chance = random.Random(f"{name}{options}{seats}{seed}")
            game = games.load(name).start(options, seats)
            throw = partial(dice.throw, f"table-{seed}")
            yield game, table_of(name), LONG_NAMES[:seats], ""
            for _step in range(steps):
                if game.over:
                    break
                action = likely(chance, game.legal_actions())
                game.apply(action, throw)
                yield game, table_of(name), LONG_NAMES[:seats], action


def likely(chance: random.Random, actions: list[str]) -> str:
    """Choose an action; seldom one that gains nothing, so that games come to an end."""
    rare = [action for action in actions if action.startswith(("return", "power"))]
    return chance.choice([action for action in actions if action not in rare or chance.random() < 0.1] or actions)


def after(name: str, options: dict[str, Any], *actions: str, seed: str = "42", seats: int = 1) -> Any:
    """Return a game after these actions."""
    game = games.load(name).start(options, seats)
    for action in actions:
        game.apply(action, partial(dice.throw, seed))
    return game
