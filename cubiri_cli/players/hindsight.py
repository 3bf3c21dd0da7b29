"""Looking back at a game: the best that its dice allowed. They depend on nothing that a player does (dice.md).

It measures luck, not skill: nobody could have known. What is found says whether it is proved to be the best.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli import games

if TYPE_CHECKING:
    from collections.abc import Mapping


class Hindsight(NamedTuple):
    """The best result that known dice allow."""

    value: int
    """In `unit`."""
    unit: str
    """`points`, or `turns`: of these fewer are better."""
    is_exact: bool
    """Whether there is nothing better; else there may be."""
    line: tuple[tuple[str, ...], ...]
    """How it is reached: the actions of each turn."""


def in_hindsight(game: str, options: Mapping[str, Any], seed: str, seat: int = 1) -> Hindsight | None:
    """Return the best that the dice of a seat allow; None for games that nobody can look back at.

    >>> in_hindsight("mishimash", {"target": 1000}, "42").value
    2
    """
    name = games.MODULES[game].format("players") + "_hindsight"
    try:
        look_back = import_module(name).hindsight
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
    found: Hindsight = look_back(options, seed, seat)
    return found
