"""Replays in Jupyter: of a game its page, of a step the picture of the state after it (see `replays/showing.py`)."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from cubiri_cli.replays.history import History, Step, history
from cubiri_cli.replays.writing import write
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import table_of
from cubiri_cli.table.pictures import COLUMNS, ROWS, svg
from cubiri_cli.table.protocol import Moment
from cubiri_cli.table.replay_page import replay_page
from cubiri_cli.table.transcript import Recording

if TYPE_CHECKING:
    from cubiri_cli.replays.replay import Replay


def html(thing: Replay | History | Step) -> str:
    """Return a replay or its history as a frame with its page, a step as a picture."""
    if isinstance(thing, Step):
        return _picture(thing)
    followed = thing if isinstance(thing, History) else history(thing)
    return _frame(replay_page(Recording(followed), write(followed.replay).encode()))


def _frame(page: str) -> str:
    """Return a page in a frame that can reach nothing of the notebook."""
    look = "width:100%;height:44rem;border:1px solid #8c959f;border-radius:8px"
    title, rights = escape(_("The game")), "allow-scripts allow-downloads"
    return f'<iframe title="{title}" sandbox="{rights}" style="{look}" srcdoc="{escape(page)}"></iframe>'


def _picture(step: Step) -> str:
    """Return the picture of the state after a step, which does not know what the players are called."""
    table, game = table_of(step.game.NAME), step.game
    names = [_("player {seat}").format(seat=seat) for seat in range(1, game.seats + 1)]
    moment = Moment(thrown=step.outcome.dice)
    lines = table.picture(game, names, COLUMNS - 4, ROWS, moment)
    return svg(lines, [f"{table.TITLE}.", *table.describe(game, names, moment)])
