"""The folder of a site: pages are written where they differ, what is no longer made is removed, the rest is left alone.

Which files are the site's own is told by their names, which hold nothing but digests, and by a mark that each begins
with. A file that has such a name and lacks the mark is somebody else's: then nothing is written at all.

What was written is remembered at home, not in the site: a page that others have put there, however it looks, is never
taken for one of this program's.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
from functools import cache
from typing import TYPE_CHECKING

from cubiri_cli.store.files import make_folder, replace, sweep
from cubiri_cli.store.home import home

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
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
    """A folder that a site is written to; `maker` is what else than a replay its page depends on."""

    def __init__(self, folder: Path, maker: str) -> None:
        self._folder, self._maker = folder, maker
        self._record: Path | None = None
        with contextlib.suppress(OSError):  # where there is no home, nothing is remembered
            name = hashlib.sha256(os.path.realpath(folder).encode(errors="surrogatepass")).hexdigest()
            self._record = home() / "sites" / f"{name[:32]}.txt"

    def prepare(self) -> None:
        """Make the folder where it is missing. Raises `ForeignFileError` before anything is written, and `OSError`."""
        games = self._folder / GAMES
        if games.is_symlink() or (games.exists() and not games.is_dir()):
            raise ForeignFileError(games)
        for path in (self._folder / INDEX, self._folder / FEED, *self._pages()):
            if path.is_symlink() or path.exists():
                _own_bytes(path, _SEARCHED)
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

    def unchanged(self, name: str) -> str:
        """Return the digest of a page that is there just as it was made last; empty for any other.

        Raises `ForeignFileError`, `OSError`.
        """
        digest, path = _remembered(self._record, self._maker).get(name), self._folder / name
        if digest is None or not path.exists() or digest_of(_own_bytes(path)) != digest:
            return ""
        return digest

    def remember(self, pages: Mapping[str, str]) -> None:
        """Remember what was made: pages with their digests. Where that cannot be, all is made again the next time."""
        lines = [self._maker, *(f"{name} {digest}" for name, digest in pages.items())]
        if self._record is not None and _remembered(self._record, self._maker) != pages:
            with contextlib.suppress(OSError):
                make_folder(self._record.parent)
                replace(self._record, "".join(f"{one}\n" for one in lines).encode(), sync=False)
            _remembered.cache_clear()

    def remove_others(self, kept: Collection[str]) -> int:
        """Remove the pages of games that are not among those named; return how many. Raises `OSError`."""
        others = [path for path in self._pages() if f"{GAMES}/{path.name}" not in kept]
        for path in others:
            _own_bytes(path, _SEARCHED)
            path.unlink()
        return len(others)

    def _pages(self) -> Iterator[Path]:
        games = self._folder / GAMES
        return (path for path in (games.iterdir() if games.is_dir() else ()) if _PAGE.fullmatch(path.name))


def page_name(digest: str) -> str:
    """Return the name of the page of a replay, from the SHA-256 of its bytes: nothing else plays a part."""
    return f"{GAMES}/{digest[:32]}.html"


def digest_of(data: bytes) -> str:
    """Return the digest by which a page is known."""
    return hashlib.sha256(data).hexdigest()


@cache
def _remembered(record: Path | None, maker: str) -> Mapping[str, str]:
    """Return the pages with their digests that a record holds of what this maker made; none where it cannot be read."""
    try:
        first, *lines = record.read_text("utf-8").splitlines() if record is not None else [""]
    except (OSError, ValueError):
        return {}
    found = (line.partition(" ") for line in lines) if first == maker else ()
    return {name: digest for name, _, digest in found}


def _own_bytes(path: Path, most: int = -1) -> bytes:
    """Return what is in a file of the site, or so many bytes of it; raise `ForeignFileError` where it is none."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise ForeignFileError(path)
    with path.open("rb") as file:
        data = file.read(most)
    if data and MARK.encode() not in data[:_SEARCHED]:  # an empty one is nobody's: a power cut leaves such
        raise ForeignFileError(path)
    return data
