"""Two programs at one game, with locks and without: no game is lost to another, and none to a signal."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.verifying import verify, verify_file
from cubiri_cli.store import files
from cubiri_cli.store.home import replays_folder
from cubiri_cli.store.locks import Lock
from cubiri_cli.store.saved import Keeper
from tests.support.running import cubiri, process
from tests.support.strategies import STARTED, magdagdon, mishimash

if TYPE_CHECKING:
    pass

needs_signals = pytest.mark.skipif(os.name == "nt", reason="signals are other things there")
EPOCH = "1796061731"


def script_of(path: Path, actions: int, seed: str = "42") -> Path:
    """Write a script of so many actions that end no game."""
    head = f'format = "cubiri-replay"\ngame = "magdagdon"\nseed = "{seed}"\nplayers = [{{ name = "Ada" }}]\n'
    options = '[options]\ndifficulty = "survival"\n'
    log = ", ".join(['"roll"', *['"hint"'] * (actions - 1)])
    path.write_text(f"{head}{options}[[turns]]\nlog = [{log}]\n", "utf-8")
    return path


def begun(output: Path | None = None, seed: str = "42") -> Keeper:
    """Return a keeper that keeps a game of one action."""
    session = magdagdon("survival", seed).begin(started=STARTED)
    keeper = Keeper(session, output)
    session.do("roll")
    return keeper


def actions_in(path: Path) -> list[str]:
    return [entry.partition(" -> ")[0] for turn in read_file(path).turns for entry in turn.log]


# Eight games of one second


@pytest.fixture(scope="module")
def no_locks_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that fails all locks, compiled."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("no C compiler here, or no LD_PRELOAD")
    library = tmp_path_factory.mktemp("library") / "without_locks.so"
    source = Path(__file__).parents[1] / "without_locks.c"
    made = subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], capture_output=True)
    if made.returncode != 0:
        pytest.skip(f"cannot be compiled here: {made.stderr.decode()}")
    return library


def eight_at_once(scripts: list[Path], **environment: str) -> None:
    """Play eight scripts in eight processes that begin at once, and check that they are eight games."""
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "cubiri_cli", "play", "--script", str(script)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH, **environment},
        )
        for script in scripts
    ]
    for child in running:
        assert child.communicate(timeout=120)[1] == b""
        assert child.returncode == 0
    found = sorted(replays_folder().iterdir())
    numbers = ["", *(f".{number:04}" for number in range(2, 9))]
    assert {path.name for path in found} == {f"20261130-180211{one}-magdagdon-survival.toml" for one in numbers}
    assert {read_file(path).seed for path in found} == {f"race-{number}" for number in range(8)}
    assert all(verify_file(path).status == "unfinished" for path in found)


@pytest.fixture
def scripts(tmp_path: Path) -> list[Path]:
    return [script_of(tmp_path / f"{number}.toml", 30, f"race-{number}") for number in range(8)]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs LD_PRELOAD")
@pytest.mark.parametrize("error", [errno.ENOLCK, errno.EOPNOTSUPP], ids=errno.errorcode.get)
def test_eight_games_of_one_second_without_working_locks_are_eight_files(
    scripts: list[Path], error: int, no_locks_library: Path
) -> None:
    eight_at_once(scripts, LD_PRELOAD=str(no_locks_library), NO_LOCKS=str(error))


def test_eight_games_of_one_second_are_eight_files(scripts: list[Path]) -> None:
    eight_at_once(scripts)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_processes_that_all_want_one_name_without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has looked, and found the name free, before any of them takes it."""
    import fcntl

    def none(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "lockf", none)
    reads, writes = os.pipe()
    children = []
    for number in range(8):
        child = os.fork()
        if not child:
            os.close(writes)
            create = files.create

            def wait_and_create(path: Path, data: bytes, sync: bool = True, create: object = create) -> None:
                os.read(reads, 1)  # until the parent closes its end
                create(path, data, sync)  # type: ignore[operator]

            monkeypatch.setattr("cubiri_cli.store.saved.create", wait_and_create)
            try:
                begun(seed=f"race-{number}").finish()
            finally:
                os._exit(0)
        children.append(child)
    os.close(writes)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 8
    assert {read_file(path).seed for path in replays_folder().iterdir()} == {f"race-{number}" for number in range(8)}


# A file that is not as this game left it


def test_a_game_at_home_that_another_program_has_changed_goes_on_in_a_file_of_its_own() -> None:
    keeper = begun()
    assert keeper.path is not None
    first = keeper.path
    other = mishimash(1, 10, "other").begin(started=STARTED)
    other.do("roll")
    first.write_text(other.text(), "utf-8")
    keeper.session.do("place 2 b2")
    assert keeper.session.failure is None
    assert first.read_text("utf-8") == other.text(), "it is left alone"
    assert keeper.path != first
    keeper.session.do("place 3 b3")
    keeper.finish()
    assert actions_in(keeper.path) == ["roll", "place 2 b2", "place 3 b3"]
    assert len(list(replays_folder().iterdir())) == 2


def test_a_game_of_output_that_another_program_has_changed_is_not_written_over_it(tmp_path: Path) -> None:
    output = tmp_path / "game.toml"
    keeper = begun(output)
    output.write_bytes(b"another game")
    for action in ("place 2 b2", "place 3 b3"):
        keeper.session.do(action)
        assert keeper.session.failure is not None
        assert keeper.session.failure.strerror == "changed-by-others"
    keeper.finish()
    assert output.read_bytes() == b"another game"
    assert keeper.session.failure is not None, "so the text to keep is printed"


def test_one_game_resumed_twice_without_locks_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cubiri_cli.store.locks._handle_for", lambda path: None)
    keeper = begun()
    keeper.finish()
    assert keeper.path is not None
    one, two = Keeper.resume(keeper.path), Keeper.resume(keeper.path)
    one.session.do("place 2 b2")
    two.session.do("place 4 a1")
    one.session.do("place 3 b3")
    one.finish()
    two.finish()
    assert (one.path, len(list(replays_folder().iterdir()))) == (keeper.path, 2)
    assert two.path is not None
    assert actions_in(keeper.path) == ["roll", "place 2 b2", "place 3 b3"]
    assert actions_in(two.path) == ["roll", "place 4 a1"]


@pytest.mark.parametrize("where", ["home", "output"])
def test_a_file_that_vanishes_is_made_again_and_nothing_is_left_beside_it(where: str, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    keeper = begun(tmp_path / "games" / "game.toml" if where == "output" else None)
    assert keeper.path is not None
    keeper.path.unlink()
    keeper.session.do("place 2 b2")
    assert actions_in(keeper.path) == ["roll", "place 2 b2"]
    keeper.path.unlink()
    keeper.finish()
    assert actions_in(keeper.path) == ["roll", "place 2 b2"]
    assert list(keeper.path.parent.iterdir()) == [keeper.path]


def test_a_folder_that_vanishes_and_a_home_that_is_a_file_cost_nothing_but_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = begun()
    shutil.rmtree(replays_folder())
    keeper.session.do("place 2 b2")
    assert keeper.session.failure is not None
    if os.name != "nt":  # where the lock in it keeps it
        shutil.rmtree(replays_folder().parent)
    keeper.finish()
    assert keeper.session.failure is not None
    (tmp_path / "file").touch()
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path / "file"))
    ran = cubiri("play", "--script", script_of(tmp_path / "script.toml", 3))
    assert ran.status == 2
    assert "Score so far" in ran.out
    assert verify(ran.out[ran.out.index("format =") :].encode()).status == "unfinished"
    assert "could not be stored" in ran.message
    for command in (["resume"], ["settings", "color", "off"]):
        again = cubiri(*command)
        assert again.status == 2
        assert again.message


def test_a_person_s_game_never_takes_a_name_that_was_taken_meanwhile(tmp_path: Path) -> None:
    output = tmp_path / "game.toml"
    session = magdagdon("survival", "42").begin()
    keeper = Keeper(session, output)
    output.write_bytes(b"meanwhile")
    session.do("roll")
    assert isinstance(session.failure, FileExistsError)
    keeper.finish()
    assert output.read_bytes() == b"meanwhile"


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_links(tmp_path: Path) -> None:
    """What a link points to is written, and it stays a link; one that leads nowhere is refused."""
    (tmp_path / "games").mkdir()
    target, link = tmp_path / "games" / "game.toml", tmp_path / "latest.toml"
    begun(target).finish()
    link.symlink_to(target)
    keeper = Keeper.resume(link)
    keeper.session.do("place 2 b2")
    keeper.finish()
    assert link.is_symlink()
    assert actions_in(target) == ["roll", "place 2 b2"]
    script = script_of(tmp_path / "script.toml", 3)
    assert cubiri("play", "--script", script, "--output", link).status == 0
    assert link.is_symlink()
    assert actions_in(target) == ["roll", "hint", "hint"]
    target.unlink()
    ran = cubiri("play", "--script", script, "--output", link)
    assert ran.status == 2
    assert "a link that leads nowhere" in ran.message
    assert not target.exists()
    keeper = begun(link)
    keeper.finish()
    assert isinstance(keeper.session.failure, FileExistsError)
    assert not target.exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_permissions_of_a_game_survive_a_resume(tmp_path: Path) -> None:
    keeper = begun(tmp_path / "game.toml")
    keeper.finish()
    (tmp_path / "game.toml").chmod(0o640)
    keeper = Keeper.resume(tmp_path / "game.toml")
    keeper.session.do("place 2 b2")
    keeper.finish()
    assert (tmp_path / "game.toml").stat().st_mode & 0o7777 == 0o640


def test_a_file_that_is_held_is_waited_for_once_and_then_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def hold(path: Path, data: bytes, sync: bool = True, patience: float = -1) -> None:
        waits.append(patience)
        raise PermissionError(errno.EACCES, "no permission, or another program is using it")

    keeper = begun()
    monkeypatch.setattr("cubiri_cli.store.saved.replace", hold)
    for action in ("place 2 b2", "place 3 b3", "confirm"):
        keeper.session.do(action)
    assert waits == [files.PATIENCE, 0, 0]
    assert keeper.session.failure is not None


# Scripts


def test_a_script_is_written_first_at_once_then_now_and_then_and_at_its_end(tmp_path: Path) -> None:
    """The clock decides, and nothing is lost at the end."""
    session = magdagdon("survival", "42").begin()
    output = tmp_path / "game.toml"
    keeper = Keeper(session, output, every=3600, overwrites=True)
    session.do("roll")
    assert actions_in(output) == ["roll"]
    for _ in range(20):
        session.do("hint")
    assert actions_in(output) == ["roll"]
    keeper._written -= 3600
    session.do("hint")
    assert len(actions_in(output)) == 22
    session.do("hint")
    keeper.finish()
    assert len(actions_in(output)) == 23


SLOWLY = """
import os, sys
from cubiri_cli.replays.session import Session
do = Session.do
def do_and_say(self, action, comment=None):
    outcome = do(self, action, comment)
    os.write(2, b".")
    return outcome
Session.do = do_and_say
import cubiri_cli.commands.newgame as newgame
newgame.OFTEN = float(os.environ["OFTEN"])
from cubiri_cli.__main__ import main
main()
"""


@pytest.fixture
def long_script(tmp_path: Path) -> Path:
    return script_of(tmp_path / "script.toml", 40_000)


def start(script: Path, output: Path, often: str, actions: int = 1000) -> subprocess.Popen[bytes]:
    """Start to play a script, and return when so many actions are done."""
    child = subprocess.Popen(
        [sys.executable, "-c", SLOWLY, "play", "--script", str(script), "--output", str(output)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "OFTEN": often},
    )
    assert child.stderr is not None
    assert child.stderr.read(actions) == b"." * actions
    return child


@needs_signals
@pytest.mark.parametrize("ending", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_script_that_is_interrupted_is_saved_as_it_is(long_script: Path, tmp_path: Path, ending: str) -> None:
    output = tmp_path / "game.toml"
    child = start(long_script, output, "3600")
    child.send_signal(getattr(signal, ending))
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert b"the game is saved" in err
    assert b"cubiri resume" in out
    assert verify_file(output).status == "unfinished"
    assert len(actions_in(output)) >= 1000, "all of them, not those of the last time it was written"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.toml", "script.toml"]


@needs_signals
def test_a_script_that_is_killed_leaves_a_valid_replay_and_the_next_start_sweeps(
    long_script: Path, tmp_path: Path
) -> None:
    """Killed in the middle of one of many writes; nothing but whole replays is ever seen at its place."""
    output = tmp_path / "game.toml"
    chance = random.Random(4)
    for _ in range(5):
        child = start(long_script, output, "0", 20)
        for _ in range(chance.randrange(10)):
            assert verify(output.read_bytes()).status == "unfinished"
        child.kill()
        child.communicate(timeout=60)
        assert verify_file(output).status == "unfinished"
        assert len(actions_in(output)) >= 20
    Keeper.resume(output).finish()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.toml", "script.toml"]


@needs_signals
def test_a_script_that_is_fed_slowly_and_ends_in_the_middle_writes_nothing(tmp_path: Path) -> None:
    """A script is one TOML file: it is not played before its end is there, so nothing ever waits half played."""
    script, output = script_of(tmp_path / "script.toml", 50), tmp_path / "game.toml"
    data = script.read_bytes()
    with subprocess.Popen(
        [sys.executable, "-m", "cubiri_cli", "play", "--script", "-", "--output", str(output)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdin is not None
        for byte in range(0, len(data), 100):
            child.stdin.write(data[byte : byte + 100])
            child.stdin.flush()
        assert not output.exists()
        child.stdin.close()
        assert child.wait(timeout=60) == 0
    assert len(actions_in(output)) == 50


def test_a_script_longer_than_a_record_can_be_is_stopped_with_the_reason(tmp_path: Path) -> None:
    output = tmp_path / "game.toml"
    script = script_of(tmp_path / "script.toml", 100_000)
    assert script.stat().st_size < 1024 * 1024
    ran = cubiri("play", "--script", script, "--output", output)
    assert ran.status == 1
    assert "larger than 1048576 bytes" in ran.message
    assert "turn 1, entry 8" in ran.message
    assert verify_file(output).status == "unfinished"
    assert output.stat().st_size > 1024 * 1024 - 20
    assert Keeper.resume(output).session.is_nearly_full


def test_a_lock_of_output_ends_with_the_game(tmp_path: Path) -> None:
    output = tmp_path / "game.toml"
    keeper = begun(output)
    refused = process("play", "--script", script_of(tmp_path / "script.toml", 3), "--output", output)
    assert refused.status == 2
    keeper.finish()
    Lock(output).release()
