"""A game in progress: the game, its record, and who keeps the record after every action.

>>> session = Session.begin("magdagdon", {"difficulty": "survival"}, [Player("Ada")], "42")
>>> session.do("roll").dice
(2, 2, 4, 3)
>>> session.replay.turns[0].log
['roll -> 2 2 4 3']
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.games.game import IllegalActionError
from cubiri_cli.replays import clock
from cubiri_cli.replays.replay import LARGEST, Player, Replay, Turn
from cubiri_cli.replays.verifying import Verdict, verdict_on
from cubiri_cli.replays.writing import comment_text, entry_text, head_text, result_text, turn_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from cubiri_cli.games.game import Game, Outcome


class NotResumableError(ValueError):
    """A replay with which no game can go on: finished already, or not what its seed and rules allow."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict)
        self.verdict = verdict


class FullRecordError(IllegalActionError):
    """An action that would make the record larger than can be read again. Its reason is `record-full`."""

    def __init__(self) -> None:
        super().__init__("record-full", largest=LARGEST)


MARGIN = 4096
"""More bytes than one action without a comment adds to a record, a new turn and the result included. Before these are
left, nothing needs to be tried out."""

NEARLY = 32 * 1024
"""How many bytes are left in a record that is nearly full: 700 of the longest actions, 2,000 of the shortest."""


class _Addition(NamedTuple):
    """What an action adds to the record."""

    seat: int | None
    """Whose turn begins with it; None where none does."""
    entry: str
    comment: str | None
    result: dict[str, Any] | None


class Session:
    """A game that is being played and recorded.

    `keep` is called after every action, once it was judged legal and logged, and may take the whole canonical text of
    the replay (`text`); a refused action leaves no trace. If `keep` raises `OSError`, the game goes on in memory and
    `failure` holds the error of the last attempt.
    """

    def __init__(self, replay: Replay, game: Game, keep: Callable[[Session], None] | None = None) -> None:
        self.replay = replay
        self.game = game
        self.keep = keep
        self.failure: OSError | None = None
        self.finished: datetime | None = None
        """When the game ended, where that is known beforehand (a script says it); else the clock is asked."""
        self._head: str | None = None
        self._turn_texts: list[str] = []  # of the turns that have ended: they never change again
        self._throw = partial(dice.throw, replay.seed)
        self._size = len(self.text().encode())

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
        keep: Callable[[Session], None] | None = None,
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
    def resume(cls, replay: Replay, keep: Callable[[Session], None] | None = None) -> Session:
        """Go on with an unfinished game exactly where it stopped, after verifying it.

        Raises `NotResumableError` with the verdict where it is finished or does not verify so far, and
        `InvalidClockError`.
        """
        clock.now()  # as in `begin`
        game = replay.beginning()
        verdict = verdict_on(replay, game)
        if verdict.status != "unfinished":
            raise NotResumableError(verdict)
        return cls(replay, game, keep)

    def seat_bot(self, seat: int, bot: str) -> None:
        """Note that from now on a bot sits in a seat: a level, or `program`."""
        self.replay.players[seat - 1].bot = bot
        self._head = None
        self._size = len(self.text().encode())

    def try_out(self, action: str) -> Outcome:
        """Return what an action would lead to, on a copy: the game and its record stay as they are."""
        return self.game.copy().apply(action, self._throw)

    @property
    def is_nearly_full(self) -> bool:
        """Whether the record comes near to the size at which every action is refused."""
        return self._size > LARGEST - NEARLY

    def do(self, action: str, comment: str | None = None) -> Outcome:
        """Execute one action, log it and keep the record; return what happened.

        A `comment` is added to the turn the action belongs to, on a line of its own where the turn has one already.

        Raises `IllegalActionError` where the rules refuse it, `FullRecordError` where there is no room for it; then
        nothing is logged.
        """
        margin = MARGIN + (0 if comment is None else 2 * len(comment.encode()))
        if self._size + margin > LARGEST:
            self._check_room(self._execute(self.game.copy(), action, comment)[1])
        outcome, addition = self._execute(self.game, action, comment)
        self._size += self._size_of(addition)
        self._log(addition)
        self.store()
        return outcome

    def _execute(self, game: Game, action: str, comment: str | None) -> tuple[Outcome, _Addition]:
        """Execute an action in a game; return what happened, and what is to be logged."""
        seat = None if game.in_turn else game.seat
        outcome = game.apply(action, self._throw)
        answer = " -> " + dice.written(outcome.dice) if outcome.dice else ""
        result = {"finished": self.finished or clock.now(), **game.result()} if game.over else None
        return outcome, _Addition(seat, action + answer, comment, result)

    def _check_room(self, addition: _Addition) -> None:
        if self._size + self._size_of(addition) > LARGEST:
            raise FullRecordError

    def _size_of(self, addition: _Addition) -> int:
        """Return by how many bytes it makes the record larger."""
        seat, entry, comment, result = addition
        if seat is not None:
            size = len(turn_text(Turn(seat, [entry], comment)).encode())
        else:
            size = len(entry_text(entry)) + self._size_of_comment(comment)
        return size + (len(result_text(result)) if result is not None else 0)

    def _size_of_comment(self, comment: str | None) -> int:
        if comment is None:
            return 0
        size = len(comment_text(comment).encode())
        return size if self.replay.turns[-1].comment is None else size - len(comment_text("")) + len(r"\n")

    def _log(self, addition: _Addition) -> None:
        seat, entry, comment, result = addition
        if seat is not None:
            self.replay.turns.append(Turn(seat))
        turn = self.replay.turns[-1]
        turn.log.append(entry)
        if comment is not None:
            turn.comment = comment if turn.comment is None else f"{turn.comment}\n{comment}"
        if result is not None:
            self.replay.result = result

    def store(self) -> None:
        """Have the record kept, and note whether that failed. There is nothing to keep before the first action."""
        if self.keep is None or not self.replay.turns:
            return
        try:
            self.keep(self)
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
