"""Measures how strong the levels of a game are, and writes it beside its players (`cubiri_cli/players/GAME.toml`):

    python -m learning.strengths GAME [SECONDS [GAMES]]

Each level plays so many games of each kind (10,000), or what it can in so many seconds of the processor (100);
then each is matched with the one below it. The games are those of the seeds `strength-1`, `strength-2`, …
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

import tomli_w

from cubiri_cli import games, players
from cubiri_cli.games.game import WordOption
from cubiri_cli.players.series import Series, Tally, figures_of, sitter

PLAYERS = Path(__file__).parents[1] / "cubiri_cli" / "players"
SEED = "strength"
NUMBERS = (100, 200, 1000)
"""The values of an option that is a number."""


def kinds(game: str) -> list[dict[str, Any]]:
    """Return the options with which a game is measured: of the games of today each has one."""
    [option] = games.load(game).OPTIONS
    values = option.values if isinstance(option, WordOption) else NUMBERS
    return [{option.name: value} for value in values]


def measured(game: str, options: dict[str, Any], level: str, seconds: float, most: int) -> dict[str, Any]:
    """Return how strong a level is, as the file says it."""
    series, sitters, played = Series(game, options, SEED), [sitter(level)], []
    began = process_time()
    while len(played) < most and process_time() - began < seconds:
        played.append(figures_of(series.play(len(played) + 1, sitters)))
    return strength(level, options, Tally(played))


def strength(level: str, options: dict[str, Any], tally: Tally) -> dict[str, Any]:
    """Return what the file says of games of a level."""
    figures = {name: round(getattr(tally, name), 4) for name in ("mean", "stdev", "stderr")}
    return {"level": level, "options": options, "unit": tally.unit, "games": tally.games, **figures}


def matched(game: str, options: dict[str, Any], level: str, below: str, pairs: int = 3000) -> dict[str, Any]:
    """Return how a level does against the one below it, as the file says it."""
    found = players.match(game, options, level, below, pairs=pairs, seed=SEED)
    figures = {"difference": round(found.difference or 0, 4), "stderr": round(found.test.stderr or 0, 4)}
    decided = found.decided or "not"
    return {"level": level, "below": below, "options": options, "pairs": found.pairs, **figures, "decided": decided}


def main() -> None:
    """Measure a game and write its file."""
    game, *rest = sys.argv[1:]
    seconds, most = float(rest[0]) if rest else 100.0, int(rest[1]) if rest[1:] else 10_000
    file: dict[str, list[dict[str, Any]]] = {"strength": [], "match": []}
    for options in kinds(game):
        for level in players.levels(game):
            file["strength"].append(measured(game, options, level, seconds, most))
            print(file["strength"][-1], flush=True)
        for below, level in pairwise(players.levels(game)):
            file["match"].append(matched(game, options, level, below))
            print(file["match"][-1], flush=True)
    (PLAYERS / f"{game}.toml").write_text(tomli_w.dumps(file), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
