"""The games at home: what each was, how far it got and how it ended, as lists, statistics and days want to know it.

Everything is read from the replays and verified. What was found is remembered as long as a file stays as it is, so that
ten thousand games are looked through within a second.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cubiri_cli import __version__, games, store
from cubiri_cli.replays.history import history
from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import ReplayError
from cubiri_cli.store.files import replace
from cubiri_cli.store.home import home, replays_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cubiri_cli.games.game import Standing
    from cubiri_cli.replays.history import Step


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
    digest: str = ""
    """The digest of the game; empty where it is no replay."""
    seed: str = ""
    options: Mapping[str, Any] | None = None
    players: tuple[str, ...] = ()
    bots: tuple[str | None, ...] = ()
    started: float | None = None
    """In seconds since 1970, as the record says."""
    ended: float | None = None
    assisted: bool = False
    """Whether a player asked for a hint."""
    turns: tuple[int, ...] = ()
    """How many turns of each seat were begun."""
    result: Mapping[str, Any] | None = None
    """The recomputed result; None while it is unfinished."""
    counts: tuple[Mapping[str, int], ...] = ()
    """For each seat what the game counts (`Game.counts`); empty while it is unfinished."""
    feats: tuple[Sequence[str], ...] = ()
    """For each seat what was done that not every game has (`Game.feats`); empty while it is unfinished."""

    @property
    def path(self) -> Path:
        """Where the file is. Raises `OSError` where there is no home folder."""
        return replays_folder() / self.name

    @property
    def latest(self) -> float:
        """When it was played last, in seconds since 1970: when the game ended, else when its file was written."""
        return self.changed if self.ended is None else self.ended

    @cached_property
    def date(self) -> datetime:
        """When it was played last; UTC."""
        return datetime.fromtimestamp(self.latest, UTC)

    @property
    def is_finished(self) -> bool:
        """Whether it came to its end and verified."""
        return self.status == "verified"

    @cached_property
    def standing(self) -> Standing:
        """The result as it is ranked; only of a finished game."""
        assert self.result is not None
        return games.load(self.game, self.rules).standing(self.result, len(self.players)).counting(self.turns)


FORMAT = 4
"""The form of what is remembered: another one is forgotten."""

_FIELDS = tuple(one.name for one in fields(Played))
_TUPLES = tuple(_FIELDS.index(name) for name in ("players", "bots", "turns", "counts", "feats"))
"""Which values JSON makes lists of."""


def memory_path() -> Path:
    """Return where it is remembered what was found in the games. Raises `OSError` where there is no home folder."""
    return home() / "played.json"


def games_played() -> list[Played]:
    """Return the games at home, the latest first; none without a folder."""
    known = _recall()
    found, new = {}, {}
    for name, stamp, changed in _files():
        before = known.get(name)
        if before is not None and before[0] == stamp:
            found[name] = before
        else:
            new[name] = stamp, changed
    for name in store.watched(list(new)):
        stamp, changed = new[name]
        found[name] = stamp, _read(name, changed)
    if new or len(found) != len(known):
        _remember(found)
    return sorted((one for _stamp, one in found.values()), key=lambda one: (one.latest, one.name), reverse=True)


def _recall() -> dict[str, tuple[str, Played]]:
    """Return what is remembered of each file: how it looked from outside when it was read, and what was found."""
    try:
        data = json.loads(memory_path().read_bytes())
        if data["format"] == FORMAT and data["program"] == __version__:
            return {name: (stamp, _restored(values)) for name, stamp, values in data["games"]}
    except (OSError, ValueError, TypeError, KeyError, IndexError):
        pass  # nothing yet, or nothing that helps: it is found out again
    return {}


def _restored(values: list[Any]) -> Played:
    """Return what was found, from its values in their order. Raises `TypeError` or `IndexError` for other forms."""
    for at in _TUPLES:
        values[at] = tuple(values[at])
    return Played(*values)


def _remember(found: Mapping[str, tuple[str, Played]]) -> None:
    games = [[name, stamp, [getattr(one, field) for field in _FIELDS]] for name, (stamp, one) in found.items()]
    data = {"format": FORMAT, "program": __version__, "games": games}
    with contextlib.suppress(OSError):  # a disk that says no costs time, nothing else
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        replace(memory_path(), text.encode("utf-8"), sync=False, patience=0)


def with_digest(beginning: str) -> list[Path]:
    """Return the games at home whose digest begins so, the latest first."""
    return [one.path for one in games_played() if one.digest.startswith(beginning.lower())]


def _files() -> Iterator[tuple[str, str, float]]:
    """Yield of the files that may be games the name, what another content would change, and when it was written."""
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
                yield entry.name, f"{about.st_size}-{about.st_mtime_ns}-{about.st_ctime_ns}", about.st_mtime


def _read(name: str, changed: float) -> Played:
    try:
        replay, verdict, _beginning, steps = history(read_file(replays_folder() / name))
    except ReplayError as error:
        return Played(name, error.status, changed)
    counts: tuple[Mapping[str, int], ...] = ()
    feats: tuple[Sequence[str], ...] = ()
    if verdict.result is not None:
        events = [event for step in steps for event in step.outcome.events]
        seats = range(1, len(replay.players) + 1)
        counts = tuple(replay.game_class.counts(verdict.result, seat, events) for seat in seats)
        feats = tuple(_feats(seat, steps) for seat in seats)
    return Played(
        name,
        verdict.status,
        changed,
        replay.game,
        replay.rules,
        replay.digest,
        replay.seed,
        replay.options,
        tuple(player.name for player in replay.players),
        tuple(player.bot for player in replay.players),
        replay.started.timestamp() if replay.started else None,
        replay.result["finished"].timestamp() if replay.result else None,
        replay.is_assisted,
        replay.turns_of_seats(),
        verdict.result,
        counts,
        feats,
    )


def _feats(seat: int, steps: Sequence[Step]) -> tuple[str, ...]:
    return steps[-1].game.feats([step.outcome for step in steps if step.seat == seat])
