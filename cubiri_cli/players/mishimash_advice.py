"""What positions, rolls and choices of MISHIMASH are worth, and why.

Alone that is the turns that the whole game takes, negative: exact near the target, before that as exact as the table of
the best turn. Among several it is the chance to win: by a race in which everybody plays on as alone, and by the turn's
own induction; exact once somebody has reached the target, while two at most are still to move.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

from cubiri_cli.players.advice import Alternative, Reason
from cubiri_cli.players.mishimash import (
    MishimashPosition,
    Play,
    Turns,
    alone,
    play_for,
    rolled,
)
from cubiri_cli.players.mishimash_last import beaten, last_turn, leading
from cubiri_cli.players.mishimash_race import racing_all, turns_to
from cubiri_cli.players.mishimash_turn import START, Option, Solution, after, outcomes
from cubiri_cli.players.player import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cubiri_cli.games.game import Game
    from cubiri_cli.games.mishimash import Mishimash
    from cubiri_cli.players.mishimash_turn import Turn

SOLVED = 320
"""With so many half-points to go alone, or less, a turn is solved for itself."""
SOLO_ERRORS = ((SOLVED, 0.002), (500, 0.02))
"""With so many half-points to go alone, or less, the standard deviation of what choices are worth, in turns: what
rounding leaves, then what the table of the best turn leaves, which does not see the target (`learning/advice.py`)."""
FAR_ERROR = 0.005
"""The same from further away."""
RACE_ERROR, LAST_ERROR = 0.015, 0.002
"""And among several, in chances to win: in the race, and once somebody has reached the target and one at most is still
to move after the turn."""
LITTLE = 1e-6
"""How much ends of a turn are made worth more to see how likely they are."""


class MishimashEvaluator:
    """What is known about MISHIMASH."""

    def unit(self, game: Game) -> str:
        """Return `turns` of one player alone, `chance` to win of several."""
        return "turns" if game.seats == 1 else "chance"

    def standing(self, game: Any) -> tuple[float, ...]:
        """Return the turns that the game takes, negative, or for each seat the chance to win."""
        if game.seats == 1:
            return (-game.turns[0] - turns_to(2 * game.target - game.totals[0]),)
        if game.over:
            return tuple(float(seat == game.winner) for seat in range(1, game.seats + 1))
        if game.final_round:
            return _deciding(game)
        return racing_all(tuple(2 * game.target - total for total in game.totals), game.seat)

    def before_roll(self, game: Any) -> float:
        """Return the mean over all rolls of what the turn is then worth."""
        position = MishimashPosition.of(View(game, [""] * game.seats))
        return rolled(_play_for(position), position.turn, position.points) - _done(game)

    def decision(self, game: Any) -> MishimashDecision:
        """Return what there is to keep, and whether to bank or to roll."""
        return MishimashDecision(game)

    def lost(self, game: Any) -> float:
        """Return what the turn is worth where the next roll is a bust."""
        return _play_for(MishimashPosition.of(View(game, [""] * game.seats))).lost() - _done(game)

    def decides(self, action: str) -> bool:
        """Tell whether an action banks or rolls."""
        return action in ("bank", "roll")


EVALUATOR = MishimashEvaluator()


def _play_for(position: MishimashPosition) -> Play:
    """Return what a turn is worth: as for the players, but alone it is solved for itself from further away."""
    rest = position.target - position.total
    return alone(rest) if len(position.totals) == 1 and rest <= SOLVED else play_for(position)


def _done(game: Mishimash) -> int:
    """Return how many turns are over, where that is what counts."""
    return game.turns[0] - game.in_turn if game.seats == 1 else 0


class MishimashDecision:
    """A roll of which something has to be kept, or a turn that can be banked or rolled on."""

    def __init__(self, game: Mishimash) -> None:
        self._game = game.copy()
        self._position = MishimashPosition.of(View(game, [""] * game.seats))

    @cached_property
    def _play(self) -> Play:
        return _play_for(self._position)

    @property
    def error(self) -> float:
        """The standard deviation of what choices are worth here."""
        position = self._position
        if len(position.totals) == 1:
            rest = position.target - position.total
            return next((error for most, error in SOLO_ERRORS if rest <= most), FAR_ERROR)
        return LAST_ERROR if position.deciding and len(position.behind) < 2 else RACE_ERROR

    is_free = True
    """There is always the choice between banking and rolling."""

    @cached_property
    def at_once(self) -> float:
        """What the best that can be kept of the roll is worth, banked or rolled on."""
        return max(self._play.value(*then) for then in self._kept.values()) - _done(self._game)

    @cached_property
    def _kept(self) -> dict[tuple[int, ...], tuple[Turn, int]]:
        """What can be kept of the roll, and the turn and its points then; nothing where that is done already."""
        position = self._position
        if not self._game.must_select:
            return {(): (position.turn, position.points)}
        return {
            dice: after(position.turn, position.points, Option(position.turn[1] - len(dice), worth))
            for dice, worth in self._game.selections.items()
        }

    @cached_property
    def _options(self) -> list[Alternative]:
        found = []
        for dice, then in self._kept.items():
            taken = ("take " + " ".join(map(str, dice)),) * bool(dice)
            found.append(Alternative((*taken, "bank"), self._play.banked(then[1]) - _done(self._game)))
            found.append(Alternative((*taken, "roll"), rolled(self._play, *then) - _done(self._game)))
        return sorted(found, key=lambda option: (-option.value, option.actions[-1]))

    def options(self) -> list[Alternative]:
        """Return the choices there are, the best first: what is kept, together with banking or rolling."""
        return self._options

    def chosen(self, game: Any, action: str) -> Alternative:
        """Return what was decided: what was kept, banked or rolled on."""
        at_risk, free = game.at_risk, game.free_dice
        for option in self._options:
            turn, points = self._then(option)
            if option.actions[-1] == action and (points, turn[1]) == (at_risk, free):
                return option
        raise ValueError(action)

    def _then(self, option: Alternative) -> tuple[Turn, int]:
        """Return the turn and its points once an option has been kept."""
        dice = tuple(map(int, option.actions[0].split(" ")[1:])) if len(option.actions) > 1 else ()
        return self._kept[dice]

    # Why

    def nudge(self) -> Reason:
        """Return whether to look at what is kept or at banking, whichever the best choice differs in from the next."""
        best, *others = self._options
        if not self._game.must_select or others[0].actions[0] == best.actions[0]:
            turn, _ = self._then(best)
            return Reason("look-bank", {"dice": turn[1], "bust": bust_chance(turn[1])})
        return Reason("look-keep", {"ways": len(self._kept)})

    def reason(self, option: Alternative, other: Alternative) -> Reason:
        """Return what two choices differ in: what a bust costs and a roll brings, or the dice that are left."""
        (turn, points), (rival, others) = self._then(option), self._then(other)
        banks, is_better = option.actions[-1] == "bank", option.value >= other.value
        values = {"value": option.value, "other": other.value, "unit": EVALUATOR.unit(self._game)}
        if banks and self._wins(points):
            return Reason("reaches", {"points": points / 2})
        if banks == (other.actions[-1] == "bank"):
            if banks:
                return Reason(
                    "banks-more" if points > others else "banks-less", {"points": points / 2, "other": others / 2}
                )
            if turn[1] != rival[1]:
                details = {"dice": turn[1], "bust": bust_chance(turn[1]), "points": points / 2}
                rest = {"others": rival[1], "other_bust": bust_chance(rival[1]), "other_points": others / 2}
                return Reason("leaves", {**details, **rest})
            return Reason("more" if points > others else "fewer", {"points": points / 2, "other": others / 2})
        dice, risk = (rival[1], others) if banks else (turn[1], points)
        mean = rolled(Turns(), *((rival, others) if banks else (turn, points)))
        banked = points if banks else others
        details = {"dice": dice, "bust": bust_chance(dice), "risk": risk / 2, "mean": mean, "points": banked / 2}
        # Points say why only where fewer of them are not better.
        if (mean > banked / 2) == (is_better != banks):
            return Reason("bank" if banks else "roll", details)
        return Reason("bank-worth" if banks else "roll-worth", {**details, **values})

    def _wins(self, points: int) -> bool:
        """Tell whether so many half-points reach the target, alone."""
        position = self._position
        return len(position.totals) == 1 and points >= position.target - position.total


def bust_chance(dice: int) -> float:
    """Return the chance that so many dice hold nothing.

    >>> round(bust_chance(2), 3)
    0.444
    """
    return float(outcomes(dice)[0].ways / 6**dice)


# The chances of all


def _deciding(game: Mishimash) -> tuple[float, ...]:
    """Return the chance of every seat to win once the target is reached, before a turn of one of them.

    The next turn is that of the best player; with it those before it and one behind it are exact. What is left is
    shared out among several behind it by how easily each of them gets ahead now.
    """
    position = MishimashPosition.of(View(game, [""] * game.seats))
    play, chances = _play_for(position), [0.0] * game.seats
    chances[game.seat - 1] = rolled(play, START, 0)
    best = max(position.ahead, default=position.total)
    behind = {seat: best - game.totals[seat - 1] for seat in position.order if seat > game.seat}
    leaders = [seat for seat in position.order if seat < game.seat and game.totals[seat - 1] == best]
    if leaders:
        fails, equals = _odds(play, best - position.total)
        for place, seat in enumerate(leaders):
            for chance, count in ((fails, len(leaders)), (equals, len(leaders) + 1)):
                chances[seat - 1] += chance * leading(place, count, behind.values())
    rest, eager = 1 - sum(chances), {seat: _eager(seat, behind) for seat in behind}
    for seat, weight in (eager or {leaders[-1]: 1.0}).items():
        chances[seat - 1] += rest * weight / (sum(eager.values()) or 1.0)
    return tuple(chances)


def _odds(play: Play, gap: int) -> tuple[float, float]:
    """Return the chances of the best turn to bring less than `gap` half-points, and to bring just that.

    They are what the turn's value grows by, a little at a time, where such ends become worth more.
    """
    if not isinstance(play, Solution):
        beats, equals = last_turn(gap)
        return 1 - beats - equals, equals

    def until(most: int) -> float:
        payoff = [worth + LITTLE * (points <= most) for points, worth in enumerate(play.payoff)]
        return (Solution(payoff, payoff[0], START, 0).value(START, 0) - play.value(START, 0)) / LITTLE

    fails = until(gap - 1) if gap else 0.0
    return fails, until(gap) - fails


def _eager(seat: int, gaps: Mapping[int, int]) -> float:
    """Return how likely a seat gets ahead and stays there, where each other one behind may come before or after it."""
    return beaten(gaps[seat]) * prod([1 - beaten(gap) / 2 for other, gap in gaps.items() if other != seat])
