"""PIG, the third game: throw until you hold or a 1 costs you the turn. CONTRIBUTING.md walks through this file.

In the package these would be two modules, `games/pig.py` and `table/pig.py`. One can be both, because what is asked of
the rules and what is asked of the table have different names. The line that registers it: `"pig": "tests.third_game"`.
"""

from __future__ import annotations

import copy
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from cubiri_cli.games import game as rules
from cubiri_cli.table import protocol
from cubiri_cli.table.drawing import Line, Span, cut_line, line, pad
from cubiri_cli.table.language import N_, _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# The rules: games/pig.py


def _are_counts(value: object, seats: int) -> bool:
    return isinstance(value, list) and len(value) == seats and all(rules.is_count(one, seats) for one in value)


class Pig(rules.Game):
    """A game of PIG in progress, rules version 1."""

    NAME, RULES, MOST_SEATS = "pig", 1, 4
    OPTIONS = (rules.Choice("dice", ("one", "two"), "one"), rules.Whole("target", 10, 1000, 100))
    RESULT: ClassVar = {"winner": rules.is_count, "scores": _are_counts, "turns": _are_counts}

    __slots__ = ("count", "risk", "rolls", "target", "totals", "turns")
    count: int  # dice of a throw
    risk: int  # pips of this turn
    rolls: int  # throws of this turn
    target: int
    totals: tuple[int, ...]
    turns: tuple[int, ...]

    @classmethod
    def start(cls, options: rules.Options, seats: int = 1) -> Pig:
        game = cls.__new__(cls)
        checked = cls.check_options(options)
        game.count, game.target = 1 + (checked["dice"] == "two"), checked["target"]
        game.seats, game.seat, game.in_turn, game.over = cls.check_seats(seats), 1, False, False
        game.totals = game.turns = (0,) * seats
        game.risk = game.rolls = 0
        return game

    def copy(self) -> Pig:
        return copy.copy(self)  # everything in it is immutable

    @classmethod
    @cache
    def moves(cls) -> dict[str, rules.Move]:
        move = rules.Move
        return {"roll": move(cls._roll, throws=True), "hold": move(cls._hold), "hint": move(cls._hint)}

    def legal_actions(self) -> list[str]:
        return [] if self.over else ["roll", "hold"] if self.in_turn else ["roll"]

    def _roll(self, throw: rules.Throw) -> rules.Outcome:
        """Throw: the pips join those of the turn, but a 1 loses them and ends it."""
        if not self.in_turn:
            self.in_turn, self.turns = True, self._plus(self.turns, 1)
        self.rolls += 1
        dice = throw(f"pig/{self.seat}/{self.turns[self.seat - 1]}/{self.rolls}", self.count)
        if 1 not in dice:
            self.risk += sum(dice)
            return rules.Outcome(dice)
        return rules.Outcome(dice, (self._end_turn("bust"),))

    def _hold(self, throw: rules.Throw) -> rules.Outcome:
        """Keep the pips of the turn; who has the target then has won."""
        if not self.in_turn:
            raise rules.IllegalActionError("nothing-to-hold")
        self.totals = self._plus(self.totals, self.risk)
        self.over = self.totals[self.seat - 1] >= self.target
        return rules.Outcome((), (self._end_turn("held"),))

    def _hint(self, throw: rules.Throw) -> rules.Outcome:
        if not self.in_turn:
            raise rules.IllegalActionError("roll-first")
        return rules.NOTHING_MORE

    def _end_turn(self, how: str) -> rules.Event:
        event = rules.Event(how, self.seat, self.risk)
        self.in_turn, self.risk, self.rolls = False, 0, 0
        self.seat = self.seat if self.over else self.seat % self.seats + 1
        return event

    def _plus(self, counts: tuple[int, ...], more: int) -> tuple[int, ...]:
        return (*counts[: self.seat - 1], counts[self.seat - 1] + more, *counts[self.seat :])

    def result(self) -> dict[str, Any]:
        return {"winner": self.seat * self.over, "scores": list(self.totals), "turns": list(self.turns)}

    def state(self) -> dict[str, Any]:
        return {"target": self.target, "roll": self.rolls, "at_risk": self.risk}

    @classmethod
    def event_data(cls, event: rules.Event) -> dict[str, Any]:
        return {"kind": event.kind, "seat": event.seat, "points": event.amount}

    @classmethod
    def standing(cls, result: Mapping[str, Any], seats: int) -> rules.Standing:
        """Rank by the winner's turns, then by his pips."""
        seat = result["winner"]
        pips, turns = result["scores"][seat - 1], result["turns"][seat - 1]
        return rules.Standing("solo" if seats == 1 else "several", seat, turns, {"pips": pips}, (turns, -pips))


VERSIONS = {1: Pig}

# The table: table/pig.py

TITLE = "PIG"
ABOUT = N_("throw on or hold, one to four players")
REASONS: Mapping[str, str] = {"nothing-to-hold": N_("there is nothing to hold before a throw")}
FIGURES: Mapping[str, str] = {"pips": N_("pips")}


def ask(game: Pig, names: Sequence[str], step: Any) -> protocol.Question:
    roll = protocol.Choice("r", _("throw"), ("roll",))
    if not game.in_turn:
        return protocol.Question(_("{name}, it is your turn").format(name=names[game.seat - 1]), (roll,))
    hold = protocol.Choice("h", _("hold {pips}").format(pips=game.risk), ("hold",))
    return protocol.Question(_("Throw on, or hold?"), (roll, hold))


def next_action(game: Pig) -> str | None:
    return None


def shorthand(game: Pig, words: Sequence[str]) -> str | None:
    return {"r": "roll", "h": "hold"}.get(" ".join(words))


def tell(before: Pig, action: str, outcome: rules.Outcome, after: Pig, names: Sequence[str]) -> list[Line]:
    texts = {"bust": _("A 1: {name} loses {pips}"), "held": _("{name} keeps {pips}")}
    said = [texts[one.kind].format(name=names[one.seat - 1], pips=one.amount) for one in outcome.events]
    return [line(Span(text, "bold")) for text in said]


def picture(game: Pig, names: Sequence[str], width: int, height: int, view: protocol.View) -> list[Line]:
    dice = "  ".join(f"[{die}]" for die in view.rolling or view.thrown)
    lines = [line(Span(TITLE, "title"), " · ", _("to {target}").format(target=game.target)), *_totals(game, names)]
    lines += [line(Span(dice, "bold")), line(_("at risk {pips}").format(pips=game.risk)), *list(view.news)[-3:]]
    return [cut_line(one, width) for one in lines][:height]


def _totals(game: Pig, names: Sequence[str]) -> list[Line]:
    return [line(f"{pad(name, 20)} {total:>5}") for name, total in zip(names, game.totals, strict=True)]


def describe(game: Pig, names: Sequence[str], view: protocol.View) -> list[str]:
    lines = [f"{name}: {total}." for name, total in zip(names, game.totals, strict=True)]
    lines += [_("Dice: {dice}.").format(dice=", ".join(map(str, view.thrown)))] if view.thrown else []
    return [*lines, _("At risk: {pips}.").format(pips=game.risk)]


def breakdown(game: Pig, names: Sequence[str]) -> list[Line]:
    lines = [line(Span(TITLE, "title")), *_totals(game, names)]
    if game.over:
        lines.append(line(_("Winner: {name}").format(name=names[game.seat - 1])))
        lines.append(line(_("Final score: {score}").format(score=game.totals[game.seat - 1])))
    return lines


def option_labels() -> Mapping[str, str]:
    return {"one": _("one die a throw"), "two": _("two dice, twice the danger")}


def help_lines() -> list[str]:
    return [_("r throws, h holds; typed: r, h.")]
