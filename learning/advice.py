"""Measures how far the values of hints and analyses are from what they say, and prints the tables of `ERRORS`:

    python -m learning.advice magdagdon DIFFICULTY [GAMES [SECONDS]]
    python -m learning.advice solo
    python -m learning.advice race [STATES]

MAGDAGDON: a master's games. What a game comes to after a choice, less the luck of its later rolls, has as its mean what
the choice is worth under that play, whatever the evaluator says; so the later revisions alone are its error and some
noise. From every turn of a game the rest is played twice with other dice: the noise of the two is independent, and the
mean of the products of both, less the square of their mean, is the square of the error's deviation.

MISHIMASH alone: the table of the best turn against turns that are solved for themselves. Among several: the race
against games in which all play on as alone, from positions of such games.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from functools import partial
from math import sqrt
from time import process_time
from typing import TYPE_CHECKING, Any

from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.players.advice import evaluator
from cubiri_cli.players.mishimash import EXACT, MishimashPosition, Turns, alone, rolled
from cubiri_cli.players.mishimash_race import turn_value, turns_to
from cubiri_cli.players.mishimash_turn import START, after, outcomes
from cubiri_cli.players.player import View

if TYPE_CHECKING:
    from cubiri_cli.games.game import Game

GROUPS = ((1, 3), (4, 5), (6, 7), (8, 9), (10, 11), (12, 13), (14, 16))
"""The numbers of empty cells that are measured together."""


def revisions(game: Game, seed: str) -> list[tuple[Game, float]]:
    """Play a game of MAGDAGDON on as a master; return each position before a roll with the revision of that turn."""
    judge, throw, found = evaluator(game.NAME), partial(dice.throw, seed), []
    game = game.copy()
    while not game.over:
        before = game.copy()
        game.apply("roll", throw)
        revision, value = 0.0, None
        while game.in_turn:
            decision = judge.decision(game)
            best = decision.options()[0]
            revision, value = revision + best.value - (decision.at_once if value is None else value), best.value
            for action in best.actions:
                game.apply(action, throw)
            if best.actions[-1].startswith("power reroll"):
                value = None
        found.append((before, revision))
    return found


def magdagdon(difficulty: str, count: int = 100, seconds: int = 3600) -> None:
    """Print the error of a choice by the cells that were empty before it, from so many games, or seconds of them."""
    products: dict[tuple[int, int], list[float]] = defaultdict(list)
    biases: dict[tuple[int, int], list[float]] = defaultdict(list)
    for number in range(count):
        if process_time() > seconds:
            break
        turns = revisions(games.load("magdagdon").start({"difficulty": difficulty}), f"error-{number}")
        for at in range(len(turns) - 1):
            empty = turns[at][0].board.count(0)  # type: ignore[attr-defined]
            group = next(one for one in GROUPS if one[0] <= empty <= one[1])
            once = sum(revision for _before, revision in turns[at + 1 :])
            again = sum(revision for _before, revision in revisions(turns[at + 1][0], f"again-{number}-{at}"))
            products[group].append(once * again)
            biases[group] += [once, again]
    for low, high in GROUPS:
        pairs, sums = products[low, high], biases[low, high]
        if pairs:
            mean = sum(pairs) / len(pairs)
            spread = sqrt(sum((one - mean) ** 2 for one in pairs) / len(pairs) / len(pairs))
            bias = sum(sums) / len(sums)
            error = sqrt(max(mean - bias**2, 0))
            print(
                f"{difficulty} {low}-{high} empty: error {error:.2f} (square {mean:.1f} ± {spread:.1f}), "
                f"mean {bias:+.2f}, {len(pairs)} choices",
                flush=True,
            )


def solo() -> None:
    """Print how far the table of the best turn is from turns that are solved, in the states of a best turn."""
    for rest in (EXACT + 10, 300, 400, 500):
        exact = alone(rest)
        table = Turns(1 / turn_value(), -turns_to(rest) - 1, enough=rest)
        chances, squares, worst = {(START, 0): 1.0}, 0.0, 0.0
        total = 0.0
        while chances:
            following: dict[Any, float] = defaultdict(float)
            for (turn, points), chance in chances.items():
                for rolls in outcomes(turn[1]):
                    if not rolls.options:
                        continue
                    then = max((after(turn, points, option) for option in rolls.options), key=lambda s: exact.value(*s))
                    part = chance * rolls.ways / 6 ** turn[1]
                    difference = rolled(exact, *then) - rolled(table, *then) if then[1] < rest else 0.0
                    squares, total = squares + part * difference**2, total + part
                    worst = max(worst, abs(difference))
                    if part > 1e-5 and then[1] < rest and exact.value(*then) > exact.banked(then[1]):
                        following[then] += part
            chances = dict(following)
        print(f"alone, {rest} half-points to go: error {sqrt(squares / total):.4f}, at most {worst:.4f}", flush=True)


def race(states: int = 40, playouts: int = 300) -> None:
    """Print how far the race is from games in which all play on as alone."""
    judge, chance = evaluator("mishimash"), random.Random(1)
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for number in range(states):
        seats, target = chance.choice((2, 2, 3, 4)), chance.choice((50, 100, 200))
        game = games.load("mishimash").start({"target": target}, seats)
        for _ in range(chance.randrange(seats * target // 20)):
            before = game.copy()
            play_turn(game, partial(dice.throw, f"state-{number}"))
            if game.over:
                game = before
                break
        said, won = judge.standing(game)[game.seat - 1], 0
        for one in range(playouts):
            rest = game.copy()
            while not rest.over:
                play_turn(rest, partial(dice.throw, f"race-{number}-{one}"))
            won += rest.result()["winner"] == game.seat
        group = "final round" if game.final_round else "race"  # type: ignore[attr-defined]
        groups[group].append((said, won / playouts))
    for group, pairs in groups.items():
        count = len(pairs)
        noise = sum(won * (1 - won) / playouts for _said, won in pairs) / count
        square = sum((said - won) ** 2 for said, won in pairs) / count
        mean = sum(said - won for said, won in pairs) / count
        print(f"{group}: error {sqrt(max(0, square - noise)):.4f} (noise {sqrt(noise):.4f}), mean {mean:+.4f}, {count}")


def play_turn(game: Game, throw: Any) -> None:
    """Play one turn of MISHIMASH as alone; in the last round, for what gets ahead."""
    game.apply("roll", throw)
    seat = game.seat
    plain = Turns()
    while game.in_turn and game.seat == seat:
        position = MishimashPosition.of(View(game, [""] * game.seats))
        legal = game.legal_actions()
        if position.wanted and position.points >= position.wanted and "bank" in legal:
            game.apply("bank", throw)
        elif "bank" in legal:
            on = position.deciding or rolled(plain, position.turn, position.points) > position.points / 2
            game.apply("roll" if on else "bank", throw)
        else:
            best = max(legal, key=lambda action: plain.value(*_taken(position, action)))
            game.apply(best, throw)


def _taken(position: MishimashPosition, action: str) -> Any:
    from cubiri_cli.players.mishimash import _taken as taken

    return taken(position, action)


if __name__ == "__main__":
    {"magdagdon": magdagdon, "solo": solo, "race": race}[sys.argv[1]](
        *[int(word) if word.isdecimal() else word for word in sys.argv[2:]]
    )
