"""Sitting down at the table and getting up again: what every command does that plays a game at the prompt."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from cubiri_cli.commands.finishing import leave
from cubiri_cli.commands.options import parse_options
from cubiri_cli.commands.output import DONE, INTERRUPTED, UsageError, message
from cubiri_cli.table.language import _
from cubiri_cli.terminal.printing import is_terminal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cubiri_cli.games.game import Game
    from cubiri_cli.store.saved import Keeper


def need_terminal(instead: str) -> None:
    """Raise `UsageError` where people cannot be asked: standard input or standard output is no terminal."""
    if not is_terminal():
        raise UsageError(_("playing at the prompt needs a terminal; {instead}").format(instead=instead))


def play_at_table(keeper: Keeper) -> int:
    """Play a game, new or resumed, to its end or until the player leaves; store it, show it, return the exit status."""
    from cubiri_cli.terminal.playing import Left, play

    if play(keeper.session) is not Left.INTERRUPTED:
        leave(keeper)
        return DONE
    return leave_at_once(keeper)


def leave_at_once(keeper: Keeper) -> int:
    """Leave a game that Ctrl-C or a signal has interrupted, and return the exit status."""
    # A signal may mean that nobody reads any more.
    with contextlib.suppress(OSError):
        leave(keeper)
        if not keeper.session.replay.turns:
            message(_("Interrupted before the first throw."))
        elif keeper.session.failure is None:
            message(_("Interrupted; the game is saved."))
    return INTERRUPTED


def ask_order(options: Mapping[str, str], players: list[str]) -> tuple[type[Game], Mapping[str, str], list[str]] | None:
    """Ask which game is to be played, and what of its options and players is not given; None where nothing is."""
    from cubiri_cli.terminal.asking import ask_game, ask_option, ask_players
    from cubiri_cli.terminal.opening import open_prompter
    from cubiri_cli.terminal.signals import ending_signals

    with ending_signals(), open_prompter() as prompter:
        while True:
            game = ask_game(prompter)
            if game is None:
                return None
            parse_options(game, options)  # what was given for another game is refused here
            answered = dict(options)
            for option in game.OPTIONS:
                if option.name in answered:
                    continue
                value = ask_option(prompter, game, option)
                if value is None:
                    break
                answered[option.name] = value
            else:
                names = players or ask_players(prompter, game)
                if names is not None:
                    return game, answered, names
