"""A script: a replay with holes, played action by action (replay.md, A script is a replay with holes)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cubiri_cli.games import dice
from cubiri_cli.games.game import IllegalActionError
from cubiri_cli.games.problem import Problem, ProblemError
from cubiri_cli.replays.form import is_time, replay_of
from cubiri_cli.replays.reading import parse
from cubiri_cli.replays.replay import MalformedReplayError, place

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cubiri_cli.games.game import Game
    from cubiri_cli.replays.replay import Replay
    from cubiri_cli.replays.session import Session


class ScriptStoppedError(ProblemError):
    """An action of a script that is refused, or dice in it that are not those thrown.

    The place is the turn and entry of the script; `legal` lists what would have been legal.
    """

    def __init__(self, problem: Problem, legal: list[str]) -> None:
        super().__init__(problem)
        self.legal = legal


def read_script(data: bytes, given: Mapping[str, Any] | None = None) -> Replay:
    """Return a script as the replay that it is, with its holes. `given` fills in what the script leaves out.

    Raises `UnreadableReplayError`, `MalformedReplayError` or `UnsupportedReplayError`.
    """
    script = replay_of({**(given or {}), **parse(data)}, holes=True)
    if not any(turn.log for turn in script.turns):
        raise MalformedReplayError("turns", "no-turns")
    return script


def play_script(session: Session, script: Replay, play_others: Callable[[], None] = lambda: None) -> None:
    """Play the actions of a script in a session that has just begun.

    Only the order of the actions counts: turns may be merged or left open. What the script does say is held against the
    game: dice, and whose turn a `[[turns]]` table begins with. `play_others` is called before each action and at the
    end: somebody whose moves the script does not hold may be on turn.

    Raises `ScriptStoppedError` at the first action that is refused; what was played up to there stays in the session.
    """
    claims = script.result or {}
    if is_time(claims.get("finished")):
        session.finished = claims["finished"]
    comments: list[str] = []  # waiting for the next action: a turn without any leaves them to the one after it
    for number, turn in enumerate(script.turns, 1):
        comments += [] if turn.comment is None else [turn.comment]
        for index, entry in enumerate(turn.log, 1):
            try:
                play_others()
                if index == 1:
                    _check_player(session.game, turn.player)
                _check_answer(session, entry)
                session.do(entry.partition(" -> ")[0], "\n".join(comments) if comments else None)
                comments = []
            except (IllegalActionError, _ContradictedError) as error:
                problem = error.problem._replace(where=place(number, index))
                raise ScriptStoppedError(problem, session.game.legal_actions()) from None
    play_others()


def wrong_claims(session: Session, script: Replay) -> list[Problem]:
    """Return what is wrong with the claims of a script's `[result]`: those that the game played contradicts."""
    actual = session.replay.result
    return [
        Problem("claim", {"found": claimed, "expected": actual.get(name)}, f"result.{name}")
        for name, claimed in (script.result or {}).items()
        if actual is not None and claimed != actual.get(name)
    ]


class _ContradictedError(ProblemError):
    """A script that says something else than the game: whose turn it is, which dice fall."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(Problem(code, details))


def _check_player(game: Game, player: int) -> None:
    if player and not game.over and player != game.seat:
        raise _ContradictedError("not-your-turn", player=player, expected=game.seat)


def _check_answer(session: Session, entry: str) -> None:
    """Check the dice a script records for an entry, on a copy, so that a contradicted roll is not played."""
    action, arrow, answer = entry.partition(" -> ")
    if not arrow:
        return
    thrown = dice.written(session.try_out(action).dice)
    if answer != thrown:
        raise _ContradictedError("wrong-dice", found=answer, expected=thrown or "-")
