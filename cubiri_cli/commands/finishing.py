"""How a game is left: it is stored for good and ranked, then its result is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.commands.output import message
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import not_stored
from cubiri_cli.terminal.ending import print_ending
from cubiri_cli.terminal.printing import is_terminal, print_texts, table_width

if TYPE_CHECKING:
    from cubiri_cli.replays.session import Session
    from cubiri_cli.store.leaderboard import Leaderboard, Place
    from cubiri_cli.store.saved import Keeper


def leave(keeper: Keeper, among_others: bool = True) -> None:
    """Leave a game, finished or not: store it for good, rank it, then show its result and its place.

    Storing and ranking come first, so that a terminal that fails loses nothing; and whatever fails there, the result is
    shown. `among_others` shows the place as a piece of the table, else it is told in one line.
    """
    keeper.finish()
    session = keeper.session
    place = _admit(session) if session.game.over and keeper.at_home and session.failure is None else None
    print_ending(session, keeper.path)
    if session.failure is not None and not is_terminal():  # where it stands above the text to keep
        message(f"cubiri: {not_stored(session.failure)}")
    if place is not None:
        _print_place(session, place, among_others)


def _admit(session: Session) -> Place | None:
    """Admit a finished game to the leaderboard and return its place; None where it has none."""
    from cubiri_cli.commands.leaderboard import say_problem
    from cubiri_cli.store.leaderboard import LeaderboardError, use
    from cubiri_cli.store.ranking import NotRankedError, entry_of

    try:
        entry = entry_of(session.text().encode())
    except NotRankedError:  # a bot holds a seat
        return None

    def work(board: Leaderboard) -> Place | None:
        board.admit([entry])
        return board.place(entry.digest)

    try:
        return use(work, say_problem)
    except LeaderboardError as error:
        text = _("this game could not be ranked: {reason}; cubiri leaderboard --rebuild does so later")
        message("cubiri: " + text.format(reason=_(str(error))))
        return None


def _print_place(session: Session, place: Place, among_others: bool) -> None:
    from cubiri_cli.table.standings import place_lines

    lines = place_lines(place, session.replay.digest, table_width(), among_others)
    print_texts(["", *lines] if among_others else lines)
