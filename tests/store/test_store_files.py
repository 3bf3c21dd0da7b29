"""Files: whole or not at all, never over what is not theirs, and nothing left behind, whoever is killed meanwhile."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.replays.replay import Player, Replay
from cubiri_cli.store import StoreError, files, locks
from cubiri_cli.store.files import create, make_folder, move_new, replace, set_aside, sweep
from cubiri_cli.store.home import game_paths, is_name_of_game
from cubiri_cli.store.locks import InUseError, Lock
from cubiri_cli.table.messages import why

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and kill -9")
needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


# New files, and old ones


@pytest.mark.parametrize("sync", [True, False])
def test_a_file_is_made_and_replaced_as_a_whole(tmp_path: Path, sync: bool) -> None:
    path = tmp_path / ("g" * 250 + ".toml")  # as long as a name may be
    create(path, b"one\n", sync)
    replace(path, b"two\r\n\x1a\n", sync)
    assert path.read_bytes() == b"two\r\n\x1a\n"
    replace(tmp_path / "new", b"", sync)
    assert names(tmp_path) == [path.name, "new"]


def in_the_way(path: Path, what: str) -> None:
    """Put something at a path."""
    if what == "file":
        path.write_bytes(b"somebody's")
    elif what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to({"link": "elsewhere", "dangling": "nowhere"}[what])


@needs_links
@pytest.mark.parametrize("has_hard_links", [True, False])
@pytest.mark.parametrize("what", ["file", "folder", "pipe", "link", "dangling"])
def test_a_new_file_takes_no_name_that_is_taken(
    tmp_path: Path, what: str, has_hard_links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").write_bytes(b"somebody's")
    path = tmp_path / "game.toml"
    in_the_way(path, what)
    before = names(tmp_path)
    if not has_hard_links:
        monkeypatch.setattr(os, "link", refuse(errno.EPERM))
    with pytest.raises(FileExistsError):
        create(path, b"a game")
    assert names(tmp_path) == before
    assert (tmp_path / "elsewhere").read_bytes() == b"somebody's"


def refuse(number: int) -> Callable[..., None]:
    """Return what always raises the `OSError` of this number."""

    def raises(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return raises


def test_without_hard_links_files_are_made_and_set_aside_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", refuse(errno.EOPNOTSUPP), raising=False)
    create(tmp_path / "game", b"a game")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").touch()
    assert (set_aside(tmp_path / "game"), set_aside(tmp_path / "folder")) == (
        tmp_path / "game.aside-1",
        tmp_path / "folder.aside-1",
    )
    with pytest.raises(FileNotFoundError):
        move_new(tmp_path / "none", tmp_path / "new")
    assert names(tmp_path) == ["folder.aside-1", "game.aside-1"]
    assert (tmp_path / "game.aside-1").read_bytes() == b"a game"


def test_what_is_set_aside_takes_no_name_that_is_taken(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / "settings.toml").write_text(str(number))
        assert set_aside(tmp_path / "settings.toml").name == f"settings.aside-{number + 1}.toml"
    assert [(tmp_path / f"settings.aside-{number + 1}.toml").read_text() for number in range(3)] == ["0", "1", "2"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o604, 0o400])
def test_permissions_survive(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "game.toml"
    create(path, b"one")
    path.chmod(mode)
    replace(path, b"two")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_bytes() == b"two"


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root gives files away")
def test_the_owner_survives(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    create(path, b"one")
    os.chown(path, 12345, 54321)
    replace(path, b"two")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_what_is_written_is_never_open_to_more_people_than_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.toml"
    create(path, b"one")
    path.chmod(0o600)
    seen: list[int] = []

    def watch(handle: int, offset: int = 0) -> bool:
        seen.append(stat.S_IMODE(os.fstat(handle).st_mode))
        return True

    monkeypatch.setattr(files, "try_lock", watch)  # the first that is done with it
    monkeypatch.setattr(os, "write", lambda handle, data: watch(handle) and len(data))
    replace(path, b"a secret")
    assert seen == [0o600, 0o600], "who opens it before could read it afterwards"


def test_no_name_can_be_prepared_and_no_link_followed(tmp_path: Path) -> None:
    """All that is opened for writing is made anew, under a name that is another one every time."""
    opened: list[tuple[str, int]] = []
    is_watching = True

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if is_watching and event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_WRONLY:
            opened.append((str(arguments[0]), arguments[2]))

    sys.addaudithook(watch)
    path = tmp_path / "game.toml"
    create(path, b"one")
    replace(path, b"two")
    is_watching = False
    assert len(opened) == len({name for name, _ in opened}) == 2
    for _, flags in opened:
        assert flags & os.O_EXCL
        assert flags & getattr(os, "O_NOFOLLOW", 0) == getattr(os, "O_NOFOLLOW", 0)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.toml"
    create(path, b"the old one\n")
    for name in ("fsync", "write", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, refuse(errno.ENOSPC))
            patch.setattr(Path, "replace", refuse(errno.ENOSPC))
            with pytest.raises(OSError, match="No space"):
                replace(path, b"the new one\n")
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda handle, data: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            replace(path, b"the new one\n")
    assert path.read_bytes() == b"the old one\n"
    assert names(tmp_path) == ["game.toml"]


def test_a_write_in_small_pieces_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:7]))
    replace(tmp_path / "game", b"a game of many pieces")
    assert (tmp_path / "game").read_bytes() == b"a game of many pieces"


# Power cuts


@pytest.mark.skipif(os.name == "nt", reason="Windows syncs no folders")
def test_what_is_named_has_been_synced_and_the_name_is_synced_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The content before the name, the name before anything else; and new folders, each in the one above."""
    steps: list[str] = []

    def note(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def noted(*arguments: object, **more: object) -> object:
            what = arguments[0]
            is_folder = isinstance(what, int) and stat.S_ISDIR(os.fstat(what).st_mode)
            steps.append(name + " folder" * is_folder)
            return function(*arguments, **more)

        return noted

    for name in ("fsync", "replace", "link", "mkdir"):
        monkeypatch.setattr(os, name, note(name, getattr(os, name)))
    folder = tmp_path / "home" / "replays"
    make_folder(folder)
    assert steps == ["mkdir", "fsync folder"] * 2
    make_folder(folder)
    assert len(steps) == 4
    steps.clear()
    create(folder / "game", b"one")
    assert steps == ["fsync", "link", "fsync folder"]
    steps.clear()
    replace(folder / "game", b"two")
    assert steps == ["fsync", "replace", "fsync folder"]


def test_folders_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for wrong in (tmp_path / "file" / "replays", tmp_path / "file" / "a" / "b", tmp_path / ("n" * 300)):
        with pytest.raises(OSError, match="n" * 300 if "nn" in wrong.name else "file"):
            make_folder(wrong)


# What is in the way for a moment


@pytest.mark.parametrize("times", [1, 5])
def test_a_file_that_another_program_holds_is_waited_for(
    tmp_path: Path, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game").write_bytes(b"old")
    held = iter([True] * times)
    move = os.replace

    def replace_unless_held(*arguments: Path) -> None:
        if next(held, False):
            raise PermissionError(13, "The process cannot access the file")
        move(*arguments)

    monkeypatch.setattr(os, "replace", replace_unless_held)
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    replace(tmp_path / "game", b"new")
    assert (tmp_path / "game").read_bytes() == b"new"
    assert names(tmp_path) == ["game"]


def test_a_file_that_is_held_on_and_on_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "game").write_bytes(b"old")
    monkeypatch.setattr(os, "replace", refuse(errno.EACCES))
    with pytest.raises(PermissionError):
        replace(tmp_path / "game", b"new", patience=0.1)
    monkeypatch.setattr(os, "name", "nt")
    with pytest.raises(StoreError) as caught:
        files._move_patiently(os.replace, tmp_path / "a", tmp_path / "b", 0)
    monkeypatch.undo()
    assert caught.value.errno == errno.EACCES
    assert why(caught.value) == "no permission, or another program is using it"
    assert names(tmp_path) == ["game"]


# What killed programs leave


@pytest.fixture
def _ends_with_the_test() -> Iterator[None]:
    """Kill what is still stopped when a test fails."""
    STOPPED.clear()
    yield
    for child in STOPPED:
        with contextlib.suppress(OSError):
            os.kill(child, signal.SIGKILL)


STOPPED: list[int] = []


def write_and_stop(folder: Path, how: signal.Signals) -> int:
    """Start a process that writes a file in a folder; it is stopped or killed in the middle. Return its id."""
    child = os.fork()
    if not child:
        signals = [how]
        os.fsync = lambda handle: os.kill(os.getpid(), signals.pop()) if signals else None  # type: ignore[assignment]
        with contextlib.suppress(BaseException):
            replace(folder / "game", b"the new one")
        os._exit(0)
    os.waitpid(child, os.WUNTRACED)
    STOPPED.extend([child] if how == signal.SIGSTOP else [])
    return child


@needs_fork
@pytest.mark.usefixtures("_ends_with_the_test")
@pytest.mark.parametrize("has_locks", [True, False])
def test_what_a_killed_program_left_is_swept_away_and_what_another_writes_is_not(
    tmp_path: Path, has_locks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    if not has_locks:
        monkeypatch.setattr(fcntl, "lockf", refuse(errno.ENOLCK))
    stopped = write_and_stop(tmp_path, signal.SIGSTOP)
    (writing,) = names(tmp_path)
    write_and_stop(tmp_path, signal.SIGKILL)
    assert len(names(tmp_path)) == 2
    sweep(tmp_path)
    if has_locks:
        assert names(tmp_path) == [writing]
    else:
        assert len(names(tmp_path)) == 2, "nobody can tell yet"
        for name in names(tmp_path):
            if name != writing:
                os.utime(tmp_path / name, (0, 0))
        sweep(tmp_path)
        assert names(tmp_path) == [writing]
    os.kill(stopped, signal.SIGCONT)
    os.waitpid(stopped, 0)
    assert names(tmp_path) == ["game"]


@needs_fork
@pytest.mark.usefixtures("_ends_with_the_test")
def test_what_was_swept_away_wrongly_is_written_again(tmp_path: Path) -> None:
    """Where locks do not show that a program writes, it does not depend on them either."""
    stopped = write_and_stop(tmp_path, signal.SIGSTOP)
    (writing,) = names(tmp_path)
    (tmp_path / writing).unlink()
    os.kill(stopped, signal.SIGCONT)
    os.waitpid(stopped, 0)
    assert (tmp_path / "game").read_bytes() == b"the new one"
    assert names(tmp_path) == ["game"]


def test_nothing_else_is_swept_away(tmp_path: Path) -> None:
    stays = [".cubiri-0123456789abcdef.tmp.toml", ".cubiri-x.tmp", "cubiri-0123456789abcdef.tmp", ".game.tmp", "a.tmp"]
    for name in stays:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    (tmp_path / ".cubiri-0000000000000000.tmp").mkdir()
    (tmp_path / "precious").touch()
    if os.name != "nt":
        (tmp_path / ".cubiri-0000000000000001.tmp").symlink_to(tmp_path / "precious")
        os.mkfifo(tmp_path / ".cubiri-0000000000000002.tmp")
    before = names(tmp_path)
    sweep(tmp_path)
    assert names(tmp_path) == before
    of_1_0 = tmp_path / ".20261130-180211-magdagdon-survival.toml.4711.tmp"
    of_1_0.touch()
    sweep(tmp_path)
    assert of_1_0.exists(), "it may be written just now"
    os.utime(of_1_0, (0, 0))
    sweep(tmp_path)
    assert names(tmp_path) == before
    sweep(tmp_path / "missing")


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root makes files of others")
def test_what_another_user_left_is_theirs(tmp_path: Path) -> None:
    left = tmp_path / ".cubiri-0123456789abcdef.tmp"
    left.touch()
    os.chown(left, 12345, 12345)
    sweep(tmp_path)
    assert left.exists()


# Locks


@pytest.fixture
def _fresh_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep locks in a folder of the test's own, in which no file is open yet."""
    monkeypatch.setattr(locks, "_handles", {})
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))


def squat(place: Path, how: str) -> None:
    """Take the name of a lock file, as another user can."""
    if how == "theirs":
        place.touch(0o666)
        os.chown(place, 12345, 12345)
    elif how == "open to all":
        place.touch()
        place.chmod(0o644)
    elif how == "hard link":
        (place.parent / "theirs").touch(0o600)
        os.link(place.parent / "theirs", place)
    else:
        in_the_way(place, how)


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root makes files of others")
@pytest.mark.usefixtures("_fresh_locks")
@pytest.mark.parametrize("runtime", [True, False])
@pytest.mark.parametrize("how", ["theirs", "open to all", "hard link", "folder", "pipe", "link", "dangling"])
def test_a_lock_cannot_be_squatted(tmp_path: Path, how: str, runtime: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is it lost then, where there is a place that belongs to the user alone."""
    place = tmp_path / "tmp" / f"cubiri-{os.getuid()}.lock"
    squat(place, how)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    (tmp_path / "runtime").mkdir()
    if runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "runtime"))
    with Lock(tmp_path / "game.toml"):
        assert all(Path(file) != place for file in locks._handles)
        assert names(tmp_path / "runtime") == ["cubiri.lock"] * runtime
        if runtime:
            with pytest.raises(InUseError):
                Lock(tmp_path / "game.toml")


HELD = """
import sys, time
from pathlib import Path
from cubiri_cli.store import locks, settings
locks.PATIENCE = float(sys.argv[1])
settings.PATIENCE = float(sys.argv[1])
sleep = time.sleep
def say_and_sleep(seconds):
    print("waits", flush=True)
    sleep(seconds)
time.sleep = say_and_sleep
from cubiri_cli.__main__ import main
sys.argv[1:] = ["settings", "color", "off"]
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another thing there")
@pytest.mark.parametrize(("patience", "status"), [("0.1", 2), ("1e9", 130)])
def test_waiting_for_a_lock_ends_by_itself_or_at_ctrl_c(patience: str, status: int) -> None:
    from cubiri_cli.store.settings import settings_path

    make_folder(settings_path().parent)
    with Lock(settings_path()):
        child = subprocess.Popen(
            [sys.executable, "-c", HELD, patience], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "waits\n"
        if status == 130:
            child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=60)[1]
        assert child.returncode == status
    assert said == (
        "" if status == 130 else "cubiri: the settings cannot be written: other processes are writing to it\n"
    )
    assert locks.PATIENCE == 2


WITHOUT = """
import sys
sys.modules["fcntl"] = sys.modules["msvcrt"] = None
from cubiri_cli.__main__ import main
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no Windows without msvcrt")
def test_without_any_module_for_locks_it_is_one_line_and_the_rest_works(tmp_path: Path) -> None:
    from tests.support.running import process

    script = tmp_path / "script.toml"
    script.write_text(
        'format = "cubiri-replay"\ngame = "magdagdon"\nseed = "42"\nplayers = [{ name = "Ada" }]\n[options]\n'
        'difficulty = "survival"\n[[turns]]\nlog = ["roll"]\n',
        "utf-8",
    )
    ran = process("play", "--script", script, program=("-c", WITHOUT))
    assert ran.status == 0
    assert "cannot lock files" in ran.message
    assert "Score so far" in ran.out
    ran = process("settings", "color", "off", program=("-c", WITHOUT))
    assert (ran.status, ran.err) == (0, "")
    ran = process("resume", program=("-c", WITHOUT))
    assert ran.status == 2
    assert "cannot lock files" in ran.err.splitlines()[0]
    assert "terminal" in ran.err.splitlines()[1]


# Names


@pytest.mark.parametrize(
    "value", ["survival", "a:b", "CON", "x.", "x ", 'q"?*<>|', "../../etc/passwd", "a\\b", "ä", "\n", "NUL.txt", ""]
)
def test_names_of_games_are_names_everywhere(value: str) -> None:
    for name in ("magdagdon", "con", "aux.x"):
        found = next(game_paths(Replay(name, "1", {"option": value, "n": 10}, [Player("Ada")]))).name
        assert is_name_of_game(found)
        assert not re.match(r"(con|prn|aux|nul|com\d|lpt\d)\b", found)
        assert not set(found) & set('<>:"/\\|?*')
        assert found == found.strip(" .")
        assert found.isascii()
