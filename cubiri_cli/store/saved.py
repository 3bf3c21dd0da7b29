"""Games on disk: the file of a game in progress is a valid replay after every action, and can be resumed."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from cubiri_cli.replays import clock
from cubiri_cli.replays.reading import read, read_bytes
from cubiri_cli.replays.replay import UnreadableReplayError
from cubiri_cli.replays.session import Session
from cubiri_cli.store import StoreError
from cubiri_cli.store.files import PATIENCE, create, make_folder, replace, sweep
from cubiri_cli.store.home import game_paths, in_replays_folder, replays_folder
from cubiri_cli.store.locks import InUseError, Lock

if TYPE_CHECKING:
    from cubiri_cli.replays.replay import Replay

OFTEN = 0.5
"""How many seconds may pass between two times a script's game is written: playing it must not take the square of its
length (replay.md, Writing, allows one)."""


class Keeper:
    """Keeps the file of a session: `path` once there is one, in the home folder or where `output` says.

    It is written after every action, or where `every` is more than 0, once in so many seconds, and in any case by
    `finish`. It waits for the disk, so that even a power cut leaves what was written last.

    A file that is there already is written over only where `overwrites` says so, or as long as it holds what this game
    has put there: no game is lost to another, be it that locks do not work. A game of the home folder takes another
    name then. While a game is kept, no other process can resume it. Raises `InUseError` where one is at `output`.
    """

    def __init__(
        self,
        session: Session,
        output: Path | None = None,
        *,
        every: float = 0.0,
        overwrites: bool = False,
        lock: Lock | None = None,
    ) -> None:
        self.session = session
        self.path = output
        self.every = every
        self.at_home = output is None
        """Whether the game is one of those in the home folder, which are ranked by themselves."""
        self._overwrites = overwrites
        self._lock = Lock(output) if lock is None and output is not None else lock
        self._kept: bytes | None = None
        """What the file holds, as far as this game knows."""
        self._is_behind = False
        self._written = -self.every
        session.keep = self._keep

    @classmethod
    def resume(cls, path: Path) -> Keeper:
        """Go on with the unfinished game in a file, exactly where it stopped. The keeper holds its session.

        Raises `InUseError` where another process has it, `UnreadableReplayError`, `MalformedReplayError`,
        `UnsupportedReplayError`, or `NotResumableError` where it is finished or does not verify.
        """
        lock = Lock(path)  # before reading: what is read then stays as it is
        try:
            data = read_bytes(path)
            session = Session.resume(read(data))
        except ValueError:
            lock.release()
            raise
        keeper = cls(session, path, lock=lock)
        keeper.at_home = in_replays_folder(path)
        keeper._kept = data
        sweep(keeper._place.parent)
        return keeper

    def finish(self) -> None:
        """Store the record where that is still to be done, and let others have the game."""
        self.every = 0.0
        if self._is_behind or (self._kept is not None and not _holds(self._place, self._kept)):
            self.session.store()
        self.release()

    def release(self) -> None:
        """Let others have the game."""
        if self._lock is not None:
            self._lock.release()

    @property
    def _place(self) -> Path:
        """Where the file really is: a link stays a link, and what it points to is written."""
        assert self.path is not None
        return Path(os.path.realpath(self.path))

    def _keep(self, session: Session) -> None:
        self._is_behind = True
        if time.monotonic() - self._written >= self.every:
            data = session.text().encode()
            # Waiting once for a program that holds the file is enough: not after every action.
            self._write(data, PATIENCE if session.failure is None else 0.0)
            self._kept = data
            self._is_behind = False
            self._written = time.monotonic()
            if clock.is_fixed():  # then it is the clock of the file as well: lists of games go by it
                with contextlib.suppress(OSError, OverflowError):
                    os.utime(self._place, (clock.now().timestamp(),) * 2)

    def _write(self, data: bytes, patience: float) -> None:
        if self.path is None:
            self._take_new(data)
        elif self._kept is None:
            sweep(self._place.parent)
            if self._overwrites:
                replace(self._place, data, patience=patience)
            else:
                create(self.path, data)
        elif not os.path.lexists(self._place):
            create(self._place, data)
        elif _holds(self._place, self._kept):
            replace(self._place, data, patience=patience)
        elif self.at_home:
            self.release()
            self._take_new(data)
        else:
            raise StoreError(errno.EEXIST, "changed-by-others", str(self.path))

    def _take_new(self, data: bytes) -> None:
        sweep(replays_folder())
        self.path, self._lock = keep_new(self.session.replay, data)


def keep_new(replay: Replay, data: bytes, sync: bool = True) -> tuple[Path, Lock]:
    """Make the file of a new game in the home folder, where no other can come, and return its path and its lock.

    Raises `OSError` where that cannot be done.
    """
    folder = replays_folder()
    make_folder(folder)
    for path in game_paths(replay):
        if os.path.lexists(path):
            continue
        try:
            lock = Lock(path)
        except InUseError:
            continue
        try:
            create(path, data, sync)
        except BaseException as error:
            lock.release()
            if isinstance(error, FileExistsError):
                continue
            raise
        return path, lock
    raise StoreError(errno.EEXIST, "no-free-name", str(folder))


def _holds(path: Path, data: bytes) -> bool:
    try:
        return read_bytes(path) == data
    except UnreadableReplayError:
        return False
