"""Looking through games: a text about them, from which each can be chosen and watched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.commands.output import DONE
from cubiri_cli.commands.replay import replay
from cubiri_cli.table.drawing import fold, line
from cubiri_cli.table.language import _
from cubiri_cli.terminal.menu import Games, describe_game
from cubiri_cli.terminal.opening import can_draw, open_prompter
from cubiri_cli.terminal.printing import wait_for_enter
from cubiri_cli.terminal.prompter import Offer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cubiri_cli.store.played import Played
    from cubiri_cli.table.drawing import Line


def watch(path: Path) -> int | None:
    """Show a recorded game; None where nothing of it is left on the terminal to be read before a menu returns."""
    status = replay(str(path.absolute()))  # never `-`, which would be standard input
    return None if status == DONE and can_draw() else status


def browse(
    title: str,
    lines: Callable[[int], list[Line]],
    played: Sequence[Played],
    label: Callable[[Played], str] = describe_game,
) -> None:
    """Show a text about games, each of which can be chosen to be watched, until the reader leaves."""
    offers = [Offer("w", _("watch a game"), _("watch"))] if played else []
    listed = Games(_("Watch which game?"), played, label)
    while True:
        with open_prompter() as prompter:
            if not prompter.page(title, lines, offers):
                return
            chosen: Played | None = listed.ask(prompter)
        if chosen is not None and watch(chosen.path) is not None:
            wait_for_enter("\n" + _("Enter continues. "))


def folded(texts: Sequence[str], columns: int) -> list[Line]:
    """Return texts as lines of at most so many columns."""
    return [part for text in texts for part in fold(line(text), columns)]
