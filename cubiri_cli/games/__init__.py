"""The rules and the dice. Pure: no I/O, no clock, no randomness, no words for people.

A game is found by its name, so that nothing else has to know which games there are:

>>> Game = load("magdagdon")
>>> Game.NAME, Game.RULES
('magdagdon', 1)

A game of MISHIMASH, played by taking as many dice as possible and banking at once:

>>> from functools import partial
>>> from cubiri_cli.games import dice, load
>>> game = load("mishimash").start({"target": 20})
>>> throw = partial(dice.throw, "42")
>>> while not game.over:
...     actions = game.legal_actions()
...     action = "bank" if "bank" in actions else max(actions, key=len)
...     outcome = game.apply(action, throw)
>>> game.result()
{'winner': 1, 'scores': [21.5], 'turns': [5]}
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from cubiri_cli.games.game import UnknownGameError

if TYPE_CHECKING:
    from cubiri_cli.games.game import Game, WholeOption, WordOption

# What may be relied on from outside, with the members of `Game` that they return; everything else may change.
__all__ = ["UnknownGameError", "challenge", "load", "names", "options", "rules_versions"]

# The list of games, one line each. `{}` stands for the layer: `games` holds the rules, `table` the screen. The modules
# are imported when a game is played or judged, not before.
MODULES = {
    "magdagdon": "cubiri_cli.{}.magdagdon",
    "mishimash": "cubiri_cli.{}.mishimash",
}


# The challenges of the days (contract, cli.md: The day), one a day in turn since 1970-01-01. They never change for past
# days: streaks are counted by them.
CHALLENGES: tuple[tuple[str, dict[str, str | int]], ...] = (
    ("magdagdon", {"difficulty": "peaceful"}),
    ("magdagdon", {"difficulty": "survival"}),
    ("magdagdon", {"difficulty": "nightmare"}),
    ("mishimash", {"target": 200}),
)


def challenge(day: int) -> tuple[str, dict[str, str | int]]:
    """Return the game and the options that everybody plays on a day, counted from 1970-01-01 (UTC).

    >>> challenge(0), challenge(20787)
    (('magdagdon', {'difficulty': 'peaceful'}), ('mishimash', {'target': 200}))
    """
    game, options = CHALLENGES[day % len(CHALLENGES)]
    return game, dict(options)


def names() -> list[str]:
    """Return the names of all games, in the order in which menus list them."""
    return list(MODULES)


def load(name: str, rules: int | None = None) -> type[Game]:
    """Return the class of the game `name` under the rules version `rules` (the newest by default).

    Old rules versions stay available as frozen code, so old games keep being judged by them.

    Raises `UnknownGameError` where there is no such game, or no such version of its rules.
    """
    if name not in MODULES:
        raise UnknownGameError(name)
    versions = _versions(name)
    version = max(versions) if rules is None else rules
    if version not in versions:
        raise UnknownGameError(f"{name}, rules {rules}")
    return versions[version]


def options() -> dict[str, dict[str, WordOption | WholeOption]]:
    """Return every option that a game has, by name, with what it is in each of the games that have it."""
    found: dict[str, dict[str, WordOption | WholeOption]] = {}
    for name in names():
        for option in load(name).OPTIONS:
            found.setdefault(option.name, {})[name] = option
    return found


def rules_versions(name: str | None = None) -> list[int]:
    """Return the rules versions there are of the game `name`; of all games where it is None or no game."""
    chosen = [name] if name in MODULES else names()
    return sorted({version for one in chosen for version in _versions(one)})


@cache
def _versions(name: str) -> dict[int, type[Game]]:
    versions: dict[int, type[Game]] = import_module(MODULES[name].format("games")).VERSIONS
    return versions
