"""The entries of a leaderboard: added, each once, and asked for in rank order.

>>> board = Leaderboard.in_memory()
>>> board.tables(), board.count()
([], 0)
"""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli import games
from cubiri_cli.games.game import InvalidOptionError, UnknownGameError, WordOption
from cubiri_cli.store.leaderboard.schema import UnusableError, connect, create, seal_of, sqlite3

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Self

    from cubiri_cli.store.leaderboard.entries import Entry

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_LAST = 2**53
"""No entry has a higher number, unless somebody else put it there."""

_VALUES = "digest, player, seed, date, assisted, turns, figures, sort, seal"
"""The columns of an entry, the seal of the others last."""


class Ranking(NamedTuple):
    """One table of best results: of a game with certain options, of one player or several, by one version of rules."""

    game: str
    options: dict[str, Any]
    is_solo: bool
    rules: int

    @property
    def key(self) -> tuple[str, str, bool, int]:
        """Its columns in the database."""
        return self.game, json.dumps(self.options), self.is_solo, self.rules


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
    """The entries in one database: the stored one (see `opening`), or one in memory.

    What is read is what was added: each method that reads raises `UnusableError` where it finds something else.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    @classmethod
    def in_memory(cls) -> Self:
        """Return an empty leaderboard that is gone with the process."""
        database = connect(":memory:")
        create(database)
        return cls(database)

    # Writing

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all of it or nothing. IMMEDIATE, because a reader that becomes a writer is not waited for."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            raise

    def admit(self, entries: Iterable[Entry]) -> list[bool]:
        """Add entries, each once however often it comes; tell for each whether it was new."""
        with self.transaction():
            return [self.add(entry) for entry in entries]

    def replace(self, entries: Iterable[Entry], until: int) -> None:
        """Put these entries in the place of all whose number is at most `until` (see `last`)."""
        with self.transaction():
            self._database.execute("DELETE FROM entries WHERE id <= ?", (until,))
            self._database.execute("DELETE FROM tables WHERE id NOT IN (SELECT in_table FROM entries)")
            for entry in entries:
                self.add(entry)

    def last(self) -> int:
        """Return the number of the entry added last, be it gone meanwhile; 0 for none."""
        found = self._database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'entries'").fetchone()
        number = 0 if found is None else found[0]
        if not isinstance(number, int) or not 0 <= number <= _LAST:
            raise UnusableError
        return number

    def add(self, entry: Entry) -> bool:
        """Add an entry, inside of a transaction, unless it is there; tell whether it was new."""
        table = Ranking(entry.game, dict(entry.options), entry.seats == 1, entry.rules)
        standing = entry.standing
        date = (entry.date - _EPOCH) // timedelta(seconds=1)
        figures = json.dumps(dict(standing.figures))
        sort = _sortable((*standing.key, date))
        values = (entry.digest, entry.player, entry.seed, date, int(entry.assisted), standing.turns, figures, sort)
        added = self._database.execute(
            f"INSERT OR IGNORE INTO entries (in_table, {_VALUES}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (self._table_id(table), *values, seal_of((*table.key, *values))),
        )
        return bool(added.rowcount)

    def _table_id(self, table: Ranking) -> int:
        add = "INSERT OR IGNORE INTO tables (game, options, is_solo, rules) VALUES (?, ?, ?, ?)"
        self._database.execute(add, table.key)
        return int(self._database.execute(f"SELECT id FROM tables WHERE {_IS_TABLE}", table.key).fetchone()[0])

    # Reading

    def check(self) -> None:
        """Read everything there is. Raises `UnusableError` or `sqlite3.Error` where anything is wrong."""
        if self._database.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise UnusableError
        self.last()
        for table in self._all_tables():
            self.rows(table, assisted=True)
        astray = "SELECT 1 FROM entries WHERE in_table NOT IN (SELECT id FROM tables)"
        if self._database.execute(astray).fetchone() is not None:
            raise UnusableError

    def tables(self, game: str | None = None, options: Mapping[str, Any] | None = None) -> list[Ranking]:
        """Return the tables there are, of one game and with certain options where these are given, in menu order."""
        wanted = (options or {}).items()
        found = [one for one in self._all_tables() if game in (None, one.game) and wanted <= one.options.items()]
        return sorted(found, key=_menu_order)

    def _all_tables(self) -> list[Ranking]:
        rows = self._database.execute("SELECT game, options, is_solo, rules FROM tables").fetchall()
        return [table for row in rows if (table := _table(*row)) is not None]

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
            f"SELECT {_VALUES} FROM entries WHERE {where} ORDER BY sort, digest LIMIT ? OFFSET ?",
            (*values, -1 if limit is None else limit, first),
        ).fetchall()
        rows: list[Row] = []
        previous = None
        for number, (*columns, seal) in enumerate(found, first + 1):
            if seal != seal_of((*table.key, *columns)):
                raise UnusableError
            sort = columns[-1]
            rank = rows[-1].rank if sort == previous else number if rows else self._rank(sort, where, values)
            rows.append(_row(rank, *columns))
            previous = sort
        return rows

    def place(self, digest: str, around: int = 2) -> Place | None:
        """Return where an entry stands among those that may be compared with it; None where it is not in here."""
        found = self._database.execute(
            "SELECT game, options, is_solo, rules, assisted, sort FROM entries JOIN tables ON tables.id = in_table"
            " WHERE digest = ?",
            (digest,),
        ).fetchone()
        table = None if found is None else _table(*found[:4])
        if table is None:
            return None
        assisted, sort = bool(found[4]), found[5]
        where, values = _conditions(table, None, assisted)
        before = self._database.execute(
            f"SELECT count(*) FROM entries WHERE {where} AND (sort, digest) < (?, ?)", (*values, sort, digest)
        ).fetchone()[0]
        rows = self.rows(table, None, assisted, 2 * around + 1, max(0, before - around))
        return Place(table, self._rank(sort, where, values), self.count(table, None, assisted), rows)

    def _rank(self, sort: bytes, where: str, values: tuple[Any, ...]) -> int:
        better = self._database.execute(f"SELECT count(*) FROM entries WHERE {where} AND sort < ?", (*values, sort))
        return int(better.fetchone()[0]) + 1


_IS_TABLE = "game = ? AND options = ? AND is_solo = ? AND rules = ?"


def _table(game: object, options: object, is_solo: object, rules: object) -> Ranking | None:
    """Return a table from its columns; None for one of a game or rules that this program does not have.

    Raises `UnusableError` where they are not what `Leaderboard.add` puts there.
    """
    try:
        if not (isinstance(game, str) and isinstance(options, str) and isinstance(rules, int)):
            raise UnusableError
        kind = games.load(game, rules)
        table = Ranking(game, kind.check_options(json.loads(options)), bool(is_solo), rules)
    except UnknownGameError:
        return None
    except (InvalidOptionError, ValueError, TypeError, RecursionError):
        raise UnusableError from None
    if table.key != (game, options, is_solo, rules):
        raise UnusableError
    return table


def _row(
    rank: int, digest: str, player: str, seed: str, date: int, assisted: int, turns: int, figures: str, sort: bytes
) -> Row:
    ended = _EPOCH + timedelta(seconds=date)
    return Row(rank, player, ended, turns, seed, bool(assisted), digest, json.loads(figures))


def _conditions(table: Ranking | None, seed: str | None, assisted: bool) -> tuple[str, tuple[Any, ...]]:
    conditions: list[str] = ["1"]
    values: list[Any] = []
    if table is not None:
        conditions.append(f"in_table = (SELECT id FROM tables WHERE {_IS_TABLE})")
        values += table.key
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
    return games.names().index(table.game), positions, not table.is_solo, table.rules
