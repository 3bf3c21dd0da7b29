"""The record: replays are read, written and verified here, and a game in progress is recorded.

A game that is played here leaves its replay, and anybody's replay is verified in two lines:

>>> from cubiri_cli.replays import Player, Session
>>> session = Session.begin("mishimash", {"target": 10}, [Player("Ada")], "42")
>>> while not session.game.over:
...     actions = session.game.legal_actions()
...     outcome = session.do("bank" if "bank" in actions else max(actions, key=len))
>>> replay = session.text()

>>> from cubiri_cli.replays import verify
>>> verify(replay.encode()).status
'verified'
>>> verdict = verify(replay.replace('seed = "42"', 'seed = "43"').encode())
>>> verdict.status, verdict.where
('dice', 'turn 1, entry 1')

`verify_file(path)` does the same with a file. In a notebook, `read_file(path)` shows the game.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cubiri_cli.replays.reading import read, read_file
    from cubiri_cli.replays.replay import Player, Replay, ReplayError, Turn
    from cubiri_cli.replays.session import Session
    from cubiri_cli.replays.verifying import Verdict, verify, verify_file
    from cubiri_cli.replays.writing import write

# What may be relied on from outside; everything else may change.
__all__ = [
    "Player",
    "Replay",
    "ReplayError",
    "Session",
    "Turn",
    "Verdict",
    "read",
    "read_file",
    "verify",
    "verify_file",
    "write",
]

_HOMES = {
    **dict.fromkeys(("read", "read_file"), "reading"),
    **dict.fromkeys(("Player", "Replay", "ReplayError", "Turn"), "replay"),
    "Session": "session",
    **dict.fromkeys(("Verdict", "verify", "verify_file"), "verifying"),
    "write": "writing",
}


def __getattr__(name: str) -> object:
    """Load a public name when it is asked for: a verdict needs less than half of the modules here."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"cubiri_cli.replays.{_HOMES[name]}"), name)
