"""`verify-score` as a whole command, its start taken off, as a ratio to parsing the same texts: at most 1 is wanted.

python -m pytest tests/benchmarks/test_whole_command.py --benchmark-enable
"""

from __future__ import annotations

import contextlib
import os
import random
import time
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.cli.app import run
from tests.benchmarks import corpus
from tests.support.measuring import ratio
from tests.support.strategies import magdagdon, mishimash

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

    from tests.support.strategies import Setup


def played_at_random(setup: Setup, number: int) -> str:
    """Return the replay of a game in which every legal action is as likely as any other."""
    chance, session = random.Random(number), setup.begin()
    while not session.game.over:
        session.do(chance.choice(session.game.legal_actions()))
    return session.text()


def magdagdon_at_random(count: int) -> list[str]:
    levels = ("peaceful", "survival", "nightmare")
    return [played_at_random(magdagdon(levels[n % 3], f"random-{n}"), n) for n in range(count)]


def mishimash_at_random(count: int) -> list[str]:
    return [played_at_random(mishimash((1, 2, 4)[n % 3], 50, f"random-{n}"), n) for n in range(count)]


def of_greedy_players(count: int) -> list[str]:
    return list(corpus.texts(count * 10 // 11, count // 11).values())


@pytest.mark.parametrize("texts_of", [of_greedy_players, magdagdon_at_random, mishimash_at_random])
def test_the_whole_command(texts_of: object, tmp_path: Path, is_measured: bool, benchmark: BenchmarkFixture) -> None:
    assert callable(texts_of)
    texts: list[str] = texts_of(660 if is_measured else 11)
    for number, text in enumerate(texts):
        (tmp_path / f"{number:05}.toml").write_text(text, "utf-8", newline="\n")

    def verify() -> None:
        """Walk, read, judge and print, in this process: what is loaded and made once is there."""
        with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
            assert run(["verify-score", "--jobs", "1", str(tmp_path)]) == 0

    def parse() -> None:
        for text in texts:
            tomllib.loads(text)

    verify()
    benchmark.pedantic(verify, rounds=3, iterations=1)  # type: ignore[no-untyped-call]
    found = ratio(verify, parse, 9 if is_measured else 1, time.process_time)
    benchmark.extra_info["whole command / tomllib.loads"] = found
