"""The games at home: what each was, how far it got and how it ended, as lists, statistics and days want to know it.

Everything is read from the replays and verified. What was found is remembered as long as a file stays as it is, so that
ten thousand games are looked through within a second.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cubiri_cli import games
from cubiri_cli.replays.history import history
from cubiri_cli.replays.reading import read_bytes
from cubiri_cli.replays.replay import ReplayError, UnreadableReplayError
from cubiri_cli.replays.verifying import read_verified, verify
from cubiri_cli.store.home import replays_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cubiri_cli.games.game import Standing


@dataclass(frozen=True)
class Played:
    """A game in a file: `verified` where it is finished and right, `unfinished`, or another verdict's status.

    Of a file that is no replay only `name`, `status` and `changed` are known.
    """

    name: str
    """The file's name in the folder of games."""
    status: str
    changed: float
    """When the file was written last, in seconds since 1970."""
    game: str = ""
    rules: int = 1
    seed: str = ""
    options: Mapping[str, Any] | None = None
    players: tuple[str, ...] = ()
    bots: tuple[str | None, ...] = ()
    started: float | None = None
    """In seconds since 1970, as the record says."""
    ended: float | None = None
    assisted: bool = False
    """Whether a player asked for a hint."""
    turns: int = 0
    """How many turns were begun, of all players."""
    result: Mapping[str, Any] | None = None
    """The recomputed result; None while it is unfinished."""
    counts: tuple[Mapping[str, int], ...] = ()
    """For each seat what the game counts (`Game.counts`); empty while it is unfinished."""

    @property
    def path(self) -> Path:
        """Where the file is. Raises `OSError` where there is no home folder."""
        return replays_folder() / self.name

    @property
    def date(self) -> datetime:
        """When the game ended, else when it began, else when the file was written; UTC."""
        moment = next(one for one in (self.ended, self.started, self.changed) if one is not None)
        return datetime.fromtimestamp(moment, UTC)

    @property
    def is_finished(self) -> bool:
        """Whether it came to its end and verified."""
        return self.status == "verified"

    def standing(self) -> Standing:
        """Return the result as it is ranked; only of a finished game."""
        assert self.result is not None
        return games.load(self.game, self.rules).standing(self.result, len(self.players))


class Known(NamedTuple):
    """What is remembered of a file: its size and time when it was read, and what was found."""

    size: int
    changed: int
    found: str


class Memory(Protocol):
    """What remembers the games that were read before."""

    def known(self) -> Mapping[str, Known]:
        """Return what is remembered, by the file's name."""

    def remember(self, fresh: Mapping[str, Known], gone: Iterable[str]) -> None:
        """Remember what was read now, and forget the files that are gone. Never raises for what the disk says."""


def games_played(memory: Memory | None = None) -> list[Played]:
    """Return the games at home, the latest first; none without a folder."""
    known = memory.known() if memory is not None else {}
    found: list[Played] = []
    fresh: dict[str, Known] = {}
    there: set[str] = set()
    for name, size, changed in _files():
        there.add(name)
        before = known.get(name)
        if before is None or (before.size, before.changed) != (size, changed):
            one = _read(name, changed / 1e9)
            fresh[name] = Known(size, changed, json.dumps(asdict(one), ensure_ascii=False))
        else:
            one = _remembered(before.found)
        found.append(one)
    gone = known.keys() - there
    if memory is not None and (fresh or gone):
        memory.remember(fresh, gone)
    return sorted(found, key=lambda one: (one.date, one.name), reverse=True)


def _files() -> Iterator[tuple[str, int, int]]:
    """Yield name, size and time (nanoseconds) of the files that may be games."""
    try:
        entries = os.scandir(replays_folder())
    except OSError:
        return
    with entries:
        for entry in entries:
            if entry.name.lower().endswith(".toml") and not entry.name.startswith("."):
                try:
                    about = entry.stat()
                except OSError:  # gone meanwhile
                    continue
                yield entry.name, about.st_size, about.st_mtime_ns


def _read(name: str, changed: float) -> Played:
    try:
        data = read_bytes(replays_folder() / name)
    except UnreadableReplayError:
        return Played(name, "unreadable", changed)
    try:
        replay, verdict = read_verified(data)
    except ReplayError:
        return Played(name, verify(data).status, changed)
    counts: tuple[Mapping[str, int], ...] = ()
    if verdict.result is not None:
        events = [event for step in history(replay) for event in step.outcome.events]
        game = games.load(replay.game, replay.rules)
        counts = tuple(game.counts(verdict.result, seat, events) for seat in range(1, len(replay.players) + 1))
    return Played(
        name,
        verdict.status,
        changed,
        replay.game,
        replay.rules,
        replay.seed,
        replay.options,
        tuple(player.name for player in replay.players),
        tuple(player.bot for player in replay.players),
        replay.started.timestamp() if replay.started else None,
        replay.result["finished"].timestamp() if replay.result else None,
        any(entry == "hint" for turn in replay.turns for entry in turn.log),
        len(replay.turns),
        verdict.result,
        counts,
    )


def _remembered(text: str) -> Played:
    data = json.loads(text)
    lists = {name: tuple(data[name]) for name in ("players", "bots", "counts")}
    return Played(**{**data, **lists})
