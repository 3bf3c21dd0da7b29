"""`cubiri rules`: the rules of a game, in the chosen language."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from cubiri_cli.commands.options import GAMES, game_named
from cubiri_cli.commands.output import DONE, UsageError
from cubiri_cli.commands.parameters import Argument
from cubiri_cli.table.language import N_, _
from cubiri_cli.table.messages import table_of
from cubiri_cli.terminal.printing import is_terminal

if TYPE_CHECKING:
    from cubiri_cli.games.game import Game


def rules(game: Annotated[str | None, Argument(metavar="[GAME]", help=f"{GAMES}.")] = None) -> int:
    """Show the rules of a game."""
    from cubiri_cli.table.rulebook import rules_lines
    from cubiri_cli.terminal.opening import show_text

    wanted = _ask() if game is None else game_named(game)
    if wanted is not None:
        show_text(table_of(wanted.NAME).TITLE, partial(rules_lines, wanted.NAME))
    return DONE


def _ask() -> type[Game] | None:
    """Ask for a game; None for the way back. Raises `UsageError` where there is no terminal."""
    from cubiri_cli.terminal.new_game import ask_game
    from cubiri_cli.terminal.opening import open_prompter
    from cubiri_cli.terminal.signals import ending_signals

    if not is_terminal():
        raise UsageError(_("name a game: {known}").format(known=GAMES))
    with ending_signals(), open_prompter() as prompter:
        return ask_game(prompter)


HELP = (N_("Show the rules of a game."),)

COMMAND = rules
