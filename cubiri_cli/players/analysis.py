"""A recorded game judged: every roll with its luck, every decision with its loss, and sums that come to the result.

start + luck − loss + revision + others = result, for every seat; whatever the evaluator is worth.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import add
from typing import TYPE_CHECKING, Any

from cubiri_cli.players.advice import MARKS, Alternative, Decision, evaluator, mark_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.games.game import Game
    from cubiri_cli.replays.history import Step


@dataclass
class JudgedMoment:
    """A roll or a decision of a game."""

    turn: int
    entry: int
    """The place in the record: of the throw, or of the action that completed the decision."""
    seat: int
    kind: str
    """`roll` or `decision`."""
    state: int
    """How many entries there are up to this one."""
    dice: tuple[int, ...] = ()
    luck: float = 0.0
    revision: float = 0.0
    """Of a decision: what the evaluator corrected itself by, since the seat's decision before it."""
    others: tuple[float, ...] = ()
    """Where a turn ended among several: by how much it changed what the other seats can expect; 0 for its own."""
    begun: int = 0
    """Of a decision: how many entries there were before its first action."""
    actions: tuple[str, ...] = ()
    best: Alternative | None = None
    value: float = 0.0
    """What the seat can expect then: of a roll the best that can be made of it, of a decision what was chosen."""
    loss: float = 0.0
    error: float = 0.0
    is_free: bool = False
    mark: str = ""

    @property
    def is_decision(self) -> bool:
        """Whether it is a decision."""
        return self.kind == "decision"


@dataclass
class Ledger:
    """What a seat's game is made of."""

    seat: int
    start: float
    result: float
    luck: float = 0.0
    loss: float = 0.0
    revision: float = 0.0
    others: float = 0.0
    decisions: int = 0
    unforced: int = 0
    """The decisions in which there was a choice."""
    marks: dict[str, int] = field(default_factory=lambda: dict.fromkeys(MARKS, 0))


@dataclass
class Analysis:
    """A judged game."""

    unit: str
    ledgers: list[Ledger]
    moments: list[JudgedMoment]

    @property
    def error(self) -> float:
        """The largest error with which a decision of the game was judged."""
        return max((one.error for one in self.moments if one.is_decision), default=0.0)


class _Accounts:
    """What each seat can expect, followed from entry to entry."""

    def __init__(self, beginning: Game) -> None:
        self._judge = evaluator(beginning.NAME)
        self._unit = self._judge.unit(beginning)
        self.standing = list(self._judge.standing(beginning))
        self.moments: list[JudgedMoment] = []
        self._before, self._begun, self._states = beginning, 0, 0
        self._decision: Decision | None = None
        self._value = 0.0
        self._owed = [0.0] * beginning.seats
        """Corrections that no decision of the seat has been credited with yet."""

    def take(self, step: Step) -> None:
        """Judge the next entry."""
        self._states += 1
        before, self._before = self._before, step.game
        if step.action == "hint":
            return
        if not before.in_turn:
            self._value = self._judge.before_roll(before)
            self._owed[step.seat - 1] += self._value - self.standing[step.seat - 1]
            self._roll(step, before)
        elif self._judge.decides(step.action):
            self._decide(step, before)
            if step.outcome.dice:
                self._roll(step, before)
            elif step.game.in_turn:
                self._decision, self._begun = self._judge.decision(step.game), self._states
        if not step.game.in_turn:
            self._end_turn(step)

    def _note(self, step: Step, kind: str) -> JudgedMoment:
        moment = JudgedMoment(step.turn, step.entry, step.seat, kind, self._states)
        self.moments.append(moment)
        return moment

    def _roll(self, step: Step, before: Game) -> None:
        moment = self._note(step, "roll")
        moment.dice = step.outcome.dice
        if step.game.in_turn:
            self._decision, self._begun = self._judge.decision(step.game), self._states
            moment.value = self._decision.at_once
        else:
            moment.value = self._judge.lost(before)
        moment.luck, self._value = moment.value - self._value, moment.value

    def _decide(self, step: Step, before: Game) -> None:
        assert self._decision is not None
        moment, decision = self._note(step, "decision"), self._decision
        chosen, best = decision.chosen(before, step.action), decision.options()[0]
        if chosen.value >= best.value:
            best = chosen
        moment.begun, moment.actions, moment.best, moment.value = self._begun, chosen.actions, best, chosen.value
        moment.loss, moment.revision = best.value - chosen.value, best.value - self._value
        self._settle(moment)
        moment.error, moment.is_free = decision.error, decision.is_free
        if moment.is_free:
            moment.mark = mark_of(moment.loss, moment.error, self._unit)
        self._value = chosen.value

    def _end_turn(self, step: Step) -> None:
        """Hold what the seat was said to expect against what all can expect now."""
        standing, moment, own = list(self._judge.standing(step.game)), self.moments[-1], step.seat - 1
        self._owed[own] += standing[own] - self._value
        if moment.is_decision:
            self._settle(moment)
        if len(standing) > 1:
            changes = [now - then for now, then in zip(standing, self.standing, strict=True)]
            moment.others = tuple(0.0 if seat == own else change for seat, change in enumerate(changes))
        self.standing = standing
        if step.game.over:
            self._settle_all()

    def _settle(self, decision: JudgedMoment) -> None:
        decision.revision += self._owed[decision.seat - 1]
        self._owed[decision.seat - 1] = 0.0

    def _settle_all(self) -> None:
        """Credit the last decision of each seat with the rest; to a seat that had none, only the others happened."""
        last = {one.seat: one for one in self.moments if one.is_decision}
        for decision in last.values():
            self._settle(decision)
        if any(self._owed):
            others = self.moments[-1].others
            self.moments[-1].others = tuple(map(add, others, self._owed))


def analyze(beginning: Game, steps: Sequence[Step]) -> Analysis:
    """Return what a finished game is made of. Raises `NoAdviceError` where nobody can judge it."""
    accounts = _Accounts(beginning)
    start = list(accounts.standing)
    for step in steps:
        accounts.take(step)
    seats = enumerate(zip(start, accounts.standing, strict=True), 1)
    ledgers = [Ledger(seat, begun, ended) for seat, (begun, ended) in seats]
    for moment in accounts.moments:
        _enter(moment, ledgers)
    return Analysis(evaluator(beginning.NAME).unit(beginning), ledgers, accounts.moments)


def _enter(moment: JudgedMoment, ledgers: Sequence[Ledger]) -> None:
    own = ledgers[moment.seat - 1]
    own.luck += moment.luck
    own.loss += moment.loss
    own.revision += moment.revision
    own.decisions += moment.is_decision
    own.unforced += moment.is_free
    if moment.mark:
        own.marks[moment.mark] += 1
    for ledger, change in zip(ledgers, moment.others, strict=False):
        ledger.others += change


def moment_data(moment: JudgedMoment) -> dict[str, Any]:
    """Return a moment as plain data (contract, advice.md).

    Beyond that a decision has `better`, the actions of the best choice, and `error`, that of these values; and the last
    moment of a turn among several `others`: by how much it changed what each other seat can expect.
    """
    about: dict[str, Any] = {"turn": moment.turn, "entry": moment.entry, "seat": moment.seat, "kind": moment.kind}
    if moment.is_decision:
        assert moment.best is not None
        about |= {
            "actions": list(moment.actions),
            "value": moment.value,
            "best": moment.best.value,
            "better": list(moment.best.actions),
            "loss": moment.loss,
            "revision": moment.revision,
            "error": moment.error,
            "mark": moment.mark,
        }
    else:
        about |= {"dice": list(moment.dice), "luck": moment.luck}
    return about | ({"others": list(moment.others)} if moment.others else {})
