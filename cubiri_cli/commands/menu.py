"""The main menu: what a bare `cubiri` shows on a terminal."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cubiri_cli.commands.after import watch
from cubiri_cli.commands.daily import look_at_today, play_today
from cubiri_cli.commands.newgame import Order, ask_order, keeper_of
from cubiri_cli.commands.output import DONE, INTERRUPTED, TO_MENU, UsageError, message
from cubiri_cli.commands.resume import CannotResumeError, open_game
from cubiri_cli.commands.sitting import play_at_table
from cubiri_cli.store.home import recent
from cubiri_cli.store.leaderboard import LeaderboardError
from cubiri_cli.store.saved import unfinished
from cubiri_cli.table.drawing import fold, line
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain
from cubiri_cli.table.rulebook import rules_lines
from cubiri_cli.terminal import menu as ask
from cubiri_cli.terminal.new_game import ask_game
from cubiri_cli.terminal.opening import open_prompter
from cubiri_cli.terminal.printing import wait_for_enter
from cubiri_cli.terminal.settings_menu import choose_settings
from cubiri_cli.terminal.signals import SignalledError, ending_signals, has_signalled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cubiri_cli.games.problem import Problem
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
        notes = []
        if chosen is None:
            return None
        if chosen == "resume":
            return partial(_go_on, next(saved.path for saved in saves if saved.can_resume))
        if chosen == "unfinished":
            path = ask.ask_unfinished(prompter, saves)
            if path is not None:
                return partial(_go_on, path)
            continue
        if chosen == "new":
            return _begin
        if chosen == "daily":
            return partial(play_today, today, from_menu=True)
        if chosen == "replay":
            picked = ask.ask_replay(prompter, recent())
            if picked is not None:
                return partial(_go_on if picked.goes_on else watch, picked.path)
        else:
            {"leaderboard": _leaderboard, "rules": _rules, "settings": choose_settings}[chosen](prompter)


def _begin() -> int | None:
    """Begin a new game as it is chosen; None where none is."""
    order = ask_order(Order())
    return None if order is None else play_at_table(keeper_of(order.begin(), None), from_menu=True)


def _go_on(path: Path) -> int:
    return play_at_table(open_game(path), from_menu=True)


def _leaderboard(prompter: Prompter) -> None:
    """Show the best results of all games."""
    from cubiri_cli.commands.leaderboard import Query, cannot_be_used, texts_stored

    said: list[str] = []

    def say(problem: Problem) -> None:
        said.append(explain(problem))

    try:
        texts = texts_stored(Query(None, {}, None, False, None, "text"), say)
        lines = [*said, *"\n\n".join(texts or [_("There are no results yet.")]).split("\n")]
    except LeaderboardError as error:
        lines = [*said, cannot_be_used(error)]
    prompter.page(_("Best results"), lambda width: [part for one in lines for part in fold(line(one), width)])


def _rules(prompter: Prompter) -> None:
    """Show the rules of the games that are chosen, until the player goes back."""
    while (game := ask_game(prompter)) is not None:
        prompter.page(_("Rules"), partial(rules_lines, game.NAME))
