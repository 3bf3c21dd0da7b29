"""MISHIMASH, looking back: the fewest turns in which a seat could have reached the target with its dice."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.games import dice
from cubiri_cli.games.mishimash import DICE, MISHIMASH_BONUS, roll_name, selections
from cubiri_cli.players.hindsight import Hindsight

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cubiri_cli.games.game import Throw


class _Way(NamedTuple):
    """A way through a turn: the half-points of it, and what was taken after each roll."""

    points: int
    taken: tuple[tuple[int, ...], ...]


def hindsight(options: Mapping[str, Any], seed: str, seat: int = 1) -> Hindsight:
    """Return the fewest turns to the target, with the dice of a seat; always exact, for turns do not touch each other.

    >>> hindsight({"target": 100}, "42")[:3]
    (1, 'turns', True)
    """
    throw, banked = partial(dice.throw, seed), 0
    line: list[tuple[str, ...]] = []
    while banked < 2 * options["target"]:
        best = best_turn(throw, seat, len(line) + 1)
        banked += best.points
        actions = [action for picked in best.taken for action in ("roll", "take " + " ".join(map(str, picked)))]
        line.append((*actions, "bank") if actions else ("roll",))
    return Hindsight(len(line), "turns", True, tuple(line))


def best_turn(throw: Throw, seat: int, turn: int) -> _Way:
    """Return the best that the dice of a turn allow; nothing where its first roll is a bust.

    Of all ways to the same number of free dice and of MISHIMASHes only the one with the most points can be the best.
    """
    ways, best, roll = {(DICE, 0): _Way(0, ())}, _Way(0, ()), 0
    while ways:
        roll += 1
        thrown = throw(roll_name(seat, turn, roll), DICE)
        following: dict[tuple[int, int], _Way] = {}
        for (free, made), way in ways.items():
            for picked, worth in selections(tuple(sorted(thrown[:free]))).items():
                left, count, points = free - len(picked), made, way.points + worth * roll
                if not left:
                    left, count = DICE, made + 1
                    points += MISHIMASH_BONUS * count
                known = following.get((left, count))
                if known is None or points > known.points:
                    following[left, count] = _Way(points, (*way.taken, picked))
        ways = following
        best = max([best, *ways.values()], key=lambda way: way.points)
    return best
