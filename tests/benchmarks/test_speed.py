"""Speed as ratios of two measurements of one run; printed and recorded, never asserted: a machine can be busy.

python -m pytest tests/benchmarks --benchmark-only        # pytest-benchmark's table, ratios in `extra_info`
python -m tests.benchmarks.test_speed                     # the table for the README
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.replays.verifying import verify_file
from tests.benchmarks import corpus

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

CUBIRI = [Path(sys.executable).with_name("cubiri")]  # what is installed
BARE = [sys.executable, "-c", "pass"]


def ratio(measured: Callable[[], object], unit: Callable[[], object], rounds: int, clock: Callable[[], float]) -> float:
    """Return how many times as long one thing takes as another: the median of rounds that measure both in turn."""
    found = []
    for _ in range(rounds):
        began = clock()
        unit()
        between = clock()
        measured()
        found.append((clock() - between) / (between - began))
    return median(found)


def verify_all(files: list[Path]) -> None:
    """Read, parse, simulate and compare every file, in this process."""
    for file in files:
        assert verify_file(file).status == "verified"


def parse_all(texts: list[str]) -> None:
    """Only parse the same texts, with the parser of the standard library."""
    for text in texts:
        tomllib.loads(text)


def call(*arguments: object) -> Callable[[], object]:
    """Return a call of a whole process."""
    command = list(map(str, arguments))
    # As installed: with the byte code kept.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=environment
    )


def measures(folder: Path, files: list[Path]) -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """Return what is measured: name → (what, in units of what)."""
    texts = [file.read_text("utf-8") for file in files]
    one = files[0]
    many = [folder] * max(1, 3300 // len(files))
    return {
        "verify, one process / tomllib.loads": (lambda: verify_all(files), lambda: parse_all(texts)),
        "verify-score --jobs 1 / --jobs 2": (
            call(*CUBIRI, "verify-score", "--jobs", 1, *many),
            call(*CUBIRI, "verify-score", "--jobs", 2, *many),
        ),
        "verify-score FILE / python -c pass": (call(*CUBIRI, "verify-score", one), call(*BARE)),
        "--version / python -c pass": (call(*CUBIRI, "--version"), call(*BARE)),
        "verify-score --help / python -c pass": (call(*CUBIRI, "verify-score", "--help"), call(*BARE)),
    }


TARGETS = ("≤ 1", "≥ 1.8", "≤ 7", "≤ 2", "≤ 8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    os.environ["CUBIRI_HOME"] = str(tmp_path_factory.mktemp("home"))
    found = tmp_path_factory.mktemp("corpus")
    corpus.write(found, magdagdon=60, mishimash=6)
    return found


@pytest.mark.parametrize("index", range(len(TARGETS)), ids=["verify", "two-processes", "one-file", "version", "help"])
def test_speed(folder: Path, index: int, benchmark: BenchmarkFixture) -> None:
    name, (measured, unit) = list(measures(folder, sorted(folder.iterdir())).items())[index]
    benchmark.pedantic(measured, rounds=3, iterations=1)  # type: ignore[no-untyped-call]
    benchmark.extra_info[name] = ratio(measured, unit, 3, time.perf_counter)


def main() -> None:
    """Print the table of ratios for 3,000 replays of MAGDAGDON and 300 of MISHIMASH."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["CUBIRI_HOME"] = home
        folder = Path(home) / "corpus"
        files = corpus.write(folder, magdagdon=3000, mishimash=300)
        print("| what / in units of | ratio | target |\n|---|---|---|")
        for (name, (measured, unit)), target in zip(measures(folder, files).items(), TARGETS, strict=True):
            inside = name.startswith("verify, ")
            clock = time.process_time if inside else time.perf_counter
            rounds = 7 if inside or "jobs" in name else 31
            print(f"| {name} | {ratio(measured, unit, rounds, clock):.2f} | {target} |", flush=True)


if __name__ == "__main__":
    main()
