"""When the disk says no: the game goes on in memory, it is told, and the result is shown with the text to keep."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.replays.verifying import verify, verify_file
from cubiri_cli.store.home import home
from tests.running import Ran, cubiri, process
from tests.strategies import magdagdon, play
from tests.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The script of a whole game."""
    path = tmp_path / "script.toml"
    path.write_text(play(magdagdon("peaceful", "disk"), random.Random(1)).text(), encoding="utf-8")
    return path


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 kB, where this user may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        done = False
    if not done:
        pytest.skip("only root can mount a disk; a limit on the size of files stands in below")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def fill(disk: Path) -> None:
    with (disk / "ballast").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass


def shows_everything(ran: Ran, status: str = "verified") -> None:
    """Check that nothing is hidden: the score, the text of the replay, and one line that says what failed."""
    assert ran.status == 2
    assert "Final score" in ran.out
    assert verify(ran.out[ran.out.index('format = "cubiri-replay"') :].encode()).status == status
    assert "could not be stored" in ran.message


def test_a_full_disk(tiny_disk: Path, game: Path) -> None:
    fill(tiny_disk)
    ran = process("play", "--script", game, CUBIRI_HOME=str(tiny_disk / "home"))
    shows_everything(ran)
    assert "No space left" in ran.message


def test_a_disk_that_fills_up_during_the_game_keeps_the_last_whole_state(tiny_disk: Path) -> None:
    from cubiri_cli.replays.session import Session
    from cubiri_cli.store.saved import Keeper

    output = tiny_disk / "game.toml"
    session: Session = magdagdon("survival", "42").begin()
    keeper = Keeper(session, output)
    session.do("roll")
    assert session.failure is None
    fill(tiny_disk)
    session.do("place 2 b2")
    assert session.failure is not None
    assert verify_file(output).status == "unfinished"
    assert not [path for path in tiny_disk.iterdir() if path.name.startswith(".")]
    (tiny_disk / "ballast").unlink()
    session.do("place 3 b3")
    keeper.finish()
    assert session.failure is None
    assert output.read_text(encoding="utf-8") == session.text()


def test_a_full_disk_and_the_leaderboard_and_the_settings(tiny_disk: Path, game: Path) -> None:
    there = str(tiny_disk / "home")
    assert process("play", "--script", game, CUBIRI_HOME=there, SOURCE_DATE_EPOCH="1796061731").status == 0
    fill(tiny_disk)
    shown = process("leaderboard", "--assisted", CUBIRI_HOME=there)
    assert shown.status == 0
    assert "MAGDAGDON" in shown.out
    changed = process("settings", "color", "off", CUBIRI_HOME=there)
    assert changed.status == 2
    assert "No space left" in changed.message


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_quota(game: Path) -> None:
    """Files may have 300 bytes: enough for a few actions."""
    import resource

    ended = subprocess.run(
        [sys.executable, "-m", "cubiri_cli", "play", "--script", str(game)],
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300)),
        env=dict(os.environ),
    )
    ran = Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())
    shows_everything(ran)
    assert "too large" in ran.message
    for left in (home() / "replays").iterdir():
        assert verify_file(left).status == "unfinished", "what still fitted is whole"


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A home folder with a finished game, in which nobody may write any more."""
    folder = tmp_path / "read-only"
    folder.mkdir()
    mounted = False
    if os.getuid() == 0:  # permissions do not bind root
        command = ["mount", "-t", "tmpfs", "none", str(folder)]
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
        if not mounted:
            pytest.skip("root writes everywhere, and cannot mount here")
    script = tmp_path / "first.toml"
    script.write_text(play(magdagdon("peaceful", "first"), random.Random(2)).text(), encoding="utf-8")
    assert process("play", "--script", script, CUBIRI_HOME=str(folder)).status == 0
    if mounted:
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    else:
        folder.chmod(0o555)
        (folder / "replays").chmod(0o555)
    yield folder
    if mounted:
        subprocess.run(["umount", "-l", str(folder)], check=True)
    else:
        folder.chmod(0o755)
        (folder / "replays").chmod(0o755)


def test_a_read_only_home(read_only: Path, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUBIRI_HOME", str(read_only))
    shows_everything(process("play", "--script", game))
    shown = process("leaderboard", "--assisted")
    assert shown.status == 0
    assert "MAGDAGDON · peaceful" in shown.out
    for arguments in (["leaderboard", "--rebuild"], ["leaderboard", "--add", game], ["settings", "color", "off"]):
        ran = process(*arguments)
        assert ran.status == 2, ran
        assert ran.message


def test_a_person_is_told_once_and_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setenv("CUBIRI_HOME", str(blocked / "home"))
    with Terminal("--plain", "play", "magdagdon", "--seed", "42", "--difficulty", "survival", rows=60) as terminal:
        terminal.see("Turn 1", ">")
        terminal.type("roll", "Enter")
        terminal.see("could not be stored", "Which die")
        terminal.type("place 2 b2", "Enter")
        terminal.see("staged: 1")
        terminal.type("place 3 b3", "Enter")
        terminal.see("staged: 2")
        assert terminal.text.count("could not be stored") == 1
        terminal.type("q", "Enter")
        terminal.see("Keep this text", 'format = "cubiri-replay"')
        terminal.end()


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root can become a user without a home")
def test_a_user_without_a_home(game: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "CUBIRI_HOME")}
    command = [sys.executable, "-m", "cubiri_cli", "play", "--script", "-"]
    environment["PYTHONPATH"] = str(Path(__file__).parents[1])
    try:
        ended = subprocess.run(
            command,
            input=game.read_bytes(),
            capture_output=True,
            user=54321,
            group=54321,
            cwd="/",
            env=environment,
            check=False,
        )
    except PermissionError:
        pytest.skip("that user may not run this Python")
    ran = Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())
    if "No module" in ran.err:
        pytest.skip("that user may not read the program")
    shows_everything(ran)
    assert "CUBIRI_HOME" in ran.message


def test_no_home_folder_at_all(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import platformdirs

    monkeypatch.delenv("CUBIRI_HOME")
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *_, **__: Path("~/.local/share/cubiri"))
    ran = cubiri("play", "--script", game)
    shows_everything(ran)
    assert "CUBIRI_HOME" in ran.message
    for arguments in (["leaderboard"], ["settings"], ["rules", "magdagdon"]):
        again = cubiri(*arguments)
        assert "unexpected" not in again.err, again
        assert again.status == 0, again
