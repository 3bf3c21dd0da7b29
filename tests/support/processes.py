"""Which processes there are: those that carry a mark in their environment, as whatever they start does."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest


class Marked:
    """The processes that this one has started since, directly or not, but for those that cleared their environment."""

    def __init__(self, patch: pytest.MonkeyPatch, mark: str) -> None:
        self._mark = f"STARTED_BY_A_TEST={mark}"
        patch.setenv(*self._mark.split("="))

    def left(self) -> list[str]:
        """Return the command lines of those that still run."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                is_marked = self._mark.encode() in (path / "environ").read_bytes().split(b"\0")
                if is_marked and int(path.name) != os.getpid():
                    found.append((path / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        return found


def runs(pid: int) -> bool:
    """Tell whether a process runs, and is more than a status that nobody has asked for."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"
