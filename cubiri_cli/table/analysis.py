"""Analyses for people: what each mark means, how a game went, how many games went."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.players.advice import LEAST, MARKS, TIMES, evaluator
from cubiri_cli.players.analysis import analyze
from cubiri_cli.table.drawing import Line, Span, fold, line, pad, width, wrap_line
from cubiri_cli.table.language import DIGITS, _, amount, error_of_values, figure, ngettext, percent, worth
from cubiri_cli.table.standings import literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cubiri_cli.players.analysis import Analysis, JudgedMoment, Ledger
    from cubiri_cli.players.hindsight import Hindsight
    from cubiri_cli.table.transcript import Recording

COSTLIEST = 3
"""How many moments an analysis shows."""
CHART, CHART_HEIGHT = 60, 4
"""How many columns and lines the chart of a game has at most."""
EIGHTHS = " ▁▂▃▄▅▆▇█"


# Marks


def mark_table(unit: str) -> list[str]:
    """Return what each mark means in a unit, a line each."""
    lines = []
    for mark, times, least in zip(MARKS, TIMES, LEAST[unit], strict=True):
        shown = amount(least, unit) if mark != MARKS[0] else ""
        text = _("more than {times} times the error, and more than {least}") if shown else _("more than the error")
        lines.append(f"{pad(mark, 2)}  " + text.format(times=times, least=shown))
    return lines


# One game


def equation(ledger: Ledger, unit: str) -> str:
    """Return in one line how a result came about; the terms are rounded so that they add up as they are shown."""
    places = DIGITS[unit] + 2 * (unit == "chance")
    sign = -1 if unit == "turns" else 1
    start, luck, loss, others = (round(one, places) for one in (ledger.start, ledger.luck, ledger.loss, ledger.others))
    rest = ledger.result - start - luck + loss - others
    terms = [_("{number} expected").format(number=amount(sign * start, unit))]
    terms.append(_term(sign * luck, unit, _("luck")))
    terms.append(_term(-sign * loss, unit, _("mistakes")))
    if others:
        terms.append(_term(others, unit, _("the others")))
    if round(rest, places):
        terms.append(_term(sign * rest, unit, _("correction")))
    return " ".join([f"{_whole(sign * ledger.result, unit)} =", *terms])


def _whole(result: float, unit: str) -> str:
    if unit == "turns":
        return ngettext("{count} turn", "{count} turns", round(result)).format(count=round(result))
    return percent(result) if unit == "chance" else figure(result, 0)


def _term(number: float, unit: str, name: str) -> str:
    return f"{'−' if number < 0 else '+'} {amount(abs(number), unit)} {name}"


def analysis_lines(
    recording: Recording, analysis: Analysis, columns: int, words: bool = False, possible: Sequence[Hindsight] = ()
) -> list[Line]:
    """Return the analysis of one game: how its result came about, its marks, luck, chart, and costliest moments.

    `possible` is what the dice of each seat allowed, where that is known.
    """
    table, unit = recording.table, analysis.unit
    kind = table.kind(recording.replay.options)
    lines: list[Line] = []
    for ledger in analysis.ledgers:
        text = f"{recording.player(ledger.seat)} · {kind} · {equation(ledger, unit)}"
        lines += wrap_line(text, columns, "title", "  ")
        if unit != "chance":
            result = _whole(_without_mistakes(ledger, unit, possible), unit)
            text = _("A master would have made about {result} of these rolls.")
            lines += wrap_line("  " + text.format(result=result), columns)
        lines += wrap_line("  " + _counted(ledger, unit), columns, indent="  ")
    lines += [[], *(part for one in _marks_shown(analysis) for part in fold(line(Span(one, "dim")), columns, "    "))]
    lines += [[], *_luck_lines(recording, analysis, columns)]
    lines += [[], *(_chart_words(analysis, columns) if words else _chart(analysis, columns))]
    people = [seat for seat, player in enumerate(recording.replay.players, 1) if player.bot is None]
    for moment in costliest(one for one in analysis.moments if one.seat in people or not people):
        lines += [[], *moment_lines(recording, moment, unit, columns, words)]
    return lines


def _without_mistakes(ledger: Ledger, unit: str, possible: Sequence[Hindsight]) -> float:
    """Return what the result would be without what was lost, but nothing better than what the dice allowed at all.

    Many mistakes are not to be added up: each is judged as if a master went on from there.
    """
    sign = -1 if unit == "turns" else 1
    best = sign * (ledger.result + ledger.loss)
    limit = possible[ledger.seat - 1].value if possible else best
    return max(best, limit) if unit == "turns" else min(best, limit)


def _counted(ledger: Ledger, unit: str) -> str:
    """Return how many decisions there were, how many of them with a choice, what they lost, and the marks."""
    text = ngettext("{count} decision", "{count} decisions", ledger.decisions).format(count=ledger.decisions)
    free = ngettext("{count} with a choice", "{count} with a choice", ledger.unforced).format(count=ledger.unforced)
    mean = amount(ledger.loss / max(1, ledger.unforced), unit)
    marks = " ".join(f"{mark} {count}" for mark, count in ledger.marks.items())
    return f"{text}, {free}: " + _("{mean} lost per choice").format(mean=mean) + f" · {marks}"


def _marks_shown(analysis: Analysis) -> list[str]:
    errors = [one.error for one in analysis.moments if one.is_free] or [0.0]
    low, high = (error_of_values(error, analysis.unit) for error in (min(errors), max(errors)))
    text = _("The error of the values: {low} to {high}.") if low != high else _("The error of the values: {high}.")
    return [*mark_table(analysis.unit), text.format(low=low, high=high)]


def _luck_lines(recording: Recording, analysis: Analysis, columns: int) -> list[Line]:
    rolls = sorted((one for one in analysis.moments if not one.is_decision), key=lambda one: one.luck)
    texts = [_("Luckiest roll: {roll}"), _("Unluckiest roll: {roll}")]
    shown = [
        text.format(roll=_roll(one, analysis.unit) + _whose(recording, one))
        for text, one in zip(texts, (rolls[-1], rolls[0]), strict=True)
    ]
    return [part for text in shown for part in wrap_line(text, columns, indent="  ")]


def _whose(recording: Recording, moment: JudgedMoment) -> str:
    """Return whose moment it is, where several play."""
    return f" · {recording.player(moment.seat)}" if len(recording.names) > 1 else ""


def _roll(moment: JudgedMoment, unit: str) -> str:
    dice = " ".join(map(str, moment.dice))
    return _("turn {turn}: {dice}").format(turn=moment.turn, dice=dice) + f"  {amount(moment.luck, unit, '+')}"


def costliest(moments: Iterable[JudgedMoment], count: int = COSTLIEST) -> list[JudgedMoment]:
    """Return the decisions that lost most, of those that are marked, the costliest first."""
    marked = [one for one in moments if one.mark]
    return sorted(marked, key=lambda one: -one.loss)[:count]


def moment_lines(
    recording: Recording, moment: JudgedMoment, unit: str, columns: int, words: bool = False
) -> list[Line]:
    """Return a decision that lost something: what was chosen, what would have been better and why, and the board."""
    whose = _whose(recording, moment)
    chosen = recording.table.decided(recording.game(moment.begun), moment.actions)
    head = line(
        Span(_("turn {turn}").format(turn=moment.turn) + whose, "bold"),
        f"   {chosen}   {amount(-moment.loss, unit)} {moment.mark}",
    )
    lines = [*fold(head, columns, "  "), *wrap_line("  " + better_text(recording, moment), columns, indent="  ")]
    if words:
        texts = recording.words(moment.begun)
        return [*lines, *(part for text in texts for part in wrap_line(text, columns, indent="  "))]
    return [*lines, *(line("  ", *one) if one else [] for one in recording.board(moment.begun, columns - 2))]


def better_text(recording: Recording, moment: JudgedMoment) -> str:
    """Return what would have been better than what was chosen, with the reason."""
    assert moment.best is not None
    choice = recording.table.decided(recording.game(moment.begun), moment.best.actions)
    return _("better: {choice} ({reason})").format(choice=choice, reason=_why(recording, moment, is_worse=False))


def decided_worse(recording: Recording, moment: JudgedMoment, unit: str) -> str:
    """Return what was chosen, what it lost, and why it is worse."""
    choice = recording.table.decided(recording.game(moment.begun), moment.actions)
    text = _("played was: {choice}  {loss} {mark} ({reason})")
    reason = _why(recording, moment, is_worse=True)
    return text.format(choice=choice, loss=amount(-moment.loss, unit), mark=moment.mark, reason=reason)


def _why(recording: Recording, moment: JudgedMoment, is_worse: bool) -> str:
    """Return why the best choice is better than what was chosen, or that the other way round."""
    assert moment.best is not None
    before = recording.game(moment.begun)
    decision = evaluator(before.NAME).decision(before)
    chosen = decision.chosen(recording.game(moment.state - 1), recording.steps[moment.state - 1].action)
    pair = (chosen, moment.best) if is_worse else (moment.best, chosen)
    return recording.table.reason(decision.reason(*pair))


# Beside a game that is watched


def advise(recording: Recording) -> dict[int, list[JudgedMoment]]:
    """Judge a recorded game as far as it is right, and let it say so beside each state; return the moments by state.

    Raises `NoAdviceError` where nobody can judge it.
    """
    analysis = analyze(recording.game(0), recording.steps)
    found: dict[int, list[JudgedMoment]] = {}
    for moment in analysis.moments:
        found.setdefault(moment.state, []).append(moment)
    recording.analysis = analysis
    recording.advice = {
        state: [_beside(recording, moment, analysis.unit) for moment in moments] for state, moments in found.items()
    }
    return found


def _beside(recording: Recording, moment: JudgedMoment, unit: str) -> Line:
    """Return what is said of a moment: the luck of a roll; the mark of a decision with what was better."""
    if not moment.is_decision:
        return line(Span(_("luck {luck}").format(luck=amount(moment.luck, unit, "+")), "dim"))
    if not moment.is_free:
        return line(Span(_("There is no other choice."), "dim"))
    if not moment.mark:
        return line(Span(_("right"), "good"))
    lost = f"{amount(-moment.loss, unit)} {moment.mark}  "
    return line(Span(lost + better_text(recording, moment), "bad"))


# The chart: what the first seat could expect, from the start to the result


def values_over(analysis: Analysis, seat: int = 1) -> list[tuple[int, float]]:
    """Return what a seat could expect at the start (turn 0) and at the end of each turn."""
    turns = {moment.state: moment.turn for moment in analysis.moments}
    return list({turns.get(state, 0): value for state, value in values_by_state(analysis, seat)}.items())


def values_by_state(analysis: Analysis, seat: int) -> list[tuple[int, float]]:
    """Return what a seat could expect at the start (state 0) and after each entry that is a roll or a decision."""
    value = analysis.ledgers[seat - 1].start
    found = {0: value}
    for moment in analysis.moments:
        if moment.seat == seat:
            value += moment.luck - moment.loss + moment.revision
        if moment.others:
            value += moment.others[seat - 1]
        found[moment.state] = value
    return list(found.items())


def _chart(analysis: Analysis, columns: int) -> list[Line]:
    """Return bars of eighths of a line, with the highest and the lowest value beside them."""
    values = _thinned([value for _turn, value in values_over(analysis)], min(CHART, columns - 12))
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    heights = [1 + round((value - low) / span * (8 * CHART_HEIGHT - 1)) for value in values]
    labels = [worth(high, analysis.unit), *[""] * (CHART_HEIGHT - 2), worth(low, analysis.unit)]
    lines = []
    for row, label in zip(range(CHART_HEIGHT - 1, -1, -1), labels, strict=True):
        bars = "".join(EIGHTHS[max(0, min(8, height - 8 * row))] for height in heights)
        lines.append(line(Span(pad(bars, len(values)), "bar"), "  ", Span(label, "dim")))
    return [*lines, line(Span(_("the value over the game, turn by turn"), "dim"))]


def _thinned(values: Sequence[float], most: int) -> list[float]:
    """Return at most so many of the values, the first and the last among them."""
    if len(values) <= most:
        return list(values)
    return [values[round(at * (len(values) - 1) / (most - 1))] for at in range(most)]


def _chart_words(analysis: Analysis, columns: int) -> list[Line]:
    """Return the same in words."""
    values = values_over(analysis)
    step = max(1, len(values) // 12)
    shown = ", ".join(f"{turn} {worth(value, analysis.unit)}" for turn, value in values if not turn % step)
    return wrap_line(_("The value after each turn: {values}.").format(values=shown), columns, indent="  ")


# Many games


class JudgedRow(NamedTuple):
    """A player in games of one kind: how many, and the means."""

    player: str
    kind: str
    unit: str
    games: int
    result: float
    luck: float
    lost: float
    """The mean loss an unforced decision."""
    marks: dict[str, int]


def table_cells(rows: Sequence[JudgedRow]) -> list[list[str]]:
    """Return the table of many games: its headings, then a row a player and kind of game."""
    head = [_("player"), _("game"), _("games"), _("result"), _("luck"), _("lost each"), *MARKS]
    cells = [head]
    for row in rows:
        flipped = -1 if row.unit == "turns" else 1
        result, luck = amount(flipped * row.result, row.unit), amount(row.luck, row.unit, "+")
        marks = [str(row.marks[mark]) for mark in MARKS]
        cells.append([row.player, row.kind, str(row.games), result, luck, amount(row.lost, row.unit), *marks])
    return cells


def table_markdown(rows: Sequence[JudgedRow]) -> list[str]:
    """Return the table in Markdown; names are text, whatever they hold."""
    head, *cells = table_cells(rows)
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join([":---"] * 2 + ["---:"] * (len(head) - 2)) + "|"]
    return lines + ["| " + " | ".join(map(literal, row)) + " |" for row in cells]


def table_text(rows: Sequence[JudgedRow], columns: int | None) -> list[str]:
    """Return the table as text; names are cut where it would not fit."""
    cells = table_cells(rows)
    widths = [max(width(row[at]) for row in cells) for at in range(len(cells[0]))]
    if columns is not None:
        widths[0] = max(4, min(widths[0], columns - sum(widths[1:]) - 2 * len(widths)))
    return [
        "  ".join(pad(cell, widths[at], ">" if at > 1 else "<") for at, cell in enumerate(row)).rstrip()
        for row in cells
    ]
