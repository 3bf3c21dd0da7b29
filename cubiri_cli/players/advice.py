"""What a position, a roll and a choice are worth: what hints and analysis ask, whatever the game.

A game's evaluator is the `EVALUATOR` of the module beside its players, `NAME_advice`; it sees games, never a seed nor a
die to come. Values are for a seat, in the unit that the evaluator names, the more the better: what the whole game is
then expected to come to under the best play known. A game need not have one.

>>> evaluator("mishimash").unit(games.load("mishimash").start({"target": 20}))
'turns'
>>> mark_of(0.2, 0.01, "turns"), mark_of(0.02, 0.01, "turns"), mark_of(0.01, 0.01, "turns")
('?', '?!', '')
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cubiri_cli import games
from cubiri_cli.games.problem import Problem, ProblemError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cubiri_cli.games.game import Game


class NoAdviceError(ProblemError):
    """A game that nobody here can judge."""

    def __init__(self, game: str) -> None:
        super().__init__(Problem("no-advice", {"game": game}))


class Reason(NamedTuple):
    """Why something is better or worse, as a code and its values; the words are the table's."""

    code: str
    details: Mapping[str, Any]


class Alternative(NamedTuple):
    """Something that can be decided: the actions that do it, in order, and what it is worth."""

    actions: tuple[str, ...]
    value: float


class Decision(Protocol):
    """A position in which there is something to decide."""

    at_once: float
    """What it is worth at first sight: the mean of this over all dice is what the position before its roll is worth."""
    error: float
    """The standard deviation of values like these, measured (`learning/`)."""
    is_free: bool
    """Whether there is more than one choice."""

    def options(self) -> Sequence[Alternative]:
        """Return the choices there are, the best first, by the deeper look; of very many the best ones."""

    def chosen(self, game: Game, action: str) -> Alternative:
        """Return what was decided, by the same look: `action` decided it in `game`, on the way from here."""

    def reason(self, option: Alternative, other: Alternative) -> Reason:
        """Return why an option is better or worse than another one: what is true of both, and counted."""

    def nudge(self) -> Reason:
        """Return what is to be looked at to find the best option."""


class Evaluator(Protocol):
    """What is known about one game."""

    def unit(self, game: Game) -> str:
        """Return what values are counted in: `points`, `turns` (as negative numbers) or `chance`."""

    def standing(self, game: Game) -> tuple[float, ...]:
        """Return what each seat can expect between two turns; at the end, what each has got."""

    def before_roll(self, game: Game) -> float:
        """Return what the seat on turn can expect before the first roll of its turn."""

    def decision(self, game: Game) -> Decision:
        """Return what there is to decide, in a turn."""

    def lost(self, game: Game) -> float:
        """Return what the seat on turn can expect where the next throw ends its turn."""

    def decides(self, action: str) -> bool:
        """Tell whether an action completes a decision (rather than being a step on the way to it)."""


def evaluator(game: str) -> Evaluator:
    """Return the evaluator of a game, by its name. Raises `NoAdviceError` where it has none."""
    if not has_evaluator(game):
        raise NoAdviceError(game)
    found: Evaluator = import_module(_module(game)).EVALUATOR
    return found


def has_evaluator(game: str) -> bool:
    """Tell whether a game has an evaluator, without loading it."""
    return find_spec(_module(game)) is not None


def _module(game: str) -> str:
    return games.MODULES[game].format("players") + "_advice"


# Marks

MARKS = ("?!", "?", "??")
"""From the smallest error to the largest."""

TIMES = (1, 3, 6)
"""How many times the evaluator's error a loss has to exceed to get each mark."""

LEAST: Mapping[str, tuple[float, float, float]] = {
    "points": (0.05, 4.0, 12.0),
    "turns": (0.005, 0.1, 0.3),
    "chance": (0.005, 0.03, 0.1),
}
"""And how much it has to exceed in each unit, at least; for the first mark half of the last digit that is shown."""


def mark_of(loss: float, error: float, unit: str) -> str:
    """Return the mark of a loss that was judged with this error; empty where it is none, or within the error."""
    bounds = zip(MARKS, TIMES, LEAST[unit], strict=True)
    found = [mark for mark, times, least in bounds if loss > max(times * error, least)]
    return found[-1] if found else ""


def within(loss: float, error: float, unit: str) -> bool:
    """Tell whether a choice that loses so much is as right as the best one."""
    return not mark_of(loss, error, unit)
