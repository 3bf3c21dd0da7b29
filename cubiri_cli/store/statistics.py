"""A player's own games in numbers: how many, how good, how they are spread. Computed from the games at home."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli import games

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cubiri_cli.store.played import Played

MOST_BINS = 12
"""How many bars a histogram has at most."""


@dataclass(frozen=True)
class Record:
    """A player's solo games of one kind: the game with one difficulty or target."""

    game: str
    options: Mapping[str, Any]
    begun: Sequence[Played]
    """All of them, the latest first."""

    @cached_property
    def finished(self) -> list[Played]:
        """Those that came to their end."""
        return [one for one in self.begun if one.is_finished]

    @property
    def unit(self) -> str:
        """What a result is counted in: `points`, or `turns`, of which fewer are better."""
        return self.finished[0].standing.unit if self.finished else "points"

    @cached_property
    def values(self) -> list[float]:
        """The results of the finished games, in `unit`."""
        return [one.standing.value for one in self.finished]

    @cached_property
    def best(self) -> Played | None:
        """The best finished game, the earliest of equal ones; None where none was finished."""
        return min(self.finished, key=lambda one: (one.standing.key, one.date), default=None)

    @property
    def mean(self) -> float | None:
        """The mean result."""
        return fmean(self.values) if self.finished else None

    @property
    def median(self) -> float | None:
        """The result in the middle."""
        return median(self.values) if self.finished else None

    @property
    def histogram(self) -> list[tuple[int, int]]:
        """How the results are spread: from which value, and how many; without gaps."""
        return histogram(self.values)

    @property
    def turns(self) -> float | None:
        """The mean number of turns of a game."""
        return fmean(one.standing.turns for one in self.finished) if self.finished else None

    @property
    def counts(self) -> dict[str, float]:
        """The mean number a game of what the game counts: ruins and Powers, or busts."""
        totals: Counter[str] = Counter()
        for one in self.finished:
            totals.update(one.counts[0])
        return {name: total / len(self.finished) for name, total in totals.items()}


class Wins(NamedTuple):
    """Games against others: how many were finished, and how many won."""

    played: int
    won: int


def histogram(values: Sequence[float]) -> list[tuple[int, int]]:
    """Return how values are spread over at most `MOST_BINS` bins of one round width: from where, and how many.

    >>> histogram([212, 248, 251, 390])
    [(200, 1), (220, 0), (240, 2), (260, 0), (280, 0), (300, 0), (320, 0), (340, 0), (360, 0), (380, 1)]
    """
    if not values:
        return []
    low, high = min(values), max(values)
    width = next(
        factor * 10**power
        for power in range(9)
        for factor in (1, 2, 5)
        if high // (factor * 10**power) - low // (factor * 10**power) < MOST_BINS
    )
    bins = Counter(int(value // width) for value in values)
    return [(number * width, bins[number]) for number in range(min(bins), max(bins) + 1)]


def records_of(played: Iterable[Played], player: str, game: str | None = None) -> list[Record]:
    """Return a player's solo games by kind, in the order of the list of games and of each game's options."""
    kinds: dict[tuple[str, tuple[Any, ...]], list[Played]] = {}
    for one in played:
        if one.status in ("verified", "unfinished") and one.players == (player,) and one.bots == (None,):
            assert one.options is not None
            if game in (None, one.game):
                kinds.setdefault((one.game, tuple(one.options.values())), []).append(one)
    return [
        Record(name, begun[0].options or {}, begun)
        for (name, _values), begun in sorted(kinds.items(), key=lambda kind: _order(kind[1][0]))
    ]


def _order(one: Played) -> tuple[int, list[float]]:
    """Return where a kind of game stands among the others: words as the game lists them, numbers ascending."""
    loaded, options = games.load(one.game), one.options or {}
    return games.names().index(one.game), [option.rank(options[option.name]) for option in loaded.OPTIONS]


def wins_of(played: Iterable[Played], player: str, game: str | None = None) -> Wins:
    """Return how often a player finished a game with others, and won it."""
    with_others = [
        one
        for one in played
        if one.is_finished and len(one.players) > 1 and (player, None) in zip(one.players, one.bots, strict=True)
        if game in (None, one.game)
    ]
    won = sum(one.players[one.standing.seat - 1] == player for one in with_others)
    return Wins(len(with_others), won)
