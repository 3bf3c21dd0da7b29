"""File systems that lack something: locks (some networks and containers), or memory that processes share.

A small library in C, put before the system's, lets the calls fail as they do there. Where nothing compiles it, these
tests are skipped.
"""

from __future__ import annotations

import contextlib
import errno
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.store.home import replays_folder
from cubiri_cli.store.leaderboard.board import Leaderboard
from cubiri_cli.store.leaderboard.opening import leaderboard_path, use
from tests.support.running import Ran, process
from tests.support.store import case, say_nothing, write_games

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>

static int refuses(int command) {
    char *error = getenv("NO_LOCKS");
    if (!error || (command != F_SETLK && command != F_SETLKW && command != F_GETLK && command != F_OFD_SETLK
                   && command != F_OFD_SETLKW && command != F_OFD_GETLK)) return 0;
    errno = atoi(error);
    return 1;
}

typedef int (*control)(int, int, ...);

#define CONTROL(name) int name(int file, int command, ...) { \
    va_list rest; \
    va_start(rest, command); \
    void *last = va_arg(rest, void *); \
    va_end(rest); \
    return refuses(command) ? -1 : ((control)dlsym(RTLD_NEXT, #name))(file, command, last); \
}
CONTROL(fcntl)
CONTROL(fcntl64)

typedef void *(*mapping)(void *, size_t, int, int, int, off_t);

#define MAPPING(name) void *name(void *at, size_t size, int use, int flags, int file, off_t offset) { \
    if (getenv("NO_SHARED") && (flags & MAP_SHARED) && file >= 0) { errno = ENODEV; return MAP_FAILED; } \
    return ((mapping)dlsym(RTLD_NEXT, #name))(at, size, use, flags, file, offset); \
}
MAPPING(mmap)
MAPPING(mmap64)
"""

LACKING = {
    "ENOLCK": {"NO_LOCKS": str(errno.ENOLCK)},
    "EOPNOTSUPP": {"NO_LOCKS": str(errno.EOPNOTSUPP)},
    "no shared memory": {"NO_SHARED": "1"},
    "neither": {"NO_LOCKS": str(errno.ENOLCK), "NO_SHARED": "1"},
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that lets calls fail."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("needs Linux and a C compiler")
    folder = tmp_path_factory.mktemp("library")
    (folder / "lacking.c").write_text(SOURCE, encoding="utf-8")
    made = folder / "lacking.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", made, folder / "lacking.c", "-ldl"], check=True)
    return made


@pytest.fixture(params=LACKING)
def there(request: pytest.FixtureRequest, library: Path) -> Callable[..., Ran]:
    """Run the command on such a file system."""
    environment = {"LD_PRELOAD": str(library), **LACKING[request.param]}
    return lambda *arguments: process(*arguments, **environment)  # type: ignore[arg-type]


def test_the_library_does_what_it_says(library: Path) -> None:
    lock = "import fcntl; fcntl.lockf(open('/dev/null', 'w'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    ran = process(program=("-c", lock), LD_PRELOAD=str(library), NO_LOCKS=str(errno.ENOLCK))
    assert f"Errno {errno.ENOLCK}" in ran.err
    assert process(program=("-c", lock), LD_PRELOAD=str(library)).status == 0


def is_sound() -> bool:
    use(Leaderboard.check, say_nothing)
    return True


def test_games_are_ranked_added_and_shown(there: Callable[..., Ran], tmp_path: Path) -> None:
    games = write_games(tmp_path, range(1, 12, 2))
    for number, game in enumerate(games[:3]):
        ran = there("play", "--script", game)
        assert (ran.status, ran.err) == (0, "")
        assert "Final score" in ran.out
        assert "Place" in ran.out
        assert len(list(replays_folder().glob("*.toml"))) == number + 1
    assert there("leaderboard", "--add", *games).message == "3 added, 3 there already"
    shown = there("leaderboard", "--format", "json", "--assisted")
    assert (shown.status, shown.err, shown.out.count('"rank"')) == (0, "", 6)
    assert is_sound()


@pytest.mark.parametrize("has_table", [False, True, None], ids=["no table", "a table", "a damaged one"])
def test_a_rebuild_ends_with_a_sound_table(there: Callable[..., Ran], has_table: bool | None) -> None:
    write_games(replays_folder(), range(1, 6, 2))
    if has_table is None:
        case("wrong-content")(leaderboard_path())
    elif has_table:
        assert is_sound()
    ran = there("leaderboard", "--rebuild", "--format", "json", "--assisted")
    assert (ran.status, ran.out.count('"rank"')) == (0, 3)
    assert ran.err.endswith("rebuilt: 3 entries\n")
    assert is_sound()
    assert there("leaderboard", "--rebuild").message == "rebuilt: 3 entries"


def test_where_there_is_no_shared_memory_the_table_has_a_rollback_journal(library: Path) -> None:
    write_games(replays_folder(), range(1, 6, 2))
    assert is_sound()
    assert journal() == "wal"
    for _attempt in range(2):
        ran = process("leaderboard", "--format", "json", "--assisted", LD_PRELOAD=str(library), NO_SHARED="1")
        assert (ran.status, ran.err, ran.out.count('"rank"')) == (0, "", 3)
        assert journal() == "delete"
        leaderboard_path().unlink()


def journal() -> str:
    with contextlib.closing(sqlite3.connect(leaderboard_path())) as database:
        return str(database.execute("PRAGMA journal_mode").fetchone()[0])
