"""`cubiri replay`: watch a recorded game."""

from __future__ import annotations

from typing import Annotated

import typer

from cubiri_cli.commands.output import DONE


def replay(file: Annotated[str, typer.Argument(metavar="FILE", help="The replay.")]) -> int:
    """Watch a recorded game."""
    return DONE


COMMAND = replay
