"""How a game is left: its result in full, where its replay is, and how to verify it or play it again."""

from __future__ import annotations

import shlex
import shutil
import sys
from typing import TYPE_CHECKING

from cubiri_cli.replays.names import harmless
from cubiri_cli.table.drawing import degrade, line, screen_encoding, to_ansi, to_text
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import table_of, why
from cubiri_cli.table.naming import names_shown
from cubiri_cli.table.style import STYLE, is_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from cubiri_cli.replays.session import Session
    from cubiri_cli.table.drawing import Line

WIDEST_PAGE = 80
"""The widest line of a page of rules or of a manual, in columns."""


def print_lines(lines: Sequence[Line]) -> None:
    """Print lines of a picture: with colours on a terminal, in characters that standard output has."""
    encoding = screen_encoding(STYLE.ascii)
    for one in lines:
        if is_terminal() and not STYLE.plain:
            print(to_ansi(one, STYLE.color, encoding))
        else:
            print(degrade(to_text(one), encoding))


def page_width() -> int:
    """Return how wide the pages are that are printed: as a book's, because wider ones are hard to read, or narrower."""
    return min(shutil.get_terminal_size().columns - 1, WIDEST_PAGE) if is_terminal() else WIDEST_PAGE


def table_width() -> int | None:
    """Return how many columns there are for a table that is printed; None where it need not fit a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else None


def print_texts(texts: Iterable[str]) -> None:
    """Print lines of text, in characters that standard output has."""
    print_lines([line(text) for text in texts])


def print_ending(session: Session, path: Path | None) -> None:
    """Print the breakdown of a finished game, or where an unfinished one stands; then where it is kept.

    Where it could not be kept, the text of the replay itself is printed, so that nothing is lost.
    """
    names = names_shown([player.name for player in session.replay.players])
    print_lines(table_of(session.replay.game).breakdown(session.game, names))
    print()
    if not session.replay.turns:
        print(_("Nothing was played, so nothing is kept."))
        return
    print(_("Seed: {seed}").format(seed=session.replay.seed))
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
