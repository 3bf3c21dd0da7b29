"""What every game is to the rest of the program: one small interface, with actions as text.

A game object is the state of one game in progress and nothing else: cheap to copy, no module state, no I/O. Whoever
plays it (a person at the table, a bot, a script, a replay) hands it the same text, such as `place 3 b2`; the game says
what happened or raises `IllegalActionError`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from cubiri_cli.games.problem import Problem, ProblemError

if TYPE_CHECKING:
    from typing import Self

Throw = Callable[[str, int], tuple[int, ...]]
"""Answers a roll: given its name and a number of dice, the dice. `functools.partial(dice.throw, seed)` is one."""

Options = Mapping[str, Any]
"""The options of a game as the replay holds them, such as `{"difficulty": "survival"}`."""


class UnknownGameError(ValueError):
    """A game, or a rules version of it, that this program does not have."""


class InvalidOptionError(ProblemError):
    """An option of a game, or a setting, that is unknown or has a value it cannot take.

    `option` is its name, which is where the problem is. The codes are `no-such-option`, `choice`, `whole` and `seats`;
    of settings `no-setting` and `no-name`; the values what was `found` and what would have been right.
    """

    def __init__(self, option: str, found: object, code: str, **details: object) -> None:
        super().__init__(Problem(code, {"found": found, **details}, option))
        self.option = option


class IllegalActionError(ProblemError):
    """An action the rules refuse here."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(Problem(code, details))


class Event(NamedTuple):
    """Something that happened as the consequence of an action: what, to which seat, how much, which dice or cells.

    `amount` is in what the game counts in: MISHIMASH in half-points.
    """

    kind: str
    seat: int = 0
    amount: int = 0
    what: tuple[Any, ...] = ()


class Outcome(NamedTuple):
    """What an action led to: the dice that answered it (none, where it threw none), and what happened."""

    dice: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()


class Move(NamedTuple):
    """What an action text stands for: a method of the game's class, its arguments, and whether dice answer it."""

    execute: Callable[..., Outcome]
    arguments: tuple[Any, ...] = ()
    throws: bool = False


class Standing(NamedTuple):
    """How a finished game is ranked against others with the same options (contract, cli.md: Ranking).

    Games of one player and games of several stand in tables of their own: they are never compared.
    """

    seat: int
    """Whose result it is."""
    turns: int
    """How many turns that took; 0 where the game does not say, then those of the record are counted (`counting`)."""
    figures: Mapping[str, float]
    """What else a table shows, in points and whole numbers, in order."""
    key: tuple[int, ...]
    """What the order goes by, step by step: the smaller, the better. Equal ones are told apart by their date."""
    unit: str = "points"
    """What the result is counted in: `points`, the more the better, or `turns`, the fewer the better."""

    def counting(self, turns: Sequence[int]) -> Standing:
        """Return the standing with its turns, given how many of each seat the record holds."""
        return self if self.turns else self._replace(turns=turns[self.seat - 1])

    @property
    def score(self) -> float:
        """What was scored, in points: the first of the figures."""
        return next(iter(self.figures.values()))

    @property
    def value(self) -> float:
        """The result as one number, in its `unit`."""
        return self.turns if self.unit == "turns" else self.score


NOTHING_MORE = Outcome()
"""The outcome of an action that did what it says and nothing else."""


_WHOLE = re.compile(r"-?[0-9]{1,18}")


def whole(text: str) -> int | None:
    """Return the whole number that a text from outside spells, None where it spells none.

    So everywhere: `int` would also take `1_0`, `+1` and digits of other scripts, and thousands of digits.

    >>> whole(" 42"), whole("-7"), whole("1_0"), whole("١"), whole("4.0")
    (42, -7, None, None, None)
    """
    text = text.strip()
    return int(text) if _WHOLE.fullmatch(text) else None


class WordOption(NamedTuple):
    """An option that is one of a few words."""

    name: str
    values: tuple[str, ...]
    default: str

    def check(self, value: object) -> str:
        """Return `value` where it is one of the words, else raise `InvalidOptionError`."""
        if isinstance(value, str) and value in self.values:
            return value
        raise InvalidOptionError(self.name, value, "choice", values=self.values)

    def rank(self, value: str) -> int:
        """Return where a value stands among all there are."""
        return self.values.index(value)

    def parse(self, text: str) -> str:
        """Return the value that `text`, typed by a person in any case, stands for."""
        return self.check(text.strip().lower())


class WholeOption(NamedTuple):
    """An option that is a whole number from `low` to `high`."""

    name: str
    low: int
    high: int
    default: int

    def rank(self, value: int) -> int:
        """Return where a value stands among all there are."""
        return value

    def check(self, value: object) -> int:
        """Return `value` where it is such a number (`True` and `2.0` are none), else raise `InvalidOptionError`."""
        if type(value) is int and self.low <= value <= self.high:
            return value
        raise InvalidOptionError(self.name, value, "whole", low=self.low, high=self.high)

    def parse(self, text: str) -> int:
        """Return the value that `text`, typed by a person, stands for; else raise `InvalidOptionError`."""
        number = whole(text)
        return self.check(text.strip() if number is None else number)


@cache
def _moves(game: type[Game]) -> dict[str, Move]:  # no cached method: to bind it takes longer than to look it up
    return {**game.actions(), "hint": Move(game.hint)}


class Game(ABC):
    """One game in progress.

    The order of play: `seat` is whose turn it is; a turn begins with `roll`, and `in_turn` is true from there until the
    turn has ended; `over` is true once the game has ended, and `result()` then says how.

    What a game holds stands in `__slots__` and is immutable, so that a copy copies references only. Each of its options
    is an attribute of the option's name.
    """

    NAME: ClassVar[str]
    RULES: ClassVar[int]
    MOST_SEATS: ClassVar[int]
    OPTIONS: ClassVar[tuple[WordOption | WholeOption, ...]]
    RESULT: ClassVar[Mapping[str, Callable[[object, int], bool]]]
    """The claims of a `[result]` table, in order: for each, whether a value has the right form given the seats."""

    __slots__ = ("in_turn", "over", "seat", "seats")

    seats: int
    """How many players there are."""
    seat: int
    """Whose turn it is or comes next, from 1; after the end, who made the last move."""
    in_turn: bool
    """Whether a turn has begun and not ended."""
    over: bool
    """Whether the game has ended."""

    @classmethod
    def start(cls, options: Options, seats: int = 1) -> Self:
        """Return a new game. Raises `InvalidOptionError` for wrong options or a wrong number of seats."""
        game = cls.__new__(cls)
        for name, value in cls.check_options(options).items():
            setattr(game, name, value)
        game.seats, game.seat, game.in_turn, game.over = cls.check_seats(seats), 1, False, False
        game.begin()
        return game

    @abstractmethod
    def begin(self) -> None:
        """Give every attribute of its own the value it has before the first turn; options and seats have theirs."""

    def copy(self) -> Self:
        """Return an independent copy, to try actions on."""
        other = self.__new__(type(self))
        for name in self._attributes():
            setattr(other, name, getattr(self, name))
        return other

    @classmethod
    @cache
    def _attributes(cls) -> tuple[str, ...]:
        return tuple(name for one in cls.__mro__ for name in vars(one).get("__slots__", ()))

    @classmethod
    @abstractmethod
    def actions(cls) -> dict[str, Move]:
        """Return every action text of the game but `hint`, in canonical spelling, with what executes it.

        Complete: a text that is not in it is not an action of this game, whatever the position.
        """

    @classmethod
    def moves(cls) -> dict[str, Move]:
        """Return every action text of the game with what executes it, `hint` included."""
        return _moves(cls)

    @classmethod
    @cache
    def moves_by_dice(cls) -> tuple[dict[str, Move], dict[str, Move]]:
        """Return `moves()` in two: those that no dice answer, as nearly all entries of a record are, and the others."""
        silent = {text: move for text, move in cls.moves().items() if not move.throws}
        return silent, {text: move for text, move in cls.moves().items() if move.throws}

    def hint(self, throw: Throw) -> Outcome:
        """Note that the player asked for advice: any time between the roll and the end of the turn."""
        self.must_have_rolled()
        return NOTHING_MORE

    def must_have_rolled(self) -> None:
        """Raise `IllegalActionError` where no turn has begun."""
        if not self.in_turn:
            raise IllegalActionError("roll-first")

    def apply(self, action: str, throw: Throw) -> Outcome:
        """Execute one action, asking `throw` for dice where it needs them.

        Raises `IllegalActionError` where the rules refuse it; the game is then unchanged.
        """
        try:
            execute, arguments, _throws = _moves(type(self))[action]
        except KeyError:
            raise IllegalActionError("unknown-action", action=action) from None
        if self.over:
            raise IllegalActionError("game-over")
        return execute(self, throw, *arguments)

    def dice_for(self, action: str) -> int:
        """Return how many dice `action` throws here: 0 where it throws none, and where it is refused.

        Pure: nothing is thrown, and the game stays as it is. Here the action is executed on a copy, with dice made up;
        a game that knows without says so itself.
        """
        if action not in self.moves() or not self.moves()[action].throws:
            return 0
        counts: list[int] = []

        def note(roll: str, count: int) -> tuple[int, ...]:
            counts.append(count)
            return (1,) * count

        try:
            self.copy().apply(action, note)
        except IllegalActionError:
            return 0
        return sum(counts)

    @abstractmethod
    def legal_actions(self) -> list[str]:
        """Return every action that `apply` accepts now, but `hint`, in canonical spelling; empty once over."""

    @abstractmethod
    def result(self) -> dict[str, Any]:
        """Return the claims of `[result]` as the replay writes them, in points; before the end, of the game so far."""

    def state(self) -> dict[str, Any]:
        """Return the state of play as plain data with clear names, in points; `result()` has the rest.

        That is every attribute of its own but the options, unless a game says otherwise.
        """
        known = {*Game.__slots__, *self.RESULT, *(option.name for option in self.OPTIONS)}
        return {name: getattr(self, name) for name in self._attributes() if name not in known}

    @classmethod
    def event_data(cls, event: Event) -> dict[str, Any]:
        """Return an event as plain data with clear names, in points; its `kind` comes first."""
        return {"kind": event.kind, "seat": event.seat, "points": event.amount}

    @classmethod
    @abstractmethod
    def standing(cls, result: Mapping[str, Any], seats: int) -> Standing:
        """Return how a finished game of so many seats is ranked, from its recomputed `[result]`."""

    @classmethod
    def counts(cls, result: Mapping[str, Any], seat: int, events: Iterable[Event]) -> dict[str, int]:
        """Return what statistics count in a finished game besides turns, for one seat; `events` are all of the game."""
        return {}

    def feats(self, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
        """Return codes of what a player did in this game, now finished, that is worth telling the first time.

        `outcomes` are those of the player's actions.
        """
        return ()

    @classmethod
    def check_options(cls, options: Options) -> dict[str, Any]:
        """Return `options` in the game's order; raise `InvalidOptionError` where one is missing, unknown or wrong."""
        for name in options:
            if name not in {option.name for option in cls.OPTIONS}:
                raise InvalidOptionError(name, options[name], "no-such-option")
        return {option.name: option.check(options.get(option.name)) for option in cls.OPTIONS}

    @classmethod
    def check_seats(cls, seats: int) -> int:
        """Return `seats` where the game takes so many players, else raise `InvalidOptionError`."""
        if not 1 <= seats <= cls.MOST_SEATS:
            raise InvalidOptionError("players", seats, "seats", most=cls.MOST_SEATS)
        return seats


def is_whole(value: object, seats: int) -> bool:
    """Tell whether a claim is a whole number (`True` is none)."""
    return type(value) is int


def is_seat(value: object, seats: int) -> bool:
    """Tell whether a claim is one of the seats."""
    return type(value) is int and 1 <= value <= seats


def are_whole(value: object, seats: int) -> bool:
    """Tell whether a claim is a list of whole numbers, one a seat."""
    return isinstance(value, list) and len(value) == seats and all(is_whole(one, seats) for one in value)


def added(counts: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    """Return the counts of all seats with `more` added to that of one.

    >>> added((4, 0, 7), 2, 5)
    (4, 5, 7)
    """
    found = list(counts)
    found[seat - 1] += more
    return tuple(found)
