"""Players of MISHIMASH: a plain rule, near-best choices, and the best play known.

All points in here are half-points, but what `Turns` says. What a choice is worth depends on what is played for:

- alone, the turns to come to the target, negative: exact with `EXACT` half-points or less to go, from tables computed
  by `learning/mishimash.py`; before that, the turn's expected points in turns;
- among several, the chance to win. Once somebody has reached the target, and in sudden death: by the chance of each
  who still has a turn to beat what there is, or to equal it; exact with one such rival. Before: by a race in which
  everybody plays on as alone, and whoever reaches the target first is challenged by those behind in one last turn.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cubiri_cli.games.mishimash import DICE, combinations
from cubiri_cli.players.chance import number
from cubiri_cli.players.mishimash_last import beaten, standing
from cubiri_cli.players.mishimash_race import racing, tables, turn_value, turns_to
from cubiri_cli.players.mishimash_turn import START, Option, Solution, Turn, after, outcomes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cubiri_cli.players.player import Player, View

EXACT = 250
"""With so many half-points to go, or less, a solo turn is solved for itself."""
WIDEST = 320
"""Turns of which more half-points matter are not solved for themselves, as that would take too long."""
SPARE = 160
"""How many half-points beyond what wins are told apart, where others still have a turn."""
FAR = 300
"""While all need more than so many half-points, a race is played for points."""
UNIT = 64
"""The table of the best turn holds so many units to a point."""


class MishimashPosition(NamedTuple):
    """What matters of a state of play."""

    target: int
    totals: tuple[int, ...]
    seat: int
    deciding: bool
    """Whether this is the final round or sudden death: one turn each, and the highest total wins."""
    order: tuple[int, ...]
    """The seats that are in it, in player order."""
    turn: Turn
    points: int

    @classmethod
    def of(cls, view: View) -> MishimashPosition:
        """Return the position that a view shows."""
        state = view.state
        totals = tuple(round(2 * points) for points in state["result"]["scores"])
        contenders = tuple(state["sudden_death"])
        # While something has to be taken, the dice of the last roll still count as free.
        choosing = bool(state["dice"])
        return cls(
            target=2 * state["target"],
            totals=totals,
            seat=view.seat,
            deciding=bool(state["final_round"]) and len(totals) > 1,
            order=contenders or tuple(range(1, len(totals) + 1)),
            turn=(state["roll"] - choosing, state["free_dice"], state["mishimashes"]),
            points=round(2 * state["at_risk"]),
        )

    @property
    def total(self) -> int:
        """What the seat has banked."""
        return self.totals[self.seat - 1]

    @property
    def ahead(self) -> tuple[int, ...]:
        """The totals of those who have had their turn of the round."""
        return tuple(self.totals[seat - 1] for seat in self.order if seat < self.seat)

    @property
    def behind(self) -> tuple[int, ...]:
        """The totals of those who still have a turn in this round."""
        return tuple(self.totals[seat - 1] for seat in self.order if seat > self.seat)

    @property
    def wanted(self) -> int:
        """How much more gets ahead: in the lead, or to the target. None is needed to open sudden death."""
        if not self.deciding:
            return self.target - self.total
        return max(0, max(self.ahead, default=0) + 1 - self.total)


class Play(Protocol):
    """What a turn is worth, in whatever is played for."""

    def value(self, turn: Turn, points: int) -> float:
        """Return the value of a turn that can be banked or rolled on."""

    def banked(self, points: int) -> float:
        """Return the value of banking so many points."""

    def lost(self) -> float:
        """Return the value of a bust."""


def rolled(play: Play, turn: Turn, points: int) -> float:
    """Return the value of rolling on: the mean over all rolls of the best that can be made of each."""
    total = 0.0
    for count, options in outcomes(turn[1]):
        best = max((play.value(*after(turn, points, option)) for option in options), default=play.lost())
        total += count * best
    return float(total / 6 ** turn[1])


# A turn for its points


class Turns:
    """A turn that is played for its expected points: `start` + `scale` × points is what it is worth.

    Banking less than `least` half-points is worth nothing; nobody rolls on with `enough`.
    """

    def __init__(self, scale: float = 1.0, start: float = 0.0, least: int = 0, enough: float = inf) -> None:
        self.scale, self.start, self.least, self.enough = scale, start, least, enough

    def value(self, turn: Turn, points: int) -> float:
        """Return the value of a turn that can be banked or rolled on."""
        beyond = _beyond(turn, points) if points < self.enough else 0.0
        return self.start + self.scale * (points / 2 + beyond)

    def banked(self, points: int) -> float:
        """Return the value of banking so many points."""
        return self.start + self.scale * points / 2 if points >= self.least else 0.0

    def lost(self) -> float:
        """Return the value of a bust."""
        return self.start


DEEPEST, MOST_BONUSES, MOST_POINTS = 15, 4, 400
"""The table's last number of rolls, of MISHIMASHes, and half-points; what is beyond is hardly ever reached."""


@cache
def _rows() -> dict[Turn, tuple[int, list[int]]]:
    rows = {}
    for name, (low, *steps) in tables()["turn"]["states"].items():
        rolls, dice, mishimashes = map(int, name.split())
        rows[rolls, dice, mishimashes] = low, list(accumulate(steps))
    return rows


@lru_cache(10_000)
def _beyond(turn: Turn, points: int) -> float:
    """Return how many points more than those at risk a turn is expected to bank."""
    rolls, dice, mishimashes = turn
    if not rolls:
        return turn_value()
    low, row = next(
        _rows()[near]
        for bonuses in range(min(mishimashes, MOST_BONUSES), -1, -1)
        if (near := (min(rolls, DEEPEST), dice, bonuses)) in _rows()
    )
    # Rows are as long as they change. Beyond the last point the chance of a bust costs more and more.
    beyond = max(0, points - MOST_POINTS + 1)
    at = max(0, min(points - beyond - low, len(row) - 1))
    slope = (row[-1] - row[-33]) / 32 if beyond and len(row) > 32 else 0.0
    return max(0.0, (row[at] + slope * beyond) / UNIT) if row else 0.0


# What is played for


def play_for(position: MishimashPosition) -> Play:
    """Return what the position's turn is worth, in what `master` plays for."""
    if len(position.totals) == 1:
        rest = position.target - position.total
        return alone(rest) if rest <= EXACT else Turns(1 / turn_value(), -turns_to(rest) - 1, enough=rest)
    needed = [position.target - total for total in position.totals]
    if not position.deciding and min(needed) > FAR:
        return _for_points(needed, position.seat)
    spare = SPARE if position.behind else 0
    last = min(position.wanted + spare, max(position.wanted, WIDEST) if position.deciding else WIDEST)
    if last <= WIDEST:  # all of the turn at once, so that its later questions are answered, too
        return _among(position._replace(turn=START, points=0), last)
    if last - position.points <= WIDEST:
        return _among(position, last)
    return Turns(beaten(WIDEST) / WIDEST, 0.0, last, last)  # it takes a miracle


def _for_points(needed: list[int], seat: int) -> Turns:
    """Return a turn that is played for points, in terms of what a turn's usual points do for the chance to win."""
    now, usual = racing(needed, seat), 32
    needed[seat - 1] -= usual
    return Turns((racing(needed, seat) - now) / usual * 2, now, enough=needed[seat - 1] + usual)


@lru_cache(EXACT)
def alone(rest: int) -> Solution:
    """Return the turn of somebody who needs `rest` half-points alone, solved."""
    payoff = [-turns_to(rest - banked) - 1 for banked in range(rest + 1)]
    return Solution(payoff, payoff[0], START, 0)


@lru_cache(8)
def _among(position: MishimashPosition, last: int) -> Solution:
    payoff = payoffs(position, last)
    return Solution(payoff, payoff[0], position.turn, position.points)


def payoffs(position: MishimashPosition, last: int) -> list[float]:
    """Return the chance to win after banking 0, 1, … `last` half-points in this turn."""
    found: list[float] = []
    total, ahead, behind = position.total, position.ahead, position.behind
    needed = [position.target - other for other in position.totals]
    for banked in range(last + 1):
        if position.deciding or total + banked >= position.target:
            found.append(standing(ahead, behind, total + banked))
        else:
            needed[position.seat - 1] = position.target - total - banked
            found.append(racing(needed, position.seat))
    return found


# Choosing


def values(view: View) -> dict[str, float]:
    """Return what each legal action is worth by the best play known.

    Alone that is the turns to come, this one included, negative; among several the chance to win.
    """
    position = MishimashPosition.of(view)
    return _values(view.legal, position, play_for(position))


def _values(legal: Sequence[str], position: MishimashPosition, play: Play) -> dict[str, float]:
    turn, points = position.turn, position.points
    found = {}
    for action in legal:
        if action == "bank":
            found[action] = play.banked(points)
        elif action == "roll":
            found[action] = rolled(play, turn, points)
        else:
            found[action] = play.value(*_taken(position, action))
    return found


def _taken(position: MishimashPosition, action: str) -> tuple[Turn, int]:
    dice = [int(die) for die in action.split(" ")[1:]]
    return after(position.turn, position.points, Option(position.turn[1] - len(dice), _worth(dice)))


def _worth(dice: Sequence[int]) -> int:
    return sum(part.worth for part in combinations(tuple(dice)))


class _Master:
    """The best play known."""

    def __init__(self, key: str = "") -> None:
        self.key = key

    def choose(self, view: View) -> str:
        """Return one of `view.legal`."""
        if len(view.legal) == 1:
            return view.legal[0]
        found = values(view)
        return max(found, key=lambda action: (found[action], action == "bank"))


class _Steady:
    """Near-best choices: any that loses less than `SLACK` points against the best turn; no eye for the race."""

    SLACK = 4

    def __init__(self, key: str = "") -> None:
        self.key = key

    def choose(self, view: View) -> str:
        """Return one of `view.legal`."""
        if len(view.legal) == 1:
            return view.legal[0]
        position = MishimashPosition.of(view)
        if "bank" in view.legal and (found := _settled(position)):
            return found
        worth = _values(view.legal, position, Turns())
        near = [action for action in view.legal if worth[action] > max(worth.values()) - self.SLACK]
        return near[int(number(self.key, position) * len(near))]


class _Casual:
    """A plain rule: take all that scores, roll all six dice always, else bank `ENOUGH` half-points or more."""

    ENOUGH = 10

    def __init__(self, key: str = "") -> None:
        self.key = key

    def choose(self, view: View) -> str:
        """Return one of `view.legal`."""
        if "bank" not in view.legal:
            return max(view.legal, key=len)
        position = MishimashPosition.of(view)
        enough = position.points >= self.ENOUGH and position.turn[1] < DICE
        return _settled(position) or ("bank" if enough else "roll")


def _settled(position: MishimashPosition) -> str | None:
    """Return what goes without saying: to bank what gets ahead or to the target, and to roll where less would lose."""
    if not position.wanted:
        return None
    if position.points >= position.wanted:
        return "bank"
    return "roll" if position.deciding else None


LEVELS: Mapping[str, type[Player]] = {"casual": _Casual, "steady": _Steady, "master": _Master}
