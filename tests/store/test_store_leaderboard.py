"""The stored leaderboard: an index that many may write at once, that any file may stand in the place of."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cubiri_cli.replays.verifying import Verdict, verify, verify_file
from cubiri_cli.store.home import replays_folder
from cubiri_cli.store.leaderboard import LeaderboardError, admitting, entries, opening, schema
from cubiri_cli.store.leaderboard.board import Leaderboard
from cubiri_cli.store.leaderboard.entries import Entry, judge, judge_home
from cubiri_cli.store.leaderboard.opening import leaderboard_path, rebuild, use
from tests.support.running import cubiri, process
from tests.support.store import case, say_nothing, write_games
from tests.support.strategies import magdagdon, play, unaided

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def count() -> int:
    return use(count_all, say_nothing)


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
    assert rebuild(judge_home(), count_all, say_nothing) == 200
    with contextlib.closing(sqlite3.connect(leaderboard_path())) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert database.execute("SELECT count(DISTINCT digest), count(*) FROM entries").fetchone() == (200, 200)


def count_all(board: Leaderboard) -> int:
    return board.count(assisted=True)


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
    assert (ran.status, ran.message, count()) == (0, "rebuilt: 6 entries", 6)


def test_refused_files_are_named_and_the_others_are_added(tmp_path: Path) -> None:
    games = write_games(tmp_path / "games", range(1, 4))
    games[1].write_text(games[1].read_text(encoding="utf-8").replace("seed = ", 'seed = "x" #'), encoding="utf-8")
    ran = cubiri("leaderboard", "--add", *games)
    assert ran.status == 1
    refused, summary = ran.err.splitlines()
    assert refused.startswith(f"cubiri: {games[1]}: not ranked: turn 1, entry 1: ")
    assert summary == "2 added, 0 there already"
    assert len(list(replays_folder().glob("*.toml"))) == 2


def test_what_is_kept_is_the_very_text_that_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is changed after it was judged: it is read once."""
    (game,) = write_games(tmp_path, range(1, 2))
    spelled = b"\xef\xbb\xbf" + game.read_bytes().replace(b"\n", b"\r\n")
    game.write_bytes(spelled)

    def changed(verdict: Verdict) -> Any:
        game.write_bytes(b"something else")
        return judge(verdict)

    monkeypatch.setattr(entries, "judge", changed)
    assert cubiri("leaderboard", "--add", game).message == "1 added, 0 there already"
    (kept,) = replays_folder().iterdir()
    assert kept.read_bytes() == spelled
    assert verify_file(kept).status == "verified"


def test_files_are_told_one_by_one_and_in_order(tmp_path: Path) -> None:
    """Also where a thousand come: nobody waits for the last to hear of the first."""
    games = write_games(tmp_path / "games", range(40))
    for number in range(0, 40, 3):
        games[number].write_text("no replay", encoding="utf-8")
    asked = []

    def judged() -> Any:
        for one in entries.judge_files([tmp_path / "games"]):
            asked.append(one.path)
            yield one

    told = []
    for judged_file, is_new in admitting.admit(judged(), say_nothing):
        told.append(judged_file.path)
        assert len(asked) - len(told) < 16
        assert is_new == (games.index(judged_file.path) % 3 > 0)
    assert told == games
    assert count() == 26


def test_a_rebuild_forgets_what_has_gone_and_keeps_what_comes_meanwhile() -> None:
    write_games(replays_folder(), range(1, 4))
    assert count() == 3
    (replays_folder() / "game-002.toml").unlink()

    def judged() -> Any:
        use(lambda board: board.admit([entry_number(77)]), say_nothing)
        yield from judge_home()

    assert rebuild(judged(), count_all, say_nothing) == 3
    assert rebuild(judge_home(), count_all, say_nothing) == 2


def test_a_first_build_that_is_interrupted_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    write_games(replays_folder(), range(1, 7))
    judged = 0

    def interrupted(verdict: Verdict) -> Any:
        nonlocal judged
        judged += 1
        if judged == 4:
            raise KeyboardInterrupt
        return judge(verdict)

    monkeypatch.setattr(entries, "judge", interrupted)
    with pytest.raises(KeyboardInterrupt):
        count()
    assert count() == 6


def test_none_or_all_of_one_transaction_is_added() -> None:
    board = Leaderboard.in_memory()
    made = [entry_number(number) for number in range(3)]

    def half() -> None:
        with board.transaction():
            assert board.add(made[0])
            raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        half()
    assert board.count() == 0
    assert board.admit(made[:2]) == [True, True]
    assert board.admit(made) == [False, False, True]


def entry_number(number: int) -> Entry:
    made = judge(verify(play(magdagdon("survival", f"n{number}"), random.Random(number), unaided).text().encode()))
    assert isinstance(made, Entry)
    return made


# A file that is no leaderboard


def change(path: Path, *statements: str) -> None:
    """Do what no program of ours does to a good table."""
    count()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)


def changed(*statements: str) -> Callable[[Path], None]:
    return lambda path: change(path, *statements)


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


def an_empty_file(path: Path) -> None:
    path.write_bytes(b"")


def a_folder(path: Path) -> None:
    path.mkdir(parents=True)
    (path / "something").write_text("in it", encoding="utf-8")


def a_link_to_nothing(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to("nowhere")


def a_pipe(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)


def the_log_of_another(path: Path) -> None:
    """A write-ahead log and its index that belong to another database, as after a restored backup."""
    other = path.parent / "other.sqlite3"
    count()
    database = sqlite3.connect(other, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("CREATE TABLE x (y)")
    database.executemany("INSERT INTO x VALUES (?)", [(b"z" * 3000,)] * 50)
    for ending in ("-wal", "-shm"):
        shutil.copyfile(f"{other}{ending}", f"{path}{ending}")
    database.close()


FIRST = "WHERE id = (SELECT min(id) FROM tables)"

SPOILT: dict[str, Callable[[Path], None]] = {
    "random bytes": random_bytes,
    "torn page": a_torn_page,
    "half": half_of_it,
    "another program's": another_program_s,
    "newer": changed(f"PRAGMA user_version = {schema.VERSION + 1}"),
    "no version": changed("PRAGMA user_version = 0"),
    "no tables": changed("DROP TABLE entries", "DROP TABLE tables"),
    "a column more": changed("ALTER TABLE entries ADD COLUMN note TEXT"),
    "an index fewer": changed("DROP INDEX entries_best"),
    "a trigger": changed("CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END"),
    "options": changed(f"UPDATE tables SET options = '{{' {FIRST}"),
    "options of another kind": changed(f"UPDATE tables SET options = '[[]]' {FIRST}"),
    "options that nobody chose": changed(f"""UPDATE tables SET options = '{{"difficulty": []}}' {FIRST}"""),
    "rules": changed("UPDATE tables SET rules = 'one'"),
    "figures": changed("UPDATE entries SET figures = 'null'"),
    "a better score": changed("""UPDATE entries SET figures = replace(figures, ': ', ': 9')"""),
    "order": changed("UPDATE entries SET sort = x'00'"),
    "date": changed("UPDATE entries SET date = 9223372036854775807"),
    "date as text": changed("UPDATE entries SET date = 'yesterday'"),
    "no UTF-8": changed("UPDATE entries SET player = CAST(x'ff' AS TEXT)"),
    "bytes": changed("UPDATE entries SET player = x'00'"),
    "seal": changed("UPDATE entries SET seal = x''"),
    "a folder": a_folder,
    "a link to nothing": a_link_to_nothing,
    "a pipe": a_pipe,
    "1.0: wrong content": case("wrong-content"),
    "1.0: malformed": case("malformed-image"),
}
"""Whatever may stand in the place of the leaderboard."""

UNSEEN: dict[str, Callable[[Path], None]] = {
    "nothing": lambda path: path.parent.mkdir(parents=True, exist_ok=True),
    "an empty file": an_empty_file,
    "an entry astray": changed("UPDATE entries SET in_table = 99"),
    "no entries": changed("DELETE FROM entries"),
    "a table of nothing": changed("INSERT INTO tables VALUES (99, 'magdagdon', '{', 1, 1)"),
    "the last number there is": changed("UPDATE sqlite_sequence SET seq = 9223372036854775807"),
    "a number that is none": changed("UPDATE sqlite_sequence SET seq = 'x'"),
    "the log of another": the_log_of_another,
    "a folder as log": lambda path: path.with_name(path.name + "-wal").mkdir(parents=True),
}
"""What need not be seen before all is read."""


@pytest.fixture
def spoil(request: pytest.FixtureRequest) -> Path:
    """Spoil the leaderboard of a home folder with three games."""
    write_games(replays_folder(), range(1, 6, 2))
    path = leaderboard_path()
    {**SPOILT, **UNSEEN}[request.param](path)
    return path


@pytest.mark.parametrize("spoil", SPOILT, indirect=True)
def test_it_is_set_aside_and_made_again(spoil: Path) -> None:
    spoilt = spoil.read_bytes() if spoil.is_file() else b""
    ran = cubiri("leaderboard", "--format", "json", "--assisted")
    assert ran.status == 0
    assert ran.out.count('"rank"') == 3
    is_old = spoilt[:16].startswith(b"SQLite") and spoilt[63] == 1 and spoilt[68:72] == b"CUBI"
    if not is_old:  # a table of version 1.0 is made again as it is
        aside = spoil.with_name("leaderboard.aside-1.sqlite3")
        assert str(aside) in ran.message
        assert "is damaged" in ran.message or "is not a leaderboard" in ran.message or "newer version" in ran.message
        assert not aside.is_file() or aside.read_bytes() == spoilt
    assert cubiri("leaderboard", "--assisted").err == "", "it is told once"


@pytest.mark.parametrize("spoil", SPOILT | UNSEEN, indirect=True)
def test_a_finished_game_is_shown_first_whatever_stands_there(spoil: Path, tmp_path: Path) -> None:
    (game,) = write_games(tmp_path / "more", range(11, 12))
    ran = cubiri("play", "--script", game)
    assert ran.status == 0
    assert "Final score" in ran.out
    assert ran.out.index("Final score") < ran.out.index("Replay: ")
    assert len(ran.err.splitlines()) <= 1
    assert "Traceback" not in ran.err
    assert "unexpected" not in ran.err


@pytest.mark.parametrize("spoil", SPOILT | UNSEEN, indirect=True)
def test_a_rebuild_ends_with_a_sound_table_whatever_it_finds(spoil: Path) -> None:
    ran = cubiri("leaderboard", "--rebuild", "--format", "json", "--assisted")
    assert ran.status == 0, ran
    assert ran.out.count('"rank"') == 3
    assert ran.err.endswith("rebuilt: 3 entries\n")
    use(Leaderboard.check, say_nothing)
    again = cubiri("leaderboard", "--rebuild", "--format", "json", "--assisted")
    assert (again.out, again.message) == (ran.out, "rebuilt: 3 entries")
    assert len(list(spoil.parent.glob("*aside*.sqlite3"))) <= 1


def test_a_rebuild_replaces_a_link_and_leaves_alone_what_it_leads_to(tmp_path: Path) -> None:
    write_games(replays_folder(), range(1, 6, 2))
    elsewhere = tmp_path / "elsewhere.sqlite3"
    another_program_s(elsewhere)
    before = elsewhere.read_bytes()
    leaderboard_path().symlink_to(elsewhere)
    assert cubiri("leaderboard", "--rebuild").status == 0
    assert (leaderboard_path().is_symlink(), elsewhere.read_bytes()) == (False, before)


@pytest.mark.skipif(sys.platform != "linux", reason="only here is a file kept from being written by root too")
def test_a_rebuild_replaces_a_table_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    write_games(replays_folder(), range(1, 6, 2))
    count()
    original = schema.Connection.execute

    def refused(self: schema.Connection, sql: str, parameters: Any = ()) -> Any:
        if inode[0] == leaderboard_path().stat().st_ino:
            original(self, "PRAGMA query_only = ON")  # the same code as for a file that may only be read
        return original(self, sql, parameters)

    inode = [leaderboard_path().stat().st_ino]
    monkeypatch.setattr(schema.Connection, "execute", refused)
    ran = cubiri("leaderboard", "--rebuild", "--format", "json", "--assisted")
    assert (ran.status, ran.out.count('"rank"')) == (0, 3)
    assert inode[0] != leaderboard_path().stat().st_ino


def test_a_table_of_version_1_is_made_again_with_nothing_lost_and_nothing_set_aside() -> None:
    write_games(replays_folder(), range(1, 6, 2))
    case("malformed-image")(leaderboard_path())
    change(leaderboard_path())
    assert count() == 3
    assert not list(leaderboard_path().parent.glob("*aside*"))


def test_one_that_was_deleted_is_made_again(tmp_path: Path) -> None:
    write_games(replays_folder(), range(1, 6, 2))
    assert count() == 3
    leaderboard_path().unlink()
    assert count() == 3


# Others are writing it


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "PATIENCE", 0.05)
    monkeypatch.setattr(opening, "PATIENCE", 0.05)


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Hold the leaderboard so that nobody else can even read it."""
    with contextlib.closing(sqlite3.connect(leaderboard_path(), isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        yield


@pytest.mark.usefixtures("_impatient")
def test_a_busy_one_is_waited_for_but_not_for_ever() -> None:
    assert count() == 0
    with contextlib.closing(sqlite3.connect(leaderboard_path(), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LeaderboardError, match="others-write"):
            use(lambda board: board.admit([entry_number(1)]), say_nothing)
    assert not list(leaderboard_path().parent.glob("*aside*")), "a good database was set aside"


@pytest.mark.usefixtures("_impatient")
def test_one_that_is_only_locked_is_not_put_away() -> None:
    write_games(replays_folder(), range(1, 6, 2))
    assert count() == 3
    with locked():
        ran = cubiri("leaderboard", "--rebuild")
        assert (ran.status, ran.out) == (2, "")
        assert "other processes are writing to it" in ran.message
        shown = cubiri("leaderboard", "--format", "json", "--assisted")
        assert (shown.status, shown.out.count('"rank"')) == (0, 3)
        assert "these results come from the replays" in shown.message
    assert not list(leaderboard_path().parent.glob("*aside*"))


@pytest.mark.usefixtures("_impatient")
def test_a_game_that_ends_while_it_is_locked_is_shown_and_told_about_in_one_line(tmp_path: Path) -> None:
    count()
    (game,) = write_games(tmp_path, range(1, 2))
    with locked():
        ran = cubiri("play", "--script", game)
    assert ran.status == 0
    assert "Final score" in ran.out
    assert "Replay: " in ran.out
    assert "could not be ranked: other processes are writing to it; cubiri leaderboard --rebuild" in ran.message
    assert cubiri("leaderboard", "--rebuild").message == "rebuilt: 1 entry"


def test_ctrl_c_ends_the_waiting_at_once_after_the_result(tmp_path: Path) -> None:
    (game,) = write_games(tmp_path, range(1, 2))
    count()
    patient = "from cubiri_cli.store.leaderboard import schema; schema.PATIENCE = 1000; "
    program = [sys.executable, "-c", patient + "from cubiri_cli.__main__ import main; main()", "play", "--script"]
    with locked():
        running = subprocess.Popen(
            [*program, str(game)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
        )
        assert running.stdout is not None
        line = ""
        while not line.startswith("Final score"):  # flushed before it waits
            line = running.stdout.readline()
            assert line, "the result was not shown"
        running.send_signal(signal.SIGINT)
        rest, errors = running.communicate(timeout=100)
    assert "Replay: " in rest
    assert "could not be ranked: interrupted" in errors
    assert (running.returncode, len(errors.splitlines())) == (130, 1)


@pytest.mark.parametrize(
    "error", [ZeroDivisionError("nobody thought of it"), MemoryError(), RecursionError("deep"), OSError(5, "I/O")]
)
def test_an_error_nobody_thought_of_costs_one_line(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game,) = write_games(tmp_path, range(1, 2))

    def fail(*arguments: Any) -> None:
        raise error

    monkeypatch.setattr(Leaderboard, "place", fail)
    ran = cubiri("play", "--script", game)
    assert ran.status == 0
    assert "Final score" in ran.out
    assert "Again: " in ran.out
    assert "this game could not be ranked" in ran.message


def test_without_sqlite_everything_but_the_table_works(tmp_path: Path) -> None:
    (game,) = write_games(tmp_path, range(1, 2))
    program = ("-c", "import sys; sys.modules['_sqlite3'] = None; from cubiri_cli.__main__ import main; main()")
    ran = process("play", "--script", game, program=program)
    assert (ran.status, "Final score" in ran.out) == (0, True)
    assert "could not be ranked: this Python has no SQLite" in ran.message
    for arguments in ([], ["--rebuild"], ["--add", game], ["--from", game]):
        ran = process("leaderboard", *arguments, program=program)
        assert (ran.status, ran.out) == (2, "")
        assert "the leaderboard cannot be used: this Python has no SQLite" in ran.message
    assert process("verify-score", game, program=program).status == 0
    assert cubiri("leaderboard", "--rebuild").message == "rebuilt: 1 entry"
