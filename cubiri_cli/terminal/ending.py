"""The ending of a game as it is printed: its result in full, where its replay is, and how to go on from there."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from cubiri_cli.replays.names import harmless
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import table_of, why
from cubiri_cli.table.naming import names_shown
from cubiri_cli.terminal.printing import print_lines

if TYPE_CHECKING:
    from pathlib import Path

    from cubiri_cli.replays.session import Session


def print_result(session: Session) -> None:
    """Print the breakdown of a finished game, or where an unfinished one stands, and its seed."""
    names = names_shown([player.name for player in session.replay.players])
    print_lines(table_of(session.replay.game).breakdown(session.game, names))
    print()
    if session.replay.turns:
        print(_("Seed: {seed}").format(seed=session.replay.seed))
    else:
        print(_("Nothing was played, so nothing is kept."))


def print_whereabouts(session: Session, path: Path | None) -> None:
    """Print where a game is kept and what can be done with it; where it could not be kept, its whole text."""
    if not session.replay.turns:
        return
    if session.failure is not None or path is None:
        reason = why(session.failure) if session.failure else ""
        print(_("The replay could not be stored ({reason}). Keep this text:").format(reason=reason))
        print()
        print(session.text(), end="")
        return
    shown = harmless(shlex.quote(str(path)), longest=4096)
    print(_("Replay: {path}").format(path=shown))
    if session.game.over:
        print(_("Verify: {command}").format(command=f"cubiri verify-score {shown}"))
        print(_("Again:  {command}").format(command=f"cubiri play {session.replay.game} --like {shown}"))
    else:
        print(_("Go on:  {command}").format(command=f"cubiri resume {shown}"))
