"""What makes a game an entry of the leaderboard (contract, cli.md: Ranking): it verifies, is finished, has no bot."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.games.problem import Problem
from cubiri_cli.replays.folders import read_found, replays_of
from cubiri_cli.replays.replay import ReplayError
from cubiri_cli.replays.verifying import refused, verify
from cubiri_cli.store.home import replays_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from cubiri_cli.games.game import Standing
    from cubiri_cli.replays.verifying import Verdict


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

    `game` is the game's name, where that is known. `is_honest` tells that nothing is wrong with it: it is unfinished,
    or a bot holds a seat.
    """

    problem: Problem
    game: str | None = None
    is_honest: bool = False


class Judged(NamedTuple):
    """A file, the bytes that were judged, the verdict on them, and what comes of that."""

    path: Path
    data: bytes
    verdict: Verdict
    outcome: Entry | Refusal


def judge(verdict: Verdict) -> Entry | Refusal:
    """Return the entry that a replay makes, given the verdict on it, or why it makes none."""
    replay = verdict.replay
    if replay is None or verdict.status != "verified":
        assert verdict.problem is not None
        return Refusal(verdict.problem, verdict.game, is_honest=verdict.status == "unfinished")
    assert replay.result is not None  # it verified
    if any(player.bot is not None for player in replay.players):
        return Refusal(Problem("bot-played"), replay.game, is_honest=True)
    standing = verdict.standing
    return Entry(
        digest=replay.digest,
        game=replay.game,
        options=replay.game_class.check_options(replay.options),  # in the game's order, however the file has them
        player=replay.players[standing.seat - 1].name,
        seed=replay.seed,
        date=replay.result["finished"],
        seats=len(replay.players),
        rules=replay.rules,
        assisted=replay.is_assisted,
        standing=standing,
    )


def judge_files(paths: Iterable[Path]) -> Iterator[Judged]:
    """Yield what comes of files, and of those in folders (`*.toml`, recursively, sorted by path). Each is read once."""
    for path, folder in replays_of(map(str, paths)):
        try:
            data = read_found(path, folder)
            verdict = verify(data)
        except ReplayError as error:
            data, verdict = b"", refused(error)
        yield Judged(Path(path), data, verdict, judge(verdict))


def judge_home() -> Iterator[Judged]:
    """Yield what comes of the replays in the home folder. Raises `OSError` where there is none."""
    if replays_folder().is_dir():
        yield from judge_files([replays_folder()])
