"""`cubiri rules`: the rules of a game, in the chosen language."""

from __future__ import annotations

import shutil
from typing import Annotated

import typer

from cubiri_cli.commands.options import GAMES, game_named
from cubiri_cli.commands.output import DONE
from cubiri_cli.table.language import N_
from cubiri_cli.table.style import is_terminal

WIDEST = 80
"""The widest line of a rules page, in columns."""


def rules(game: Annotated[str, typer.Argument(metavar="GAME", help=f"{GAMES}.")]) -> int:
    """Show the rules of a game."""
    from cubiri_cli.table.ending import print_lines
    from cubiri_cli.table.rulebook import rules_lines

    wanted = game_named(game)
    # A page that is wider than a book's is hard to read; what is no terminal gets that width.
    columns = min(shutil.get_terminal_size().columns - 1, WIDEST) if is_terminal() else WIDEST
    print_lines(rules_lines(wanted.NAME, columns))
    return DONE


HELP = (N_("Show the rules of a game."),)

COMMAND = rules
