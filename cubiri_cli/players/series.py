"""Many games of a kind, played by players alone, and what is to be said of them."""

from __future__ import annotations

from collections import Counter
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from itertools import accumulate
from math import sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.players import bots
from cubiri_cli.players.playout import Playout, play_out
from cubiri_cli.replays.clock import NO_TIME
from cubiri_cli.replays.replay import Player as Seated
from cubiri_cli.replays.session import FullRecordError, Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cubiri_cli.games.game import Outcome
    from cubiri_cli.players.player import BotError, Player

QUANTILES = (5, 25, 50, 75, 95)
"""The quantiles that are shown, in per cent."""


@runtime_checkable
class Sitter(Protocol):
    """Whoever can sit down in any number of games: a `Bot`, or a player of one's own."""

    @property
    def name(self) -> str:
        """What it is called at the table."""

    @property
    def kind(self) -> str:
        """What the record says of it: a level, or `program`."""

    def sit(
        self,
        game: str,
        seed: str,
        seat: int,
        timeout: float | None = None,
        *,
        listen: Callable[[bytes], None] | None = None,
    ) -> AbstractContextManager[Player]:
        """Sit down in a seat of the game of a seed."""


class OwnPlayer(NamedTuple):
    """A player of one's own, an object of Python: it sits in all games as it is."""

    player: Player
    kind: str = bots.PROGRAM

    @property
    def name(self) -> str:
        """The name of its class."""
        return type(self.player).__name__

    def sit(self, *about: object, **more: object) -> AbstractContextManager[Player]:
        """Sit down."""
        return nullcontext(self.player)


def sitter(bot: str | Player | Sitter) -> Sitter:
    """Return who sits down: a text is what `--bot` takes, an object with `choose` a player of one's own.

    Raises `WrongBotError`.
    """
    if isinstance(bot, str):
        return bots.parse(bot)
    return bot if isinstance(bot, Sitter) else OwnPlayer(bot)


class Series(NamedTuple):
    """Games of a kind, numbered from 1: game number n is that of the seed `SEED-n`."""

    game: str
    options: Mapping[str, Any]
    seed: str
    timeout: float | None = None
    """How many seconds programs have for an answer, as `Bot.sit` takes them."""
    listen: Callable[[bytes], None] | None = None
    """Takes what programs write to their standard error."""
    keep: Callable[[str, bytes | None], None] | None = None
    """Takes the seed of each game that has ended, and its record; None where that would be too large."""

    def seed_of(self, number: int) -> str:
        """Return the seed of a game. Raises `InvalidSeedError`."""
        seed = f"{self.seed}-{number}"
        if not dice.is_seed(seed):
            raise dice.InvalidSeedError(seed)
        return seed

    def play(self, number: int, sitters: Sequence[Sitter]) -> Playout:
        """Play a game; who plays sits down anew for it, in the order of the seats."""
        seed = self.seed_of(number)
        names = bots.names_apart([one.name for one in sitters])
        with ExitStack() as table:
            players = [
                table.enter_context(one.sit(self.game, seed, seat, self.timeout, listen=self.listen))
                for seat, one in enumerate(sitters, 1)
            ]
            if self.keep is None:
                game = games.load(self.game).start(self.options, len(sitters))
                return play_out(game, players, partial(game.apply, throw=partial(dice.fast_throw, seed)), names)
            seated = [Seated(name, one.kind) for name, one in zip(names, sitters, strict=True)]
            session = Session.begin(self.game, self.options, seated, seed, started=NO_TIME)
            session.finished = NO_TIME
            record = _Record(session, partial(session.game.apply, throw=partial(dice.fast_throw, seed)))
            played = play_out(session.game, players, record.do, names)
            if played.failure is None:
                self.keep(seed, None if record.is_full else session.text().encode())
            return played

    def blank(self) -> Figures:
        """Return the figures of a game without a move: what is counted, and in which unit the result is."""
        game = games.load(self.game).start(self.options)
        return figures_of(Playout(game, (0,) * game.seats, (), None))


class _Record:
    """Executes actions and records them, as long as there is room; a game that is too long goes on without."""

    def __init__(self, session: Session, unrecorded: Callable[[str], Outcome]) -> None:
        self._session, self._unrecorded = session, unrecorded
        self.is_full = False

    def do(self, action: str) -> Outcome:
        """Execute an action. Raises `IllegalActionError`."""
        if not self.is_full:
            try:
                return self._session.do(action)
            except FullRecordError:
                self.is_full = True
        return self._unrecorded(action)


class Figures(NamedTuple):
    """What counts of one solo game."""

    value: float = 0.0
    """The result, in its unit."""
    unit: str = "points"
    counts: Mapping[str, int] = MappingProxyType({})
    failure: BotError | None = None
    """How the bot failed; then the game has no result."""


def figures_of(played: Playout) -> Figures:
    """Return what counts of a game."""
    if played.failure is not None:
        return Figures(failure=played.failure)
    standing = played.standing
    return Figures(standing.value, standing.unit, played.counts(1))


class Tally:
    """What came of many solo games. Without enough results for a figure it is None."""

    def __init__(self, played: Iterable[Figures] = ()) -> None:
        self.values: Counter[float] = Counter()
        """How often there was each result."""
        self.unit: str | None = None
        self.verdicts: Counter[str] = Counter()
        """How many games the bot lost by each way to fail."""
        self.failures: dict[str, tuple[int, BotError]] = {}
        """For each of these the first game of them, by its number, and why it failed."""
        self._sums: Counter[str] = Counter()
        for number, figures in enumerate(played, 1):
            self._add(number, figures)

    def _add(self, number: int, figures: Figures) -> None:
        if figures.failure is not None:
            self.verdicts[figures.failure.verdict] += 1
            self.failures.setdefault(figures.failure.verdict, (number, figures.failure))
            return
        self.values[figures.value] += 1
        self.unit = figures.unit
        self._sums.update(figures.counts)

    @property
    def games(self) -> int:
        """How many games have a result."""
        return self.values.total()

    @property
    def means(self) -> dict[str, float]:
        """The means a game of what the game counts."""
        return {name: total / self.games for name, total in self._sums.items()}

    @property
    def mean(self) -> float | None:
        """The mean result."""
        return self._sum(1) / self.games if self.values else None

    @property
    def stdev(self) -> float | None:
        """The standard deviation of the results."""
        if self.games < 2:
            return None
        spread = self._sum(2) * self.games - self._sum(1) ** 2  # exact: results are whole or half points
        return sqrt(spread / (self.games * (self.games - 1)))

    @property
    def stderr(self) -> float | None:
        """The standard error of the mean."""
        return None if self.stdev is None else self.stdev / sqrt(self.games)

    def _sum(self, power: int) -> float:
        return sum(value**power * count for value, count in self.values.items())

    @property
    def least(self) -> float | None:
        """The least result."""
        return min(self.values, default=None)

    @property
    def most(self) -> float | None:
        """The greatest result."""
        return max(self.values, default=None)

    def quantile(self, percent: int) -> float | None:
        """Return the result below which so many per cent lie: between two results, in proportion.

        >>> tally = Tally(Figures(value) for value in (10, 20, 30, 40, 50))
        >>> tally.quantile(50), tally.quantile(5)
        (30.0, 12.0)
        """
        if not self.values:
            return None
        at, part = divmod(percent * (self.games - 1), 100)
        low, high = self._ranked(at), self._ranked(at + (part > 0))
        return low + (high - low) * part / 100

    def _ranked(self, rank: int) -> float:
        """Return the result that so many others come before."""
        ends = accumulate(self.values[value] for value in sorted(self.values))
        return next(value for value, end in zip(sorted(self.values), ends, strict=True) if end > rank)


def simulate(
    game: str, options: Mapping[str, Any], bot: str | Player, *, count: int = 1000, seed: str = "simulate"
) -> Tally:
    """Let a bot, which is what `--bot` takes or an object with `choose(view)`, play so many solo games.

    >>> tally = simulate("mishimash", {"target": 50}, "casual", count=100)
    >>> tally.games, tally.unit
    (100, 'turns')
    """
    series, sitters = Series(game, options, seed), [sitter(bot)]
    return Tally(figures_of(series.play(number, sitters)) for number in range(1, count + 1))
