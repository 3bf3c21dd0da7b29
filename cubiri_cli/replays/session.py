"""A game in progress: the game, its record, and the file that holds the record after every action.

>>> session = Session.begin("magdagdon", {"difficulty": "survival"}, [Player("Ada")], "42")
>>> session.do("roll").dice
(2, 2, 4, 3)
>>> session.replay.turns[0].log
['roll -> 2 2 4 3']
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.replays import clock
from cubiri_cli.replays.replay import Player, Replay, Turn
from cubiri_cli.replays.verifying import Verdict, verify_document
from cubiri_cli.replays.writing import head_text, result_text, to_document, turn_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from cubiri_cli.games.game import Game, Outcome


class NotResumableError(ValueError):
    """A replay with which no game can go on: finished already, or not what its seed and rules allow."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict)
        self.verdict = verdict


class Session:
    """A game that is being played and recorded.

    `keep` is handed the whole canonical text of the replay after every action, once it was judged legal and logged; a
    refused action leaves no trace. If `keep` raises `OSError`, the game goes on in memory and `failure` holds the error
    of the last attempt.
    """

    def __init__(self, replay: Replay, game: Game, keep: Callable[[str], None] | None = None) -> None:
        self.replay = replay
        self.game = game
        self.keep = keep
        self.failure: OSError | None = None
        self.finished: datetime | None = None
        """When the game ended, where that is known beforehand (a script says it); else the clock is asked."""
        self._head: str | None = None
        self._turn_texts: list[str] = []  # of the turns that have ended: they never change again
        self._throw = partial(dice.throw, replay.seed)

    @classmethod
    def begin(
        cls,
        name: str,
        options: Mapping[str, Any],
        players: Sequence[Player],
        seed: str,
        *,
        started: datetime | None = None,
        comment: str | None = None,
        rules: int | None = None,
        keep: Callable[[str], None] | None = None,
    ) -> Session:
        """Begin a new game. Nothing is kept before its first action: a replay holds at least one turn.

        `rules` is the version it is played by: the newest, unless a script names another.

        Raises `InvalidOptionError`, `UnknownGameError` or `InvalidClockError`. Names, seed and comment must have been
        found valid.
        """
        now = clock.now()  # asked in any case: a wrong one is not found out by the last action
        game_class = games.load(name, rules)
        checked = game_class.check_options(options)
        replay = Replay(
            game=name,
            seed=seed,
            options=checked,
            players=list(players),
            started=started or now,
            comment=comment,
            rules=game_class.RULES,
        )
        return cls(replay, game_class.start(checked, len(players)), keep)

    @classmethod
    def resume(cls, replay: Replay, keep: Callable[[str], None] | None = None) -> Session:
        """Go on with an unfinished game exactly where it stopped, after verifying it.

        Raises `NotResumableError` with the verdict where it is finished or does not verify so far, and
        `InvalidClockError`.
        """
        clock.now()  # as in `begin`
        document, game_class = to_document(replay), games.load(replay.game, replay.rules)
        game = game_class.start(replay.options, len(replay.players))
        verdict = verify_document(document, game)
        if verdict.status != "unfinished":
            raise NotResumableError(verdict)
        return cls(replay, game, keep)

    def try_out(self, action: str) -> Outcome:
        """Return what an action would lead to, on a copy: the game and its record stay as they are."""
        return self.game.copy().apply(action, self._throw)

    def do(self, action: str, comment: str | None = None) -> Outcome:
        """Execute one action, log it and keep the record; return what happened.

        A `comment` is added to the turn the action belongs to, on a line of its own where the turn has one already.

        Raises `IllegalActionError` where the rules refuse it; then nothing is logged.
        """
        begins_turn, seat = not self.game.in_turn, self.game.seat
        outcome = self.game.apply(action, self._throw)
        if begins_turn:
            self.replay.turns.append(Turn(seat))
        answer = " -> " + " ".join(map(str, outcome.dice)) if outcome.dice else ""
        turn = self.replay.turns[-1]
        turn.log.append(action + answer)
        if comment is not None:
            turn.comment = comment if turn.comment is None else f"{turn.comment}\n{comment}"
        if self.game.over:
            self.replay.result = {"finished": self.finished or clock.now(), **self.game.result()}
        self.store()
        return outcome

    def store(self) -> None:
        """Hand the record to `keep`, and note whether that failed. Nothing to keep before the first action."""
        if self.keep is None or not self.replay.turns:
            return
        try:
            self.keep(self.text())
            self.failure = None
        except OSError as error:
            self.failure = error

    def text(self) -> str:
        """Return the canonical text of the record so far: the same as `write(self.replay)`, faster."""
        if self._head is None:
            self._head = head_text(self.replay)
        turns = self.replay.turns
        ended = len(turns) - self.game.in_turn
        while len(self._turn_texts) < ended:
            self._turn_texts.append(turn_text(turns[len(self._turn_texts)]))
        rest = "".join(map(turn_text, turns[ended:]))
        result = result_text(self.replay.result) if self.replay.result is not None else ""
        return self._head + "".join(self._turn_texts) + rest + result
