"""Measuring: how long one thing takes as a ratio to another, in one run."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from statistics import median

Call = Callable[[], object]


def ratio(measured: Call, unit: Call, rounds: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return how many times as long one thing takes as another: the median of rounds that measure both in turn."""
    found = []
    for _ in range(rounds):
        began = clock()
        unit()
        between = clock()
        measured()
        found.append((clock() - between) / (between - began))
    return median(found)


def call(*arguments: object, **variables: str) -> Call:
    """Return a call of a whole process."""
    command = list(map(str, arguments))
    # As installed: with the byte code kept.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env={**kept, **variables}
    )
