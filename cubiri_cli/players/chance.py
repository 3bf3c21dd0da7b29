"""The own chance of players that are programs: it has nothing to do with the dice, and can be had again.

A number depends on a key and on what it is drawn for, so that the same question gets the same answer however often and
in whichever order it is asked.
"""

from __future__ import annotations

from hashlib import sha256


def own_key(seed: str, seat: int) -> str:
    """Return the key for the own chance of a seat in the game of a seed.

    One way: nothing of the seed can be learnt from it, and no roll is named like that.
    """
    return sha256(f"cubiri-player/1\n{seed}\n{seat}\n".encode()).hexdigest()


def number(key: str, *what: object) -> float:
    """Return a number from 0 to below 1 that depends on a key and on what it is drawn for.

    >>> number("Ada", 3, (1, 5)) == number("Ada", 3, (1, 5)) != number("Bob", 3, (1, 5))
    True
    """
    digest = sha256(f"{key}\n{what!r}".encode()).digest()
    return int.from_bytes(digest[:6], "big") / (1 << 48)
