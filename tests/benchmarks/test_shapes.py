"""How much longer files made to be slow take at four times the size: about four times, in every shape.

python -m pytest tests/benchmarks/test_shapes.py --benchmark-enable
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.commands.judging import Criteria, Task, judge
from tests.support.shapes import SHAPES

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

SMALL = 64 * 1024
MOST = 9
"""What is linear takes four times as long, what searches the rest of the text at each step sixteen times."""


def least(data: bytes, rounds: int) -> float:
    """Return the least processor time that judging and answering took."""
    found = []
    for _ in range(rounds):
        began = time.process_time()
        judge(Task("shape.toml", None, data), Criteria("github"))
        found.append(time.process_time() - began)
    return min(found)


@pytest.mark.parametrize("name", SHAPES)
def test_four_times_the_size(name: str, is_measured: bool, benchmark: BenchmarkFixture) -> None:
    small = SHAPES[name](SMALL if is_measured else 1000)
    large = SHAPES[name](4 * SMALL if is_measured else 4000)
    benchmark.pedantic(lambda: least(large, 1), rounds=1, iterations=1)  # type: ignore[no-untyped-call]
    if is_measured:
        # A millisecond more on both sides: what takes none is as good as linear.
        found = (least(large, 3) + 0.001) / (least(small, 3) + 0.001)
        benchmark.extra_info["four times the size"] = found
        assert found < MOST, name
