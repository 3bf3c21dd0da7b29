"""The stored leaderboard: opened, made from the replays where it is not there yet, and mended whatever stands there."""

from __future__ import annotations

import contextlib
import errno
import os
from typing import TYPE_CHECKING, TypeVar

from cubiri_cli.games.problem import Problem
from cubiri_cli.store.files import make_folder, replace, set_aside
from cubiri_cli.store.home import home
from cubiri_cli.store.leaderboard import LeaderboardError
from cubiri_cli.store.leaderboard.board import Leaderboard
from cubiri_cli.store.leaderboard.entries import Entry, judge_home
from cubiri_cli.store.leaderboard.schema import (
    AROUND,
    BUSY,
    PATIENCE,
    VERSION,
    UnusableError,
    code_of,
    connect,
    create,
    sqlite3,
    version_of,
)
from cubiri_cli.store.locks import InUseError, Lock, has_locks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from cubiri_cli.store.leaderboard.entries import Judged
    from cubiri_cli.store.leaderboard.schema import Connection

    Tell = Callable[[Problem], None]

T = TypeVar("T")

_BESIDE = ("-wal", "-shm", "-journal")
"""The endings of what SQLite puts beside a database."""

_NO_SHARED_MEMORY = {
    *(sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMLOCK),
    sqlite3.SQLITE_IOERR_SHMMAP,
}
"""SQLite's extended codes where a file system has no memory that processes share, so that WAL cannot be had."""

_WAL, _ROLLBACK = b"\x02\x02", b"\x01\x01"
_JOURNAL = slice(18, 20)
"""Where and how the head of a database says which journal it has."""


def leaderboard_path() -> Path:
    """Return where the leaderboard is stored. Raises `OSError` where there is no home folder."""
    return home() / "leaderboard.sqlite3"


def use(work: Callable[[Leaderboard], T], tell: Tell) -> T:
    """Do some work on the stored leaderboard and return what it gives.

    A database that is not there yet is made from the replays in the home folder; one that is damaged, foreign or of a
    newer schema is set aside before that, and `tell` is called with what happened. Others are waited for, two seconds.

    `work` may be done twice: the second time on the new database, where the damage shows only then.

    Raises `LeaderboardError` where it cannot be used just now, or where `work` raises `OSError`.
    """
    with _explained():
        path = _path()
        try:
            return _work_on(path, work)
        except (UnusableError, sqlite3.DatabaseError) as error:
            if isinstance(error, sqlite3.DatabaseError) and code_of(error) in AROUND:
                raise
            problem = error
        with Lock(path, PATIENCE, "others-write"):
            if not _is_sound(path):  # unless another process has mended it meanwhile
                _put_away(path, problem, tell)
        return _work_on(path, work)


def rebuild(judged: Iterable[Judged], work: Callable[[Leaderboard], T], tell: Tell) -> T:
    """Make the stored leaderboard again from judged replays, then do some work on it and return what that gives.

    Whatever stands in its place and cannot be made sound is set aside. What other processes add meanwhile stays.

    Raises `LeaderboardError` where others are using it for more than two seconds, and where the folder or the disk
    does not take it.
    """
    with _explained():
        path = _path()
        until: list[int] = []
        problem = _problem_of(lambda: until.append(_last(path)))
        entries = [one.outcome for one in judged if isinstance(one.outcome, Entry)]
        done: list[T] = []

        def replaced(board: Leaderboard) -> None:
            board.replace(entries, until[0])
            board.check()
            done.append(work(board))

        problem = problem or _problem_of(lambda: _work_on(path, replaced, entries))
        if problem is None:
            return done[-1]
        with Lock(path, PATIENCE, "others-write"):
            _put_away(path, problem, tell)
        return _work_on(path, work)


def from_replays() -> Leaderboard:
    """Return a leaderboard in memory, made from the replays in the home folder; empty where there are none."""
    board = Leaderboard.in_memory()
    with contextlib.suppress(OSError):
        board.admit(_entries_at_home())
    return board


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """Raise `LeaderboardError` for all that may hinder the work."""
    try:
        yield
    except InUseError as error:
        raise LeaderboardError(error.problem.code) from None
    except UnusableError:
        raise LeaderboardError("not-rebuilt") from None
    except sqlite3.Error as error:
        code = code_of(error)
        if code in BUSY:
            raise LeaderboardError("others-write") from None
        reason = os.strerror(errno.ENOSPC) if code == sqlite3.SQLITE_FULL else str(error)
        raise LeaderboardError("system", error=reason) from None
    except OSError as error:
        raise LeaderboardError("system", error=error) from None


def _path() -> Path:
    path = leaderboard_path()
    make_folder(path.parent)
    return path


def _last(path: Path) -> int:
    """Return the number of the entry added last. Raises `UnusableError` where what stands there is to be replaced."""
    if path.is_symlink():
        raise UnusableError("foreign-database")
    return _work_on(path, Leaderboard.last) if path.exists() else 0


def _problem_of(work: Callable[[], object]) -> Exception | None:
    """Do some work; return what was wrong with the database, if anything. Raises what is wrong around it."""
    try:
        work()
    except OSError:
        raise
    except sqlite3.Error as error:
        if code_of(error) in {*BUSY, sqlite3.SQLITE_FULL}:
            raise
        return error
    except Exception as error:  # whatever somebody has put into it
        return error
    return None


def _entries_at_home() -> list[Entry]:
    return [one.outcome for one in judge_home() if isinstance(one.outcome, Entry)]


# One database file


def _work_on(path: Path, work: Callable[[Leaderboard], T], entries: list[Entry] | None = None) -> T:
    """Open the database, which is made with these entries or those at home where it has to be, and do the work."""
    if os.path.lexists(path) and not path.is_file():
        raise UnusableError("foreign-database")
    if not has_locks(path):
        return _work_on_copy(path, work, entries)
    try:
        return _work_in_place(path, work, entries, wal=True)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) not in _NO_SHARED_MEMORY:
            raise
    _leave_wal(path)
    return _work_in_place(path, work, entries, wal=False)


def _work_in_place(path: Path, work: Callable[[Leaderboard], T], entries: list[Entry] | None, wal: bool) -> T:
    with contextlib.closing(connect(path)) as database:  # in any case: Windows sets no open file aside
        # In WAL mode a power cut cannot damage it; the last entries it may lose stand in the replays.
        database.execute("PRAGMA synchronous = NORMAL")
        if version_of(database) < VERSION:
            entries = _entries_at_home() if entries is None else entries
            database.execute(f"PRAGMA journal_mode = {'WAL' if wal else 'DELETE'}")
            _make(database, entries)
        return work(Leaderboard(database))


def _leave_wal(path: Path) -> None:
    """Give a database a rollback journal, without the memory that processes share."""
    with contextlib.closing(connect(path)) as database:
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("PRAGMA journal_mode = DELETE")


def _work_on_copy(path: Path, work: Callable[[Leaderboard], T], entries: list[Entry] | None) -> T:
    """Do the work on a copy in memory, which then takes the place of the file as a whole.

    That is for file systems without locks: SQLite would wait for them in vain. Of two processes that write at once, one
    may lose what it added, until the table is made again; the file is sound at any moment.
    """
    real = path.resolve()
    data = real.read_bytes() if real.exists() else b""
    with contextlib.closing(connect(":memory:")) as database:
        if data:
            database.deserialize(data[: _JOURNAL.start] + _ROLLBACK + data[_JOURNAL.stop :])
        before = database.total_changes
        if version_of(database) < VERSION:
            _make(database, _entries_at_home() if entries is None else entries)
        result = work(Leaderboard(database))
        if not data or database.total_changes > before:
            replace(real, database.serialize())
            for left in _beside(real):
                left.unlink()  # of the file that was there before
    return result


def _make(database: Connection, entries: list[Entry]) -> None:
    """Make the tables and add entries, all of it or nothing, unless another process has done so meanwhile."""
    board = Leaderboard(database)
    with board.transaction():
        if version_of(database) < VERSION:
            create(database)
            for entry in entries:
                board.add(entry)


# One that is none


def _is_sound(path: Path) -> bool:
    """Tell whether a database can be used. Raises `sqlite3.Error` where that cannot be told: it is locked."""
    try:
        _work_on(path, Leaderboard.check)
    except UnusableError:
        return False
    except sqlite3.DatabaseError as error:
        if code_of(error) in AROUND:
            raise
        return False
    return True


def _put_away(path: Path, problem: Exception, tell: Tell) -> None:
    """Move a database out of the way, with all that belongs to it."""
    aside = set_aside(path) if os.path.lexists(path) else None
    for left in _beside(path):
        if aside is None:
            set_aside(left)
        else:
            left.replace(aside.with_name(aside.name + left.name.removeprefix(path.name)))
    code = problem.problem.code if isinstance(problem, UnusableError) else "damaged"
    if aside is not None:
        tell(Problem(code, {"path": str(path), "aside": str(aside)}))


def _beside(path: Path) -> list[Path]:
    """Return what lies beside a database and belongs to it."""
    found = (path.with_name(path.name + ending) for ending in _BESIDE)
    return [one for one in found if os.path.lexists(one)]
