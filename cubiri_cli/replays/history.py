"""A recorded game state by state: what was done, what happened, and the game after it.

>>> from cubiri_cli.replays.replay import Player, Replay, Turn
>>> replay = Replay("magdagdon", "42", {"difficulty": "survival"}, [Player("Ada")], [Turn(1, ["roll -> 2 2 4 3"])])
>>> followed = history(replay)
>>> [(step.where, step.action, step.outcome.dice) for step in followed.steps], followed.verdict.status
([('turn 1, entry 1', 'roll', (2, 2, 4, 3))], 'unfinished')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.replays.replay import place
from cubiri_cli.replays.showing import to_html
from cubiri_cli.replays.verifying import verdict_on

if TYPE_CHECKING:
    from cubiri_cli.games.game import Game, Outcome
    from cubiri_cli.replays.replay import Replay
    from cubiri_cli.replays.verifying import Verdict


class Step(NamedTuple):
    """An entry of a replay: its turn and entry (from 1), whose turn it was, the action, its outcome, the game after."""

    turn: int
    entry: int
    seat: int
    action: str
    outcome: Outcome
    game: Game

    @property
    def where(self) -> str:
        """The place of the entry, as errors name it."""
        return place(self.turn, self.entry)

    def _repr_html_(self) -> str | None:
        return to_html(self)


class History(NamedTuple):
    """A replay from its beginning to where it ends or goes wrong, and the verdict on it.

    Going to a step means taking it from `steps`: nothing has to be undone.
    """

    replay: Replay
    verdict: Verdict
    beginning: Game
    """The game before the first step."""
    steps: list[Step]
    """In order; they end before the entry that is wrong, where one is. Each has a copy of the game."""

    def _repr_html_(self) -> str | None:
        return to_html(self)


def history(replay: Replay) -> History:
    """Verify a replay of the right form, and return all that happens in it on the way."""
    game = replay.beginning()
    beginning = game.copy()
    steps: list[Step] = []

    def note(turn: int, entry: int, outcome: Outcome) -> None:
        done = replay.turns[turn - 1]
        action = done.log[entry - 1].partition(" -> ")[0]
        steps.append(Step(turn, entry, done.player, action, outcome, game.copy()))

    return History(replay, verdict_on(replay, game, note), beginning, steps)


def first_state(replay: Replay) -> dict[str, Any]:
    """Return state 0 of a replay as plain data, before anything was done; `replay` says which game it is.

    The keys are those of `state_after`; all that is about an entry is empty, and the comment is the game's.
    """
    game = replay.beginning()
    about = {
        "game": replay.game,
        "rules": replay.rules,
        "dice": replay.dice,
        "seed": replay.seed,
        "options": replay.options,
        "players": [
            {"seat": seat, "name": player.name, "bot": player.bot} for seat, player in enumerate(replay.players, 1)
        ],
        "started": replay.started.isoformat(" ") if replay.started else None,
    }
    entry = dict.fromkeys(("player", "action")) | {"dice": [], "events": []}
    return {"turn": 0, "entry": 0, **entry, "comment": replay.comment, "state": state_of(game), "replay": about}


def state_after(replay: Replay, step: Step) -> dict[str, Any]:
    """Return what a step did and the state of the game after it, as plain data for JSON.

    `turn` and `entry` count as in the file; `player` is who did it; `dice` are those that answered; `events` are what
    followed, each with its `kind`; `comment` is the turn's, with its first entry. In `state`: `over`, `in_turn`,
    `player` (the seat on turn), what the game itself says, and `result`: the claims of the game so far. Points are
    points, as in `[result]`.
    """
    return {
        "turn": step.turn,
        "entry": step.entry,
        "player": {"seat": step.seat, "name": replay.players[step.seat - 1].name},
        "action": step.action,
        "dice": list(step.outcome.dice),
        "events": [step.game.event_data(event) for event in step.outcome.events],
        "comment": replay.turns[step.turn - 1].comment if step.entry == 1 else None,
        "state": state_of(step.game),
    }


def state_of(game: Game) -> dict[str, Any]:
    """Return the state of a game as plain data, as `state_after` describes it."""
    common = {"over": game.over, "in_turn": game.in_turn, "player": game.seat}
    return {**common, **game.state(), "result": game.result()}
