"""Games played on a terminal: the commands that begin them, what is typed, and what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import Session
from cubiri_cli.store.home import home
from cubiri_cli.store.settings import settings_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cubiri_cli.replays.replay import Replay
    from tests.support.terminal import Terminal

MAGDAGDON = ("play", "magdagdon", "--difficulty", "survival", "--seed", "42", "--player", "Ada")
MISHIMASH = ("play", "mishimash", "--target", "60", "--seed", "abc", "--player", "Ada", "--player", "Väinö")
"""What begins a game of each."""

STAGED = ("roll", "place 2 b2")
"""What begins to play `MAGDAGDON`: then a die is staged, and three are free: 2, 3 and 4."""


def be_quick() -> None:
    """Let no dice roll on the screen."""
    home().mkdir(parents=True)
    settings_path().write_text("animation = false\n", encoding="utf-8")


def whole_game() -> tuple[list[str], str]:
    """Return the actions of a whole game, which begin with `STAGED`, and its record if it is never interrupted."""
    session = Session.begin("magdagdon", {"difficulty": "survival"}, [Player("Ada")], "42")
    actions: list[str] = []
    while not session.game.over:
        legal = session.game.legal_actions()
        action = STAGED[len(actions)] if len(actions) < len(STAGED) else "confirm" if "confirm" in legal else ""
        action = action or next((one for one in legal if one.startswith(("roll", "place"))), legal[0])
        session.do(action)
        actions.append(action)
    return actions, session.text()


def type_actions(terminal: Terminal, actions: Sequence[str]) -> None:
    """Type actions as one line."""
    terminal.type(":")
    terminal.see("Actions:")
    terminal.type("; ".join(actions), "Enter")


def saved(home: Path) -> Replay:
    """Return the only game that is kept."""
    [path] = (home / "replays").glob("*.toml")
    return read_file(path)


def log(home: Path) -> list[str]:
    """Return all actions of the only game that is kept, without their dice."""
    return [entry.partition(" -> ")[0] for turn in saved(home).turns for entry in turn.log]
