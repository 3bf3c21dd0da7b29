"""Tries a program as a player (contract, bots.md: `bot check`): whole games, questions in any order, and its end."""

from __future__ import annotations

import random
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.games.game import WordOption
from cubiri_cli.players.player import BotError, View
from cubiri_cli.players.playout import play_out
from cubiri_cli.players.programs import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cubiri_cli.games.game import Game

SEED = "bot-check"
MIXED, TWICE = 40, 10
"""How many questions are asked again in another order, and how many twice in a row."""
LONGEST = 1000
"""After how many answers a game is left. It is a fault only where no game of its kind comes to an end."""
SHORT = 100
"""To what a game is played that has a number for an option, at least: long ones show nothing else."""


class Finding(NamedTuple):
    """Something that was tried: a code with its values, and whether it went right; None where it does not matter.

    `failure` is how the program failed, where it did.
    """

    code: str
    is_right: bool | None
    details: Mapping[str, Any] = {}
    failure: BotError | None = None


class _LeftError(ValueError):
    """A game that takes too long to be played to its end."""


class _Asked:
    """A program in its seats, and what it was asked so far."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.views: list[View] = []
        self.slowest = 0.0
        self.left = 0
        """How many questions there are left in the game at hand."""

    def choose(self, view: View) -> str:
        """Return its answer. Raises `_LeftError` where the game takes too long."""
        if not self.left:
            raise _LeftError
        self.left -= 1
        began = monotonic()
        answer = self._program.choose(view)
        self.slowest = max(self.slowest, monotonic() - began)
        self.views.append(view.copy())
        return answer


def check_program(
    command: str, game: str | None = None, timeout: float | None = None, listen: Callable[[bytes], None] | None = None
) -> Iterator[Finding]:
    """Try a program and yield what was found, one thing after the other; nothing of it is left running.

    Of all games, where none is named, it has to answer for one at least. `timeout` and `listen` are those of `Program`.
    """
    views: list[View] = []
    with Program(command, timeout, listen) as program:
        for name in [game] if game is not None else games.names():
            asked = _Asked(program)
            played, failure = _play(asked, name)
            if failure is not None and failure.problem.code == "bot-not-started":
                yield Finding("starts", False, failure=failure)
                return
            if asked.views and not views:
                yield Finding("starts", True)
            views += asked.views
            if not played and failure is None:
                yield Finding("endless", False, {"game": name, "most": LONGEST})
                continue
            about = {"game": name, "games": played, "answers": len(asked.views), "seconds": round(asked.slowest, 2)}
            is_other = failure is not None and not asked.views and game is None
            yield Finding("other-game" if is_other else "plays", None if is_other else failure is None, about, failure)
        if not views:
            yield Finding("answers", False)
            return
        yield _asked_again("any-order", program, random.Random(SEED).sample(views, min(MIXED, len(views))))
        yield _asked_again("twice", program, [view for view in views[:TWICE] for _time in range(2)])
        yield from _ending(program, views[0])


def _play(asked: _Asked, name: str) -> tuple[int, BotError | None]:
    """Let a program play games of a kind in all seats; return how many it ended, and how it failed."""
    played = 0
    for number, start in enumerate(_games(name), 1):
        names = [f"player {seat}" for seat in range(1, start.seats + 1)]
        do = partial(start.apply, throw=partial(dice.throw, f"{SEED}-{number}"))
        asked.left = LONGEST
        with suppress(_LeftError):
            failure = play_out(start, [asked] * start.seats, do, names).failure
            if failure is not None:
                return played, failure
            played += 1
    return played, None


def _games(name: str) -> Iterator[Game]:
    """Yield new games of a kind: one with each word of an option, alone, and with two players where it takes them."""
    game = games.load(name)
    usual = {one.name: one.default if isinstance(one, WordOption) else max(one.low, SHORT) for one in game.OPTIONS}
    words = [(one.name, value) for one in game.OPTIONS if isinstance(one, WordOption) for value in one.values]
    for changed in [{option: value} for option, value in words] or [{}]:
        for seats in (1, 2):
            if seats <= game.MOST_SEATS:
                yield game.start({**usual, **changed}, seats)


def _asked_again(code: str, program: Program, views: list[View]) -> Finding:
    try:
        for view in views:
            program.choose(view)
    except BotError as error:
        return Finding(code, False, failure=error)
    return Finding(code, True)


def _ending(program: Program, view: View) -> Iterator[Finding]:
    """Close the input of a program, one that runs anew where it has failed before, and yield how it takes that."""
    again = _asked_again("ends", program, [view])
    farewell = program.close()
    if farewell is None:
        yield again
        return
    said = farewell.extra.decode("utf-8", "replace")
    yield Finding("extra", not said, {"found": said})
    yield Finding("ends", farewell.in_time)
    yield Finding("alone", farewell.alone or not farewell.in_time)
