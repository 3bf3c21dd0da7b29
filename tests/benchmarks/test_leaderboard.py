"""The leaderboard with 50,000 entries, as a ratio to the same command on 50: recorded, never asserted.

python -m pytest tests/benchmarks --benchmark-enable

Measured: about 1.1; without an index in rank order it is above 5. That every query goes through an index is asserted
elsewhere:
`test_best_results_are_found_through_an_index_however_many_there_are` in `tests/commands/test_leaderboard.py`.
"""

from __future__ import annotations

import random
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.games.magdagdon import DIFFICULTIES, Magdagdon
from cubiri_cli.store.leaderboard.entries import Entry
from cubiri_cli.store.leaderboard.opening import use
from tests.support.measuring import call, ratio

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

VIEWS: tuple[list[str], ...] = ([], ["--seed", "daily-2026-11-07"], ["magdagdon", "--assisted"])


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
                seats=1,
                rules=1,
                assisted=number % 10 == 0,
                standing=Magdagdon.standing({**result, "ruins": 0}, 1),
            )
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CUBIRI_HOME", str(home))
        use(lambda board: board.admit(entries), print)


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory, is_measured: bool) -> tuple[Path, Path]:
    """Return a home folder with many entries, and one with few."""
    many, few = tmp_path_factory.mktemp("many"), tmp_path_factory.mktemp("few")
    fill(many, 50_000 if is_measured else 500)
    fill(few, 50)
    return many, few


@pytest.mark.parametrize("arguments", VIEWS, ids=["all", "one-seed", "one-game"])
def test_a_thousand_times_the_entries(
    homes: tuple[Path, Path], arguments: list[str], is_measured: bool, benchmark: BenchmarkFixture
) -> None:
    command = [sys.executable, "-m", "cubiri_cli", "leaderboard", *arguments]
    many, few = (call(*command, CUBIRI_HOME=str(home)) for home in homes)
    benchmark.pedantic(many, rounds=3, iterations=1)  # type: ignore[no-untyped-call]
    benchmark.extra_info["50,000 entries / 50"] = ratio(many, few, 7 if is_measured else 1)
