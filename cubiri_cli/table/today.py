"""The game of the day in words: what it is, whether it is played, the days in a row, and the time that is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.replays.clock import local
from cubiri_cli.replays.names import harmless
from cubiri_cli.table.drawing import pad, width
from cubiri_cli.table.language import _, decimal
from cubiri_cli.table.messages import table_of
from cubiri_cli.table.sharing import result_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from cubiri_cli.store.days import Challenge, Days
    from cubiri_cli.store.played import Played

COUNTING = "*"
"""The mark of a game that counts on its day."""


class Today(NamedTuple):
    """What there is to say about a day: its challenge, the player's days, and all games of it that are here."""

    challenge: Challenge
    player: str
    days: Days
    played: Sequence[Played]
    """The latest first, of all players."""
    left: timedelta
    """Until the next day."""

    @property
    def counting(self) -> Played | None:
        """The game that counts for the player; None where none does yet."""
        return self.days.counting.get(self.challenge.day)

    @property
    def unfinished(self) -> Played | None:
        """The player's unfinished game of the challenge, the latest; None where there is none."""
        return next((one for one in self.played if not one.is_finished and one.players == (self.player,)), None)


def headline(today: Today) -> str:
    """Return what the challenge is, such as `MAGDAGDON survival`."""
    return table_of(today.challenge.game).kind(today.challenge.options)


def status(today: Today) -> str:
    """Return whether the challenge is played, the days in a row, and the time left."""
    streak = today.days.streak(today.challenge.day)
    if today.counting is not None:
        done = _("played: {result}").format(result=result_words(today.counting.standing))
    else:
        done = _("begun") if today.unfinished is not None else _("not played yet")
    return " · ".join([done, *([_("streak {count}").format(count=streak)] if streak else []), time_left(today.left)])


def time_left(left: timedelta) -> str:
    """Return how long it is until the next day."""
    minutes = int(left.total_seconds()) // 60
    return _("{hours} h {minutes} min left").format(hours=minutes // 60, minutes=minutes % 60)


def today_lines(today: Today) -> list[str]:
    """Return all there is to say about the day; once the player's own game is finished, with the table of the day."""
    lines = [
        _("Today's game, {date}: {game}").format(date=today.challenge.day.isoformat(), game=headline(today)),
        _("The same dice for everybody. The day ends at midnight UTC."),
        status(today),
    ]
    return [*lines, "", *table_of_the_day(today)] if today.counting is not None else lines


def ending_lines(today: Today, name: str) -> list[str]:
    """Return what is said at the end of a game of the day, kept in the file of this name; of other games nothing."""
    if not any(one.name == name for one in today.played if one.is_finished):
        return []
    return [_("Today: {status}").format(status=status(today)), *table_of_the_day(today)]


def table_of_the_day(today: Today) -> list[str]:
    """Return the finished games of the day that are here, the best first; the one that counts is marked."""
    finished = sorted((one for one in today.played if one.is_finished), key=lambda one: (one.standing.key, one.date))
    if not finished:
        return []
    standing = finished[0].standing
    figure = next(iter(standing.figures))
    heading = _("turns") if standing.unit == "turns" else _(table_of(today.challenge.game).FIGURES[figure])
    rows = [("#", _("player"), heading, _("time"))]
    for rank, one in enumerate(finished, 1):
        value = decimal(one.standing.value)
        assisted = "  " + _("with hints") if one.assisted else ""
        rows.append((str(rank), harmless(one.players[0]), value, f"{local(one.date):%H:%M}" + assisted))
    widths = [max(width(row[index]) for row in rows) for index in range(4)]
    lines = []
    for number, row in enumerate(rows):
        mark = COUNTING if number and finished[number - 1] == today.counting else " "
        cells = [pad(cell, widths[index], "<" if index in (1, 3) else ">") for index, cell in enumerate(row)]
        lines.append(f"{mark} {'  '.join(cells)}".rstrip())
    practice = len(finished) - sum(one == today.counting for one in finished)
    return [*lines, *([_("{mark} counts for the day").format(mark=COUNTING)] if practice else [])]
