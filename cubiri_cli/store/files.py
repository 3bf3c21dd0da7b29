"""Files that are written whole or not at all, and never over what is not theirs.

A file is written beside its place under a name that nobody can guess or prepare, synced, and moved there. A reader, or
a machine that stops at any moment, finds the old file or the new one. What a killed program leaves beside is swept away
by the next one: it can tell, because who writes a file holds its lock.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING

from cubiri_cli.store import StoreError
from cubiri_cli.store.locks import try_lock

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 1.0
"""How many seconds a file that another program holds open is waited for: Windows moves nothing over it."""

_ATTEMPTS = 3
_STALE = 60.0
"""How many seconds old a file must be that was left beside another, where no lock can tell whether it still grows."""

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_PLAIN = sum(getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NOFOLLOW", "O_NOINHERIT"))

_BESIDE = re.compile(r"\.cubiri-[0-9a-f]{16}\.tmp")
_BESIDE_OF_1_0 = re.compile(r"\..+\.toml\.[0-9]+\.tmp")
"""As version 1.0 named them: not unguessable, and not locked."""

_NO_HARD_LINKS = {errno.EPERM, errno.EACCES, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.EINVAL}
"""What file systems answer that have none."""


def create(path: Path, data: bytes, sync: bool = True) -> None:
    """Make a new file with this content, whole or not at all.

    Raises `FileExistsError` where anything has this name, be it a link that leads nowhere; `OSError`.
    """
    _write(path, data, move_new, sync)


def replace(path: Path, data: bytes, sync: bool = True, patience: float = PATIENCE) -> None:
    """Give a file, new or old, this content, whole or not at all. An old one keeps its permissions and its owner.

    `sync=False` leaves out the waiting for the disk: a killed program loses nothing then, but a power cut may.
    `patience` is for how many seconds a file is waited for that another program holds. Raises `OSError`; the old file
    is then still there.
    """
    _write(path, data, os.replace, sync, patience)


def _write(path: Path, data: bytes, move: Callable[[Path, Path], None], sync: bool, patience: float = PATIENCE) -> None:
    for attempt in itertools.count(1):
        try:
            _write_once(path, data, move, sync, patience)
        except FileNotFoundError:  # swept away by a program that could not see the lock; or the folder is gone
            if attempt == _ATTEMPTS:
                raise
        else:
            break
    if sync:
        sync_folder(path.parent)


def _write_once(path: Path, data: bytes, move: Callable[[Path, Path], None], sync: bool, patience: float) -> None:
    beside = path.with_name(f".cubiri-{os.urandom(8).hex()}.tmp")
    try:
        old = path.stat()
    except OSError:
        old = None
    handle = os.open(beside, _NEW | _PLAIN, 0o666 if old is None else 0o600)
    try:
        try:
            try_lock(handle)
            if old is not None:
                _take_after(handle, old)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(handle, rest) :]
            if sync:
                os.fsync(handle)
        finally:
            os.close(handle)  # Windows moves no open file
        _move_patiently(move, beside, path, patience)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _take_after(handle: int, old: os.stat_result) -> None:
    """Give an open file the owner, as far as that is allowed, and the permissions of another."""
    now = os.fstat(handle)
    if hasattr(os, "fchown") and (now.st_uid, now.st_gid) != (old.st_uid, old.st_gid):
        with contextlib.suppress(OSError):
            os.fchown(handle, old.st_uid, old.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, stat.S_IMODE(old.st_mode))


def _move_patiently(move: Callable[[Path, Path], None], beside: Path, path: Path, patience: float) -> None:
    deadline = time.monotonic() + patience
    while True:
        try:
            return move(beside, path)
        except PermissionError:
            if time.monotonic() < deadline:
                time.sleep(0.05)
            elif os.name == "nt":  # which says so in words of its own, and the same for both
                raise StoreError(errno.EACCES, "not-permitted", str(path)) from None
            else:
                raise


def move_new(old: Path, new: Path) -> None:
    """Give a file another name in its folder. Raises `FileExistsError` where anything has that name; `OSError`."""
    if os.name == "nt":
        old.rename(new)  # which replaces nothing there
        return
    try:
        os.link(old, new, follow_symlinks=False)
    except OSError as error:
        if isinstance(error, FileExistsError) or error.errno not in _NO_HARD_LINKS:
            raise
        _move_onto_claim(old, new)
    else:
        with contextlib.suppress(FileNotFoundError):  # swept away meanwhile
            old.unlink()


def _move_onto_claim(old: Path, new: Path) -> None:
    """Move a file or a folder to a name that was taken for it just before, where it cannot have two names at once."""
    is_folder = stat.S_ISDIR(old.lstat().st_mode)
    if is_folder:
        new.mkdir()
    else:
        os.close(os.open(new, _NEW | _PLAIN, 0o600))
    try:
        old.replace(new)
    except BaseException:
        with contextlib.suppress(OSError):
            new.rmdir() if is_folder else new.unlink()
        raise


def set_aside(path: Path) -> Path:
    """Move a file that cannot be used out of the way, beside itself, and return where it is now. Raises `OSError`."""
    for number in itertools.count(1):
        aside = path.with_name(f"{path.stem}.aside-{number}{path.suffix}")
        with contextlib.suppress(FileExistsError):
            move_new(path, aside)
            break
    return aside


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, so that they outlast a power cut. Raises `OSError`."""
    missing = list(itertools.takewhile(lambda one: not one.exists(), (folder, *folder.parents)))
    for one in reversed(missing):
        one.mkdir(exist_ok=True)
        sync_folder(one.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder last. Where folders cannot be opened or synced, the files themselves are safe."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def sweep(folder: Path) -> None:
    """Remove what killed programs left half written in a folder; never what a running one, or another user, writes."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _BESIDE.fullmatch(entry.name) or _BESIDE_OF_1_0.fullmatch(entry.name):
                with contextlib.suppress(OSError):
                    _remove_if_left(Path(entry.path))


def _remove_if_left(path: Path) -> None:
    handle = os.open(path, os.O_RDWR | _PLAIN | getattr(os, "O_NONBLOCK", 0))
    try:
        found = os.fstat(handle)
        is_free = try_lock(handle)
    finally:
        os.close(handle)
    is_ours = stat.S_ISREG(found.st_mode) and found.st_uid == getattr(os, "getuid", lambda: found.st_uid)()
    is_stale = time.time() - found.st_mtime > _STALE
    tells = is_free is not None and _BESIDE.fullmatch(path.name) is not None
    if is_ours and is_free is not False and (tells or is_stale):
        path.unlink()
