"""The database of the leaderboard: its tables, how they are told from those of others, and connecting to it."""

from __future__ import annotations

import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from cubiri_cli.games.problem import Problem, ProblemError
from cubiri_cli.store.leaderboard import LeaderboardError

if TYPE_CHECKING:
    from pathlib import Path

try:  # the one place from which the others take it: some systems package it apart, a Python may be built without it
    import sqlite3 as sqlite3
except ImportError as error:
    raise LeaderboardError("no-sqlite") from error

APPLICATION = 0x43554249
"""What marks a database file as one of these (`PRAGMA application_id`): "CUBI"."""

VERSION = 2
"""The version of the schema (`PRAGMA user_version`). A table of an older one is made again from the replays."""

SCHEMA = (
    # What is compared: games with the same options, of one player or of several, by the same version of the rules.
    """
    CREATE TABLE tables (
        id INTEGER PRIMARY KEY,
        game TEXT NOT NULL,
        options TEXT NOT NULL,
        is_solo INTEGER NOT NULL,
        rules INTEGER NOT NULL,
        UNIQUE (game, options, is_solo, rules)
    )
    """,
    # `sort` is what the order goes by, as bytes that compare like it: the game's key, then the date.
    """
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
        sort BLOB NOT NULL,
        seal BLOB NOT NULL
    )
    """,
    "CREATE INDEX entries_best ON entries (in_table, sort, digest)",
    "CREATE INDEX entries_unassisted ON entries (in_table, sort, digest) WHERE assisted = 0",
    "CREATE INDEX entries_of_seed ON entries (seed, in_table, sort, digest)",
)

PATIENCE = 2.0
"""How many seconds others are waited for, unless Ctrl-C comes before."""

BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
"""SQLite's codes for a database that another process is using."""

AROUND = BUSY | {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM),
    *(
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_NOLFS,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_READONLY,
    ),
}
"""Its codes where the surroundings of a database are at fault, not its content."""


class UnusableError(ProblemError):
    """A database file that is no leaderboard, or a damaged one."""

    def __init__(self, code: str = "damaged") -> None:
        super().__init__(Problem(code))


def code_of(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code; 0 where Python could not make sense of what is stored."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


class Connection(sqlite3.Connection):
    """A connection that waits for others in Python: while SQLite waits, Ctrl-C is not heard."""

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        """Execute one statement, again and again while another process is in the way."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return super().execute(sql, parameters)
            except sqlite3.OperationalError as error:
                if code_of(error) not in BUSY or time.monotonic() >= deadline:
                    raise
            time.sleep(0.01)


def connect(path: Path | str) -> Connection:
    """Open a database file, which need not be there, or `:memory:`. Raises `sqlite3.Error`."""
    return sqlite3.connect(path, timeout=0, isolation_level=None, factory=Connection)


def version_of(database: sqlite3.Connection) -> int:
    """Return the schema version of a leaderboard, 0 for an empty database. Raises `UnusableError` for all else."""
    application = database.execute("PRAGMA application_id").fetchone()[0]
    version = int(database.execute("PRAGMA user_version").fetchone()[0])
    found = database.execute("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'").fetchall()
    if application != APPLICATION:
        if application or version or found:
            raise UnusableError("foreign-database")
        return 0
    if version > VERSION:
        raise UnusableError("newer-database")
    if version < 1 or (version == VERSION and sorted(_plain(sql) for (sql,) in found) != sorted(map(_plain, SCHEMA))):
        raise UnusableError
    return version


def _plain(sql: object) -> str:
    return " ".join(str(sql).split())


def create(database: sqlite3.Connection) -> None:
    """Make the tables of the newest version in place of those of an older one, inside a transaction."""
    for name in ("entries", "tables"):
        database.execute(f"DROP TABLE IF EXISTS {name}")
    for statement in SCHEMA:
        database.execute(statement.strip())
    database.execute(f"PRAGMA user_version = {VERSION}")
    database.execute(f"PRAGMA application_id = {APPLICATION}")


def seal_of(values: tuple[object, ...]) -> bytes:
    """Return what tells that these values are still those that were stored together: a digest of them.

    >>> seal_of(("a", 1)) == seal_of(("a", 1)), seal_of(("a", 1)) == seal_of(("a", "1"))
    (True, False)
    """
    return blake2b(ascii(values).encode(), digest_size=8).digest()  # not repr(): that depends on the Python
