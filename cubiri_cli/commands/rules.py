"""`cubiri rules`: the rules of a game, in the chosen language."""

from __future__ import annotations

from typing import Annotated

import typer

from cubiri_cli.commands.options import game_named
from cubiri_cli.commands.output import DONE


def rules(game: Annotated[str, typer.Argument(metavar="GAME", help="magdagdon or mishimash.")]) -> int:
    """Show the rules of a game."""
    from cubiri_cli.table.rulebook import rules_text

    print(rules_text(game_named(game).NAME))
    return DONE


COMMAND = rules
