"""What README and manual page tell CI to run is run as it stands there, on honest replays and a dishonest one."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.documents import PATH, ROOT, blocks, copy_of, shell
from tests.support.manual_pages import examples, page

MANUAL = page("en", "cubiri")
TEXTS = [
    *blocks((ROOT / "README.md").read_text("utf-8"), "yaml"),
    *(text for text in examples(MANUAL) if ":\n" in text),
]
"""What a service is told: the README's example, and those of the manual page."""


def commands() -> list[str]:
    """Return every `cubiri` command in them."""
    lines = [line.strip().removeprefix("- ").removeprefix("run: ") for text in TEXTS for line in text.splitlines()]
    return [line for line in lines if line.startswith("cubiri ")]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return copy_of(tmp_path, "replays")


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    summary = str(folder / "summary.md")
    return shell(
        command, folder, subprocess.PIPE, PATH=PATH, CUBIRI_HOME=str(folder / "home"), GITHUB_STEP_SUMMARY=summary
    )


def test_there_are_commands_for_every_service() -> None:
    found = commands()
    assert len(TEXTS) == 3
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
    [name] = re.findall(r"hooks:\n +- id: (.*)", "".join(TEXTS))
    assert f"- id: {name}\n" in hooks
