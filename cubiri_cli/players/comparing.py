"""Two players compared on the same dice."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.players.sequential import SequentialTest
from cubiri_cli.players.series import Series, figures_of, sitter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cubiri_cli.players.player import BotError, Player
    from cubiri_cli.players.series import Sitter


class Pair(NamedTuple):
    """Two games of one seed, as far as they count for two bots."""

    values: tuple[float, float] | None
    """Their results: alone each its own, at one table the part of the games that each won. None without a result."""
    difference: float
    """The first one's result less the second one's, where more is better; without a result, who did not fail has 1."""
    failures: tuple[tuple[int, BotError], ...] = ()
    """Which of them (0 or 1) failed, and how, game by game."""


def play_pair(series: Series, sitters: Sequence[Sitter], seats: int, number: int) -> Pair:
    """Play the pair of a number: each alone, or both at one table and then with their seats exchanged."""
    return _at_one_table(series, sitters, number) if seats > 1 else _alone(series, sitters, number)


def _alone(series: Series, sitters: Sequence[Sitter], number: int) -> Pair:
    found = [figures_of(series.play(number, [one])) for one in sitters]
    failures = tuple([(who, one.failure) for who, one in enumerate(found) if one.failure is not None])
    if failures:
        return Pair(None, bool(found[1].failure) - bool(found[0].failure), failures)
    first, second = (one.value for one in found)
    return Pair((first, second), second - first if found[0].unit == "turns" else first - second)


def _at_one_table(series: Series, sitters: Sequence[Sitter], number: int) -> Pair:
    wins, failures = [0.0, 0.0], []
    for order in ((0, 1), (1, 0)):
        played = series.play(number, [sitters[who] for who in order])
        on_turn = order[played.game.seat - 1]
        if played.failure is not None:
            failures.append((on_turn, played.failure))
            wins[1 - on_turn] += 0.5
        else:
            wins[order[played.standing.seat - 1]] += 0.5
    return Pair((wins[0], wins[1]), wins[0] - wins[1], tuple(failures))


class Comparison:
    """What came of the pairs of games of two bots."""

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        self.test = SequentialTest()
        self.won = self.drawn = self.lost = 0
        """How many pairs the first won, and so on."""
        self.verdicts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        """How many games each lost by each way to fail."""
        self.failures: tuple[dict[str, tuple[int, BotError]], ...] = ({}, {})
        """For each of these the first pair of them, by its number, and why it failed."""
        self._totals = [0.0, 0.0]
        for pair in pairs:
            self.is_decided_by(pair)

    def is_decided_by(self, pair: Pair) -> bool:
        """Add a pair; tell whether it is now decided who is better."""
        self.won += pair.difference > 0
        self.drawn += pair.difference == 0
        self.lost += pair.difference < 0
        for who, failure in pair.failures:
            self.verdicts[who][failure.verdict] += 1
            self.failures[who].setdefault(failure.verdict, (self.pairs, failure))
        if pair.values is not None:
            self._totals = [total + value for total, value in zip(self._totals, pair.values, strict=True)]
            self.test.add(pair.difference)
        return self.decided is not None

    @property
    def pairs(self) -> int:
        """How many pairs were played."""
        return self.won + self.drawn + self.lost

    @property
    def means(self) -> list[float | None]:
        """The mean result of each; None where no pair has results."""
        return [total / self.test.count if self.test.count else None for total in self._totals]

    @property
    def difference(self) -> float | None:
        """The mean difference, the first one's less the second one's, where more is better."""
        return self.test.mean if self.test.count else None

    @property
    def decided(self) -> str | None:
        """What the test has decided: `first`, `second` or `equal`; None where it has not yet."""
        return self.test.decided


def match(
    game: str,
    options: Mapping[str, Any],
    first: str | Player,
    second: str | Player,
    *,
    pairs: int = 1000,
    seats: int = 1,
    seed: str = "match",
) -> Comparison:
    """Let two bots play the same dice until it is decided which is better, at most so many pairs of games.

    A bot is what `--bot` takes, or an object with `choose(view)`.

    >>> match("mishimash", {"target": 50}, "casual", "random").decided
    'first'
    """
    series, sitters, found = Series(game, options, seed), [sitter(first), sitter(second)], Comparison()
    for number in range(1, pairs + 1):
        if found.is_decided_by(play_pair(series, sitters, seats, number)):
            break
    return found
