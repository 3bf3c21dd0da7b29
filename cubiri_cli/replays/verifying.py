"""Verifying a replay: trust nothing, recompute everything, name the first thing that is wrong and where.

>>> verify(b"not a replay").status
'malformed'
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.games import dice
from cubiri_cli.games.game import IllegalActionError
from cubiri_cli.games.problem import Problem, ProblemError
from cubiri_cli.replays.form import check_entries, replay_of
from cubiri_cli.replays.reading import parse, read_bytes
from cubiri_cli.replays.replay import ReplayError, place

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from cubiri_cli.games.game import Game, Outcome, Standing
    from cubiri_cli.replays.replay import Replay

    Watch = Callable[[int, int, Outcome], None]


class Verdict(NamedTuple):
    """What verification found (cli.md).

    `status` is `verified`, `mismatch`, `dice`, `illegal`, `unfinished`, `unsupported`, `malformed` or `unreadable`, and
    where more is asked also `unwanted` (see `requirements`). `problem` says what is wrong first; None where nothing is.
    `replay` is what was judged; None where it is no replay that this program can judge. `result` is the recomputed one;
    None where the game did not end.
    """

    status: str
    problem: Problem | None = None
    replay: Replay | None = None
    result: dict[str, Any] | None = None

    @property
    def where(self) -> str | None:
        """The first bad place: `turn 3, entry 2`, `result.score`."""
        return None if self.problem is None else self.problem.where

    @property
    def game(self) -> str | None:
        """The name of the game, where it is known."""
        return None if self.replay is None else self.replay.game

    @property
    def options(self) -> dict[str, Any] | None:
        """The options of the game, where they are known."""
        return None if self.replay is None else self.replay.options

    @property
    def seed(self) -> str | None:
        """The seed, where it is known."""
        return None if self.replay is None else self.replay.seed

    @property
    def players(self) -> list[str] | None:
        """The names of the players, where they are known."""
        return None if self.replay is None else [player.name for player in self.replay.players]

    @property
    def standing(self) -> Standing:
        """The result as it is ranked; only of a finished game."""
        assert self.replay is not None
        assert self.result is not None
        standing = self.replay.game_class.standing(self.result, len(self.replay.players))
        return standing.counting(self.replay.turns_of_seats())


class WrongReplayError(ProblemError):
    """The first thing that is wrong with a replay of the right form, and the status it earns."""

    def __init__(self, status: str, where: str, code: str, **details: object) -> None:
        super().__init__(Problem(code, details, where))
        self.status = status


def verify_file(path: str | os.PathLike[str]) -> Verdict:
    """Return the verdict on a file. Never raises for anything the file is or holds."""
    try:
        data = read_bytes(path)
    except ReplayError as error:
        return refused(error)
    return verify(data)


def verify(data: bytes) -> Verdict:
    """Return the verdict on the bytes of a file. Malformed and unsupported are judged before anything is simulated."""
    try:
        # How the entries are spelled shows in the simulation, for a tenth of the time that looking for itself takes.
        replay = replay_of(parse(data), entries=False)
    except ReplayError as error:
        return refused(error)
    return verdict_on(replay, replay.beginning())


def refused(error: ReplayError) -> Verdict:
    """Return the verdict on a file that cannot be taken as a replay."""
    return Verdict(error.status, error.problem)


def verdict_on(replay: Replay, game: Game, watch: Watch | None = None) -> Verdict:
    """Return the verdict on a replay of the right form: its dice, actions and claims.

    `game` is the replay's at its beginning; it is then as the last right entry leaves it. `watch` is told of every
    entry that is right: its turn, its number in it, and what it led to.
    """
    try:
        _simulate(game, replay, watch)
    except WrongReplayError as wrong:
        try:
            check_entries(replay)  # wherever one is misspelled, the whole is no replay
        except ReplayError as error:
            return refused(error)
        return Verdict(wrong.status, wrong.problem, replay)
    claims = replay.result
    if not game.over:
        if claims is None:
            return Verdict("unfinished", Problem("unfinished"), replay)
        return Verdict("mismatch", Problem("claim-too-early", {}, "result"), replay)
    result = game.result()
    if claims is None:
        return Verdict("mismatch", Problem("claim-missing", {}, "result"), replay, result)
    for name, value in result.items():
        if claims[name] != value:
            problem = Problem("claim", {"found": claims[name], "expected": value}, f"result.{name}")
            return Verdict("mismatch", problem, replay, result)
    return Verdict("verified", None, replay, result)


def _simulate(game: Game, replay: Replay, watch: Watch | None) -> None:
    """Play the turns of a replay on a new game, which is then as the last entry leaves it.

    Every entry that is not spelled as those of the game is found to be wrong in some way.

    Raises `WrongReplayError` at the first turn or entry that is wrong, in file order.
    """
    throw = partial(dice.fast_throw, replay.seed)
    silent, throws = game.moves_by_dice()
    for number, turn in enumerate(replay.turns, 1):
        _begin_turn(game, number, turn.player)
        for index, entry in enumerate(turn.log, 1):
            if index > 1 and not game.in_turn:
                code = "game-over" if game.over else "turn-ended"
                raise WrongReplayError("illegal", place(number, index), code)
            # Not `game.apply`, which would look again at what is known here: that the game is not over.
            move, answer = silent.get(entry), None
            if move is None:
                action, _, answer = entry.partition(" -> ")
                move = throws.get(action)
                if move is None:
                    raise WrongReplayError("illegal", place(number, index), "unknown-action", action=action)
            execute, arguments, _throws = move
            try:
                outcome = execute(game, throw, *arguments)
            except IllegalActionError as error:
                code, details, _ = error.problem
                raise WrongReplayError("illegal", place(number, index), code, **details) from None
            if answer is not None:
                expected = dice.written(outcome.dice)
                if answer != expected or not answer:
                    raise WrongReplayError("dice", place(number, index), "wrong-dice", found=answer, expected=expected)
            if watch is not None:
                watch(number, index, outcome)


def _begin_turn(game: Game, number: int, player: int) -> None:
    """Check that a turn of `player` begins here: a `[[turns]]` table begins with each turn and ends with it."""
    if game.over:
        raise WrongReplayError("illegal", place(number, 1), "game-over")
    if game.in_turn:
        raise WrongReplayError("illegal", place(number, 1), "turn-goes-on")
    if player != game.seat:
        raise WrongReplayError("illegal", place(number), "not-your-turn", player=player, expected=game.seat)
