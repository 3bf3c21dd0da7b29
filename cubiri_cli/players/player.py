"""What a player is, what it sees, how one fails, and the one that plays at random."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Protocol

from cubiri_cli.games.problem import ProblemError
from cubiri_cli.replays.history import state_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cubiri_cli.games.game import Game
    from cubiri_cli.games.problem import Problem


class View:
    """What a player sees when it is on turn. It holds everything: one may forget all between two of them.

    >>> from cubiri_cli import games
    >>> view = View(games.load("mishimash").start({"target": 200}, 2), ["Ada", "Rob"])
    >>> view.game, view.options, view.seat, view.legal
    ('mishimash', {'target': 200}, 1, ['roll'])
    """

    __slots__ = ("_game", "_legal", "_state", "players")

    def __init__(self, game: Game, players: Sequence[str]) -> None:
        self._game = game
        self._legal: list[str] | None = None
        self._state: dict[str, Any] | None = None
        self.players = list(players)
        """The names at the table, by seat."""

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._game.NAME

    @property
    def rules(self) -> int:
        """The version of the rules."""
        return self._game.RULES

    @property
    def options(self) -> Mapping[str, Any]:
        """The options of the game, as a replay holds them."""
        return {option.name: getattr(self._game, option.name) for option in self._game.OPTIONS}

    @property
    def seat(self) -> int:
        """Who is asked, from 1."""
        return self._game.seat

    @property
    def legal(self) -> list[str]:
        """Every legal action, as a replay writes it without the dice."""
        if self._legal is None:  # not a cached_property: where games are played by the thousand, its lock is dear
            self._legal = self._game.legal_actions()
        return self._legal

    @property
    def state(self) -> dict[str, Any]:
        """The state of the game, as `cubiri replay --format json` shows it."""
        if self._state is None:
            self._state = state_of(self._game)
        return self._state

    def copy(self) -> View:
        """Return a view that stays as it is while the game goes on."""
        return View(self._game.copy(), self.players)

    def data(self) -> dict[str, Any]:
        """Return all of it as plain data: what a program is asked (version 1 of the protocol)."""
        named = ("game", "rules", "options", "players", "seat", "state", "legal")
        return {"protocol": 1, **{name: getattr(self, name) for name in named}}


class Player(Protocol):
    """Whoever can be asked what to do."""

    def choose(self, view: View) -> str:
        """Return one of `view.legal`."""


VERDICTS = ("crashed", "timeout", "garbled", "illegal")
"""What can be said of a program that has failed."""


class BotError(ProblemError):
    """A program that has failed as a player: nothing of it is left running.

    `verdict` is one of `VERDICTS`, `problem` says why as a code with its values, `stderr` holds the end of what the
    program wrote to its standard error. The words for people are the table's.
    """

    def __init__(self, verdict: str, problem: Problem, stderr: str = "") -> None:
        super().__init__(problem)
        self.verdict = verdict
        self.stderr = stderr

    def __str__(self) -> str:
        """Return verdict, code and values, for developers."""
        return f"{self.verdict}: {self.problem}"


class Random:
    """Any legal action, each as likely as the others."""

    def __init__(self, key: str = "", made: int = 0) -> None:
        self._chance = random.Random(key).random  # the one method that is the same in every version of Python
        for _ in range(made):
            self._chance()

    def choose(self, view: View) -> str:
        """Return one of `view.legal`."""
        legal = view.legal
        return legal[int(self._chance() * len(legal))]
