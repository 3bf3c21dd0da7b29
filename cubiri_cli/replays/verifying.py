"""Verifying a replay: trust nothing, recompute everything, name the first thing that is wrong and where.

>>> verify(b"not a replay").status
'malformed'
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.games import dice
from cubiri_cli.games.game import IllegalActionError
from cubiri_cli.replays.form import check
from cubiri_cli.replays.reading import from_document, parse, read_bytes
from cubiri_cli.replays.replay import (
    MalformedReplayError,
    Problem,
    ReplayError,
    UnreadableReplayError,
    UnsupportedReplayError,
    place,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from cubiri_cli.games.game import Game, Outcome
    from cubiri_cli.replays.replay import Replay

    Watch = Callable[[int, int, Outcome], None]


class Verdict(NamedTuple):
    """What verification found (cli.md).

    `status` is `verified`, `mismatch`, `dice`, `illegal`, `unfinished`, `unsupported`, `malformed` or `unreadable`, and
    where more is asked also `unwanted` (see `requirements`). `where` names the first bad place (`turn 3, entry 2`,
    `result.score`), `problem` says what is wrong. `result` is the recomputed one; None where the game did not end.
    """

    status: str
    where: str | None = None
    problem: Problem | None = None
    game: str | None = None
    options: dict[str, Any] | None = None
    seed: str | None = None
    players: list[str] | None = None
    result: dict[str, Any] | None = None
    rules: int | None = None


_STATUS: dict[type[ReplayError], str] = {
    MalformedReplayError: "malformed",
    UnsupportedReplayError: "unsupported",
    UnreadableReplayError: "unreadable",
}


class WrongReplayError(ValueError):
    """The first thing that is wrong with a replay of the right form: the status it earns, the place, what is wrong."""

    def __init__(self, status: str, where: str, code: str, **details: object) -> None:
        super().__init__(status, where)
        self.status = status
        self.where = where
        self.problem = Problem(code, details)


def verify_file(path: str | os.PathLike[str]) -> Verdict:
    """Return the verdict on a file. Never raises for anything the file is or holds."""
    try:
        data = read_bytes(path)
    except UnreadableReplayError as error:
        return Verdict("unreadable", error.where, error.problem)
    return verify(data)


def verify(data: bytes) -> Verdict:
    """Return the verdict on the bytes of a file. Malformed and unsupported are judged before anything is simulated."""
    try:
        document = parse(data)
        game = check(document)
    except ReplayError as error:
        return Verdict(_STATUS[type(error)], error.where, error.problem)
    return verify_document(document, game.start(document["options"], len(document["players"])))


def read_verified(data: bytes) -> tuple[Replay, Verdict]:
    """Return the replay in the bytes of a file, and the verdict on it.

    Raises `UnreadableReplayError`, `MalformedReplayError` or `UnsupportedReplayError`, as `reading.read`.
    """
    document = parse(data)
    game = check(document).start(document["options"], len(document["players"]))
    return from_document(document), verify_document(document, game)


def verify_document(document: Mapping[str, Any], game: Game) -> Verdict:
    """Return the verdict on a document whose form was checked: its dice, actions and claims.

    `game` is a new game with the document's options and seats; it is then as the last right entry leaves it.
    """
    names = [player["name"] for player in document["players"]]
    about = {
        "game": document["game"],
        "rules": document["rules"],
        "options": document["options"],
        "seed": document["seed"],
        "players": names,
    }
    try:
        simulate(game, document["turns"], document["seed"])
    except WrongReplayError as wrong:
        return Verdict(wrong.status, wrong.where, wrong.problem, **about)
    claims = document.get("result")
    if not game.over:
        if claims is None:
            return Verdict("unfinished", None, Problem("unfinished", {}), **about)
        return Verdict("mismatch", "result", Problem("claim-too-early", {}), **about)
    result = game.result()
    if claims is None:
        return Verdict("mismatch", "result", Problem("claim-missing", {}), **about, result=result)
    for name, value in result.items():
        if claims[name] != value:
            problem = Problem("claim", {"found": claims[name], "expected": value})
            return Verdict("mismatch", f"result.{name}", problem, **about, result=result)
    return Verdict("verified", **about, result=result)


def simulate(game: Game, turns: list[Mapping[str, Any]], seed: str, watch: Watch | None = None) -> None:
    """Play the turns of a document of the right form on a new game, which is then as the last entry leaves it.

    `watch` is told of every entry that is right: its turn, its number in it, and what it led to.

    Raises `WrongReplayError` at the first turn or entry that is wrong, in file order.
    """
    throw = partial(dice.fast_throw, seed)
    moves = game.moves()
    for number, turn in enumerate(turns, 1):
        _begin_turn(game, number, turn["player"])
        for index, entry in enumerate(turn["log"], 1):
            if index > 1 and not game.in_turn:
                code = "game-over" if game.over else "turn-ended"
                raise WrongReplayError("illegal", place(number, index), code)
            # Not `game.apply`, which would look again at what is known here: that there is such an action and the game
            # is not over. It would take a seventeenth of the time.
            move, answer = moves.get(entry), ""
            if move is None:
                action, _, answer = entry.partition(" -> ")
                move = moves[action]
            try:
                outcome = move.execute(game, throw, *move.arguments)
            except IllegalActionError as error:
                raise WrongReplayError("illegal", place(number, index), error.reason, **error.details) from None
            if answer:
                expected = dice.written(outcome.dice)
                if answer != expected:
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
