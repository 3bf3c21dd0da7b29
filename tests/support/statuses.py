"""A replay, and what is made of it: a file for every status that verifying can find."""

from __future__ import annotations

import random
from typing import Any

import tomli

from cubiri_cli.replays.replay import LARGEST
from tests.support.strategies import STARTED, magdagdon, play, to_bytes

DOCUMENT = tomli.loads(play(magdagdon("survival", "verify"), random.Random(2), started=STARTED).text())
"""A whole game, which verifies."""


def changed(**changes: Any) -> bytes:
    """Return `DOCUMENT` with these keys changed."""
    return to_bytes({**DOCUMENT, **changes})


def with_claim(**claims: Any) -> bytes:
    """Return `DOCUMENT` with these claims changed."""
    return changed(result={**DOCUMENT["result"], **claims})


def with_first_roll(entry: str) -> bytes:
    """Return `DOCUMENT` with another first entry."""
    turns = [{**DOCUMENT["turns"][0], "log": [entry, *DOCUMENT["turns"][0]["log"][1:]]}, *DOCUMENT["turns"][1:]]
    return changed(turns=turns)


def one_of_each() -> dict[str, tuple[bytes, str, str | None]]:
    """Return a file for every status: its name, its bytes, the status and the place."""
    cut = {name: value for name, value in DOCUMENT.items() if name != "result"}
    return {
        "a.toml": (to_bytes(DOCUMENT), "verified", None),
        "b.toml": (with_claim(score=999), "mismatch", "result.score"),
        "c.toml": (with_first_roll("roll -> 1 1 1 1"), "dice", "turn 1, entry 1"),
        "d.toml": (with_first_roll("confirm"), "illegal", "turn 1, entry 1"),
        "e.toml": (to_bytes({**cut, "turns": cut["turns"][:1]}), "unfinished", None),
        "f.toml": (changed(version=2), "unsupported", "version"),
        "g.toml": (changed(seed=1), "malformed", "seed"),
        "h.toml": (b"not a replay", "malformed", None),
        "i.toml": (b"#" * (LARGEST + 1), "unreadable", None),
    }
