"""The main menu: what a bare `cubiri` shows on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from cubiri_cli.commands.browsing import watch
from cubiri_cli.commands.challenge import play_today
from cubiri_cli.commands.day import look_at_today
from cubiri_cli.commands.leaderboard import browse_all
from cubiri_cli.commands.newgame import Order, ask_order, changed
from cubiri_cli.commands.output import DONE, INTERRUPTED, LEFT, TO_MENU, UsageError, message
from cubiri_cli.commands.resume import CannotResumeError, open_game
from cubiri_cli.commands.sitting import play_at_table, play_new
from cubiri_cli.commands.stats import browse_statistics
from cubiri_cli.store.played import games_played
from cubiri_cli.store.unfinished import unfinished
from cubiri_cli.table.language import _
from cubiri_cli.table.rulebook import rules_lines
from cubiri_cli.terminal import menu as ask
from cubiri_cli.terminal.new_game import ask_game
from cubiri_cli.terminal.opening import open_prompter
from cubiri_cli.terminal.printing import wait_for_enter
from cubiri_cli.terminal.settings_menu import choose_settings
from cubiri_cli.terminal.signals import SignalledError, ending_signals, has_signalled

if TYPE_CHECKING:
    from pathlib import Path

    from cubiri_cli.store.unfinished import Saved
    from cubiri_cli.terminal.prompter import Prompter


def menu() -> int:
    """Show the main menu, and carry out what is chosen, until the player quits. Return the exit status."""
    notes: list[str] = []
    try:
        with ending_signals():
            while True:
                with open_prompter() as prompter:
                    todo = _choose(prompter, notes)
                if todo is None:
                    return DONE
                notes = []
                try:
                    status = todo()
                    if status == LEFT:
                        return DONE
                    if status == INTERRUPTED or has_signalled():
                        return status or INTERRUPTED
                    if status not in (None, TO_MENU):
                        wait_for_enter("\n" + _("Enter goes back to the menu. "))
                except (UsageError, CannotResumeError) as error:
                    notes = [str(error)]
    except (KeyboardInterrupt, EOFError, SignalledError):
        message("")  # the shell begins a new line; of a terminal that is gone nobody hears
        return INTERRUPTED


def _choose(prompter: Prompter, notes: list[str]) -> Callable[[], int | None] | None:
    """Ask until there is something to do for which the screen has to be given back; None is to quit."""
    while True:
        saves, today = list(unfinished()), look_at_today()
        chosen = ask.ask_main(prompter, saves, today, notes)
        if chosen is None:
            return None
        if chosen in _AT_ONCE:
            return _AT_ONCE[chosen]
        if chosen == "daily":
            return partial(play_today, today, from_menu=True)
        if chosen == "resume":
            return partial(_go_on, next(saved.path for saved in saves if saved.can_resume))
        todo = _ask_more(prompter, chosen, saves)
        if todo is not None:
            return todo
        notes = []


def _ask_more(prompter: Prompter, chosen: str, saves: list[Saved]) -> Callable[[], int | None] | None:
    """Ask what else has to be known before there is something to do; None to come back to the menu."""
    if chosen == "unfinished":
        path = ask.ask_unfinished(prompter, saves)
        return None if path is None else partial(_go_on, path)
    if chosen == "replay":
        picked = ask.ask_replay(prompter, games_played())
        return None if picked is None else partial(_go_on if picked.goes_on else watch, picked.path)
    if chosen == "settings":
        another = choose_settings(prompter)
        return None if another is None else partial(play_new, changed(*another.order), from_menu=True)
    _rules(prompter)
    return None


def _begin() -> int | None:
    """Begin a new game as it is chosen; None where none is."""
    order = ask_order(Order())
    return None if order is None else play_new(order, from_menu=True)


def _go_on(path: Path) -> int:
    return play_at_table(open_game(path), from_menu=True)


def _rules(prompter: Prompter) -> None:
    """Show the rules of the games that are chosen, until the player goes back."""
    while (game := ask_game(prompter)) is not None:
        prompter.page(_("Rules"), partial(rules_lines, game.NAME))


_AT_ONCE: dict[str, Callable[[], int | None]] = {
    "new": _begin,
    "leaderboard": browse_all,
    "statistics": browse_statistics,
}
"""What can be done without asking for more on the menu's screen."""
