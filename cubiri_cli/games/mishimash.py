"""MISHIMASH, rules version 1 (contract, rules.md). Frozen once released.

One to eight players push their luck with six dice; the first to bank the target wins, after a final round. Points are
whole *half-points* everywhere in here; only `result()` speaks of points.

>>> from functools import partial
>>> from cubiri_cli.games import dice
>>> game = Mishimash.start({"target": 10})
>>> throw = partial(dice.throw, "42")
>>> game.apply("roll", throw).dice
(5, 6, 1, 6, 3, 1)
>>> for action in ("take 1 1", "bank"):
...     _ = game.apply(action, throw)
>>> game.totals, game.result()["scores"]
((4,), [2.0])
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from cubiri_cli.games.game import (
    NOTHING_MORE,
    Event,
    Game,
    IllegalActionError,
    Move,
    Options,
    Outcome,
    Standing,
    Throw,
    Whole,
    is_count,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

DICE = 6
SINGLE = {1: 2, 5: 1}
"""Half-points of a single 1 and a single 5."""

TRIPLE = {1: 20, 2: 4, 3: 6, 4: 8, 5: 10, 6: 12}
"""Half-points of three of a face; four, five and six of it are worth two, three and four times that."""

STRAIGHT, THREE_PAIRS = 30, 20
MISHIMASH_BONUS = 20
"""Half-points of the first MISHIMASH of a turn; the second is worth twice that, and so on."""


class Combination(NamedTuple):
    """One combination of a roll: what it is, its dice ascending, and its half-points before the multiplier."""

    kind: str
    dice: tuple[int, ...]
    worth: int


@cache
def combinations(roll: tuple[int, ...]) -> tuple[Combination, ...]:
    """Return the combinations into which a roll divides: in exactly one way, none where it is a bust.

    `roll` holds one to six dice, ascending. The combinations are ordered by their dice. A `single` stands once for each
    die; the other kinds are `three`, `four`, `five`, `six` (of a kind), `straight` and `three-pairs`.

    >>> [(c.kind, c.worth) for c in combinations((1, 4, 4, 4, 5, 6))]
    [('single', 2), ('three', 8), ('single', 1)]
    """
    counts = {face: roll.count(face) for face in sorted(set(roll))}
    # R13: both use all six dice. R14: three pairs are three different faces, so four of a kind and a pair is none.
    if len(counts) == DICE:
        return (Combination("straight", roll, STRAIGHT),)
    if list(counts.values()) == [2, 2, 2]:
        return (Combination("three-pairs", roll, THREE_PAIRS),)
    found: list[Combination] = []
    for face, count in counts.items():
        if count >= 3:  # R12: all of them or none
            kind = {3: "three", 4: "four", 5: "five", 6: "six"}[count]
            found.append(Combination(kind, (face,) * count, TRIPLE[face] * (count - 2)))
        elif face in SINGLE:
            found += [Combination("single", (face,), SINGLE[face])] * count
    return tuple(found)


@cache
def selections(roll: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Return every legal selection of a roll (its dice ascending) with its half-points before the multiplier.

    >>> selections((1, 1, 2, 4, 6))
    {(1,): 2, (1, 1): 4}
    """
    found: dict[tuple[int, ...], int] = {}
    parts = combinations(roll)
    for keep in product((False, True), repeat=len(parts)):
        if any(keep):
            kept = [part for part, kept in zip(parts, keep, strict=True) if kept]
            found[tuple(sorted(die for part in kept for die in part.dice))] = sum(part.worth for part in kept)
    return dict(sorted(found.items()))


def _is_seat(value: object, seats: int) -> bool:
    return type(value) is int and 1 <= value <= seats


def _are_points(value: object, seats: int) -> bool:
    """Tell whether a claim is one float a player, each a multiple of one half."""
    return (
        isinstance(value, list)
        and len(value) == seats
        and all(type(points) is float and (2 * points).is_integer() for points in value)
    )


def _are_counts(value: object, seats: int) -> bool:
    return isinstance(value, list) and len(value) == seats and all(is_count(count, seats) for count in value)


class Mishimash(Game):
    """A game of MISHIMASH in progress."""

    NAME = "mishimash"
    RULES = 1
    MOST_SEATS = 8
    OPTIONS = (Whole("target", 10, 1_000_000, 1000),)  # R11
    RESULT: ClassVar = {"winner": _is_seat, "scores": _are_points, "turns": _are_counts}

    __slots__ = (
        "cleared",
        "contenders",
        "free",
        "last_round",
        "risk",
        "roll",
        "rolls",
        "target",
        "totals",
        "turns",
        "winner",
    )

    target: int
    """The target in points."""
    totals: tuple[int, ...]
    """Banked half-points of each seat."""
    turns: tuple[int, ...]
    """Turns of each seat, the present one included."""
    roll: tuple[int, ...]
    """The dice of the last roll as thrown, while a selection has to be made; else empty."""
    rolls: int
    """How many rolls this turn has seen: the multiplier of the last one."""
    free: int
    """How many dice the next roll throws."""
    risk: int
    """Half-points of the turn that are not banked yet."""
    cleared: int
    """How many MISHIMASHes this turn has seen."""
    last_round: int
    """The seat that reached the target and began the final round; 0 before."""
    contenders: tuple[int, ...]
    """The seats in sudden death, in player order; empty before."""
    winner: int
    """The seat that won; 0 before the end."""

    @classmethod
    def start(cls, options: Options, seats: int = 1) -> Mishimash:
        """Return a new game; `options` is `{"target": …}` in points."""
        game = cls.__new__(cls)
        game.target = cls.check_options(options)["target"]
        game.seats = cls.check_seats(seats)
        game.seat, game.in_turn, game.over = 1, False, False
        game.totals = game.turns = (0,) * seats
        game.contenders = game.roll = ()
        game.rolls = game.risk = game.cleared = game.last_round = game.winner = 0
        game.free = DICE
        return game

    def copy(self) -> Mishimash:
        """Return an independent copy. Everything in it is immutable, so this copies references only."""
        other = Mishimash.__new__(Mishimash)
        other.seats, other.seat, other.in_turn, other.over = self.seats, self.seat, self.in_turn, self.over
        other.target, other.totals, other.turns = self.target, self.totals, self.turns
        other.roll, other.rolls, other.free, other.risk = self.roll, self.rolls, self.free, self.risk
        other.cleared, other.last_round = self.cleared, self.last_round
        other.contenders, other.winner = self.contenders, self.winner
        return other

    # What there is to know

    @property
    def must_select(self) -> bool:
        """Whether a roll lies on the table of which something has to be taken."""
        return bool(self.roll)

    @property
    def combinations(self) -> tuple[Combination, ...]:
        """The combinations of the roll on the table."""
        return combinations(tuple(sorted(self.roll))) if self.roll else ()

    @property
    def selections(self) -> dict[tuple[int, ...], int]:
        """The legal selections of the roll on the table, with their half-points before the multiplier."""
        return selections(tuple(sorted(self.roll))) if self.roll else {}

    def result(self) -> dict[str, Any]:
        """Return the claims of `[result]`: the winner's seat, and for each seat its points and its turns."""
        return {
            "winner": self.winner,
            "scores": [total / 2 for total in self.totals],
            "turns": list(self.turns),
        }

    def state(self) -> dict[str, Any]:
        """Return the state of play: whose turn of his it is, the roll and its combinations, and what is at risk."""
        return {
            "target": self.target,
            "turn": self.turns[self.seat - 1],
            "roll": self.rolls,
            "dice": list(self.roll),
            "combinations": [
                {"kind": part.kind, "dice": list(part.dice), "points": part.worth / 2} for part in self.combinations
            ],
            "free_dice": self.free,
            "at_risk": self.risk / 2,
            "mishimashes": self.cleared,
            "final_round": self.last_round or None,
            "sudden_death": list(self.contenders),
        }

    @classmethod
    def event_data(cls, event: Event) -> dict[str, Any]:
        """Return an event as plain data: whom it concerns (`seat` or `seats`), and the points lost or won."""
        data: dict[str, Any] = {"kind": event.kind}
        if event.seat:
            data["seat"] = event.seat
        if event.kind in ("bust", "banked", "mishimash"):
            data["points"] = event.amount / 2
        if event.what:
            data["seats"] = list(event.what)
        return data

    @classmethod
    def standing(cls, result: Mapping[str, Any], seats: int) -> Standing:
        """Return how a finished game is ranked: the winner's result (cli.md, Ranking).

        Solo games by fewer turns, then higher total; those of several players, in a table of their own, by total, then
        fewer turns.
        """
        seat = result["winner"]
        points, turns = result["scores"][seat - 1], result["turns"][seat - 1]
        half_points = round(2 * points)
        return Standing(
            table="solo" if seats == 1 else "several",
            seat=seat,
            turns=turns,
            figures={"points": points, "players": seats},
            key=(turns, -half_points) if seats == 1 else (-half_points, turns),
        )

    # What can be done

    def legal_actions(self) -> list[str]:
        """Return every action that is legal now, but `hint`."""
        if self.over:
            return []
        if self.must_select:
            return ["take " + " ".join(map(str, selection)) for selection in self.selections]
        return ["roll", "bank"] if self.in_turn else ["roll"]

    @classmethod
    @cache
    def moves(cls) -> dict[str, Move]:
        """Return every action text with what executes it (replay.md, Log entries)."""
        moves = {"roll": Move(cls._roll, throws=True), "bank": Move(cls._bank), "hint": Move(cls._hint)}
        for count in range(1, DICE + 1):
            for picked in combinations_with_replacement(range(1, 7), count):
                moves["take " + " ".join(map(str, picked))] = Move(cls._take, (picked,))
        return moves

    def _hint(self, throw: Throw) -> Outcome:
        """Note that the player asked for advice: after a roll that is no bust, or after a `take`."""
        if not self.in_turn:
            raise IllegalActionError("roll-first")
        return NOTHING_MORE

    def _roll(self, throw: Throw) -> Outcome:
        """Throw all available dice. A roll without any combination is a bust: the turn's points are lost."""
        if self.roll:
            raise IllegalActionError("select-first")
        seat = self.seat
        turn = self.turns[seat - 1] + (not self.in_turn)
        dice = tuple(throw(f"mishimash/{seat}/{turn}/{self.rolls + 1}", self.free))
        if not self.in_turn:
            self.turns = (*self.turns[: seat - 1], turn, *self.turns[seat:])
        self.in_turn, self.roll = True, dice
        self.rolls += 1
        if combinations(tuple(sorted(dice))):
            return Outcome(dice)
        return Outcome(dice, (Event("bust", seat, self.risk), *self._end_turn()))

    def _take(self, throw: Throw, picked: tuple[int, ...]) -> Outcome:
        """Select combinations: their points times the number of this roll join the turn's; then perhaps MISHIMASH."""
        if not self.roll:
            raise IllegalActionError("nothing-to-take")
        worth = selections(tuple(sorted(self.roll))).get(picked)
        if worth is None:
            raise IllegalActionError("no-selection", dice=" ".join(map(str, picked)))
        self.risk += worth * self.rolls
        self.free -= len(picked)
        self.roll = ()
        if self.free:
            return NOTHING_MORE
        self.cleared += 1
        self.free = DICE
        bonus = MISHIMASH_BONUS * self.cleared
        self.risk += bonus
        return Outcome((), (Event("mishimash", self.seat, bonus),))

    def _bank(self, throw: Throw) -> Outcome:
        """Add the turn's points to the total. The target is checked only here. **R15** begins the final round."""
        if not self.in_turn:
            raise IllegalActionError("roll-first")
        if self.must_select:
            raise IllegalActionError("select-first")
        seat, banked = self.seat, self.risk
        self.totals = (*self.totals[: seat - 1], self.totals[seat - 1] + banked, *self.totals[seat:])
        events = [Event("banked", seat, banked)]
        if not self.last_round and self.totals[seat - 1] >= 2 * self.target:
            self.last_round = seat
            if seat < self.seats:
                events.append(Event("final-round", seat))
        return Outcome((), (*events, *self._end_turn()))

    def _end_turn(self) -> tuple[Event, ...]:
        """End the turn and find who is next. **R15**: in the final round the order does not start again."""
        self.in_turn, self.roll, self.rolls, self.risk, self.cleared, self.free = False, (), 0, 0, 0, DICE
        order = self.contenders or tuple(range(1, self.seats + 1))
        later = [seat for seat in order if seat > self.seat]
        if later:
            self.seat = later[0]
            return ()
        if not self.last_round:
            self.seat = order[0]
            return ()
        return self._end_round(order)

    def _end_round(self, order: tuple[int, ...]) -> tuple[Event, ...]:
        """End the final round, or one of sudden death. **R16**: those tied for first go on until one leads alone."""
        best = max(self.totals[seat - 1] for seat in order)
        tied = tuple(seat for seat in order if self.totals[seat - 1] == best)
        if len(tied) == 1:
            self.over, self.winner = True, tied[0]
            return (Event("over", tied[0]),)
        dropped = tuple(seat for seat in self.contenders if seat not in tied)
        begun = not self.contenders
        self.contenders, self.seat = tied, tied[0]
        events = [Event("sudden-death", what=tied)] if begun else [Event("sudden-death-goes-on", what=tied)]
        return (*([Event("dropped-out", what=dropped)] if dropped else []), *events)


GAME = Mishimash
VERSIONS = {1: Mishimash}
