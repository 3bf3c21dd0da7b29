"""When the disk says no: the game goes on in memory, it is told, and the result is shown with the text to keep."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.replays.verifying import verify, verify_file
from cubiri_cli.store.home import home
from tests.support.playing import MAGDAGDON, be_quick, type_actions, whole_game
from tests.support.running import Ran, cubiri, process
from tests.support.strategies import magdagdon, play, unaided
from tests.support.terminal import Terminal, key_of_game, key_of_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The script of a whole game."""
    path = tmp_path / "script.toml"
    path.write_text(play(magdagdon("peaceful", "disk"), random.Random(1)).text(), encoding="utf-8")
    return path


@contextlib.contextmanager
def mounted(disk: Path, size: str) -> Iterator[None]:
    """Mount an empty disk of this size, where this user may."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(disk)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        done = False
    if not done:
        pytest.skip("no disk can be mounted here; a limit on the size of files stands in")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    with mounted(disk, "64k"):
        yield disk


def fill(disk: Path, free_pages: int = 0) -> None:
    """Fill a disk, but for so many pages of 4 kB."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        with contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        file.truncate(ballast.stat().st_size - 4096 * free_pages)


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
    is_root = os.getuid() == 0
    with mounted(folder, "1m") if is_root else contextlib.nullcontext():  # permissions do not bind root
        script = tmp_path / "first.toml"
        script.write_text(play(magdagdon("peaceful", "first"), random.Random(2), unaided).text(), encoding="utf-8")
        assert process("play", "--script", script, CUBIRI_HOME=str(folder)).status == 0
        if is_root:
            subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        else:
            folder.chmod(0o555)
            (folder / "replays").chmod(0o555)
        yield folder
    if not is_root:
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
        assert terminal.end() == 2


def plays_to_the_end_in_memory(terminal: Terminal, spoil: Callable[[], object]) -> None:
    """Check that a person is told once, plays on to the end, and can keep the whole game from the screen."""
    actions, text = whole_game()
    with terminal:
        terminal.see("turn 1")
        type_actions(terminal, actions[:2])
        terminal.see("1 staged")
        spoil()
        type_actions(terminal, actions[2:4])
        terminal.see("turn 2", "The game could not be stored")
        type_actions(terminal, actions[5:6])
        terminal.see("1 staged")
        assert "could not be stored" not in terminal.text, "once is enough"
        type_actions(terminal, actions[6:])
        assert terminal.end() == 2
        assert terminal.is_sane
        printed = terminal.printed
    assert "Final score" in printed
    assert printed.count("could not be stored") == 1
    assert printed[printed.index('format = "cubiri-replay"') :] + "\n" == text
    assert verify(text.encode()).status == "verified"


@pytest.fixture
def _fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796061731")


@pytest.mark.usefixtures("_fixed_clock")
def test_a_home_that_is_removed_while_a_person_plays(tmp_path: Path) -> None:
    be_quick()
    plays_to_the_end_in_memory(Terminal(*MAGDAGDON), lambda: shutil.rmtree(home()))
    assert not home().exists()


@pytest.mark.usefixtures("_fixed_clock")
def test_a_disk_that_fills_up_while_a_person_plays(tiny_disk: Path) -> None:
    plays_to_the_end_in_memory(Terminal(*MAGDAGDON, CUBIRI_HOME=str(tiny_disk / "home")), lambda: fill(tiny_disk))
    (left,) = (tiny_disk / "home" / "replays").iterdir()
    assert verify_file(left).status == "unfinished"
    (tiny_disk / "ballast").unlink()
    with Terminal("resume", CUBIRI_HOME=str(tiny_disk / "home")) as terminal:  # from what was stored last
        terminal.see("turn 1", "1 staged")
        type_actions(terminal, whole_game()[0][2:])
        assert terminal.end() == 0
    assert left.read_text(encoding="utf-8") == whole_game()[1]


@pytest.mark.parametrize("way", ["q", "Ctrl-C", "Ctrl-D"])
def test_leaving_a_game_that_is_nowhere_shows_its_text_and_does_not_say_it_is_saved(way: str) -> None:
    with Terminal(*MAGDAGDON, rows=60) as terminal:
        terminal.see("turn 1")
        terminal.type("r")
        terminal.see("Which die")
        shutil.rmtree(home())
        terminal.type(":")
        terminal.see("Actions:")
        terminal.type("place 2 b2", "Enter")
        terminal.see("1 staged")
        terminal.type(way)
        assert terminal.end() == 2
        assert terminal.is_sane
        printed = terminal.printed
    assert '"place 2 b2"' in printed
    assert "is saved" not in printed
    assert "cubiri resume" not in printed


class Homeless(Terminal):
    """The program of a user for whom the system knows no home folder."""

    PROGRAM = (
        "-c",
        "import platformdirs, pathlib\n"
        "platformdirs.user_data_path = lambda *_, **__: pathlib.Path('~/.local/share/cubiri')\n"
        "from cubiri_cli.__main__ import main; main()",
    )


@pytest.mark.usefixtures("_fixed_clock")
def test_a_person_without_a_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    actions, text = whole_game()
    with Homeless(*MAGDAGDON, CUBIRI_HOME=None) as terminal:
        terminal.see("turn 1")
        type_actions(terminal, actions[:2])
        terminal.see("1 staged", "no home folder; CUBIRI_HOME")
        type_actions(terminal, actions[2:])
        assert terminal.end() == 2
        printed = terminal.printed
    assert printed[printed.index('format = "cubiri-replay"') :] + "\n" == text
    with Homeless("resume", CUBIRI_HOME=None) as terminal:
        assert terminal.end() == 2
        assert terminal.printed == "cubiri: there is no unfinished game"
    assert list(tmp_path.iterdir()) == [], "nothing is called ~"


def test_the_menu_over_a_read_only_home(read_only: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUBIRI_HOME", str(read_only))
    with Terminal() as terminal:
        terminal.see("What would you like to do?")
        terminal.type("b")
        terminal.see("Best results", "MAGDAGDON · peaceful")
        terminal.type("Esc")
        terminal.see("What would you like to do?")
        terminal.type("s")
        terminal.see("Which setting?")
        terminal.type(key_of_setting("color"))
        terminal.see("colour:")
        terminal.type("2")
        terminal.see("the settings cannot be written", "Which setting?")
        terminal.type("Esc")
        terminal.see("What would you like to do?")
        terminal.type("n")
        terminal.see("Which game?")
        terminal.type(key_of_game("magdagdon"))
        terminal.see("Which difficulty?")
        terminal.type("1")
        terminal.see("turn 1")
        terminal.type("r")
        terminal.see("Which die", "could not be stored")
        terminal.type("q")
        terminal.see('format = "cubiri-replay"', "Enter goes back to the menu.")
        terminal.type("Enter")
        terminal.see("What would you like to do?")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


@pytest.mark.parametrize("has_table", [False, True], ids=["no table yet", "a table"])
def test_a_table_for_which_there_is_no_room_stops_no_game(tmp_path: Path, has_table: bool) -> None:
    """With so many pages free the replay fits, and its entry does not: told once, and made up for by --rebuild."""
    disk = tmp_path / "disk"
    disk.mkdir()
    messages = []
    scripts = [tmp_path / f"{number}.toml" for number in range(2)]
    for number, script in enumerate(scripts):
        script.write_text(play(magdagdon("peaceful", f"full-{number}"), random.Random(number), unaided).text(), "utf-8")
    for pages in (3, 12):
        with mounted(disk, "512k"):
            there = str(disk / "home")
            if has_table:
                assert process("play", "--script", scripts[0], CUBIRI_HOME=there).status == 0
            else:
                (disk / "home").mkdir()
            fill(disk, pages)
            ran = process("play", "--script", scripts[1], CUBIRI_HOME=there)
            assert ran.status == 0
            assert "Final score" in ran.out
            messages.append(ran.message)
            shown = process("leaderboard", "--format", "json", CUBIRI_HOME=there)
            assert shown.status == 0
            assert "Traceback" not in shown.err
            (disk / "ballast").unlink()
            assert process("leaderboard", "--rebuild", CUBIRI_HOME=there).status == 0
            shown = process("leaderboard", "--format", "json", CUBIRI_HOME=there)
            assert shown.err == ""
            assert shown.out.count('"rank"') == 1 + has_table
    assert all("could not be ranked" in message and "--rebuild" in message for message in messages), messages


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root can become a user without a home")
def test_a_user_without_a_home(game: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "CUBIRI_HOME")}
    command = [sys.executable, "-m", "cubiri_cli", "play", "--script", "-"]
    environment["PYTHONPATH"] = str(Path(__file__).parents[2])
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


class Tight(Terminal):
    """The program with room for 1,000 bytes in a record, of which the last 400 are nearly the end."""

    PROGRAM = (
        "-c",
        "from cubiri_cli.replays import session\n"
        "session.LARGEST, session.NEARLY = 1000, 400\n"
        "from cubiri_cli.__main__ import main; main()",
    )


REFUSED = "the game stays as it is: with this, its record would be larger than 1000 bytes"


def check_that_it_can_be_resumed() -> None:
    """Check that the one game is nearly as large as it may be, and can be resumed."""
    (path,) = (home() / "replays").iterdir()
    assert 950 < path.stat().st_size <= 1000
    assert verify_file(path).status == "unfinished"
    with Tight("--plain", "resume", rows=60) as terminal:
        terminal.see("staged", ">")
        terminal.type("return b3", "Enter")
        terminal.see("the game stays as it is")
        terminal.type("q", "Enter")
        assert terminal.end() == 0


def test_a_person_is_told_once_that_the_record_is_nearly_full_and_why_an_action_is_refused() -> None:
    be_quick()
    with Tight("--plain", *MAGDAGDON, rows=60) as terminal:
        terminal.see("Turn 1", ">")
        terminal.type("roll; place 2 b2; place 3 b3", "Enter")
        terminal.line_wanted(2)
        for number in range(3, 30):
            terminal.type("return b3; place 3 b3", "Enter")
            terminal.line_wanted(number)
        printed = " ".join(terminal.printed.split())
        assert printed.count("is nearly full") == 1
        assert printed.index("is nearly full") < printed.index(REFUSED)
        terminal.type("q", "Enter")
        assert terminal.end() == 0
    check_that_it_can_be_resumed()


def test_an_action_that_is_chosen_is_refused_too() -> None:
    be_quick()
    with Tight(*MAGDAGDON) as terminal:
        terminal.see("turn 1")
        type_actions(terminal, ["roll", "place 2 b2", "place 3 b3", *["return b3", "place 3 b3"] * 30])
        terminal.see("its record would be larger than 1000 bytes")
        terminal.type("Esc")
        terminal.see("[q] save and quit")
        terminal.type("u")
        terminal.see("Which die do you take back?", "[n] the 3 on b3")
        terminal.type("n")
        terminal.see("the game stays as it is", "2 staged")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane
    check_that_it_can_be_resumed()
