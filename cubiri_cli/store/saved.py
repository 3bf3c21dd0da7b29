"""Games on disk: the file of a game in progress is a valid replay after every action, and can be gone on with."""

from __future__ import annotations

import contextlib
import errno
import glob
import os
from pathlib import Path
from typing import TYPE_CHECKING

from cubiri_cli.replays.reading import read, read_bytes
from cubiri_cli.replays.replay import FORMAT, ReplayError
from cubiri_cli.replays.session import Session
from cubiri_cli.replays.writing import save
from cubiri_cli.store.home import game_paths, in_replays_folder, recent, replays_folder
from cubiri_cli.store.locks import InUseError, Lock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cubiri_cli.replays.replay import Replay


class Keeper:
    """Keeps the file of a session: `path` once there is one, in the home folder or where `output` says.

    `sync` waits for the disk after every action, so that even a power cut loses at most the action in flight: for a
    person's game. Without it only `finish` does: a script can be played again, and syncs its end.

    While a game is kept, no other process can go on with it. Raises `InUseError` where one is at `output`.
    """

    def __init__(
        self, session: Session, output: Path | None = None, sync: bool = True, lock: Lock | None = None
    ) -> None:
        self.session = session
        self.path = output
        self.sync = sync
        self.at_home = output is None
        """Whether the game is one of those in the home folder, which are ranked by themselves."""
        self._lock = Lock(output) if lock is None and output is not None else lock
        session.keep = self._keep

    def _keep(self, text: str) -> None:
        if self.path is None:
            self.path, self._lock = take_path(self.session.replay)
        # A link stays a link: what it points to is written.
        save(Path(os.path.realpath(self.path)), text, self.sync)

    def finish(self) -> None:
        """Store the record once more, now for good, and let others have the game."""
        self.sync = True
        self.session.store()
        self.release()

    def release(self) -> None:
        """Let others have the game."""
        if self._lock is not None:
            self._lock.release()


def take_path(replay: Replay) -> tuple[Path, Lock]:
    """Return where a new game is kept, taken at once, so that two processes never choose the same.

    Raises `OSError` where the folder cannot be made.
    """
    folder = replays_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for path in game_paths(replay):
        try:
            lock = Lock(path)
        except InUseError:
            continue
        if not path.exists():
            return path, lock
        lock.release()
    raise OSError(errno.EEXIST, "no free name in the folder", str(folder))


def go_on(path: Path) -> Keeper:
    """Go on with the unfinished game in a file, exactly where it stopped. The keeper holds its session.

    Raises `InUseError` where another process has it, `UnreadableReplayError`, `MalformedReplayError`,
    `UnsupportedReplayError`, or `NotResumableError` where it is finished or does not verify.
    """
    lock = Lock(path)  # before reading: what is read then stays as it is
    try:
        session = Session.resume(read(read_bytes(path)))
    except ValueError:
        lock.release()
        raise
    _clear_beside(path)
    keeper = Keeper(session, path, lock=lock)
    keeper.at_home = in_replays_folder(path)
    return keeper


def unfinished() -> Iterator[Path]:
    """Yield the games in the home folder that have no result yet, the one played last first.

    Only their beginnings and ends are looked at: whether they can be gone on with is found out by `go_on`.
    """
    return filter(_is_unfinished, recent())


_MARK = f'format = "{FORMAT}"'.encode()


def _is_unfinished(path: Path) -> bool:
    """Tell whether a file holds a replay without a result, by its beginning and its end."""
    try:
        data = read_bytes(path)
    except ReplayError:
        return False
    return _MARK in data[:4096] and b"\n[result]" not in data[-4096:]


def _clear_beside(path: Path) -> None:
    """Remove what a killed program may have left beside a file, half written."""
    with contextlib.suppress(OSError):
        for left in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
            left.unlink()
