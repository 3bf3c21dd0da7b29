"""The dice: the contract's worked values, and the count of rolls, from the product's own rules."""

from __future__ import annotations

import hashlib
import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cubiri_cli.games import dice
from tests.support import reference
from tests.support.strategies import seeds

pytestmark = pytest.mark.smoke

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "vectors" / "dice.json").read_text("utf-8"))


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: f"{case['seed'][:16]}:{case['roll']}")
def test_every_vector(case: dict[str, Any]) -> None:
    assert list(dice.throw(case["seed"], case["roll"], len(case["dice"]))) == case["dice"]


def test_a_roll_by_hand() -> None:
    """What dice.md tells people to type into a shell gives these dice."""
    block = hashlib.sha256(b"sha256-d6/1\n42\nmagdagdon/1/0\n0\n").digest()
    assert dice.throw("42", "magdagdon/1/0", 4) == tuple(byte % 6 + 1 for byte in block if byte < 252)[:4]


@given(seeds, st.integers(1, 8), st.integers(1, 10**6), st.integers(0, 99), st.integers(1, 6))
def test_any_roll_is_the_reference_s(seed: str, seat: int, turn: int, roll: int, count: int) -> None:
    for name in (f"magdagdon/{turn}/{roll}", f"mishimash/{seat}/{turn}/{roll + 1}"):
        assert list(dice.throw(seed, name, count)) == reference.dice(seed, name, count)


def test_a_roll_that_needs_more_than_one_block() -> None:
    many = dice.throw("42", "magdagdon/1/0", 1000)
    assert list(many) == reference.dice("42", "magdagdon/1/0", 1000)
    assert [len(dice.throw("42", "magdagdon/1/0", count)) for count in range(8)] == list(range(8))
    # A byte of 252 or more is skipped: none of the first ten thousand bytes may be bent into a die.
    assert set(many) == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("seed", ["a", "0", "-", "daily-2026-11-30", "z" * 64])
def test_seeds(seed: str) -> None:
    assert dice.is_seed(seed)


@pytest.mark.parametrize("seed", ["", "A", "z" * 65, "a b", "a_b", "ä", "٤٢", "a\n", "\na", "42\x00", "ſ"])
def test_no_seeds(seed: str) -> None:
    assert not dice.is_seed(seed)
    with pytest.raises(dice.InvalidSeedError):
        dice.throw(seed, "magdagdon/1/0", 4)


@pytest.mark.parametrize(("count", "busts"), [(1, 4), (2, 16), (3, 60), (4, 204), (5, 600), (6, 1080)])
def test_rolls_without_a_combination(count: int, busts: int) -> None:
    from cubiri_cli.games.mishimash import combinations, selections

    rolls = [tuple(sorted(roll)) for roll in product(range(1, 7), repeat=count)]
    assert sum(not combinations(roll) for roll in rolls) == busts
    assert sum(not selections(roll) for roll in rolls) == busts
    assert len(rolls) == 6**count


@pytest.mark.parametrize(("difficulty", "openings"), [("peaceful", 0), ("survival", 0), ("nightmare", 492)])
def test_opening_rolls_that_are_magdagdon(difficulty: str, openings: int) -> None:
    from cubiri_cli.games.magdagdon import Magdagdon

    found = 0
    for roll in product(range(1, 7), repeat=4):
        game = Magdagdon.start({"difficulty": difficulty})
        game.apply("roll", lambda name, count, roll=roll: roll)  # type: ignore[misc]
        found += game.is_magdagdon
    assert found == openings
