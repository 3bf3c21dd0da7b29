"""The day (contract, cli.md): one challenge a day for everybody, and a player's days in a row.

Days are those of UTC. They are counted from the games at home whenever asked: nothing is kept that could be lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from cubiri_cli import games
from cubiri_cli.replays import clock

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cubiri_cli.store.played import Played

FIRST = date(1970, 1, 1)
"""The day from which the challenges are counted."""


@dataclass(frozen=True)
class Challenge:
    """What everybody plays on a day: the game, its options, and the seed."""

    day: date
    game: str
    options: Mapping[str, Any]

    @property
    def seed(self) -> str:
        """The day's seed."""
        return clock.daily_seed(self.day)

    def is_played_in(self, played: Played) -> bool:
        """Tell whether a game, finished or not, is this challenge, played alone by a person."""
        return (
            (played.game, played.seed, played.options) == (self.game, self.seed, self.options)
            and played.status in ("verified", "unfinished")
            and played.bots == (None,)
        )


def challenge_of(day: date) -> Challenge:
    """Return the challenge of a day.

    >>> challenge_of(date(2026, 11, 30))
    Challenge(day=datetime.date(2026, 11, 30), game='mishimash', options={'target': 200})
    """
    return Challenge(day, *games.challenge((day - FIRST).days))


@dataclass(frozen=True)
class Days:
    """A player's days: for each day that counts, the game that does, which is the first finished on that day."""

    counting: Mapping[date, Played]

    def streak(self, today: date) -> int:
        """Return how many days in a row were played up to today; today itself may still be to come."""
        last = today if today in self.counting else today - timedelta(days=1)
        return self._run_up_to(last)

    @property
    def longest(self) -> int:
        """The most days in a row there ever were."""
        ends = (day for day in self.counting if day + timedelta(days=1) not in self.counting)
        return max(map(self._run_up_to, ends), default=0)

    def counts(self, played: Played) -> bool:
        """Tell whether this very game is the one that counts on its day."""
        day = clock.day_of_seed(played.seed)
        return day is not None and day in self.counting and self.counting[day].name == played.name

    def _run_up_to(self, day: date) -> int:
        length = 0
        while day in self.counting:
            length, day = length + 1, day - timedelta(days=1)
        return length


def days_of(played: Iterable[Played], player: str) -> Days:
    """Return the days of a player: the first finished game of a day's challenge, finished on that day, counts."""
    counting: dict[date, Played] = {}
    for one in sorted(played, key=lambda one: (one.date, one.name)):
        day = clock.day_of_seed(one.seed)
        if day is None or day in counting or not one.is_finished or one.players != (player,):
            continue
        if one.date.date() == day and challenge_of(day).is_played_in(one):
            counting[day] = one
    return Days(counting)
