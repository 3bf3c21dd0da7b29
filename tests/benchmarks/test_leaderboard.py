"""The leaderboard with 50,000 entries, as a ratio to the same command on 50."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cubiri_cli.games.magdagdon import DIFFICULTIES, Magdagdon
from cubiri_cli.store.leaderboard import use
from cubiri_cli.store.ranking import Entry

MANY, FEW = 50_000, 50
MOST = 4
"""What the ratio may be. Measured: about 1.1; without an index in rank order it is above 5."""


def fill(home: Path, count: int) -> None:
    """Put so many entries into the leaderboard of a home folder."""
    chance = random.Random(count)
    entries = []
    for number in range(count):
        result = {"score": chance.randint(-50, 500), "turns": chance.randint(4, 13), "powers": chance.randint(0, 3)}
        entries.append(
            Entry(
                digest=f"{number:064x}",
                game="magdagdon",
                options={"difficulty": chance.choice(list(DIFFICULTIES))},
                player=f"Player {number % 500}",
                seed=f"daily-2026-11-{number % 30 + 1:02}",
                date=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=number),
                assisted=number % 10 == 0,
                standing=Magdagdon.standing({**result, "ruins": 0}, 1),
            )
        )
    os.environ["CUBIRI_HOME"] = str(home)
    use(lambda board: board.admit(entries), print)


def seconds(home: Path, *arguments: str) -> float:
    """Return how long the command takes as a whole process."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "cubiri_cli", "leaderboard", *arguments],
        env={**os.environ, "CUBIRI_HOME": str(home)},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - began


def test_a_thousand_times_the_entries_take_hardly_longer(tmp_path: Path) -> None:
    homes = [tmp_path / "few", tmp_path / "many"]
    for home, count in zip(homes, (FEW, MANY), strict=True):
        fill(home, count)
    for arguments in ([], ["--seed", "daily-2026-11-07"], ["magdagdon", "--assisted"]):
        # By turns, so that a busy moment of the machine falls on both.
        times = [[seconds(home, *arguments) for home in homes] for _ in range(7)]
        few, many = (statistics.median(column) for column in zip(*times, strict=True))
        print(f"leaderboard {' '.join(arguments)}: {1000 * few:.0f} ms, {1000 * many:.0f} ms, ratio {many / few:.2f}")
        assert many / few < MOST, arguments
