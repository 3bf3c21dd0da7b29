"""Who plays besides people: bots, hints and analysis live here; they choose, with their own chance.

A player is an object with `choose(view) -> action`. `View` is what it sees: never the seed, and no die to come. The
levels are such players, found by the name of the game, as its rules are:

>>> from functools import partial
>>> from cubiri_cli import games, players
>>> from cubiri_cli.games import dice
>>> game = games.load("mishimash").start({"target": 20})
>>> bot, throw = players.level("master", "mishimash"), partial(dice.throw, "42")
>>> while not game.over:
...     outcome = game.apply(bot.choose(players.View(game, ["master"])), throw)
>>> game.result()
{'winner': 1, 'scores': [23.0], 'turns': [1]}

`match` compares two of them on the same dice, `simulate` measures one; each may be a level, a command as `--bot` takes
it, or any object with `choose`:

>>> class Bold:
...     def choose(self, view):
...         return "bank" if view.state["at_risk"] >= 30 and "bank" in view.legal else view.legal[0]
>>> players.match("mishimash", {"target": 100}, Bold(), "random").decided
'first'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from cubiri_cli import games
from cubiri_cli.games.problem import Problem, ProblemError
from cubiri_cli.players.chance import own_key
from cubiri_cli.players.player import Player, Random, View

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cubiri_cli.players.comparing import match
    from cubiri_cli.players.playout import Playout, play_out
    from cubiri_cli.players.series import Tally, simulate

# What may be relied on from outside; everything else may change.
__all__ = [
    "LEVELS",
    "Player",
    "Playout",
    "Tally",
    "UnknownLevelError",
    "View",
    "level",
    "levels",
    "match",
    "own_key",
    "play_out",
    "simulate",
]

_HOMES = {
    "match": "comparing",
    **dict.fromkeys(("Playout", "play_out"), "playout"),
    **dict.fromkeys(("Tally", "simulate"), "series"),
}

LEVELS = ("random", "casual", "steady", "master")
"""All levels, from the weakest to the strongest."""


class UnknownLevelError(ProblemError):
    """A level that there is not, or that nobody plays this game at."""

    def __init__(self, game: str) -> None:
        super().__init__(Problem("no-level", {"game": game, "known": tuple(levels(game))}))


def levels(game: str) -> list[str]:
    """Return the levels at which the game is played, from the weakest; of any game at least `random`.

    >>> levels("mishimash")
    ['random', 'casual', 'steady', 'master']
    """
    own = _own(game)
    return [name for name in LEVELS if name in own or name == "random"]


def level(name: str, game: str, key: str = "", made: int = 0) -> Player:
    """Return a new player of a level.

    `key` is what its own chance depends on, `own_key(seed, seat)` in a game that shall be played again the same way;
    `made` is how many choices it has made in this game before, where the game is gone on with.

    Raises `UnknownLevelError` where the game is not played at this level.
    """
    if name not in levels(game):
        raise UnknownLevelError(game)
    return Random(key, made) if name == "random" else _own(game)[name](key)


def _own(game: str) -> Mapping[str, Callable[[str], Player]]:
    """Return the levels of the game's module in this room, `LEVELS`; none where it has no such module."""
    name = games.MODULES[game].format("players")
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return {}
    found: Mapping[str, Callable[[str], Player]] = getattr(module, "LEVELS", {})
    return found


def __getattr__(name: str) -> object:
    """Load what plays whole games when it is asked for: a bot at the table needs none of it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"cubiri_cli.players.{_HOMES[name]}"), name)
