"""Games on disk: whenever the program is killed, and whatever the disk says, nothing that was played is lost."""

from __future__ import annotations

import os
import random
import signal
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

import cubiri_cli.commands.newgame
import cubiri_cli.store.leaderboard.opening  # here, so that no forked process has to import it
from cubiri_cli.cli.app import run
from cubiri_cli.games.game import Game
from cubiri_cli.replays.replay import Player, Replay
from cubiri_cli.replays.session import NotResumableError, Session
from cubiri_cli.replays.verifying import verify_file
from cubiri_cli.store.files import sweep
from cubiri_cli.store.home import game_paths, recent, replays_folder
from cubiri_cli.store.locks import InUseError, Lock
from cubiri_cli.store.saved import Keeper
from cubiri_cli.store.unfinished import resumable, unfinished
from tests.support.running import cubiri, process
from tests.support.strategies import Setup, magdagdon, mishimash, pick, play, setup_number

if TYPE_CHECKING:
    from collections.abc import Callable

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and kill -9")

CLOCK = "1796061731"  # 2026-11-30 18:02:11 UTC


@pytest.fixture
def fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", CLOCK)


def actions_of(session: Session) -> list[str]:
    return [entry.partition(" -> ")[0] for turn in session.replay.turns for entry in turn.log]


# Killed


def play_in_a_child(
    setup: Setup, folder: Path, output: Path | None, script: Path, prepare: Callable[[], None]
) -> tuple[int, int]:
    """Start the real command in a process of its own; return its id and a pipe that gets a byte for each action done.

    Forked, because so many interpreters would take half a minute to start.
    """
    reads, writes = os.pipe()
    child = os.fork()
    if child:
        os.close(writes)
        return child, reads
    try:
        run_and_report(folder, output, script, writes, prepare)
    finally:
        os._exit(70)


def run_and_report(folder: Path, output: Path | None, script: Path, pipe: int, prepare: Callable[[], None]) -> NoReturn:
    os.environ["CUBIRI_HOME"] = str(folder)
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    sys.stdout = sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the process ends
    do = Session.do

    def do_and_report(self: Session, action: str, comment: str | None = None) -> object:
        outcome = do(self, action, comment)
        os.write(pipe, b".")
        return outcome

    Session.do = do_and_report  # type: ignore[method-assign, assignment]
    vars(cubiri_cli.commands.newgame)["OFTEN"] = 0.0
    prepare()
    arguments = ["play", "--script", str(script), *(["--output", str(output)] if output else [])]
    os._exit(run(arguments))


def wait_for(child: int, reads: int) -> tuple[int, int]:
    """Return how many actions the child had done when it ended, and how it ended."""
    done = 0
    while data := os.read(reads, 4096):
        done += len(data)
    os.close(reads)
    return done, os.waitpid(child, 0)[1]


@cache
def never_killed(setup: Setup, most: int = 10_000) -> tuple[str, list[str]]:
    """Return the text of a game of so many actions as it is without any kill, and its actions."""
    session = play(setup, random.Random(setup.seed), most=most)
    return session.text(), actions_of(session)


def check_what_is_left(file: Path, done: int, text: str, actions: list[str]) -> None:
    """Check that a file is valid, lacks at most the action in flight, and goes on to the same bytes."""
    if not file.exists():
        assert done == 0, f"{done} actions were done, and there is no file"
        sweep(file.parent)
        assert not file.parent.exists() or not list(file.parent.iterdir()), "something was left where the file would be"
        return
    verdict = verify_file(file)
    assert verdict.status in ("unfinished", "verified"), verdict
    if verdict.status == "verified":
        sweep(file.parent)
        assert [path.name for path in file.parent.iterdir()] == [file.name], "something was left beside the file"
        assert file.read_text(encoding="utf-8") == text
        return
    keeper = Keeper.resume(file)
    logged = len(actions_of(keeper.session))
    assert done <= logged <= done + 1
    for action in actions[logged:]:
        keeper.session.do(action)
    keeper.finish()
    assert file.read_text(encoding="utf-8") == text
    assert [path.name for path in file.parent.iterdir()] == [file.name], "something was left beside the file"


def the_file(folder: Path, output: Path | None) -> Path:
    files = [output] if output else sorted(folder.glob("replays/*.toml"))
    assert len(files) < 2
    return files[0] if files else folder / "replays" / "none"


@needs_fork
@pytest.mark.usefixtures("fixed_clock")
@pytest.mark.parametrize(
    ("setup", "most"), [(magdagdon("survival", "steps"), 12), (mishimash(1, 10, "steps"), 10_000)], ids=["cut", "whole"]
)
@pytest.mark.parametrize("where", ["home", "output"])
def test_kill_9_before_every_step_of_every_write(setup: Setup, most: int, where: str, tmp_path: Path) -> None:
    """Not left to chance: killed before each time a file is opened for writing, renamed or removed.

    What is killed between two of these leaves what the later one would find: a file is renamed once it is whole.
    """
    text, actions = never_killed(setup, most)
    script = tmp_path / "script.toml"
    script.write_text(text, encoding="utf-8")
    for step in range(1, 10_000):
        folder = tmp_path / str(step)
        output = folder / "games" / "game.toml" if where == "output" else None
        (folder / "games").mkdir(parents=True)
        child, reads = play_in_a_child(setup, folder, output, script, lambda step=step: kill_at_step(step))  # type: ignore[misc]
        done, end = wait_for(child, reads)
        if end == 0:
            assert the_file(folder, output).read_text(encoding="utf-8") == text
            break
        assert end == signal.SIGKILL
        check_what_is_left(the_file(folder, output), done, text, actions)
        assert not list(folder.rglob("*.lock"))
    assert step > 2 * len(actions), "every action is a file that is opened and one that is renamed"


def kill_at_step(last: int) -> None:
    """Kill this process before the step of this number that concerns files that are written."""
    count = 0

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal count
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        if writes or event in ("os.rename", "os.link", "os.remove", "os.mkdir"):
            count += 1
            if count == last:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


# One at a time


def test_a_game_that_is_being_played_is_not_gone_on_with_elsewhere(tmp_path: Path) -> None:
    session = magdagdon("survival", "42").begin()
    keeper = Keeper(session)
    session.do("roll")
    assert keeper.path is not None
    elsewhere = process("resume", keeper.path)
    assert elsewhere.status == 1
    assert "being played in another terminal" in elsewhere.message
    latest = process("resume")
    assert (latest.status, latest.message) == (1, elsewhere.message)
    keeper.finish()
    assert process("resume", keeper.path).status == 2, "it is free now, and only a terminal is missing"


def test_output_is_locked_too_and_nothing_appears_beside_it(tmp_path: Path) -> None:
    output = tmp_path / "game.toml"
    session = mishimash(1, 10, "42").begin()
    keeper = Keeper(session, output)
    session.do("roll")
    assert process("resume", output).status == 1
    assert "being played in another terminal" in process("play", "--script", output, "--output", output).message
    keeper.finish()
    assert [path.name for path in tmp_path.iterdir()] == ["game.toml"]


@needs_fork
def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        Lock(path)
        os.write(writes, b".")
        signal.pause()
        os._exit(0)
    os.read(reads, 1)
    with pytest.raises(InUseError):
        Lock(path)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    Lock(path).release()


def test_a_lock_is_waited_for_and_holds_in_its_own_process_too(tmp_path: Path) -> None:
    with Lock(tmp_path / "a"):
        Lock(tmp_path / "b").release()
        with pytest.raises(InUseError):
            Lock(tmp_path / "a", wait=0.05)
    Lock(tmp_path / "a").release()


def test_without_a_place_for_locks_games_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "missing"))
    output = tmp_path / "game.toml"
    session = mishimash(1, 10, "42").begin()
    keeper = Keeper(session, output)
    session.do("roll")
    keeper.finish()
    assert verify_file(output).status == "unfinished"


# Names and order


def test_names_sort_by_time_and_tell_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    names = []
    for number, epoch in enumerate([1796061731, 1796061731, 1796061731, 1796061732, 1796061799]):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(epoch))
        session = magdagdon("survival", f"n-{number}").begin()
        keeper = Keeper(session)
        session.do("roll")
        keeper.finish()
        assert keeper.path is not None
        names.append(keeper.path.name)
    assert names == sorted(names)
    assert names[0] == "20261130-180211-magdagdon-survival.toml"
    assert len(set(names)) == 5


def test_many_games_of_one_second_still_sort() -> None:
    replay = Replay("mishimash", "1", {"target": 100}, [Player("Ada")])
    paths = game_paths(replay)
    names = [next(paths).name for _ in range(1200)]
    assert names == sorted(names)


def test_nothing_is_kept_before_the_first_action() -> None:
    session = magdagdon("survival", "42").begin()
    Keeper(session).finish()
    assert not replays_folder().exists()


def save_game(setup: Setup, most: int, age: int) -> Path:
    keepers: list[Keeper] = []

    session = setup.begin()
    keepers.append(Keeper(session))
    chance = random.Random(setup.seed)
    for _ in range(most):
        if not session.game.over:
            session.do(pick(session.game, chance))
    keepers[0].finish()
    path = keepers[0].path
    assert path is not None
    os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
    return path


def test_the_latest_is_the_one_played_last_and_finished_ones_and_strangers_are_left_out() -> None:
    old = save_game(magdagdon("survival", "a"), 3, age=30)
    new = save_game(mishimash(2, 40, "b"), 2, age=20)
    finished = save_game(mishimash(1, 10, "c"), 1000, age=10)
    (replays_folder() / "notes.toml").write_text("[notes]\nbuy = 'dice'\n", encoding="utf-8")
    (replays_folder() / "folder.toml").mkdir()
    assert [one.path for one in unfinished()] == [new, old]
    assert finished in recent()
    os.utime(old)
    assert [one.path for one in resumable()] == [old, new]


# Going on


def position(game: Game) -> dict[str, object]:
    names = [name for one in type(game).__mro__ for name in getattr(one, "__slots__", ())]
    return {name: getattr(game, name) for name in names}


@pytest.mark.parametrize("number", range(1, 40))
def test_a_game_goes_on_exactly_where_it_stopped(number: int, tmp_path: Path) -> None:
    """After any action, staged dice included: the same position, the same bytes at the end."""
    setup, chance = setup_number(number), random.Random(number)
    most = chance.randint(1, 40)
    output = tmp_path / "game.toml"
    before = setup.begin()
    keeper = Keeper(before, output)
    for _ in range(most):
        if before.game.over:
            return
        before.do(pick(before.game, chance))
    keeper.finish()
    if before.game.over:
        return
    bytes_before = output.read_bytes()
    after = Keeper.resume(output)
    assert output.read_bytes() == bytes_before
    assert position(after.session.game) == position(before.game)
    assert after.session.text() == before.text()
    action = pick(before.game, chance)
    before.keep = None
    before.do(action)
    after.session.do(action)
    after.finish()
    if not before.game.over:  # else the moment it finished is in it
        assert output.read_text(encoding="utf-8") == before.text()


def test_what_was_edited_is_refused_and_the_file_left_as_it_is(tmp_path: Path) -> None:
    output = tmp_path / "game.toml"
    session = magdagdon("survival", "42").begin()
    keeper = Keeper(session, output)
    for action in ("roll", "place 2 b2", "place 3 b3", "confirm", "roll"):
        session.do(action)
    keeper.finish()
    edited = output.read_text(encoding="utf-8").replace("place 3 b3", "place 4 b3")
    output.write_text(edited, encoding="utf-8")
    with pytest.raises(NotResumableError) as caught:
        Keeper.resume(output)
    assert caught.value.verdict.where == "turn 1, entry 3"
    refused = cubiri("resume", output)
    assert (refused.status, output.read_text(encoding="utf-8")) == (1, edited)
    assert "turn 1, entry 3" in refused.message
    with Lock(output):
        pass  # given back
