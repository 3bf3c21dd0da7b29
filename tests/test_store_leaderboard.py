"""The stored leaderboard: an index that many may write at once, that any file may stand in the place of."""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import Problem
from cubiri_cli.store import leaderboard as store
from cubiri_cli.store.home import replays_folder
from cubiri_cli.store.leaderboard import Leaderboard, LeaderboardError, leaderboard_path, use
from cubiri_cli.store.ranking import Entry, entry_of_file
from cubiri_cli.table.messages import table_of
from tests.running import cubiri
from tests.strategies import magdagdon, play, setup_number, unaided

if TYPE_CHECKING:
    from collections.abc import Callable


def say_nothing(problem: Problem) -> None:
    raise AssertionError(problem)


def count() -> int:
    return use(lambda board: board.count(assisted=True), say_nothing)


def write_games(folder: Path, numbers: range) -> list[Path]:
    """Write so many different finished games, of all kinds, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number in numbers:
        path = folder / f"game-{number:03}.toml"
        path.write_text(play(setup_number(number), random.Random(number), unaided).text(), encoding="utf-8")
        paths.append(path)
    return paths


def test_eight_processes_add_the_same_200_replays(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    write_games(folder, range(200))
    command = [sys.executable, "-m", "cubiri_cli", "leaderboard", "--add", str(folder), "--format", "json"]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ)
        for _ in range(8)
    ]
    said = []
    for one in running:
        _out, errors = one.communicate(timeout=120)
        assert one.returncode == 0, errors
        new, old = [int(part.split()[0]) for part in errors.strip().split(", ")]
        assert new + old == 200, errors
        said.append(new)
    assert sum(said) == 200
    assert count() == 200
    assert len(list(replays_folder().glob("*.toml"))) == 200
    assert use(lambda board: store.rebuild(board, refuse), say_nothing) == 200
    with contextlib.closing(sqlite3.connect(leaderboard_path())) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert database.execute("SELECT count(DISTINCT digest), count(*) FROM entries").fetchone() == (200, 200)


def refuse(path: Path, error: Exception) -> None:
    raise AssertionError(f"{path}: {error}")


def test_adding_again_however_the_file_is_spelled_changes_nothing(tmp_path: Path) -> None:
    (game,) = write_games(tmp_path, range(1, 2))
    assert cubiri("leaderboard", "--add", game).message == "1 added, 0 there already"
    crlf = tmp_path / "crlf.toml"
    crlf.write_bytes(b"\xef\xbb\xbf" + game.read_bytes().replace(b"\n", b"\r\n"))
    later = tmp_path / "later.toml"
    later.write_text(game.read_text(encoding="utf-8").replace("finished = 2", "finished = 3"), encoding="utf-8")
    assert later.read_bytes() != game.read_bytes()
    assert cubiri("leaderboard", "--add", crlf, later).message == "0 added, 2 there already"
    assert count() == 1


def test_what_is_added_from_elsewhere_is_kept_with_the_other_games(tmp_path: Path) -> None:
    games = write_games(tmp_path / "elsewhere", range(6))
    assert cubiri("leaderboard", "--add", *games).status == 0
    for game in games:
        game.unlink()
    ran = cubiri("leaderboard", "--rebuild")
    assert (ran.status, ran.message, count()) == (0, "made again: 6 entries", 6)


def test_refused_files_are_named_and_the_others_are_added(tmp_path: Path) -> None:
    games = write_games(tmp_path / "games", range(1, 4))
    games[1].write_text(games[1].read_text(encoding="utf-8").replace("seed = ", 'seed = "x" #'), encoding="utf-8")
    ran = cubiri("leaderboard", "--add", *games)
    assert ran.status == 1
    refused, summary = ran.err.splitlines()
    assert refused.startswith(f"cubiri: {games[1]}: not ranked: turn 1, entry 1: ")
    assert summary == "2 added, 0 there already"
    assert len(list(replays_folder().glob("*.toml"))) == 2


def test_a_rebuild_forgets_what_has_gone_and_keeps_what_comes_meanwhile(tmp_path: Path) -> None:
    write_games(replays_folder(), range(1, 4))
    assert count() == 3
    (replays_folder() / "game-002.toml").unlink()
    late = play(magdagdon("peaceful", "late"), random.Random(1))
    from cubiri_cli.store.ranking import entry_of

    def rebuild(board: Leaderboard) -> int:
        until = board.last()
        board.admit([entry_of(late.text().encode())])
        entries = [entry for _path, entry in store.entries_of([replays_folder()], refuse)]
        board.replace(entries, until)
        return board.count(assisted=True)

    assert use(rebuild, say_nothing) == 3
    assert use(lambda board: store.rebuild(board, refuse), say_nothing) == 2


def test_a_first_build_that_is_interrupted_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    write_games(replays_folder(), range(1, 7))
    whole = entry_of_file
    judged = 0

    def interrupted(*arguments: Any) -> Any:
        nonlocal judged
        judged += 1
        if judged == 4:
            raise KeyboardInterrupt
        return whole(*arguments)

    monkeypatch.setattr(store, "entry_of_file", interrupted)
    with pytest.raises(KeyboardInterrupt):
        count()
    assert count() == 6


def test_none_or_all_of_one_call_is_added() -> None:
    board = Leaderboard.in_memory()
    entries = [entry_number(number) for number in range(3)]

    def keep(entry: Entry) -> None:
        if entry.digest == entries[2].digest:
            raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        board.admit(entries, keep)
    assert board.count() == 0
    assert board.admit(entries[:2]) == [True, True]
    assert board.admit(entries) == [False, False, True]


def entry_number(number: int) -> Entry:
    from cubiri_cli.store.ranking import entry_of

    return entry_of(play(magdagdon("survival", f"n{number}"), random.Random(number), unaided).text().encode())


# A file that is no leaderboard


def random_bytes(path: Path) -> None:
    path.write_bytes(random.Random(1).randbytes(100_000))


def a_torn_page(path: Path) -> None:
    """Damage the middle of a good database: it opens, and fails when it is read."""
    use(lambda board: board.admit([entry_number(number) for number in range(60)]), say_nothing)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(path.read_bytes())
    page = int.from_bytes(data[16:18])
    data[page:] = random.Random(2).randbytes(len(data) - page)
    path.write_bytes(data)


def half_of_it(path: Path) -> None:
    use(lambda board: board.admit([entry_number(number) for number in range(60)]), say_nothing)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 3])


def another_program_s(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE bookmarks (url TEXT)")
        database.commit()


def a_newer_schema(path: Path) -> None:
    count()
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {len(store.MIGRATIONS) + 1}")


def without_its_tables(path: Path) -> None:
    count()
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript("DROP TABLE entries; DROP TABLE tables;")


@pytest.mark.parametrize(
    ("spoil", "part"),
    [
        (random_bytes, "is damaged"),
        (a_torn_page, "is damaged"),
        (half_of_it, "is damaged"),
        (without_its_tables, "is damaged"),
        (another_program_s, "is no leaderboard"),
        (a_newer_schema, "of a newer version"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_it_is_set_aside_and_made_again(spoil: Callable[[Path], None], part: str) -> None:
    write_games(replays_folder(), range(1, 6, 2))
    path = leaderboard_path()
    spoil(path)
    spoilt = path.read_bytes()
    ran = cubiri("leaderboard", "--format", "json", "--assisted")
    assert ran.status == 0
    assert ran.out.count('"rank"') == 3
    assert part in ran.message
    aside = path.with_name("leaderboard.aside-1.sqlite3")
    assert str(aside) in ran.message
    assert aside.read_bytes() == spoilt
    assert cubiri("leaderboard", "--assisted").err == "", "it is told once"


def test_a_game_is_played_and_ranked_whatever_stands_there(tmp_path: Path) -> None:
    leaderboard_path().parent.mkdir(parents=True)
    random_bytes(leaderboard_path())
    (game,) = write_games(tmp_path, range(1, 2))
    ran = cubiri("play", "--script", game)
    assert ran.status == 0
    assert "Place 1 of 1" in ran.out
    assert "is damaged" in ran.message


def test_a_folder_in_its_place_stops_no_game(tmp_path: Path) -> None:
    leaderboard_path().mkdir(parents=True)
    (game,) = write_games(tmp_path, range(1, 2))
    ran = cubiri("play", "--script", game)
    assert ran.status == 0
    assert "Final score" in ran.out
    assert "could not be ranked" in ran.message
    shown = cubiri("leaderboard", "--assisted")
    assert shown.status == 0
    assert "made from the replays" in shown.message
    assert table_of(read_file(game).game).TITLE in shown.out
    assert cubiri("leaderboard", "--rebuild").status == 2


def test_one_that_was_deleted_is_made_again(tmp_path: Path) -> None:
    write_games(replays_folder(), range(1, 6, 2))
    assert count() == 3
    leaderboard_path().unlink()
    assert count() == 3


def test_a_busy_one_is_waited_for_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    assert count() == 0
    monkeypatch.setattr(store, "TIMEOUT", 0.05)
    with contextlib.closing(sqlite3.connect(leaderboard_path(), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LeaderboardError, match="locked"):
            use(lambda board: board.admit([entry_number(1)]), say_nothing)
    assert not list(leaderboard_path().parent.glob("*aside*")), "a good database was set aside"


def test_migrations_are_made_by_number_and_all_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    use(lambda board: board.admit([entry_number(1)]), say_nothing)
    more = "ALTER TABLE entries ADD COLUMN note TEXT NOT NULL DEFAULT ''"
    monkeypatch.setattr(store, "MIGRATIONS", (*store.MIGRATIONS, more, "CREATE TABLE entries (id)"))
    database = sqlite3.connect(leaderboard_path(), isolation_level=None)
    with contextlib.closing(database), pytest.raises(sqlite3.OperationalError):
        store._migrate(database)
    assert schema() == 1, "the second step failed, so the first is taken back"
    monkeypatch.setattr(store, "MIGRATIONS", store.MIGRATIONS[:2])
    assert count() == 1
    assert schema() == 2
    monkeypatch.setattr(store, "MIGRATIONS", store.MIGRATIONS[:1])
    said: list[Any] = []
    assert use(lambda board: board.count(), said.append) == 0
    assert [problem.code for problem in said] == ["newer-database"]


def schema() -> int:
    with contextlib.closing(sqlite3.connect(leaderboard_path())) as database:
        version: int = database.execute("PRAGMA user_version").fetchone()[0]
    return version


def test_one_that_is_only_locked_is_not_put_away(monkeypatch: pytest.MonkeyPatch) -> None:
    assert count() == 0
    monkeypatch.setattr(store, "TIMEOUT", 0.05)
    with contextlib.closing(sqlite3.connect(leaderboard_path(), isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            store._put_away(leaderboard_path(), "damaged", say_nothing)
    assert not list(leaderboard_path().parent.glob("*aside*"))
