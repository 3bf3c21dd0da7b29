"""The README says the truth: its commands run as they are written, and print what it shows."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cubiri_cli.store.settings import LANGUAGES
from tests.support import documents
from tests.support.documents import BIN, PATH, ROOT, copy_of, shell
from tests.support.terminal import Terminal

README = (ROOT / "README.md").read_text(encoding="utf-8")

NOON = "1796040000"
"""2026-11-30 12:00:00 UTC: when the README's games were played."""


def blocks(language: str) -> list[str]:
    """The code blocks of this language, in order."""
    return documents.blocks(README, language)


PLAY, TEST = blocks("sh")[:2]


def consoles() -> list[tuple[str, str]]:
    """The commands of the `console` blocks, each with the output shown under it."""
    return documents.consoles(README)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What a fresh clone has and the README's commands need, in a folder of its own."""
    return copy_of(
        tmp_path / "clone", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "cubiri_cli", "man", "replays"
    )


def test_it_opens_with_the_two_commands() -> None:
    assert PLAY.startswith("python3 -m venv .venv && ")
    assert TEST.startswith("python3 -m venv .venv && ")
    assert PLAY.count("\n") == TEST.count("\n") == 1
    assert README.index(TEST) < README.index("\n## ")


def test_its_first_lines_name_every_language() -> None:
    lacking = [language.name for language in LANGUAGES.values() if language.name not in README.partition("\n## ")[0]]
    assert lacking == []


def test_its_play_command_prints_a_final_score(clone: Path) -> None:
    done = shell(PLAY, clone)
    if "No matching distribution found" in done.stdout:
        pytest.skip("no package index within reach to install from")
    assert done.returncode == 0, done.stdout
    assert re.search(r"^Final score: 454$", done.stdout, re.MULTILINE), done.stdout
    assert (clone / "first-game.toml").is_file()


class Shell(Terminal):
    """A terminal in which bash runs what it is given."""

    PROGRAM = ("-c", "import os, sys; os.execvp('bash', ['bash', '-c', *sys.argv[1:]])")


def test_its_play_command_ends_where_one_can_go_on_playing(clone: Path) -> None:
    command = PLAY.partition(" install -q . && ")[2].replace(".venv/bin", str(BIN))
    with Shell(f"cd '{clone}' && {command}") as screen:
        screen.see("What would you like to do?", "[Esc] quit")
        screen.type("q")
        assert screen.end() == 0
        assert "Final score: 454" in screen.printed


def test_it_speaks_to_players_first_and_to_those_who_build_last() -> None:
    assert re.findall(r"^## (.*)$", README, re.MULTILINE) == ["Install", "Play", "Verify", "Build"]


def test_its_test_command_is_the_one_that_ci_runs() -> None:
    command = TEST.rsplit(" && ", 1)[1].strip().removeprefix(".venv/bin/")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert command.startswith("pytest")
    assert [line for line in ci if line.startswith("pytest")] == [command]


def run_what_it_shows(folder: Path) -> list[tuple[str, str]]:
    """Run the commands of the README's `console` blocks, and return each with what it printed."""
    return [(command, shell(command, folder, PATH=PATH, SOURCE_DATE_EPOCH=NOON).stdout) for command, _ in consoles()]


def test_what_it_shows_is_what_is_printed(clone: Path) -> None:
    assert len(consoles()) >= 4
    for (command, shown), (_, printed) in zip(consoles(), run_what_it_shows(clone), strict=True):
        assert shown == printed, f"$ {command}"


def test_what_it_shows_of_python_is_what_python_says(clone: Path) -> None:
    run_what_it_shows(clone)
    (clone / "example.txt").write_text("\n".join(blocks("pycon")), encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "doctest", "example.txt"], cwd=clone, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def inline_commands() -> list[str]:
    """The commands that stand in sentences and tables, as one would type them."""
    found = {" ".join(one.split()) for one in re.findall(r"`((?:\.venv/bin/)?cubiri [^`]*)`", README)}
    return sorted({one.removeprefix(".venv/bin/") for one in found})


RECORDED = len(list((ROOT / "replays").glob("*.toml")))

# What is not simply done where there is no terminal, no game to resume, and no game of that day: status and answer.
OTHERWISE = {
    "cubiri play": (2, "needs a terminal"),
    "cubiri daily": (2, "needs a terminal"),
    "cubiri share": (2, "there is no finished game yet"),
    "cubiri analyze": (2, ""),
    "cubiri hint": (2, "there is no unfinished game"),
    "cubiri match": (2, "GAME"),
    "cubiri resume": (2, "there is no unfinished game"),
    "cubiri verify-score --seed": (1, f"0 of {RECORDED} replays verified ({RECORDED} unwanted)"),
}


@pytest.mark.parametrize("command", inline_commands())
def test_each_command_in_a_sentence_is_one(command: str, clone: Path) -> None:
    run_what_it_shows(clone)
    shutil.copy(clone / "ada.toml", clone / "FILE")
    home = str(clone / "user")  # where `completion --install` writes
    done = shell(command, clone, PATH=PATH, SOURCE_DATE_EPOCH=NOON, HOME=home, XDG_DATA_HOME=home, SHELL="/bin/bash")
    expected = next((answer for start, answer in OTHERWISE.items() if command.startswith(start)), (0, ""))
    assert done.returncode == expected[0], done.stdout
    assert expected[1] in done.stdout


def test_the_files_and_folders_it_names_exist() -> None:
    for name in re.findall(r"\]\(([^):#]+)\)", README):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"`((?:cubiri_cli|tests|replays|\.ci)/[\w./-]*)`", README):
        assert (ROOT / name).exists(), name
