"""`cubiri rules`: the rules of a game, in the chosen language."""

from __future__ import annotations

from typing import Annotated

import typer

from cubiri_cli.commands.options import GAMES, game_named
from cubiri_cli.commands.output import DONE
from cubiri_cli.table.language import N_


def rules(game: Annotated[str, typer.Argument(metavar="GAME", help=f"{GAMES}.")]) -> int:
    """Show the rules of a game."""
    from cubiri_cli.table.rulebook import rules_lines
    from cubiri_cli.terminal.printing import page_width, print_lines

    wanted = game_named(game)
    print_lines(rules_lines(wanted.NAME, page_width()))
    return DONE


HELP = (N_("Show the rules of a game."),)

COMMAND = rules
