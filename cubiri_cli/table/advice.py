"""Hints for people: what is advised in a position, and the chances of all who play."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.players.advice import LEAST, evaluator, has_evaluator
from cubiri_cli.table.drawing import Line, Span, line, line_width, pad, width, wrap_line
from cubiri_cli.table.language import N_, _, amount, error_of_values, percent, worth

if TYPE_CHECKING:
    from cubiri_cli.games.game import Game
    from cubiri_cli.players.advice import Decision
    from cubiri_cli.table.protocol import Table

BEST = 3
"""How many choices a hint names."""

UNITS = {
    "points": N_("Values are points of the final score, give or take {error}."),
    "turns": N_("Values are turns of the whole game, the fewer the better, give or take {error}."),
    "chance": N_("Values are chances to win, give or take {error}; everybody is taken to play as if alone."),
}


# Hints


class HintLine(NamedTuple):
    """A choice that is advised: the actions that do it, its value, what it loses against the best, and why."""

    actions: tuple[str, ...]
    value: float
    loss: float
    reason: str


class HintTexts(NamedTuple):
    """What there is to say to somebody who asks what to do."""

    unit: str
    error: float
    nudge: str
    choices: list[HintLine]


def hint_for(game: Game, table: Table) -> HintTexts:
    """Return a hint on a game that is not over. Raises `NoAdviceError` where nobody can judge it."""
    judge = evaluator(game.NAME)
    unit = judge.unit(game)
    if not game.in_turn:
        value = judge.standing(game)[game.seat - 1]
        text = _("There is nothing to decide: roll the dice.")
        return HintTexts(unit, 0.0, text, [HintLine(("roll",), value, 0.0, text)])
    decision = judge.decision(game)
    return HintTexts(unit, decision.error, table.reason(decision.nudge()), hint_choices(decision, table))


def hint_choices(decision: Decision, table: Table) -> list[HintLine]:
    """Return the best choices, each with its reason: of the best why it is better than the next one."""
    best, *others = decision.options()[:BEST]
    if not others:
        return [HintLine(best.actions, best.value, 0.0, _("There is no other choice."))]
    next_best = next((one for one in others if best.value - one.value > 1e-9), others[0])
    pairs = [(best, next_best), *((one, best) for one in others)]
    return [
        HintLine(one.actions, one.value, best.value - one.value, table.reason(decision.reason(one, other)))
        for one, other in pairs
    ]


def hint_lines(hint: HintTexts, game: Game, table: Table, columns: int) -> list[Line]:
    """Return the choices of a hint, the best first, with values, losses and reasons."""
    rows = [
        (table.decided(game, one.actions), worth(one.value, hint.unit), _lost(one.loss, hint.unit))
        for one in hint.choices
    ]
    widest = [max(width(row[at]) for row in rows) for at in range(3)]
    lines = []
    for number, (row, one) in enumerate(zip(rows, hint.choices, strict=True), 1):
        figures = f"{pad(row[1], widest[1], '>')}  {pad(row[2], widest[2], '>')}".rstrip()
        head = line(f"{number}. ", Span(pad(row[0], widest[0]), "bold"), f"  {figures}")
        if line_width(head) > columns:  # nothing of an action is cut: the figures stand below it
            named = wrap_line(row[0], columns - 3, "bold")
            lines += [line(f"{number}. " if part is named[0] else "   ", *part) for part in named]
            head = line("   ", *wrap_line(figures, columns - 3)[0])
        lines.append(head)
        lines += [line("   ", *part) for part in wrap_line(one.reason, columns - 3)]
    note = _(UNITS[hint.unit]).format(error=error_of_values(hint.error, hint.unit))
    return [*lines, *wrap_line(note, columns, "dim")]


def _lost(loss: float, unit: str) -> str:
    """Return what a choice loses, with its sign; nothing where that is not seen."""
    return amount(-loss, unit) if loss > LEAST[unit][0] else ""


# The chances of all, rounded: they advise nothing


ROUNDED = 20
"""Chances to win are told in so many steps, because the race they come from is no better than that."""


def has_chances(game: Game) -> bool:
    """Tell whether several play, and somebody knows their chances to win."""
    return game.seats > 1 and has_evaluator(game.NAME) and evaluator(game.NAME).unit(game) == "chance"


def chances_shown(game: Game) -> list[str]:
    """Return the chances of all to win, if nobody changes how they play for the others, rounded to a twentieth."""
    judge = evaluator(game.NAME)
    chances, own = list(judge.standing(game)), game.seat - 1
    if game.in_turn:
        now = judge.decision(game).options()[0].value
        rest = (1 - now) / max(1 - chances[own], 1e-9)
        chances = [now if seat == own else chance * rest for seat, chance in enumerate(chances)]
    return [percent(round(ROUNDED * min(chance, 1)) / ROUNDED) for chance in chances]
