"""Speed as ratios of two measurements of one run; printed and recorded, never asserted: a machine can be busy.

python -m pytest tests/benchmarks --benchmark-enable      # pytest-benchmark's table, ratios in `extra_info`
python -m tests.benchmarks.test_speed                     # the table of CONTRIBUTING.md
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from cubiri_cli.replays.verifying import verify_file
from tests.benchmarks import corpus
from tests.support.measuring import Call, call, ratio

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

ROOT = Path(__file__).parents[2]
CUBIRI = [Path(sys.executable).with_name("cubiri")]  # what is installed
BARE = [sys.executable, "-c", "pass"]


def verify_all(files: list[Path]) -> None:
    """Read, parse, simulate and compare every file, in this process."""
    for file in files:
        assert verify_file(file).status == "verified"


def parse_all(texts: list[str]) -> None:
    """Only parse the same texts, with the parser of the standard library."""
    for text in texts:
        tomllib.loads(text)


class Row(NamedTuple):
    """A row of CONTRIBUTING's table: what it says, what is measured, in units of what, and what was aimed at."""

    what: str
    measured: Call
    unit: Call
    least: float | None = None
    most: float | None = None
    rounds: int = 31
    clock: Callable[[], float] = time.perf_counter

    def aim(self, found: float | None = None) -> str:
        """Say what was aimed at, and where that is known, that it was missed."""
        text = f"≥ {self.least:g}" if self.most is None else f"≤ {self.most:g}"
        is_met = found is None or (self.least or 0) <= found <= (self.most or found)
        return text if is_met else f"{text} (not met)"


def rows(folder: Path) -> list[Row]:
    """Return the rows of CONTRIBUTING's table, to be measured with the replays in a folder."""
    files = sorted(folder.iterdir())
    texts = [file.read_text("utf-8") for file in files]

    def cubiri(*arguments: object) -> Call:
        return call(*CUBIRI, *arguments)

    return [
        Row(
            "reading, parsing, simulating and comparing / `tomllib.loads` alone on the same texts",
            lambda: verify_all(files),
            lambda: parse_all(texts),
            most=1,
            rounds=7,
            clock=time.process_time,
        ),
        Row(
            "one process / two, on two cores",
            cubiri("verify-score", "--jobs", 1, folder),
            cubiri("verify-score", "--jobs", 2, folder),
            least=1.8,
            rounds=15,
        ),
        Row("`cubiri verify-score FILE` / `python -c pass`", cubiri("verify-score", files[0]), call(*BARE), most=7),
        Row("`cubiri --version` / `python -c pass`", cubiri("--version"), call(*BARE), most=2),
        Row("`cubiri verify-score --help` / `python -c pass`", cubiri("verify-score", "--help"), call(*BARE), most=8),
    ]


HEADER = "| what | ratio | aim |\n|---|---|---|\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, is_measured: bool) -> Path:
    found = tmp_path_factory.mktemp("corpus")
    corpus.write(found, *(3000, 300) if is_measured else (6, 2))
    return found


@pytest.mark.parametrize("index", range(5), ids=["verify", "two-processes", "one-file", "version", "help"])
def test_speed(folder: Path, index: int, is_measured: bool, benchmark: BenchmarkFixture) -> None:
    row = rows(folder)[index]
    benchmark.pedantic(row.measured, rounds=3, iterations=1)  # type: ignore[no-untyped-call]
    benchmark.extra_info[row.what] = ratio(row.measured, row.unit, 3 if is_measured else 1)


@pytest.mark.parametrize("words", [["pl"], ["play", "--d"], ["replay", ""]], ids=["command", "option", "file"])
def test_a_tab(words: list[str], is_measured: bool, benchmark: BenchmarkFixture) -> None:
    tab = call(*CUBIRI, "--complete", "zsh", *words)
    benchmark.pedantic(tab, rounds=3, iterations=1)  # type: ignore[no-untyped-call]
    benchmark.extra_info["a tab / `python -c pass`"] = ratio(tab, call(*BARE), 31 if is_measured else 1)


def test_the_table_of_contributing_has_these_rows_and_no_other(folder: Path) -> None:
    table = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition(HEADER)[2].partition("\n\n")[0]
    shown = [re.fullmatch(r"\| (.*) \| ([\d.]+) \| (.*) \|", line) for line in table.splitlines()]
    assert all(shown)
    found = rows(folder)
    assert [row and row[1] for row in shown] == [row.what for row in found]
    assert [row and row[3] for row in shown] == [
        row.aim(float(given[2])) for given, row in zip(shown, found, strict=True) if given
    ]


def main() -> None:
    """Print CONTRIBUTING's table: the ratios for 3,000 replays of MAGDAGDON and 300 of MISHIMASH."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["CUBIRI_HOME"] = home
        folder = Path(home) / "corpus"
        corpus.write(folder, magdagdon=3000, mishimash=300)
        print(HEADER, end="", flush=True)
        for row in rows(folder):
            found = ratio(row.measured, row.unit, row.rounds, row.clock)
            shown = f"{found:.2f}"
            print(f"| {row.what} | {shown} | {row.aim(float(shown))} |", flush=True)


if __name__ == "__main__":
    main()
