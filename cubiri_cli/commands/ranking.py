"""What there is to say of a finished game: what is new about it, the table of its day, its rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.commands.day import look_at_today
from cubiri_cli.commands.leaderboard import say_problem
from cubiri_cli.replays.clock import day_of_seed
from cubiri_cli.replays.verifying import verify
from cubiri_cli.store.leaderboard.entries import Refusal, judge
from cubiri_cli.store.news import news_of
from cubiri_cli.store.played import games_played
from cubiri_cli.table.sharing import news_lines
from cubiri_cli.table.today import ending_lines

if TYPE_CHECKING:
    from cubiri_cli.replays.session import Session
    from cubiri_cli.store.leaderboard.board import Leaderboard, Place
    from cubiri_cli.store.leaderboard.entries import Entry
    from cubiri_cli.store.saved import Keeper


def news(keeper: Keeper) -> list[str]:
    """Return what is new about a finished game, a line each. Whatever hinders that costs the news, nothing else."""
    try:
        played = games_played()
        this = next((one for one in played if keeper.path is not None and one.name == keeper.path.name), None)
        return news_lines(this.game, news_of(this, played)) if this is not None and this.bots == (None,) else []
    except Exception:
        return []


def day_table(keeper: Keeper) -> list[str]:
    """Return the table of the day after its game. Whatever hinders that costs the table, nothing else."""
    if keeper.path is None or day_of_seed(keeper.session.replay.seed) is None:
        return []
    try:
        return ending_lines(look_at_today(), keeper.path.name)
    except Exception:
        return []


def rank(session: Session) -> Place | None:
    """Admit a finished game to the leaderboard and return its place. Raises whatever goes wrong."""
    entry = judge(verify(session.text().encode()))
    return None if isinstance(entry, Refusal) else _admit(entry)  # refused where a bot holds a seat


def _admit(entry: Entry) -> Place | None:
    """Admit a game to the leaderboard and return its place. Raises `LeaderboardError`, and whatever goes wrong."""
    from cubiri_cli.store.leaderboard.opening import use  # needs SQLite, which not every Python has

    def work(board: Leaderboard) -> Place | None:
        board.admit([entry])
        return board.place(entry.digest)

    return use(work, say_problem)
