"""How strong the levels are, as it was measured: kept beside the players of a game, `GAME.toml`.

`learning/strengths.py` measures it. A game that brings no such file has no strengths to tell.
"""

from __future__ import annotations

import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli import games

if TYPE_CHECKING:
    from collections.abc import Mapping


class Strength(NamedTuple):
    """What a level reaches alone: the mean of so many games, its deviation and its standard error, in a unit."""

    level: str
    options: Mapping[str, Any]
    unit: str
    """`points`, of which more are better, or `turns`, of which fewer are."""
    games: int
    mean: float
    stdev: float
    stderr: float


def strengths(game: str) -> list[Strength]:
    """Return what was measured of the levels of a game, for its options in turn, from the weakest level on.

    >>> weakest = strengths("mishimash")[0]
    >>> weakest.level, weakest.options, weakest.unit, weakest.games
    ('random', {'target': 100}, 'turns', 10000)
    """
    try:
        spec = find_spec(games.MODULES[game].format("players"))
    except ModuleNotFoundError:
        return []
    path = Path(str(spec.origin)).with_suffix(".toml") if spec is not None else None
    if path is None or not path.is_file():
        return []
    return [Strength(**one) for one in tomllib.loads(path.read_text("utf-8")).get("strength", ())]
