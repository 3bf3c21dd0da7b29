"""Measures random playouts against OpenSpiel's, called from Python, in one run; as ratios of games a second.

    pip install open_spiel
    python -m learning.playouts [ROUNDS]

A playout of OpenSpiel takes any legal action and samples chance by its probabilities. `usual` does that as its examples
do, with `numpy.random.choice`; `quick` with `random.choices`, the quickest way that was found. Ours are played through
`legal_actions` and `apply`; `as players` by the level `random`, as `simulate` does.

Each round measures all of them, one after the other, by the processor's clock; shown are the medians of all rounds.

Found on a busy machine, 25 rounds, against `quick`: MAGDAGDON 2.23 × 2048 (half of the rounds 2.05 to 2.34), as players
1.79; MISHIMASH to 100 1.13 × pig (1.10 to 1.16), as players 0.75. Against `usual` 4.2, 3.4, 3.0 and 2.0.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time

import numpy as np
import pyspiel

from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.players.series import Series, sitter

OURS = {
    "MAGDAGDON": ("magdagdon", {"difficulty": "peaceful"}),
    "MISHIMASH to 100": ("mishimash", {"target": 100}),
}
THEIRS = ("2048", "pig", "yacht")
CHANCE = random.Random(1)
MASTER_GAMES: list[int] = []
"""One for each game that master has played."""


def ours(game: str, options: dict[str, object], count: int) -> None:
    """Play so many games through the rules alone."""
    kind, chance = games.load(game), CHANCE.random
    for number in range(count):
        played, throw = kind.start(options), partial(dice.fast_throw, str(number))
        while not played.over:
            legal = played.legal_actions()
            played.apply(legal[int(chance() * len(legal))], throw)


def as_players(game: str, options: dict[str, object], count: int) -> None:
    """Play so many games as `simulate` does."""
    series, random_level = Series(game, options, "playouts"), [sitter("random")]
    for number in range(count):
        series.play(number, random_level)


def theirs(game: str, count: int, sample: Callable[[list[int], list[float]], int]) -> None:
    """Play so many games of OpenSpiel."""
    kind, chance = pyspiel.load_game(game), CHANCE.random
    for _ in range(count):
        state = kind.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(sample(*zip(*state.chance_outcomes(), strict=True)))
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(chance() * len(legal))])


def usual(actions: list[int], chances: list[float]) -> int:
    """Sample as OpenSpiel's examples do."""
    return int(np.random.choice(actions, p=chances))


def quick(actions: list[int], chances: list[float]) -> int:
    """Sample as quickly as was found."""
    return random.choices(actions, chances)[0]


def master(count: int) -> None:
    """Let MAGDAGDON's master play so many turns: in a game it has about seven."""
    turns, series, sitters = 0, Series("magdagdon", {"difficulty": "peaceful"}, "master"), [sitter("master")]
    while turns < count:
        MASTER_GAMES.append(1)
        turns += series.play(len(MASTER_GAMES), sitters).turns[0]


def per_second(play: Callable[[int], None], count: int) -> float:
    """Return how many games are played in a second of the processor."""
    began = process_time()
    play(count)
    return count / (process_time() - began)


def main() -> None:
    """Measure, and print the ratios."""
    plays: dict[str, tuple[Callable[[int], None], int]] = {}
    for name, (game, options) in OURS.items():
        plays[name] = partial(ours, game, options), 150
        plays[f"{name}, as players"] = partial(as_players, game, options), 150
    for name in THEIRS:
        count = {"2048": 30, "pig": 150, "yacht": 2}[name]
        plays[f"{name}, usual"] = partial(theirs, name, sample=usual), count
        plays[f"{name}, quick"] = partial(theirs, name, sample=quick), count
    plays["turns of master"] = master, 7
    found: dict[str, list[float]] = {name: [] for name in plays}
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 15):
        for name, (play, count) in plays.items():
            found[name].append(per_second(play, count))
    for name, rates in found.items():
        print(f"{name}: {median(rates):.1f} a second")
    for name, others in (("MAGDAGDON", ("2048", "yacht")), ("MISHIMASH to 100", ("pig", "yacht"))):
        for one in (name, f"{name}, as players"):
            for other in (f"{other}, {how}" for other in others for how in ("usual", "quick")):
                print(f"{one} / {other}: {ratio(found[one], found[other]):.2f}")
    print(f"a turn of master / a playout: {ratio(found['MAGDAGDON'], found['turns of master']):.1f}")


def ratio(rates: list[float], others: list[float]) -> float:
    """Return how many times as many a second there are, by the rounds."""
    return median(one / other for one, other in zip(rates, others, strict=True))


if __name__ == "__main__":
    main()
