"""A whole game played by players alone: ask, do, and so on to its end. Nothing is shown, and nothing kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.games.problem import Problem
from cubiri_cli.players.player import BotError, View

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cubiri_cli.games.game import Event, Game, Outcome, Standing
    from cubiri_cli.players.player import Player

LONGEST_TURN = 10_000
"""How many actions a turn may have: who only takes dice back and forth will do so for ever."""
LONGEST_GAME = 1_000_000
"""How many actions a game may have: who never banks will play for ever."""


class Playout(NamedTuple):
    """A game that players have played: to its end, or until one of them failed."""

    game: Game
    """The game as they left it."""
    turns: tuple[int, ...]
    """How many turns each seat began."""
    events: tuple[Event, ...]
    """All that happened."""
    failure: BotError | None
    """How the player on turn failed; None where the game has ended."""

    @property
    def result(self) -> dict[str, Any]:
        """The claims of the game, as a replay writes them; where a player failed, of the game so far."""
        return self.game.result()

    @property
    def standing(self) -> Standing:
        """How the finished game is ranked, its turns counted."""
        return self.game.standing(self.result, self.game.seats).counting(self.turns)

    def counts(self, seat: int) -> dict[str, int]:
        """Return what the finished game counts for a seat: the turns, and what else it says itself."""
        return {"turns": self.turns[seat - 1], **self.game.counts(self.result, seat, self.events)}


def play_out(
    game: Game, players: Sequence[Player], do: Callable[[str], Outcome], names: Sequence[str] | None = None
) -> Playout:
    """Play a game to its end. `players` sit in the order of the seats; `do` executes an action in this very game.

    Raises `IllegalActionError` where a player that is an object of one's own chooses what is not legal; programs are
    judged by themselves.

    >>> from functools import partial
    >>> from cubiri_cli import games, players
    >>> from cubiri_cli.games import dice
    >>> game = games.load("magdagdon").start({"difficulty": "peaceful"})
    >>> bot, throw = players.level("random", "magdagdon"), partial(dice.throw, "42")
    >>> played = play_out(game, [bot], partial(game.apply, throw=throw))
    >>> played.counts(1)
    {'turns': 9, 'ruins': 3, 'powers': 3}
    """
    names = names or [f"player {seat}" for seat in range(1, game.seats + 1)]
    turns, asked, acted = [0] * game.seats, 0, 0
    events: list[Event] = []
    try:
        while not game.over:
            seat = game.seat
            if not game.in_turn:
                turns[seat - 1] += 1
                asked = 0
            asked, acted = asked + 1, acted + 1
            if acted > LONGEST_GAME:
                raise BotError("illegal", Problem("endless-game", {"most": LONGEST_GAME}))
            if asked > LONGEST_TURN:
                raise BotError("illegal", Problem("endless-turn", {"most": LONGEST_TURN}))
            happened = do(players[seat - 1].choose(View(game, names))).events
            if happened:
                events += happened
    except BotError as error:
        return Playout(game, tuple(turns), tuple(events), error)
    return Playout(game, tuple(turns), tuple(events), None)
