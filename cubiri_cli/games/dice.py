"""The dice `sha256-d6/1`: every die is a function of the seed and of which roll it belongs to (contract, dice.md).

Frozen: a change to any die is a new name beside this one, never a change here.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = "sha256-d6/1"

_SEED = re.compile(r"[a-z0-9-]{1,64}")

# A byte of the digest is the die `byte % 6 + 1`; the bytes 252–255 are skipped, because 256 is no multiple of six.
_DIE = bytes(byte % 6 + 1 for byte in range(256))
_SKIPPED = bytes(range(252, 256))


class InvalidSeedError(ValueError):
    """A seed that is not 1 to 64 of the characters a–z, 0–9 and `-`."""


_DIGITS = "0123456"


def written(dice: Iterable[int]) -> str:
    """Return dice as records write them.

    >>> written((3, 4, 1, 6))
    '3 4 1 6'
    """
    return " ".join([_DIGITS[die] for die in dice])


def is_seed(text: str) -> bool:
    """Tell whether `text` is a seed: 1 to 64 of the characters a–z, 0–9 and `-`.

    >>> is_seed("daily-2026-11-30"), is_seed("Ada")
    (True, False)
    """
    return _SEED.fullmatch(text) is not None


def throw(seed: str, roll: str, count: int) -> tuple[int, ...]:
    """Return the first `count` dice of the roll named `roll` (such as `magdagdon/1/0`), as thrown.

    Raises `InvalidSeedError` where `seed` is none.

    >>> throw("42", "magdagdon/1/0", 4)
    (2, 2, 4, 3)
    """
    if not is_seed(seed):
        raise InvalidSeedError(seed)
    return fast_throw(seed, roll, count)


def fast_throw(seed: str, roll: str, count: int) -> tuple[int, ...]:
    """Return what `throw` returns, for a seed that was found valid before (once a game, not once a roll)."""
    dice = sha256(f"{NAME}\n{seed}\n{roll}\n0\n".encode()).digest().translate(_DIE, _SKIPPED)
    block = 1
    while len(dice) < count:  # more than the games of today ever throw
        dice += sha256(f"{NAME}\n{seed}\n{roll}\n{block}\n".encode()).digest().translate(_DIE, _SKIPPED)
        block += 1
    return tuple(dice[:count])
