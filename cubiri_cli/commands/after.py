"""After a game: what is new about it, and what the player would like to do next."""

from __future__ import annotations

from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

from cubiri_cli.commands.browsing import folded, watch
from cubiri_cli.commands.newgame import again, keeper_of
from cubiri_cli.commands.output import DONE, LEFT, TO_MENU
from cubiri_cli.replays.history import history
from cubiri_cli.table.language import _
from cubiri_cli.table.style import STYLE
from cubiri_cli.terminal.ending import ending_scene
from cubiri_cli.terminal.opening import open_prompter
from cubiri_cli.terminal.questions import pick

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from cubiri_cli.replays.replay import Replay
    from cubiri_cli.store.saved import Keeper
    from cubiri_cli.terminal.prompter import Prompter, Scene


SOON = 0.3
"""For how many seconds something is awaited where lines are printed: there it can be said later only with the next."""


def look_back(replay: Replay, notes: list[str]) -> None:
    """Add to the notes the best that a game's dice allowed, once it is known; nobody waits for that."""

    def look() -> None:
        from cubiri_cli.table.hindsight import looked_back

        text = looked_back(replay)
        notes.extend([text] if text else [])

    thread = Thread(target=look, daemon=True)
    thread.start()
    if STYLE.plain:
        thread.join(SOON)


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
    scene, replay = ending_scene(session, notes), session.replay
    look_back(replay, notes)
    others: dict[str, Callable[[], Keeper | None]] = {
        "again": partial(play_again, replay, same_dice=False),
        "same": partial(play_again, replay, same_dice=True),
        "statistics": partial(_show_statistics, replay),
    }
    return ask_until_left(replay, path, choices, scene, others, from_menu)


def ask_until_left(
    replay: Replay,
    path: Path,
    choices: Sequence[tuple[str, str, str]],
    scene: Scene,
    others: Mapping[str, Callable[[], Keeper | None]],
    from_menu: bool,
) -> Keeper | int:
    """Ask what follows the finished game in a file until that is another game, or to leave.

    To watch, share, go to the menu and quit is done here; `others` do what else there is to choose, and return what
    keeps another game where one follows. Return that, or an exit status, which is `TO_MENU` where the menu comes next.
    """
    while True:
        with open_prompter() as prompter:
            chosen = pick(prompter, _("What next?"), choices, scene, quits="quit")
            if chosen == "share":
                _show_shared(prompter, replay)
        if chosen == "watch":
            watch(path)
        elif chosen == "quit":
            return LEFT if from_menu else DONE
        elif chosen in ("menu", None):
            return TO_MENU if from_menu or chosen == "menu" else DONE
        elif chosen in others and (keeper := others[chosen]()) is not None:
            return keeper


def play_again(replay: Replay, same_dice: bool) -> Keeper:
    """Return what keeps a new game like a recorded one."""
    return keeper_of(again(replay, same_dice).begin(), None)


def _show_statistics(replay: Replay) -> None:
    from cubiri_cli.commands.stats import browse_statistics

    browse_statistics(next((one.name for one in replay.players if one.bot is None), None))


def _show_shared(prompter: Prompter, replay: Replay) -> None:
    """Show the lines that share a game, and let the terminal copy them where it can."""
    from cubiri_cli.commands.share import shared_texts
    from cubiri_cli.terminal.clipboard import copy

    texts = shared_texts(history(replay))
    notes = ["", _("Copied to the clipboard, if the terminal allows it.")] if copy("\n".join(texts)) else []
    prompter.page(_("Share"), partial(folded, [*texts, *notes]))
