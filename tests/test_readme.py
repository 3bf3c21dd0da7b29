"""The README says the truth: its commands run as they are written, and print what it shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pexpect
import pyte
import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")

NOON = "1796040000"
"""2026-11-30 12:00:00 UTC: when the README's games were played."""


def blocks(language: str) -> list[str]:
    """The code blocks of this language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


PLAY, TEST = blocks("sh")[:2]


def consoles() -> list[tuple[str, str]]:
    """The commands of the `console` blocks, each with the output shown under it."""
    found: list[tuple[str, str]] = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def shell(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a person would type it, where there is no terminal; both streams as one."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        timeout=300,
    )


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What a fresh clone has and the README's commands need, in a folder of its own."""
    folder = tmp_path / "clone"
    folder.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in ("cubiri_cli", "man", "replays"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_it_opens_with_the_two_commands() -> None:
    assert PLAY.startswith("python3 -m venv .venv && ")
    assert TEST.startswith("python3 -m venv .venv && ")
    assert PLAY.count("\n") == TEST.count("\n") == 1
    assert README.index(TEST) < README.index("\n## ")


def test_its_play_command_prints_a_final_score(clone: Path) -> None:
    done = shell(PLAY, clone)
    if "No matching distribution found" in done.stdout:
        pytest.skip("no package index within reach to install from")
    assert done.returncode == 0, done.stdout
    assert re.search(r"^Final score: 454$", done.stdout, re.MULTILINE), done.stdout
    assert (clone / "first-game.toml").is_file()


def test_its_test_command_is_the_one_that_ci_runs() -> None:
    command = TEST.rsplit(" && ", 1)[1].strip().removeprefix(".venv/bin/")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert command.startswith("pytest")
    assert [line for line in ci if line.startswith("pytest")] == [command]


BIN = Path(sys.executable).parent


def run_what_it_shows(folder: Path) -> list[tuple[str, str]]:
    """Write the README's files, run the commands of its `console` blocks, and return each with what it printed."""
    for block in blocks("toml"):
        name = re.match(r"# (\S+\.toml)\n", block)
        assert name is not None
        (folder / name[1]).write_text(block, encoding="utf-8")
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    return [(command, shell(command, folder, PATH=path, SOURCE_DATE_EPOCH=NOON).stdout) for command, _ in consoles()]


def screen_of(folder: Path, until: str, *command: str) -> str:
    """Start a command on a terminal of 80 columns and 24 lines, and return its screen once it shows `until`.

    Lines that are blank are left out.
    """
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
    child = pexpect.spawn(
        command[0], list(command[1:]), cwd=str(folder), env=environment, dimensions=(24, 80), encoding="utf-8"
    )
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    text = ""
    try:
        while until not in text:
            stream.feed(child.read_nonblocking(100_000, timeout=60))
            text = "".join(line.rstrip() + "\n" for line in screen.display if line.strip())
    except (pexpect.EOF, pexpect.TIMEOUT):
        pytest.fail(f"never shown: {until}\n{text}")
    finally:
        child.close(force=True)
    return text


def test_what_it_shows_is_what_is_printed(clone: Path) -> None:
    assert len(consoles()) >= 5
    for (command, shown), (_, printed) in zip(consoles(), run_what_it_shows(clone), strict=True):
        assert shown == printed, f"$ {command}"


def test_the_screen_it_shows_is_the_one_of_the_game(clone: Path) -> None:
    run_what_it_shows(clone)
    [shown] = blocks("text")
    last = shown.splitlines()[-1]
    assert screen_of(clone, last, str(BIN / "cubiri"), "resume", "ada.toml") == shown


def test_the_files_and_folders_it_names_exist() -> None:
    for name in re.findall(r"`((?:cubiri_cli|tests|replays|\.ci)/[\w./-]*)`", README):
        assert (ROOT / name).exists(), name
