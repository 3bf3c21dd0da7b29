"""A player's own games in numbers: as a page for the screen, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.replays.clock import local
from cubiri_cli.replays.names import harmless
from cubiri_cli.table.drawing import Line, Span, ends, line, line_width, pad, width, wrap
from cubiri_cli.table.language import _, decimal, ngettext
from cubiri_cli.table.messages import table_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from cubiri_cli.store.days import Days
    from cubiri_cli.store.statistics import Record, Wins

EIGHTHS = " ▁▂▃▄▅▆▇█"
HEIGHT = 3
"""How many lines a histogram is high."""
BAR = 5
"""How many columns a bar takes, with the gap before the next."""
FEWEST = 3
"""How many results are worth a histogram."""


class Numbers(NamedTuple):
    """What there is to say about a player's games."""

    player: str
    records: Sequence[Record]
    wins: Wins
    days: Days
    today: date


def numbers_lines(numbers: Numbers, columns: int) -> list[Line]:
    """Return the page: days in a row, a table of one line a kind of game, wins, and how the results are spread."""
    name, days = line(Span(harmless(numbers.player), "title")), _days(numbers)
    if line_width(name) + width(days) + 2 <= columns:
        lines = [ends(name, line(Span(days, "dim")), columns)]
    else:
        lines = [name, *(line(Span(part, "dim")) for part in wrap(days, columns))]
    if not numbers.records and not numbers.wins.played:
        return [*lines, [], line(_("No games yet."))]
    lines += [[], *_overview(numbers.records, columns)] if numbers.records else []
    if numbers.wins.played:
        lines += [[], *(line(part) for part in wrap(_wins(numbers.wins), columns))]
    for record in numbers.records:
        if len(record.values) >= FEWEST:
            lines += [[], line(Span(_kind(record), "bold")), *_histogram(record, columns)]
    return lines


def numbers_words(numbers: Numbers) -> list[str]:
    """Return the same in words, one text a kind of game."""
    texts = [_("Games of {player}: {days}.").format(player=harmless(numbers.player), days=_days(numbers))]
    texts += [_record_words(record) for record in numbers.records]
    return texts + ([_wins(numbers.wins)] if numbers.wins.played else [])


def _days(numbers: Numbers) -> str:
    """Return the days in a row, the most there were, and on how many days today's game was played."""
    count = len(numbers.days.counting)
    played = ngettext("today's game on {count} day", "today's game on {count} days", count).format(count=count)
    streak, longest = numbers.days.streak(numbers.today), numbers.days.longest
    if not count:
        return _("no game of the day finished yet")
    return " · ".join([_("streak {count}").format(count=streak), _("longest {count}").format(count=longest), played])


def _wins(wins: Wins) -> str:
    text = ngettext(
        "Against others: {won} of {count} game won.", "Against others: {won} of {count} games won.", wins.played
    )
    return text.format(won=wins.won, count=wins.played)


def _kind(record: Record) -> str:
    return table_of(record.game).kind(record.options)


def _overview(records: Sequence[Record], columns: int) -> list[Line]:
    """Return one line a kind of game; what does not fit is left out from the right, but not the best."""
    rows = [[_kind(record), *_figures(record)] for record in records]
    heads = ["", _("games"), _("best"), _("date"), _("average"), _("median"), _("turns")]
    widths = [max(width(row[index]) for row in [heads, *rows]) for index in range(len(heads))]
    shown = list(range(len(heads)))
    for dropped in (6, 3, 5, 4):
        if sum(widths[index] for index in shown) + 2 * len(shown) > columns:
            shown.remove(dropped)
    lines = [line(Span("  ".join(pad(heads[one], widths[one], ">" if one else "<") for one in shown).rstrip(), "dim"))]
    for row in rows:
        first, *others = [pad(row[one], widths[one], ">" if one else "<") for one in shown]
        lines.append(line(Span(first, "bold"), "".join(f"  {one}" for one in others)))
    return lines


def _figures(record: Record) -> list[str]:
    best, count = record.best, str(len(record.finished))
    if best is None or record.mean is None or record.median is None or record.turns is None:
        return [count, *[""] * 5]
    value = decimal(best.standing.value)
    numbers = [decimal(record.mean), decimal(record.median), decimal(record.turns)]
    return [count, value, local(best.date).date().isoformat(), *numbers]


def _histogram(record: Record, columns: int) -> list[Line]:
    """Return bars of eighths of a line, and below each where it begins."""
    bins = record.histogram[-((columns - 1) // BAR) :]
    most = max(count for _start, count in bins)
    heights = [round(count / most * HEIGHT * 8) or (1 if count else 0) for _start, count in bins]
    lines = []
    for row in range(HEIGHT - 1, -1, -1):
        bars = "".join(" " + EIGHTHS[max(0, min(8, height - 8 * row))] * (BAR - 1) for height in heights)
        lines.append(line(Span(bars.rstrip(), "bar")))
    return [*lines, line(Span("".join(f"{decimal(start):>{BAR}}" for start, _count in bins), "dim"))]


def _record_words(record: Record) -> str:
    """Return all about one kind of game in a few sentences."""
    kind, finished, best = _kind(record), len(record.finished), record.best
    text = ngettext("{kind}: {count} game finished.", "{kind}: {count} games finished.", finished)
    texts = [text.format(kind=kind, count=finished)]
    if best is None or record.mean is None or record.median is None or record.turns is None:
        return texts[0]
    texts.append(
        _("Best {best} on {date}, average {mean}, median {middle}.").format(
            best=decimal(best.standing.value),
            date=local(best.date).date().isoformat(),
            mean=decimal(record.mean),
            middle=decimal(record.median),
        )
    )
    labels = table_of(record.game).FIGURES
    counts = [f"{_(labels.get(name, name))} {decimal(mean)}" for name, mean in record.counts.items()]
    figures = ", ".join([f"{_('turns')} {decimal(record.turns)}", *counts])
    texts.append(_("Per game: {figures}.").format(figures=figures))
    return " ".join([*texts, _("Results: {spread}.").format(spread=_spread(record.histogram))])


def _spread(bins: Sequence[tuple[int, int]]) -> str:
    """Return how the results are spread: from where to where, and how many."""
    step = bins[1][0] - bins[0][0] if len(bins) > 1 else 1
    wide = _("{low} to {high}: {count}") if step > 1 else "{low}: {count}"
    return ", ".join(wide.format(low=start, high=start + step - 1, count=count) for start, count in bins if count)
