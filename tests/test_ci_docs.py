"""The commands that the README tells CI to run are run as they stand there, on honest replays and a dishonest one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEADING = "Verifying a folder in CI"


def commands() -> list[str]:
    """Return every `cubiri` command in the fenced blocks under the heading."""
    section = re.split(rf"^## {HEADING}$", (ROOT / "README.md").read_text("utf-8"), flags=re.MULTILINE)[1]
    blocks = re.findall(r"^```\w+\n(.*?)^```", re.split(r"^## ", section, flags=re.MULTILINE)[0], re.M | re.S)
    lines = [line.strip().removeprefix("- ").removeprefix("run: ") for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("cubiri ")]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "replays", tmp_path / "replays")
    return tmp_path


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "CUBIRI_HOME": str(folder / "home"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
    }
    return subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)


def test_there_are_commands_for_every_service() -> None:
    found = commands()
    assert [c for c in found if "verify-score" in c and "--format github" in c]
    assert [c for c in found if "verify-score" in c and "--format junit" in c]
    assert len([c for c in found if c.startswith("cubiri leaderboard --from replays --format markdown")]) == 2


def test_each_command_accepts_honest_replays(checkout: Path) -> None:
    for command in commands():
        call = run(command, checkout)
        assert (call.returncode, call.stderr) == (0, ""), command
    for file in ("summary.md", "leaderboard.md"):
        assert "|" in (checkout / file).read_text("utf-8")


def test_each_verification_fails_on_a_dishonest_one(checkout: Path) -> None:
    victim = sorted((checkout / "replays").glob("magdagdon*.toml"))[0]
    victim.write_text(re.sub(r"^score = .*", "score = 544", victim.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    for command in commands():
        if "verify-score" in command:
            call = run(command, checkout)
            assert call.returncode == 1, command
            said = call.stdout + "".join(file.read_text("utf-8") for file in checkout.glob("*.xml"))
            assert victim.name in said


def test_the_hook_takes_replays_and_names_a_command_there_is() -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    pattern = re.search(r"files: (.*)", hooks)
    assert pattern is not None
    assert re.search(pattern[1], "replays/a.toml")
    assert re.search(pattern[1], "games/replays/2026/a.toml")
    assert not re.search(pattern[1], "pyproject.toml")
    assert "entry: cubiri verify-score\n" in hooks
