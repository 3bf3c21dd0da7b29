"""What makes a game an entry of the leaderboard (contract, cli.md: Ranking): it verifies, is finished, has no bot."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli import games
from cubiri_cli.replays.folders import read_found, replays_of
from cubiri_cli.replays.replay import Problem, ReplayError
from cubiri_cli.replays.verifying import read_verified
from cubiri_cli.store.home import replays_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from cubiri_cli.games.game import Standing


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


class Refusal(NamedTuple):
    """Why a file is no entry: no replay, not verified, not finished, or not to be ranked.

    `where` names the place, or is None; `game` is the game's name, where that is known. `is_honest` tells that nothing
    is wrong with it: it is unfinished, or a bot holds a seat.
    """

    where: str | None
    problem: Problem
    game: str | None = None
    is_honest: bool = False


class Judged(NamedTuple):
    """A file, the bytes that were judged, and what came of them."""

    path: Path
    data: bytes
    outcome: Entry | Refusal


def judge(data: bytes) -> Entry | Refusal:
    """Return the entry that the bytes of a replay make, after verifying it, or why they make none."""
    try:
        replay, verdict = read_verified(data)
    except ReplayError as error:
        return Refusal(error.where, error.problem)
    game = games.load(replay.game, replay.rules)
    if verdict.status != "verified" or verdict.result is None:
        problem = verdict.problem or Problem(verdict.status, {})
        return Refusal(verdict.where, problem, game.NAME, is_honest=verdict.status == "unfinished")
    assert replay.result is not None  # it verified
    if any(player.bot is not None for player in replay.players):
        return Refusal(None, Problem("bot-played", {}), game.NAME, is_honest=True)
    standing = game.standing(verdict.result, len(replay.players)).counting(replay.turns_of_seats())
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


def judge_files(paths: Iterable[Path]) -> Iterator[Judged]:
    """Yield what comes of files, and of those in folders (`*.toml`, recursively, sorted by path). Each is read once."""
    for path, folder in replays_of(map(str, paths)):
        try:
            data = read_found(path, folder)
        except ReplayError as error:
            yield Judged(Path(path), b"", Refusal(error.where, error.problem))
        else:
            yield Judged(Path(path), data, judge(data))


def judge_home() -> Iterator[Judged]:
    """Yield what comes of the replays in the home folder. Raises `OSError` where there is none."""
    if replays_folder().is_dir():
        yield from judge_files([replays_folder()])
