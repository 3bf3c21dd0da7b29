"""The folder of a site: pages are written where they differ, what is no longer made is removed, the rest is left alone.

Which files are the site's own is told by their names, which hold nothing but digests, and by a mark that each begins
with. A file that has such a name and lacks the mark is somebody else's: then nothing is written at all.
"""

from __future__ import annotations

import re
import stat
from typing import TYPE_CHECKING

from cubiri_cli.store.files import make_folder, replace, sweep

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

MARK = "<!-- made by cubiri leaderboard; made again, it is overwritten -->"
"""What stands in the first two lines of each file."""
INDEX, FEED, GAMES = "index.html", "feed.xml", "games"

_PAGE = re.compile(r"[0-9a-f]{32}\.html")
_SEARCHED = 200


class ForeignFileError(ValueError):
    """Something that is not the site's stands where a page is to be written: `path`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path


class SiteFolder:
    """A folder that a site is written to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def prepare(self) -> None:
        """Make the folder where it is missing. Raises `ForeignFileError` before anything is written, and `OSError`."""
        games = self._folder / GAMES
        if games.is_symlink() or (games.exists() and not games.is_dir()):
            raise ForeignFileError(games)
        for path in (self._folder / INDEX, self._folder / FEED, *self._pages()):
            if path.is_symlink() or path.exists():
                _own_bytes(path)
        make_folder(games)
        sweep(self._folder)
        sweep(games)

    def put(self, name: str, data: bytes) -> bool:
        """Write a file of the site unless it is there as it is to be; tell whether it was written.

        Raises `ForeignFileError`, `OSError`.
        """
        path = self._folder / name
        if (path.is_symlink() or path.exists()) and _own_bytes(path) == data:
            return False
        replace(path, data, sync=False)
        return True

    def remove_others(self, kept: Collection[str]) -> int:
        """Remove the pages of games that are not among those named; return how many. Raises `OSError`."""
        others = [path for path in self._pages() if f"{GAMES}/{path.name}" not in kept]
        for path in others:
            _own_bytes(path)
            path.unlink()
        return len(others)

    def _pages(self) -> Iterator[Path]:
        games = self._folder / GAMES
        return (path for path in (games.iterdir() if games.is_dir() else ()) if _PAGE.fullmatch(path.name))


def page_name(digest: str) -> str:
    """Return the name of the page of a replay, from the SHA-256 of its bytes: nothing else plays a part."""
    return f"{GAMES}/{digest[:32]}.html"


def _own_bytes(path: Path) -> bytes:
    """Return what is in a file of the site; raise `ForeignFileError` where it is none."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise ForeignFileError(path)
    data = path.read_bytes()
    if MARK.encode() not in data[:_SEARCHED]:
        raise ForeignFileError(path)
    return data
