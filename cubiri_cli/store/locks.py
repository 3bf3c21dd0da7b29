"""Locks: a game is gone on with by one process at a time.

A lock is one byte of one file, locked by the operating system: it ends with the process, however that ends, and leaves
nothing behind that could be stale. The byte is found from the path; the file is `lock` in the home folder, for games
that are kept there, else one in the folder for temporary files, so that nothing appears beside `--output`. A file that
another user made, or can open, is not used: who holds its locks could keep anybody from playing.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from cubiri_cli.games.problem import Problem, ProblemError
from cubiri_cli.store.home import home

if TYPE_CHECKING:
    from typing import Self

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
try:
    import msvcrt
except ImportError:
    msvcrt = None  # type: ignore[assignment]

CAN_LOCK = fcntl is not None or msvcrt is not None
"""Whether this Python has locks at all. Where it has none, two programs can play the same game at once."""

PATIENCE = 2.0
"""How many seconds a lock is waited for, unless Ctrl-C comes before."""

_FAR = 0x7FFFFFFF
"""The last byte that can be locked everywhere, beyond the end of any file here: Windows counts in 31 bits."""

_PROBED = _FAR - 1
"""A byte that nobody holds, to find out whether there are locks."""


def try_lock(handle: int, offset: int = _FAR) -> bool | None:
    """Lock one byte of an open file, which need not be there, for this process.

    Return False where another process has it, None where this system or file system has no locks.
    """
    if fcntl is None:
        return _try_lock_on_windows(handle, offset) if msvcrt is not None else None
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, offset)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return None
    return True


def _try_lock_on_windows(handle: int, offset: int) -> bool | None:
    try:
        _seek_and(handle, offset, msvcrt.LK_NBLCK)  # type: ignore[attr-defined, unused-ignore]
    except OSError:  # for whatever reason: its number is not to be trusted under Wine
        another = int.from_bytes(os.urandom(3))
        try:
            _seek_and(handle, another, msvcrt.LK_NBLCK)  # type: ignore[attr-defined, unused-ignore]
            _seek_and(handle, another, msvcrt.LK_UNLCK)  # type: ignore[attr-defined, unused-ignore]
        except OSError:
            return None
        return False
    return True


def _unlock(handle: int, offset: int) -> None:
    if fcntl is not None:
        fcntl.lockf(handle, fcntl.LOCK_UN, 1, offset)
    elif msvcrt is not None:
        _seek_and(handle, offset, msvcrt.LK_UNLCK)  # type: ignore[attr-defined, unused-ignore]


def _seek_and(handle: int, offset: int, what: int) -> None:
    os.lseek(handle, offset, os.SEEK_SET)
    try:
        msvcrt.locking(handle, what, 1)  # type: ignore[attr-defined, unused-ignore]
    finally:
        os.lseek(handle, 0, os.SEEK_SET)


class InUseError(ProblemError):
    """A file that another process is using: `path`."""

    def __init__(self, code: str, path: Path) -> None:
        super().__init__(Problem(code))
        self.path = path


# POSIX drops all locks of a process on a file once *any* handle on it is closed: so one handle a file, never closed.
_handles: dict[Path, int] = {}
_held: set[tuple[int, int]] = set()


class Lock:
    """The right to write a file, until `release` or the end of the process. Also a context manager.

    Where the system cannot lock at all (no folder to put the lock into, a file system without locks), the right is
    given to everybody: a game is never stopped for want of a lock.
    """

    def __init__(self, path: Path, wait: float = 0, code: str = "being-played") -> None:
        """Take the lock of `path`, waiting at most so many seconds for it.

        Raises `InUseError`: `code` says what another process does with the file then, a game unless told otherwise.
        """
        real = os.path.realpath(path)
        offset = int.from_bytes(sha256(os.fsencode(real)).digest()[:4]) & _FAR
        self._place: tuple[int, int] | None = None
        handle = _handle_for(Path(real))
        if handle is None:
            return
        deadline = time.monotonic() + wait
        # In this process a byte would be locked once more; where there are no locks, everybody may.
        while (handle, offset) in _held or try_lock(handle, offset) is False:
            if time.monotonic() >= deadline:
                raise InUseError(code, path)
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
            _unlock(handle, offset)
        except OSError:
            return  # it ends with the process

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def has_locks(path: Path) -> bool:
    """Tell whether files can be locked at all where the lock of `path` is kept."""
    handle = _handle_for(Path(os.path.realpath(path)))
    if handle is None or not CAN_LOCK:
        return True  # there is no telling
    taken = try_lock(handle, _PROBED)
    if taken:
        _unlock(handle, _PROBED)
    return taken is not None


def _handle_for(path: Path) -> int | None:
    """Return the handle of the file that holds the lock of `path`; None where there can be none."""
    flags = os.O_RDWR | os.O_CREAT | sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"))
    for file in _lock_files(path):
        if file in _handles:
            return _handles[file]
        try:
            handle = os.open(file, flags, 0o600)
        except OSError:
            continue
        if _is_ours_alone(os.fstat(handle)):
            _handles[file] = handle
            return handle
        os.close(handle)
    return None


def _is_ours_alone(file: os.stat_result) -> bool:
    """Tell whether no other user can open a file, and so hold its locks against us."""
    if not hasattr(os, "getuid"):
        return True
    is_private = file.st_uid == os.getuid() and not file.st_mode & 0o077
    return stat.S_ISREG(file.st_mode) and is_private and file.st_nlink == 1


def _lock_files(path: Path) -> list[Path]:
    """Return where the lock of `path` may be kept, the best place first."""
    found = []
    with contextlib.suppress(OSError):
        folder = Path(os.path.realpath(home()))
        if path.is_relative_to(folder):
            found.append(folder / "lock")
    # Not tempfile.gettempdir(): it writes a file to try the folder, and may look into the current one.
    temporary = next((os.environ[name] for name in ("TMPDIR", "TEMP", "TMP") if os.environ.get(name)), "/tmp")
    user = os.getuid() if hasattr(os, "getuid") else 0
    found.append(Path(temporary, f"cubiri-{user}.lock"))
    # Where somebody else has taken that name. They cannot take these.
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    found += [Path(runtime, "cubiri.lock")] if runtime else []
    with contextlib.suppress(OSError):
        found.append(home() / "lock")
    return found
