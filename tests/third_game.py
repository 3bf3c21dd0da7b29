"""PIG, the third game: throw until you hold or a 1 costs you the turn. CONTRIBUTING.md walks through this file.

In the package these would be two modules, `games/pig.py` and `table/pig.py`. One can be both, because what is asked of
the rules and what is asked of the table have different names. The line that registers it: `"pig": "tests.third_game"`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from cubiri_cli.games import game as rules
from cubiri_cli.table import protocol
from cubiri_cli.table.drawing import Line, Span, line
from cubiri_cli.table.language import N_, _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Pig(rules.Game):
    """A game of PIG in progress, rules version 1."""

    NAME, RULES, MOST_SEATS = "pig", 1, 4
    OPTIONS = (rules.WordOption("dice", ("one", "two"), "one"), rules.WholeOption("target", 10, 1000, 100))
    RESULT: ClassVar = {"winner": rules.is_whole, "scores": rules.are_whole, "turns": rules.are_whole}

    __slots__ = ("at_risk", "dice", "roll", "scores", "target", "turns")
    dice: str
    target: int
    at_risk: int  # pips of this turn
    roll: int  # throws of this turn
    scores: tuple[int, ...]
    turns: tuple[int, ...]

    def begin(self) -> None:
        self.scores = self.turns = (0,) * self.seats
        self.at_risk = self.roll = 0

    @classmethod
    def actions(cls) -> dict[str, rules.Move]:
        return {"roll": rules.Move(cls._roll, throws=True), "hold": rules.Move(cls._hold)}

    def legal_actions(self) -> list[str]:
        return [] if self.over else ["roll", "hold"] if self.in_turn else ["roll"]

    def _roll(self, throw: rules.Throw) -> rules.Outcome:
        """Throw: the pips join those of the turn, but a 1 loses them and ends it."""
        if not self.in_turn:
            self.in_turn, self.turns = True, rules.added(self.turns, self.seat, 1)
        self.roll += 1
        dice = throw(f"pig/{self.seat}/{self.turns[self.seat - 1]}/{self.roll}", 2 if self.dice == "two" else 1)
        if 1 in dice:
            return rules.Outcome(dice, (self._end_turn("bust"),))
        self.at_risk += sum(dice)
        return rules.Outcome(dice)

    def _hold(self, throw: rules.Throw) -> rules.Outcome:
        """Keep the pips of the turn; who has the target then has won."""
        if not self.in_turn:
            raise rules.IllegalActionError("nothing-to-hold")
        self.scores = rules.added(self.scores, self.seat, self.at_risk)
        self.over = self.scores[self.seat - 1] >= self.target
        return rules.Outcome((), (self._end_turn("held"),))

    def _end_turn(self, how: str) -> rules.Event:
        event = rules.Event(how, self.seat, self.at_risk)
        self.in_turn, self.at_risk, self.roll = False, 0, 0
        self.seat = self.seat if self.over else self.seat % self.seats + 1
        return event

    def result(self) -> dict[str, Any]:
        return {"winner": self.seat * self.over, "scores": list(self.scores), "turns": list(self.turns)}

    @classmethod
    def standing(cls, result: Mapping[str, Any], seats: int) -> rules.Standing:
        """Rank by the winner's turns, then by his pips."""
        seat = result["winner"]
        pips, turns = result["scores"][seat - 1], result["turns"][seat - 1]
        return rules.Standing(seat, turns, {"pips": pips}, (turns, -pips), unit="turns")


VERSIONS = {1: Pig}


class PigTable(protocol.Table):
    """PIG at the table."""

    TITLE, ABOUT = "PIG", N_("throw on or hold, one to four players")
    FIGURES: ClassVar = {"pips": N_("pips")}
    REASONS: ClassVar = {"nothing-to-hold": N_("there is nothing to hold before a throw")}
    LABELS: ClassVar = {
        "dice": N_("dice"),
        "target": N_("target"),
        "one": N_("one die a throw"),
        "two": N_("two dice, twice the danger"),
    }
    HELP = (N_("r throws, h holds; typed: r, h."),)

    def ask(self, game: Pig, names: Sequence[str], step: Any) -> protocol.Question:
        roll = protocol.Choice("r", _("throw"), ("roll",))
        if not game.in_turn:
            return protocol.Question(_("{name}, it is your turn").format(name=names[game.seat - 1]), (roll,))
        hold = protocol.Choice("h", _("hold {pips}").format(pips=game.at_risk), ("hold",))
        return protocol.Question(_("Throw on, or hold?"), (roll, hold))

    def tell(self, before: Pig, action: str, outcome: rules.Outcome, after: Pig, names: Sequence[str]) -> list[Line]:
        texts = {"bust": _("A 1: {name} loses {pips}"), "held": _("{name} keeps {pips}")}
        said = [texts[one.kind].format(name=names[one.seat - 1], pips=one.amount) for one in outcome.events]
        return [line(Span(text, "bold")) for text in said]

    def describe(self, game: Pig, names: Sequence[str], moment: protocol.Moment) -> list[str]:
        scores = [f"{name}: {score}." for name, score in zip(names, game.scores, strict=True)]
        dice = [_("Dice: {dice}.").format(dice=", ".join(map(str, moment.thrown)))] if moment.thrown else []
        target = _("To {target}; at risk {pips}.").format(target=game.target, pips=game.at_risk)
        return [*scores, *dice, target]


TABLE = PigTable()
