"""MISHIMASH, rules version 1 (contract, rules.md). Frozen once released.

One to eight players push their luck with six dice; the first to bank the target wins, after a final round. Points are
whole *half-points* in here; what leaves it as data (`result`, `state`, `event_data`, `standing`) is in points.

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
    Outcome,
    Standing,
    Throw,
    WholeOption,
    added,
    are_whole,
    is_seat,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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


class Choices(NamedTuple):
    """What can be taken of a roll, worked out once for all rolls of the same dice."""

    combinations: tuple[Combination, ...]
    selections: dict[tuple[int, ...], int]
    actions: tuple[str, ...]
    """Those that take the selections, in their order."""


@cache
def choices(roll: tuple[int, ...]) -> Choices:
    """Return what can be taken of a roll (its dice ascending).

    >>> choices((1, 1, 2, 4, 6)).actions
    ('take 1', 'take 1 1')
    """
    found = selections(roll)
    return Choices(combinations(roll), found, tuple(["take " + " ".join(map(str, selection)) for selection in found]))


NOTHING = choices(())


def _are_points(value: object, seats: int) -> bool:
    """Tell whether a claim is one float a player, each a multiple of one half."""
    return (
        isinstance(value, list)
        and len(value) == seats
        and all(type(points) is float and points % 0.5 == 0 for points in value)
    )


def roll_name(seat: int, turn: int, roll: int) -> str:
    """Return the name of a roll (dice.md): the seat, its own turn, the roll within the turn; all from 1."""
    return f"mishimash/{seat}/{turn}/{roll}"


class Taking(NamedTuple):
    """What taking dice of the roll leads to; points in half-points."""

    worth: int
    """What they are worth before the multiplier."""
    bonus: int
    """Of the MISHIMASH they make; 0 where they make none."""
    at_risk: int
    """The points of the turn with them, not banked yet."""
    free_dice: int
    """How many dice the next roll then throws."""


class Mishimash(Game):
    """A game of MISHIMASH in progress."""

    NAME = "mishimash"
    RULES = 1
    MOST_SEATS = 8
    OPTIONS = (WholeOption("target", 10, 1_000_000, 1000),)  # R11
    RESULT: ClassVar = {"winner": is_seat, "scores": _are_points, "turns": are_whole}

    __slots__ = (
        "_choices",
        "at_risk",
        "contenders",
        "final_round",
        "free_dice",
        "mishimashes",
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
    _choices: Choices  # what can be taken of it; else `NOTHING`
    rolls: int
    """How many rolls this turn has seen: the multiplier of the last one."""
    free_dice: int
    """How many dice the next roll throws."""
    at_risk: int
    """Half-points of the turn that are not banked yet."""
    mishimashes: int
    """How many MISHIMASHes this turn has seen."""
    final_round: int
    """The seat that reached the target and began the final round; 0 before."""
    contenders: tuple[int, ...]
    """The seats in sudden death, in player order; empty before."""
    winner: int
    """The seat that won; 0 before the end."""

    def begin(self) -> None:
        """Begin with nothing banked and six dice."""
        self.totals = self.turns = (0,) * self.seats
        self.contenders = self.roll = ()
        self._choices = NOTHING
        self.rolls = self.at_risk = self.mishimashes = self.final_round = self.winner = 0
        self.free_dice = DICE

    # What there is to know

    @property
    def must_select(self) -> bool:
        """Whether a roll lies on the table of which something has to be taken."""
        return bool(self.roll)

    @property
    def combinations(self) -> tuple[Combination, ...]:
        """The combinations of the roll on the table."""
        return self._choices.combinations

    @property
    def selections(self) -> dict[tuple[int, ...], int]:
        """The legal selections of the roll on the table, with their half-points before the multiplier."""
        return self._choices.selections

    def taking(self, picked: tuple[int, ...]) -> Taking:
        """Return what taking the dice `picked` (ascending) leads to; taking none changes nothing.

        Raises `IllegalActionError` where they are no whole combinations of the roll on the table.
        """
        after, worth = self.copy(), self.selections.get(picked, 0)
        if picked:
            after._take(lambda roll, count: (), picked)
        return Taking(worth, after.at_risk - self.at_risk - worth * self.rolls, after.at_risk, after.free_dice)

    def result(self) -> dict[str, Any]:
        """Return the claims of `[result]`: the winner's seat, and for each seat its points and its turns."""
        return {
            "winner": self.winner,
            "scores": [total / 2 for total in self.totals],
            "turns": list(self.turns),
        }

    def state(self) -> dict[str, Any]:
        """Return the state of play: which turn of the player it is, the roll, its combinations, and what is at risk."""
        return {
            "target": self.target,
            "turn": self.turns[self.seat - 1],
            "roll": self.rolls,
            "dice": list(self.roll),
            "combinations": [
                {"kind": part.kind, "dice": list(part.dice), "points": part.worth / 2} for part in self.combinations
            ],
            "free_dice": self.free_dice,
            "at_risk": self.at_risk / 2,
            "mishimashes": self.mishimashes,
            "final_round": self.final_round or None,
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
            seat=seat,
            turns=turns,
            figures={"points": points, "players": seats},
            key=(turns, -half_points) if seats == 1 else (-half_points, turns),
            unit="turns" if seats == 1 else "points",
        )

    @classmethod
    def counts(cls, result: Mapping[str, Any], seat: int, events: Iterable[Event]) -> dict[str, int]:
        """Return the busts of a seat."""
        return {"busts": sum(event.kind == "bust" and event.seat == seat for event in events)}

    def feats(self, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
        """Return whether a straight was thrown, and whether there were two MISHIMASHes in one turn."""
        straight = any(len(set(outcome.dice)) == DICE for outcome in outcomes)
        events = [event for outcome in outcomes for event in outcome.events]
        twice = any(event.kind == "mishimash" and event.amount > MISHIMASH_BONUS for event in events)
        return ("straight",) * straight + ("two-mishimashes",) * twice

    # What can be done

    def legal_actions(self) -> list[str]:
        """Return every action that is legal now, but `hint`."""
        if self.over:
            return []
        if self.roll:
            return list(self._choices.actions)
        return ["roll", "bank"] if self.in_turn else ["roll"]

    @classmethod
    def actions(cls) -> dict[str, Move]:
        """Return every action text but `hint` with what executes it (replay.md, Log entries)."""
        moves = {"roll": Move(cls._roll, throws=True), "bank": Move(cls._bank)}
        for count in range(1, DICE + 1):
            for picked in combinations_with_replacement(range(1, 7), count):
                moves["take " + " ".join(map(str, picked))] = Move(cls._take, (picked,))
        return moves

    def dice_for(self, action: str) -> int:
        """Return how many dice `action` throws here: a roll those that are free."""
        return self.free_dice if action == "roll" and not self.roll and not self.over else 0

    def _roll(self, throw: Throw) -> Outcome:
        """Throw all available dice. A roll without any combination is a bust: the turn's points are lost."""
        if self.roll:
            raise IllegalActionError("select-first")
        seat, number = self.seat, self.rolls + 1
        turns = self.turns if self.in_turn else added(self.turns, seat, 1)
        dice = tuple(throw(roll_name(seat, turns[seat - 1], number), self.free_dice))
        self.in_turn, self.turns, self.rolls, self.roll = True, turns, number, dice
        self._choices = found = choices(tuple(sorted(dice)))
        if found.selections:
            return Outcome(dice)
        return Outcome(dice, (Event("bust", seat, self.at_risk), *self._end_turn()))

    def _take(self, throw: Throw, picked: tuple[int, ...]) -> Outcome:
        """Select combinations: their points times the number of this roll join the turn's; then perhaps MISHIMASH."""
        if not self.roll:
            raise IllegalActionError("nothing-to-take")
        try:
            self.at_risk += self._choices.selections[picked] * self.rolls
        except KeyError:
            raise IllegalActionError("no-selection", dice=" ".join(map(str, picked))) from None
        self.roll, self._choices = (), NOTHING
        self.free_dice -= len(picked)
        if self.free_dice:
            return NOTHING_MORE
        self.free_dice = DICE
        self.mishimashes += 1
        bonus = MISHIMASH_BONUS * self.mishimashes
        self.at_risk += bonus
        return Outcome((), (Event("mishimash", self.seat, bonus),))

    def _bank(self, throw: Throw) -> Outcome:
        """Add the turn's points to the total. The target is checked only here. **R15** begins the final round."""
        self.must_have_rolled()
        if self.roll:
            raise IllegalActionError("select-first")
        seat, banked = self.seat, self.at_risk
        self.totals = added(self.totals, seat, banked)
        events = [Event("banked", seat, banked)]
        if not self.final_round and self.totals[seat - 1] >= 2 * self.target:
            self.final_round = seat
            if seat < self.seats:
                events.append(Event("final-round", seat))
        return Outcome((), (*events, *self._end_turn()))

    def _end_turn(self) -> tuple[Event, ...]:
        """End the turn and find who is next. **R15**: in the final round the order does not start again."""
        self.in_turn, self.roll, self._choices, self.free_dice = False, (), NOTHING, DICE
        self.rolls = self.at_risk = self.mishimashes = 0
        order = self.contenders or range(1, self.seats + 1)
        if self.seat < order[-1]:
            self.seat = next(seat for seat in order if seat > self.seat)
            return ()
        if not self.final_round:
            self.seat = order[0]
            return ()
        return self._end_round(order)

    def _end_round(self, order: Sequence[int]) -> tuple[Event, ...]:
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


VERSIONS = {1: Mishimash}
