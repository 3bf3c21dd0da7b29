"""Locks: a game is gone on with by one process at a time.

A lock is one byte of one file, locked by the operating system: it ends with the process, however that ends, and leaves
nothing behind that could be stale. The byte is found from the path; the file is `lock` in the home folder, for games
that are kept there, else one in the folder for temporary files, so that nothing appears beside `--output`.
"""

from __future__ import annotations

import os
import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from cubiri_cli.store.home import home

if TYPE_CHECKING:
    from typing import Self

try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    def _lock_byte(handle: int, offset: int) -> None:
        os.lseek(handle, offset, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]

    def _unlock_byte(handle: int, offset: int) -> None:
        os.lseek(handle, offset, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined, unused-ignore]
else:

    def _lock_byte(handle: int, offset: int) -> None:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, offset)

    def _unlock_byte(handle: int, offset: int) -> None:
        fcntl.lockf(handle, fcntl.LOCK_UN, 1, offset)


class InUseError(ValueError):
    """A file that another process is using: a game that is being played in another terminal. `path` names it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path


# POSIX drops all locks of a process on a file once *any* handle on it is closed: so one handle a file, never closed.
_handles: dict[Path, int] = {}
_held: set[tuple[int, int]] = set()


class Lock:
    """The right to write a file, until `release` or the end of the process. Also a context manager.

    Where the system cannot lock at all (no folder to put the lock into, a file system without locks), the right is
    given to everybody: a game is never stopped for want of a lock.
    """

    def __init__(self, path: Path, wait: float = 0) -> None:
        """Take the lock of `path`, waiting at most so many seconds for it. Raises `InUseError`."""
        real = os.path.realpath(path)
        # Windows counts the offset in 31 bits.
        offset = int.from_bytes(sha256(os.fsencode(real)).digest()[:4]) & 0x7FFFFFFF
        self._place: tuple[int, int] | None = None
        handle = _handle_for(Path(real))
        if handle is None:
            return
        deadline = time.monotonic() + wait
        while not _try_lock(handle, offset):
            if time.monotonic() >= deadline:
                raise InUseError(path)
            time.sleep(0.02)
        self._place = (handle, offset)
        _held.add(self._place)

    def release(self) -> None:
        """Let others have it. Doing so twice does no harm."""
        if self._place is None:
            return
        _held.discard(self._place)
        handle, offset = self._place
        self._place = None
        try:
            _unlock_byte(handle, offset)
        except OSError:
            return  # it ends with the process

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _try_lock(handle: int, offset: int) -> bool:
    """Try to lock a byte; tell whether nobody else has it."""
    if (handle, offset) in _held:  # by this process, which the system would let in once more
        return False
    try:
        _lock_byte(handle, offset)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:  # it cannot lock at all
        pass
    return True


def _handle_for(path: Path) -> int | None:
    """Return the handle of the file that holds the lock of `path`; None where there can be none."""
    for file in _lock_files(path):
        if file in _handles:
            return _handles[file]
        try:
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
            _handles[file] = os.open(file, flags, 0o600)
        except OSError:
            continue
        return _handles[file]
    return None


def _lock_files(path: Path) -> list[Path]:
    """Return where the lock of `path` may be kept, the best place first."""
    found = []
    try:
        folder = Path(os.path.realpath(home()))
        if path.is_relative_to(folder):
            found.append(folder / "lock")
    except OSError:
        pass
    # Not tempfile.gettempdir(): it writes a file to try the folder, and may look into the current one.
    temporary = next((os.environ[name] for name in ("TMPDIR", "TEMP", "TMP") if os.environ.get(name)), "/tmp")
    user = os.getuid() if hasattr(os, "getuid") else 0
    return [*found, Path(temporary, f"cubiri-{user}.lock")]
