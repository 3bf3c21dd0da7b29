"""What every test gets: a home folder of its own, and an environment that says nothing."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Ctrl-C means Ctrl-C, also where the shell has it ignored by what it starts (`.ci/run &`, nohup): every process that a
# test starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Every run of the suite tries the same examples: a red build can be repeated, and a green one is not luck. No deadline,
# because a busy machine is no bug.
settings.register_profile(
    "cubiri",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("cubiri")

collect_ignore = ["bots"]  # programs that are players: they are started, not imported

ONLY_POSIX = re.compile(
    r"^(?:import (?:pexpect|termios|fcntl|pty|resource)|from tests\.support\.terminal import)", re.MULTILINE
)
"""What a test file imports that has no meaning on Windows."""

if os.name == "nt":
    here = Path(__file__).parent
    tests = here.rglob("test_*.py")
    collect_ignore = [str(path.relative_to(here)) for path in tests if ONLY_POSIX.search(path.read_text("utf-8"))]

SPEAKING = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
"""Variables by which the user's own environment would change what the program prints."""


@pytest.fixture(autouse=True)
def _nothing_leaks_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the user's games, language, colours and clock out of every test."""
    for name in (*SPEAKING, "SOURCE_DATE_EPOCH", "CUBIRI_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path / "cubiri-home"))
