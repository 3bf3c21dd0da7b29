"""The leaderboard: an SQLite index of the games that verified, made again from the replays whenever that is needed.

>>> board = Leaderboard.in_memory()
>>> board.tables(), board.count()
([], 0)
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cubiri_cli import games
from cubiri_cli.games.game import WordOption
from cubiri_cli.replays.folders import replays_of
from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import Problem
from cubiri_cli.replays.writing import write
from cubiri_cli.store.files import make_folder, set_aside
from cubiri_cli.store.home import home, in_replays_folder, replays_folder
from cubiri_cli.store.locks import InUseError, Lock
from cubiri_cli.store.ranking import Entry, NotRankedError, entry_of_file
from cubiri_cli.store.saved import keep_new

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Self

    Tell = Callable[[Problem], None]
    Refuse = Callable[[Path, NotRankedError], None]

T = TypeVar("T")

APPLICATION = 0x43554249
"""What marks a database file as one of these (`PRAGMA application_id`): "CUBI"."""

MIGRATIONS = (
    # `sort` is what the order goes by, as bytes that compare like it: the game's key, then the date.
    """
    CREATE TABLE tables (
        id INTEGER PRIMARY KEY,
        game TEXT NOT NULL,
        options TEXT NOT NULL,
        kind TEXT NOT NULL,
        UNIQUE (game, options, kind)
    );
    CREATE TABLE entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        digest TEXT NOT NULL UNIQUE,
        in_table INTEGER NOT NULL REFERENCES tables (id),
        player TEXT NOT NULL,
        seed TEXT NOT NULL,
        date INTEGER NOT NULL,
        assisted INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        figures TEXT NOT NULL,
        sort BLOB NOT NULL
    );
    CREATE INDEX entries_best ON entries (in_table, sort, digest);
    CREATE INDEX entries_unassisted ON entries (in_table, sort, digest) WHERE assisted = 0;
    CREATE INDEX entries_of_seed ON entries (seed, in_table, sort, digest);
    """,
)
"""The statements that bring a database from schema version N (its place here) to N + 1; never changed, only added to.
The version is kept as `PRAGMA user_version`."""

TIMEOUT = 30.0
"""How many seconds a writer waits for others."""

_BATCH = 200
"""How many entries are written in one transaction."""

_DAMAGE = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_MISMATCH}
"""SQLite's codes for a database whose content is at fault, not its surroundings; SQLITE_ERROR: tables are missing."""


SOLO = "solo"
"""The kind of the tables of one player's games."""


class LeaderboardError(ValueError):
    """The stored leaderboard cannot be used just now: no permission, a full disk, other processes. Its text: why."""


class _UnusableError(ValueError):
    """A database file that is no leaderboard of this program. `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Ranking(NamedTuple):
    """One table of best results: of a game with certain options, and of a kind, such as `solo`."""

    game: str
    options: dict[str, Any]
    kind: str

    @property
    def is_solo(self) -> bool:
        """Whether its games are those of one player."""
        return self.kind.split(",")[0] == SOLO

    @property
    def rules(self) -> int:
        """Which version of the rules its games were played by."""
        return int(self.kind.partition(", rules ")[2] or 1)


class Row(NamedTuple):
    """One entry with its rank, from 1; entries that are equal in everything share one."""

    rank: int
    player: str
    date: datetime
    turns: int
    seed: str
    assisted: bool
    digest: str
    figures: dict[str, float]


class Place(NamedTuple):
    """Where an entry stands: its table, its rank, of how many, and the entries around it, best first."""

    table: Ranking
    rank: int
    total: int
    around: list[Row]


class Leaderboard:
    """The entries in one database: the stored one (`use`), or one in memory."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    @classmethod
    def in_memory(cls) -> Self:
        """Return an empty leaderboard that is gone with the process."""
        database = sqlite3.connect(":memory:", isolation_level=None)
        _migrate(database)
        return cls(database)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    # Writing

    def admit(self, entries: Iterable[Entry], keep: Callable[[Entry], None] | None = None) -> list[bool]:
        """Add entries, each once however often it comes; tell for each whether it was new.

        `keep` is called with each new one before it counts: if it raises, none of this call's entries are added.
        """
        with self._transaction():
            return [self._add(entry, keep) for entry in entries]

    def replace(self, entries: Iterable[Entry], until: int) -> None:
        """Put these entries in the place of all whose number is at most `until` (see `last`)."""
        with self._transaction():
            self._database.execute("DELETE FROM entries WHERE id <= ?", (until,))
            for entry in entries:
                self._add(entry, None)

    def last(self) -> int:
        """Return the number of the entry added last; 0 for none."""
        number = self._database.execute("SELECT max(id) FROM entries").fetchone()[0]
        return int(number or 0)

    def _add(self, entry: Entry, keep: Callable[[Entry], None] | None) -> bool:
        table = self._table_id(entry)
        standing = entry.standing
        date = (entry.date - _EPOCH) // timedelta(seconds=1)
        added = self._database.execute(
            "INSERT OR IGNORE INTO entries (digest, in_table, player, seed, date, assisted, turns, figures, sort)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                entry.digest,
                table,
                entry.player,
                entry.seed,
                date,
                entry.assisted,
                standing.turns,
                json.dumps(dict(standing.figures)),
                _sortable((*standing.key, date)),
            ),
        )
        if added.rowcount and keep is not None:
            keep(entry)
        return bool(added.rowcount)

    def _table_id(self, entry: Entry) -> int:
        key = (entry.game, json.dumps(dict(entry.options)), _kind(entry))
        self._database.execute("INSERT OR IGNORE INTO tables (game, options, kind) VALUES (?, ?, ?)", key)
        found = self._database.execute("SELECT id FROM tables WHERE game = ? AND options = ? AND kind = ?", key)
        return int(found.fetchone()[0])

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """Write all of it or nothing. IMMEDIATE, because a reader that becomes a writer is not waited for."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    # Reading

    def tables(self, game: str | None = None, options: Mapping[str, Any] | None = None) -> list[Ranking]:
        """Return the tables there are, of one game and with certain options where these are given, in menu order."""
        found = []
        for name, written, kind in self._database.execute("SELECT game, options, kind FROM tables"):
            table = Ranking(name, json.loads(written), kind)
            wanted = options or {}
            if name in games.names() and game in (None, name) and wanted.items() <= table.options.items():
                found.append(table)
        return sorted(found, key=_menu_order)

    def count(self, table: Ranking | None = None, seed: str | None = None, assisted: bool = False) -> int:
        """Return how many entries there are, in one table where it is given."""
        where, values = _conditions(table, seed, assisted)
        return int(self._database.execute(f"SELECT count(*) FROM entries WHERE {where}", values).fetchone()[0])

    def rows(
        self,
        table: Ranking,
        seed: str | None = None,
        assisted: bool = False,
        limit: int | None = None,
        first: int = 0,
    ) -> list[Row]:
        """Return the entries of a table in rank order: at most `limit` of them, leaving out the `first` ones.

        `seed` takes only those of one seed, and ranks them among themselves; `assisted` also those with hints.
        """
        where, values = _conditions(table, seed, assisted)
        found = self._database.execute(
            "SELECT player, date, turns, seed, assisted, digest, figures, sort FROM entries"
            f" WHERE {where} ORDER BY sort, digest LIMIT ? OFFSET ?",
            (*values, -1 if limit is None else limit, first),
        ).fetchall()
        rows: list[Row] = []
        previous = None
        for number, (*fields, sort) in enumerate(found, first + 1):
            rank = rows[-1].rank if sort == previous else number if rows else self._rank(sort, where, values)
            rows.append(_row(rank, *fields))
            previous = sort
        return rows

    def place(self, digest: str, around: int = 2) -> Place | None:
        """Return where an entry stands among those that may be compared with it; None where it is not in here."""
        found = self._database.execute(
            "SELECT game, options, kind, assisted, sort FROM entries JOIN tables ON tables.id = in_table"
            " WHERE digest = ?",
            (digest,),
        ).fetchone()
        if found is None:
            return None
        table, assisted, sort = Ranking(found[0], json.loads(found[1]), found[2]), bool(found[3]), found[4]
        where, values = _conditions(table, None, assisted)
        before = self._database.execute(
            f"SELECT count(*) FROM entries WHERE {where} AND (sort, digest) < (?, ?)", (*values, sort, digest)
        ).fetchone()[0]
        rows = self.rows(table, None, assisted, 2 * around + 1, max(0, before - around))
        return Place(table, self._rank(sort, where, values), self.count(table, None, assisted), rows)

    def _rank(self, sort: bytes, where: str, values: tuple[Any, ...]) -> int:
        better = self._database.execute(f"SELECT count(*) FROM entries WHERE {where} AND sort < ?", (*values, sort))
        return int(better.fetchone()[0]) + 1


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _kind(entry: Entry) -> str:
    """Return which kind of games an entry is compared with: of one player or several, under the same rules."""
    kind = SOLO if entry.seats == 1 else "several"
    return kind if entry.rules == 1 else f"{kind}, rules {entry.rules}"


def _row(rank: int, player: str, date: int, turns: int, seed: str, assisted: int, digest: str, figures: str) -> Row:
    ended = _EPOCH + timedelta(seconds=date)
    return Row(rank, player, ended, turns, seed, bool(assisted), digest, json.loads(figures))


def _conditions(table: Ranking | None, seed: str | None, assisted: bool) -> tuple[str, tuple[Any, ...]]:
    conditions, values = ["1"], []
    if table is not None:
        conditions.append("in_table = (SELECT id FROM tables WHERE game = ? AND options = ? AND kind = ?)")
        values += [table.game, json.dumps(table.options), table.kind]
    if seed is not None:
        conditions.append("seed = ?")
        values.append(seed)
    if not assisted:
        conditions.append("assisted = 0")
    return " AND ".join(conditions), tuple(values)


def _sortable(key: tuple[int, ...]) -> bytes:
    """Return numbers as bytes that compare as they do: 64 bits each, moved above zero.

    >>> _sortable((-5, 3)) < _sortable((-4, 2)) < _sortable((-4, 3)) < _sortable((7, 0))
    True
    """
    return b"".join((number + 2**63).to_bytes(8) for number in key)


def _menu_order(table: Ranking) -> tuple[Any, ...]:
    """Return what the order of tables goes by: the order of the games, then of their options, solo games first."""
    positions = []
    for option in games.load(table.game).OPTIONS:
        value = table.options.get(option.name)
        if isinstance(option, WordOption):
            positions.append(option.values.index(value) if value in option.values else -1)
        else:
            positions.append(value if isinstance(value, int) else -1)
    return games.names().index(table.game), positions, not table.is_solo, table.kind


# The stored database


def leaderboard_path() -> Path:
    """Return where the leaderboard is stored. Raises `OSError` where there is no home folder."""
    return home() / "leaderboard.sqlite3"


def use(work: Callable[[Leaderboard], T], tell: Tell) -> T:
    """Do some work on the stored leaderboard and return what it gives.

    A database that is not there yet is made from the replays in the home folder; one that is damaged, foreign or of a
    newer schema is set aside before that, and `tell` is called with what happened.

    `work` may be done twice: the second time on the new database, where the damage shows only then.

    Raises `LeaderboardError` where it cannot be used just now, or where `work` raises `OSError`.
    """
    try:
        path = leaderboard_path()
        make_folder(path.parent)
        try:
            return _work_on(path, work, tell)
        except _UnusableError as error:
            _put_away(path, error.code, tell)
        except sqlite3.DatabaseError as error:
            if _code(error) not in _DAMAGE:
                raise
            _put_away(path, "damaged", tell)
        return _work_on(path, work, tell)
    except InUseError:
        raise LeaderboardError("other processes are writing it") from None
    except _UnusableError:
        raise LeaderboardError("it could not be made again") from None
    except (sqlite3.Error, OSError) as error:
        raise LeaderboardError(getattr(error, "strerror", None) or str(error)) from None


def _code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def _work_on(path: Path, work: Callable[[Leaderboard], T], tell: Tell) -> T:
    with contextlib.closing(_open(path, tell)) as board:
        return work(board)


def _open(path: Path, tell: Tell) -> Leaderboard:
    """Open the database, and make it or bring it up to date first where needed."""
    database = _connect(path)
    try:
        if _version(database) == len(MIGRATIONS):
            return Leaderboard(database)
        # One process at a time, because turning on WAL is not waited for by others.
        with Lock(path, TIMEOUT):
            # Entries and version at once: if it is ended before, the next one makes it again.
            entries = _entries_at_home(lambda path, error: None) if _version(database) == 0 else []
            database.execute("PRAGMA journal_mode = WAL")
            _migrate(database, entries)
            return Leaderboard(database)
    except BaseException:
        database.close()
        raise


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=TIMEOUT, isolation_level=None)
    # In WAL mode a power cut cannot damage it; the last entries it may lose stand in the replays.
    database.execute("PRAGMA synchronous = NORMAL")
    return database


def _version(database: sqlite3.Connection) -> int:
    """Return the schema version of a leaderboard, 0 for an empty database. Raises `_UnusableError` for all else."""
    application = database.execute("PRAGMA application_id").fetchone()[0]
    version = int(database.execute("PRAGMA user_version").fetchone()[0])
    if application == APPLICATION and version > len(MIGRATIONS):
        raise _UnusableError("newer-database")
    if application == APPLICATION and version > 0:
        return version
    if application or version or database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise _UnusableError("foreign-database")
    return 0


def _migrate(database: sqlite3.Connection, entries: Iterable[Entry] = ()) -> None:
    """Bring a database from its schema version to the newest and add entries: all of it or nothing."""
    database.execute("BEGIN IMMEDIATE")
    try:
        for number in range(_version(database), len(MIGRATIONS)):
            for statement in MIGRATIONS[number].split(";"):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {number + 1}")
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        for entry in entries:
            Leaderboard(database)._add(entry, None)
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _put_away(path: Path, code: str, tell: Tell) -> None:
    """Move a database out of the way, unless another process has mended it meanwhile."""
    with Lock(path, TIMEOUT):
        if _is_sound(path):
            return
        aside = set_aside(path)
        for ending in ("-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                path.with_name(path.name + ending).replace(aside.with_name(aside.name + ending))
    tell(Problem(code, {"path": str(path), "aside": str(aside)}))


def _is_sound(path: Path) -> bool:
    try:
        with contextlib.closing(_connect(path)) as database:
            if _version(database) != len(MIGRATIONS):
                return False
            Leaderboard(database).place("")
            return bool(database.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except _UnusableError:
        return False
    except sqlite3.DatabaseError as error:
        if _code(error) not in _DAMAGE:  # locked, for example
            raise
        return False


# Replays in, entries out


def entries_of(paths: Iterable[Path], refuse: Refuse) -> Iterator[tuple[Path, Entry]]:
    """Yield the entries that files make, and those in folders (`*.toml`, recursively, sorted by path).

    `refuse` is called with each file that makes none.
    """
    for file, folder in replays_of(map(str, paths)):
        try:
            yield Path(file), entry_of_file(file, folder)
        except NotRankedError as error:
            refuse(Path(file), error)


def rebuild(board: Leaderboard, refuse: Refuse) -> int:
    """Make a leaderboard again from the replays in the home folder; return how many entries it has then.

    What other processes add meanwhile stays. Raises `OSError` where there is no home folder.
    """
    until = board.last()
    board.replace(_entries_at_home(refuse), until)
    return board.count(assisted=True)


def _entries_at_home(refuse: Refuse) -> list[Entry]:
    return [entry for _, entry in entries_of([replays_folder()], refuse)] if replays_folder().is_dir() else []


def from_replays(refuse: Refuse) -> Leaderboard:
    """Return a leaderboard in memory, made from the replays in the home folder; empty where there are none."""
    board = Leaderboard.in_memory()
    with contextlib.suppress(OSError):
        rebuild(board, refuse)
    return board


def add_files(board: Leaderboard, paths: Iterable[Path], refuse: Refuse) -> Iterator[tuple[Path, Entry, bool]]:
    """Admit replays; yield for each that verified its path, its entry, and whether that was new.

    A new one that lies elsewhere is copied into the home folder: the leaderboard is an index of the replays there.
    Raises `OSError` where that cannot be done; then the last ones, at most 200, are not admitted.
    """
    found = entries_of(paths, refuse)
    while some := list(islice(found, _BATCH)):
        where = {entry.digest: path for path, entry in reversed(some)}
        new = board.admit([entry for _, entry in some], lambda entry, where=where: _keep_copy(where[entry.digest]))  # type: ignore[misc]
        yield from ((path, entry, is_new) for (path, entry), is_new in zip(some, new, strict=True))


def _keep_copy(path: Path) -> None:
    if in_replays_folder(path):
        return
    replay = read_file(path)
    keep_new(replay, write(replay).encode(), sync=False)[1].release()
