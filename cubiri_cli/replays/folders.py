"""The replays in a folder: found one after the other, in order, and read without leaving the folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

from cubiri_cli.replays.reading import is_inside, read_bytes
from cubiri_cli.replays.replay import UnreadableReplayError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SUFFIX = ".toml"


def replays_in(folder: str) -> Iterator[str]:
    """Yield the paths of all `*.toml` in a folder and the folders in it, in the order in which `sorted` puts the paths.

    The ending is known in any case (`CHEAT.TOML`): on some systems that is the same file.

    Only the names of one folder at a time, and of those above it, are in memory. Folders that are links are not
    entered: they could lead outside, or round and round. A folder that cannot be listed is itself yielded: reading it
    will say why.
    """
    root = "" if folder in (".", "./") else str(Path(folder))
    try:
        stack, above = [iter(_names(folder))], [root]
    except OSError:
        yield folder
        return
    while stack:
        name = next(stack[-1], None)
        if name is None:
            stack.pop()
            above.pop()
        elif name.endswith("/"):
            path = os.path.join(above[-1], name[:-1])  # noqa: PTH118 - Path would cost more than all the rest
            try:
                stack.append(iter(_names(path)))
                above.append(path)
            except OSError:
                yield path
        else:
            yield os.path.join(above[-1], name)  # noqa: PTH118


def _names(folder: str) -> list[str]:
    """Return the names of the replays and, with `/` after it, of the folders in a folder, sorted.

    With the `/` they sort as the paths below them do: `a-b.toml` comes before `a/b.toml`.
    """
    with os.scandir(folder) as entries:
        found = [
            name
            for entry in entries
            if (name := entry.name + "/" * entry.is_dir(follow_symlinks=False)).endswith("/")
            or name.lower().endswith(SUFFIX)
        ]
    found.sort()
    return found


def replays_of(paths: Iterable[str]) -> Iterator[tuple[str, str | None]]:
    """Yield the files that are named and, in order, the replays in the folders that are.

    Each of these comes with the real path of its folder.
    """
    for path in paths:
        if os.path.isdir(path):  # noqa: PTH112 - Path("") is the folder at hand, and Path.is_dir raises for long names
            real = os.path.realpath(path)
            yield from ((found, real) for found in replays_in(path))
        else:
            yield path, None


def read_found(path: str, folder: str | None) -> bytes:
    """Return the bytes of a file as `replays_of` yields it. Raises `UnreadableReplayError`."""
    return read_bytes(path) if folder is None else read_inside(path, folder)


def read_inside(path: str, folder: str) -> bytes:
    """Return the bytes of a file found in `folder` (its real path); see `read_bytes`.

    A link is followed only to a file in the folder. Raises `UnreadableReplayError`, also where that is not so.
    """
    if os.path.islink(path):  # noqa: PTH114
        try:
            path = os.path.realpath(path)
        except (OSError, ValueError):
            raise UnreadableReplayError(None, "outside") from None
        if not is_inside(path, folder):
            raise UnreadableReplayError(None, "outside")
    return read_bytes(path, folder)


def is_missing(path: str) -> bool:
    """Tell whether there is no such file or folder (rather than one that cannot be looked at)."""
    try:
        os.stat(path)  # noqa: PTH116 - as above
    except OSError as error:
        return error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)
    except ValueError:  # a NUL in it
        return True
    return False
