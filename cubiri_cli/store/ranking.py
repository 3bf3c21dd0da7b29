"""What makes a game an entry of the leaderboard (contract, cli.md: Ranking): it verifies, is finished, has no bot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cubiri_cli import games
from cubiri_cli.replays.folders import read_found
from cubiri_cli.replays.replay import Problem, ReplayError
from cubiri_cli.replays.verifying import read_verified

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from cubiri_cli.games.game import Standing


class NotRankedError(ValueError):
    """A file that cannot be an entry: no replay, not verified, not finished, or not to be ranked.

    `where` names the place, or is None; `problem` says why; `game` is the game's name, where that is known.
    `is_honest` tells that nothing is wrong with it: it is unfinished, or a bot holds a seat.
    """

    def __init__(self, where: str | None, problem: Problem, game: str | None = None, is_honest: bool = False) -> None:
        super().__init__(where, problem)
        self.where = where
        self.problem = problem
        self.game = game
        self.is_honest = is_honest


@dataclass(frozen=True)
class Entry:
    """One ranked game: the result of `standing.seat`, whose name is `player`."""

    digest: str
    game: str
    options: Mapping[str, Any]
    player: str
    seed: str
    date: datetime
    """When the game ended, as its record says."""
    seats: int
    rules: int
    assisted: bool
    """Whether a player asked for a hint."""
    standing: Standing


def entry_of(data: bytes) -> Entry:
    """Return the entry that the bytes of a replay make, after verifying it. Raises `NotRankedError`."""
    try:
        replay, verdict = read_verified(data)
    except ReplayError as error:
        raise NotRankedError(error.where, error.problem) from None
    game = games.load(replay.game, replay.rules)
    if verdict.status != "verified" or verdict.result is None:
        problem = verdict.problem or Problem(verdict.status, {})
        raise NotRankedError(verdict.where, problem, game.NAME, is_honest=verdict.status == "unfinished")
    assert replay.result is not None  # it verified
    if any(player.bot is not None for player in replay.players):
        raise NotRankedError(None, Problem("bot-played", {}), game.NAME, is_honest=True)
    standing = game.standing(verdict.result, len(replay.players))
    return Entry(
        digest=replay.digest,
        game=replay.game,
        options=game.check_options(replay.options),  # in the game's order, however the file has them
        player=replay.players[standing.seat - 1].name,
        seed=replay.seed,
        date=replay.result["finished"],
        seats=len(replay.players),
        rules=replay.rules,
        assisted=any(entry == "hint" for turn in replay.turns for entry in turn.log),
        standing=standing,
    )


def entry_of_file(path: str, folder: str | None = None) -> Entry:
    """Return the entry that a file makes, one found in `folder` where that is given; nothing outside it is read.

    Raises `NotRankedError`, also where it cannot be read.
    """
    try:
        return entry_of(read_found(path, folder))
    except ReplayError as error:
        raise NotRankedError(error.where, error.problem) from None
