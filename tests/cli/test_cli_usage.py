"""The command line, called wrongly in every way that comes to mind: one line, the right exit status, no traceback."""

from __future__ import annotations

import inspect
import os
import random
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

from cubiri_cli import __version__
from cubiri_cli.commands import COMMANDS
from cubiri_cli.replays.verifying import verify, verify_file
from cubiri_cli.table.drawing import width
from cubiri_cli.table.language import LANGUAGES
from tests.support.running import cubiri, process
from tests.support.strategies import STARTED, magdagdon, play, to_bytes

pytestmark = pytest.mark.smoke

ROOT = Path(__file__).parents[2]
FINISHED = ROOT / "replays" / "mishimash-solo-1000.toml"

if TYPE_CHECKING:
    from collections.abc import Sequence

SCRIPT = {
    "format": "cubiri-replay",
    "game": "magdagdon",
    "seed": "42",
    "options": {"difficulty": "survival"},
    "turns": [{"log": ["roll", "place 2 b2", "place 3 b3", "confirm"]}],
}

needs_sh = pytest.mark.skipif(not Path("/bin/sh").exists(), reason="needs a Unix shell")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.toml"
    path.write_bytes(to_bytes(SCRIPT))
    return path


# Version and help


def test_version() -> None:
    ran = process("--version")
    assert (ran.status, ran.out, ran.err) == (0, f"cubiri {__version__}\n", "")
    ran = process("--plain", "--version")  # not alone: the other way to it
    assert (ran.status, ran.out, ran.err) == (0, f"cubiri {__version__}\n", "")


def test_the_console_script_is_the_same() -> None:
    command = Path(sys.executable).parent / "cubiri"
    if not command.exists():
        pytest.skip("the package is not installed beside this interpreter")
    ended = subprocess.run([command, "--help"], capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
    assert (ended.returncode, ended.stdout.decode()) == (0, process("--help").out)


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_names_every_command(flag: str) -> None:
    ran = cubiri(flag)
    assert (ran.status, ran.err) == (0, "")
    for name in COMMANDS:
        assert re.search(rf"^  {name}\b", ran.out, re.MULTILINE), name


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command(name: str) -> None:
    for arguments in ((name, "--help"), (name, "-h"), ("--plain", name, "--help")):
        ran = cubiri(*arguments)
        assert (ran.status, ran.err) == (0, ""), arguments
        assert f"cubiri {name}" in ran.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_fits_a_narrow_terminal_and_cuts_nothing(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("", *COMMANDS):
        arguments = ["--lang", language, *([name] if name else []), "--help"]
        pages = []
        for columns in (80, 40):
            monkeypatch.setenv("COLUMNS", str(columns))
            pages.append(cubiri(*arguments).out)
            assert all(width(line.rstrip()) <= columns for line in pages[-1].splitlines()), (name, columns)
        wide, narrow = ("".join(page.split()) for page in pages)
        assert wide == narrow, name


def test_nothing_at_all_shows_the_help_where_there_is_no_terminal() -> None:
    ran = cubiri()
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == cubiri("--help").out


# Called wrongly

WRONG: list[tuple[list[str], str]] = [
    (["dance"], "dance"),
    (["--no-such-option"], "--no-such-option"),
    (["play", "--no-such-option"], "--no-such-option"),
    (["play", "magdagdon", "mishimash"], "mishimash"),
    (["play", "chess"], "magdagdon, mishimash"),
    (["play", "chess\x1b[2J"], "magdagdon, mishimash"),
    (["play", ""], "magdagdon, mishimash"),
    (["rules"], "magdagdon, mishimash"),
    (["rules", "chess"], "magdagdon, mishimash"),
    (["replay"], "name a replay"),
    (["verify-score"], "PATH"),
    (["verify-score", "--format", "xml", "."], "--format"),
    (["--lang", "xx", "rules", "magdagdon"], ", ".join(LANGUAGES)),
    (["--lang", "\x1b[31m", "rules", "magdagdon"], ", ".join(LANGUAGES)),
    (["--lang"], ", ".join(LANGUAGES)),
]


@pytest.mark.parametrize(("arguments", "part"), WRONG, ids=lambda value: str(value)[:40])
def test_called_wrongly(arguments: list[str], part: str) -> None:
    ran = cubiri(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert part in ran.message


OPTIONS: list[tuple[list[str], str]] = [
    (["magdagdon", "--difficulty", "hard"], "peaceful, survival, nightmare"),
    (["magdagdon", "--difficulty", ""], "peaceful, survival, nightmare"),
    (["magdagdon", "--difficulty", "a\x1b[2J"], "peaceful, survival, nightmare"),
    (["magdagdon", "--target", "50"], "--target"),
    (["mishimash", "--difficulty", "survival"], "--difficulty"),
    *[
        (["mishimash", "--target", target], "from 10 to 1000000")
        for target in (
            "0",
            "9",
            "1.5",
            "-10",
            "1000001",
            "9" * 5000,
            "١٠",
            "1e3",
            "1_000",
            "",
            "ten",
            "0x10",
            "²",
        )
    ],
    (["magdagdon", "--seed", "a b"], "1 to 64"),
    (["magdagdon", "--seed", ""], "1 to 64"),
    (["magdagdon", "--seed", "a" * 65], "1 to 64"),
    (["magdagdon", "--seed", "ä"], "1 to 64"),
    (["magdagdon", "--seed", "İ"], "1 to 64"),
    (["magdagdon", "--seed", "42", "--daily"], "--daily"),
    *[
        (["magdagdon", "--player", name], "1 to 32 printable")
        for name in ("", " ", " Ada", "a\x1b[31mb", "a\nb", "a\u202eb", "a\u200bb", "x" * 33, "\udce4")
    ],
    (["mishimash", "--player", "Ada", "--player", "Ada"], "same name"),
    (["magdagdon", "--player", "Ada", "--player", "Bo"], "at most 1"),
    (["mishimash", *[word for seat in range(9) for word in ("--player", f"P{seat}")]], "at most 8"),
    (["magdagdon", "--like", "no-such-file.toml"], "no-such-file.toml"),
]


@pytest.mark.parametrize(("arguments", "part"), OPTIONS, ids=lambda value: repr(value)[:60])
def test_wrong_options_of_a_game(arguments: list[str], part: str, tmp_path: Path) -> None:
    """Found with a script that leaves everything else open; and at the prompt before the terminal is looked for."""
    script = tmp_path / "script.toml"
    bare = {"format": "cubiri-replay", "turns": [{"log": ["roll"]}], "options": {}}
    del bare["options"]
    script.write_bytes(to_bytes(bare))
    if "--difficulty" not in arguments and "--target" not in arguments:
        arguments = [*arguments, *(["--difficulty", "survival"] if "magdagdon" in arguments else ["--target", "50"])]
    for more in (["--script", script], []):
        ran = cubiri("play", *arguments, *more, "--output", tmp_path / "out.toml")
        assert (ran.status, ran.out) == (2, "")
        assert part in ran.message
        assert not (tmp_path / "out.toml").exists()


# No terminal, no standard input, nobody who reads


@pytest.mark.parametrize(
    "arguments", [["play"], ["play", "magdagdon"], ["play", "mishimash", "--player", "Ada"]], ids=" ".join
)
def test_a_prompt_without_a_terminal(arguments: Sequence[str]) -> None:
    for stdin in (b"", b"1\ny\n", None):
        ran = cubiri(*arguments, stdin=stdin)
        assert (ran.status, ran.out) == (2, "")
        assert "--script" in ran.message


@needs_sh
@pytest.mark.parametrize(
    "arguments", [["play", "magdagdon"], ["play", "--script", "-"], ["verify-score", "-"], ["play"]], ids=" ".join
)
def test_standard_input_is_closed(arguments: Sequence[str]) -> None:
    ran = process(*arguments, shell="<&-")
    assert ran.status == 2
    assert ran.message


@needs_sh
def test_standard_output_is_closed(script: Path, tmp_path: Path) -> None:
    for arguments in (["rules", "magdagdon"], ["--help"], ["--version"], ["verify-score", script]):
        ran = process(*arguments, shell=">&-")
        assert ran.status in (0, 1), arguments
        assert ran.err == "", arguments
    output = tmp_path / "out.toml"
    assert process("play", "--script", script, "--output", output, shell=">&-").status == 0
    assert verify_file(output).status == "unfinished"
    finished = ROOT / "replays" / "magdagdon-peaceful-six-straights.toml"
    for command in (
        ["play", "--script", finished],  # is ranked
        ["replay", finished],
        ["leaderboard"],
        ["leaderboard", "--from", finished],
    ):
        ran = process(*command, shell=">&-")
        assert (ran.status, ran.err) == (0, ""), command


@needs_sh
def test_standard_error_is_closed() -> None:
    ran = process("play", "chess", shell="2>&-")
    assert (ran.status, ran.out, ran.err) == (2, "", "")


@needs_sh
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
def test_the_status_says_how_it_ended_where_nothing_can_be_said() -> None:
    """Python itself would end with 120, as it would at a terminal that is gone."""
    assert process("play", "chess", shell="2>/dev/full").status == 2
    assert process("rules", "magdagdon", shell=">/dev/full 2>/dev/full").status == 2
    assert process("verify-score", ROOT / "no-such-file.toml", shell="2>/dev/full").status == 2


@needs_sh
def test_nobody_reads_any_more(script: Path) -> None:
    for arguments in (["rules", "magdagdon"], ["--help"], ["--version"], ["verify-score", "--format", "jsonl", script]):
        ran = process(*arguments, shell="| true")
        assert ran.err == "", arguments


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this platform")
def test_the_disk_is_full_where_output_goes(script: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.toml"
    for arguments in (["rules", "magdagdon"], ["play", "--script", script, "--output", output]):
        ran = process(*arguments, shell="> /dev/full")
        assert ran.status == 2, arguments
        assert "No space left" in ran.message
    for unbuffered in ("", "1"):
        ran = process("--version", shell="> /dev/full", PYTHONUNBUFFERED=unbuffered)
        assert ran.status == 2
        assert "No space left" in ran.message
    assert verify_file(output).status == "unfinished"  # saved first, printed then


# Where a game cannot be stored


@pytest.mark.parametrize("where", ["missing/out.toml", "", "script.toml/out.toml", "n" * 300, "n" * 300 + "/out.toml"])
def test_an_output_that_cannot_be(script: Path, tmp_path: Path, where: str) -> None:
    ran = cubiri("play", "--script", script, "--output", tmp_path / where)
    assert ran.status == 2
    assert ran.message
    assert {path.name for path in tmp_path.iterdir()} == {"script.toml"}


def test_an_output_that_is_a_device(script: Path) -> None:
    ran = cubiri("play", "--script", script, "--output", "/dev/null")
    assert ran.status == 2
    assert ran.message
    assert Path("/dev/null").is_char_device()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder in which nobody can write")
def test_a_folder_in_which_nobody_can_write(script: Path) -> None:
    """The result is not hidden: it is shown, with the replay's text, and the failure is one line."""
    ran = cubiri("play", "--script", script, "--output", "/proc/out.toml")
    assert ran.status == 2
    assert "could not be stored" in ran.out + ran.err
    assert verify(ran.out[ran.out.index('format = "cubiri-replay"') :].encode()).status == "unfinished"
    assert "please report" not in ran.err
    assert ran.message


@pytest.mark.parametrize("home", ["script.toml", "script.toml/home", "/proc/cubiri", "\n/x"])
def test_a_home_folder_that_cannot_be(script: Path, tmp_path: Path, home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if home.startswith("/proc") and not Path("/proc/self").exists():
        pytest.skip("no /proc on this platform")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path / home) if home != "\n/x" else str(script / "a\nb"))
    ran = cubiri("play", "--script", script)
    assert ran.status == 2
    assert "please report" not in ran.err
    assert verify(ran.out[ran.out.index('format = "cubiri-replay"') :].encode()).status == "unfinished"
    assert ran.message


def test_a_read_only_folder(script: Path, tmp_path: Path) -> None:
    folder = tmp_path / "read-only"
    folder.mkdir()
    folder.chmod(0o555)
    try:
        if os.access(folder, os.W_OK):
            pytest.skip("permission bits do not bind this user; /proc stands in above")
        ran = cubiri("play", "--script", script, "--output", folder / "out.toml")
        assert ran.status == 2
        assert ran.message
    finally:
        folder.chmod(0o755)


@pytest.mark.parametrize("epoch", ["soon", "1e9", "9" * 40, "1.5", "1_0", "١٢", "+5", "9" * 18])
def test_a_clock_that_is_none(script: Path, epoch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    ran = cubiri("play", "--script", script)
    assert ran.status == 2
    assert "SOURCE_DATE_EPOCH" in ran.message
    assert f'on "{epoch}"' in cubiri("--lang", "fi", "play", "--script", script).message


def test_a_clock_that_is_none_is_said_before_the_game_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the record says itself when the game began: its end would ask, and the last action be lost."""
    finished = (ROOT / "replays" / "magdagdon-peaceful-six-straights.toml").read_text("utf-8")
    (tmp_path / "game.toml").write_text(finished[: finished.index("\n[result]")], "utf-8")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    ran = cubiri("play", "--script", tmp_path / "game.toml", "--output", tmp_path / "out.toml")
    assert (ran.status, ran.out) == (2, "")
    assert "SOURCE_DATE_EPOCH" in ran.message
    assert not (tmp_path / "out.toml").exists()
    judged = cubiri("verify-score", "--format", "junit", ROOT / "replays")
    assert (judged.status, judged.out) == (2, "")


@pytest.mark.parametrize("typed", ["survival", "SURVIVAL", " Survival "])
def test_an_option_may_be_typed_in_any_case_everywhere(typed: str) -> None:
    games = ROOT / "replays"
    named = cubiri("verify-score", "--game", "magdagdon", "--difficulty", typed, games)
    count, wanted = len(list(games.glob("*.toml"))), len(list(games.glob("magdagdon-survival-*.toml")))
    assert named.out.endswith(f"{wanted} of {count} replays verified ({count - wanted} unwanted)\n")
    assert cubiri("verify-score", "--difficulty", typed, games).out.endswith(f"({count - wanted} unwanted)\n")
    assert cubiri("leaderboard", "magdagdon", "--difficulty", typed, "--from", games).out.count("MAGDAGDON") == 1
    assert cubiri("settings", "difficulty", typed).out == "difficulty = survival\n"


# What is printed


def test_the_result_goes_to_standard_output_and_nothing_else_is_said(tmp_path: Path) -> None:
    script = tmp_path / "game.toml"
    script.write_text(play(magdagdon("survival", "usage"), random.Random(1), started=STARTED).text(), "utf-8")
    ran = process("play", "--script", script, "--output", tmp_path / "out.toml")
    assert (ran.status, ran.err) == (0, "")
    assert "Final score" in ran.out
    assert f"cubiri verify-score {tmp_path / 'out.toml'}" in ran.out
    assert "\x1b" not in ran.out


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp1250", "utf-8"])
def test_an_encoding_that_lacks_a_character_is_no_error(tmp_path: Path, encoding: str) -> None:
    script = tmp_path / "game.toml"
    text = play(magdagdon("survival", "usage"), random.Random(1), started=STARTED).text()
    script.write_text(text.replace('"Ada"', '"山田 Ľ ⚀"'), "utf-8")
    for arguments in (
        ["play", "--script", script, "--output", tmp_path / "out.toml"],
        ["rules", "magdagdon"],
        ["--help"],
    ):
        ran = process(*arguments, PYTHONIOENCODING=encoding)
        assert (ran.status, ran.err) == (0, ""), arguments
    assert "山田 Ľ ⚀" in (tmp_path / "out.toml").read_text("utf-8")


# Whole numbers


def test_no_number_is_left_to_typer() -> None:
    """Its `int` and `float` take `1_0`, `\u0661`, `1e1` and `nan`."""
    for module in COMMANDS.values():
        command = import_module(f"cubiri_cli.commands.{module}").COMMAND
        for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
            kind = get_args(parameter.annotation)[0]
            assert not {int, float} & {kind, *get_args(kind)}, (module, name)


@pytest.mark.parametrize("number", ["1_0", "\u0661\u0662", "+12", "1e1", "0x1f", "12.", "", "9" * 5000])
@pytest.mark.parametrize(
    "arguments",
    [
        ["verify-score", FINISHED, "--jobs"],
        ["verify-score", FINISHED, "--min-score"],
        ["verify-score", FINISHED, "--target"],
        ["replay", FINISHED, "--turn"],
        ["replay", FINISHED, "--format", "cast", "--speed"],
        ["leaderboard", "--from", FINISHED, "--limit"],
        ["leaderboard", "--from", FINISHED, "--target"],
        ["settings", "target"],
    ],
    ids=lambda arguments: f"{arguments[0]} {arguments[-1]}",
)
def test_whole_numbers_are_spelled_in_one_way_everywhere(arguments: list[object], number: str) -> None:
    ran = cubiri(*arguments, number)
    assert (ran.status, ran.out) == (2, "")
    assert ran.message
    unwanted = arguments[0] == "verify-score" and arguments[-1] == "--target"
    assert cubiri(*arguments, " 12 ").status == (1 if unwanted else 0)
