"""How long an action of a script takes in a long game against a short one, as a ratio: recorded, never asserted.

python -m pytest tests/benchmarks --benchmark-enable

Measured: about 1. When every action wrote the whole file it was 4, for games one of which is four times as long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.replays.session import Session
from cubiri_cli.store.saved import OFTEN, Keeper
from tests.support.measuring import ratio
from tests.support.strategies import magdagdon

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture


def keep(output: Path, actions: int) -> None:
    """Play so many actions as a script does, into a file."""
    session: Session = magdagdon("survival", "42").begin()
    keeper = Keeper(session, output, every=OFTEN, overwrites=True)
    session.do("roll")
    for _ in range(actions - 1):
        session.do("hint")
    keeper.finish()


def test_an_action_takes_as_long_in_a_long_script_as_in_a_short_one(
    tmp_path: Path, is_measured: bool, benchmark: BenchmarkFixture
) -> None:
    short = 11_500 if is_measured else 10

    def play_long() -> None:
        keep(tmp_path / "long.toml", 4 * short)

    def play_short() -> None:
        for number in range(4):
            keep(tmp_path / f"{number}.toml", short)

    benchmark.pedantic(play_long, rounds=3, iterations=1)  # type: ignore[no-untyped-call]
    found = ratio(play_long, play_short, 7 if is_measured else 1)
    benchmark.extra_info["one script of 46,000 actions / four of 11,500"] = found
    print(f"{found:.2f}")
