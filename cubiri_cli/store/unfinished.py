"""The games at home that have no end: which there are, which can be resumed, and throwing one away."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.replays.history import history
from cubiri_cli.replays.reading import read_bytes
from cubiri_cli.replays.replay import FORMAT, UnreadableReplayError
from cubiri_cli.replays.verifying import verify_file
from cubiri_cli.store.files import sweep, sync_folder
from cubiri_cli.store.home import is_name_of_game, replays_folder
from cubiri_cli.store.locks import InUseError, Lock
from cubiri_cli.store.played import games_played

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from cubiri_cli.games.game import Game
    from cubiri_cli.replays.verifying import Verdict


class Saved(NamedTuple):
    """A game in the home folder that has no end: one that can be resumed, or else the verdict says why it cannot."""

    path: Path
    verdict: Verdict
    date: datetime
    """When it was played last; UTC."""

    @property
    def can_resume(self) -> bool:
        """Whether it is a game that can be resumed, unless another process is playing it."""
        return self.verdict.status == "unfinished"

    def game(self) -> Game:
        """Return the game as its record leaves it; only of one that can be resumed."""
        assert self.verdict.replay is not None
        followed = history(self.verdict.replay)
        return followed.steps[-1].game if followed.steps else followed.beginning


def unfinished() -> Iterator[Saved]:
    """Yield the games in the home folder that have no end, and what is no game any more, the one played last first.

    Each is judged when it is its turn. What killed programs left beside them is swept away.
    """
    with contextlib.suppress(OSError):  # no home
        sweep(replays_folder())
    for played in games_played():
        if not played.is_finished and _may_be_unfinished(played.path):
            verdict = verify_file(played.path)
            if verdict.status != "verified":
                yield Saved(played.path, verdict, played.date)


def resumable() -> Iterator[Saved]:
    """Yield the games in the home folder that can be resumed, the one played last first."""
    return (saved for saved in unfinished() if saved.can_resume)


class ChangedMeanwhileError(ValueError):
    """A game is not any more as the player was shown it: it has been played on."""


def is_played_elsewhere(path: Path) -> bool:
    """Tell whether another process is playing the game in a file just now."""
    try:
        Lock(path).release()
    except InUseError:
        return True
    return False


def throw_away(saved: Saved) -> None:
    """Delete the file of a game without an end, as it was shown to the player. Nobody can bring it back.

    Raises `InUseError` where another process is playing it, `ChangedMeanwhileError` where it is not as it was shown,
    `OSError`, also where it is gone already; else the file stays then.
    """
    with Lock(saved.path):
        if saved.path.exists() and verify_file(saved.path) != saved.verdict:
            raise ChangedMeanwhileError
        saved.path.unlink()
        sync_folder(saved.path.parent)


_MARK = f'format = "{FORMAT}"'.encode()


def _may_be_unfinished(path: Path) -> bool:
    """Tell by its beginning and its end whether a file holds a replay without a result; or by its name, a damaged one.

    What else lies in the folder is nobody's game.
    """
    is_named_so = is_name_of_game(path.name)
    try:
        data = read_bytes(path)
    except UnreadableReplayError:
        return is_named_so and not path.is_dir()
    return (is_named_so or _MARK in data[:4096]) and b"\n[result]" not in data[-4096:]
