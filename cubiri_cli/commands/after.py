"""After a game: what is new about it, and what the player would like to do next."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cubiri_cli.commands.newgame import Order, keeper_of
from cubiri_cli.commands.output import DONE, TO_MENU
from cubiri_cli.table.drawing import fold, line
from cubiri_cli.table.language import _
from cubiri_cli.terminal.ending import ending_scene
from cubiri_cli.terminal.opening import can_draw, open_prompter
from cubiri_cli.terminal.questions import pick

if TYPE_CHECKING:
    from pathlib import Path

    from cubiri_cli.replays.replay import Replay
    from cubiri_cli.replays.session import Session
    from cubiri_cli.store.saved import Keeper
    from cubiri_cli.terminal.prompter import Prompter


def ask_next(keeper: Keeper, notes: list[str], from_menu: bool = False) -> Keeper | int:
    """Ask what follows a finished game: another game, which is returned with what keeps it, or an exit status.

    `notes` are what is new about the game, and its rank. The status is `TO_MENU` where the menu comes next.
    """
    session, path = keeper.session, keeper.path
    assert path is not None
    choices = [
        ("a", _("play again, with new dice"), "again"),
        ("d", _("the same dice again"), "same"),
        ("w", _("watch this game"), "watch"),
        ("s", _("share it"), "share"),
        ("t", _("statistics"), "statistics"),
        ("m", _("menu"), "menu"),
    ]
    while True:
        with open_prompter() as prompter:
            chosen = pick(prompter, _("What next?"), choices, ending_scene(session, notes))
            if chosen == "share":
                show_shared(prompter, session.replay)
            elif chosen == "statistics":
                _show_statistics(prompter, session)
        if chosen in ("again", "same"):
            return keeper_of(again(session.replay, chosen == "same").begin(), None)
        if chosen == "watch":
            watch(path)
        elif chosen in ("menu", None):
            return TO_MENU if from_menu or chosen == "menu" else DONE


def again(replay: Replay, same_dice: bool) -> Order:
    """Return the order of a game like this one: its options and players, and its dice or new ones."""
    return Order(
        replay.game,
        {name: str(value) for name, value in replay.options.items()},
        [player.name for player in replay.players],
        replay.seed if same_dice else None,
    )


def watch(path: Path) -> int | None:
    """Show a recorded game; None where nothing of it is left on the terminal to be read before a menu returns."""
    from cubiri_cli.commands.replay import replay

    status = replay(str(path.absolute()))  # never `-`, which would be standard input
    return None if status == DONE and can_draw() else status


def show_shared(prompter: Prompter, replay: Replay) -> None:
    """Show the lines that share a game, and let the terminal copy them where it can."""
    from cubiri_cli.commands.share import shared_texts
    from cubiri_cli.replays.history import history
    from cubiri_cli.terminal.clipboard import copy

    texts = shared_texts(history(replay))
    notes = ["", _("Copied to the clipboard, if the terminal allows it.")] if copy("\n".join(texts)) else []
    prompter.page(_("Share"), lambda width: [part for one in [*texts, *notes] for part in fold(line(one), width)])


def _show_statistics(prompter: Prompter, session: Session) -> None:
    """Show the numbers of the player, or of the first of several."""
    from cubiri_cli.commands.stats import collected
    from cubiri_cli.table.numbers import numbers_lines, numbers_words
    from cubiri_cli.table.style import STYLE

    numbers = collected(session.replay.players[0].name)
    if STYLE.plain:
        texts = numbers_words(numbers)
        prompter.page(_("Statistics"), lambda width: [part for one in texts for part in fold(line(one), width)])
    else:
        prompter.page(_("Statistics"), partial(numbers_lines, numbers))
