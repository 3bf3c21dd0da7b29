"""On the page of a judged game: how its result came about, its value over time as a curve, and its marked moments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.table.analysis import equation, values_by_state
from cubiri_cli.table.language import _, worth
from cubiri_cli.table.markup import safe, section, spans

if TYPE_CHECKING:
    from collections.abc import Collection

    from cubiri_cli.players.analysis import Analysis, Ledger
    from cubiri_cli.table.transcript import Recording

WIDE, HIGH = 600, 120
"""The size of a curve in its units; it takes the width of the page."""


def judged_section(recording: Recording, analysis: Analysis, shown: Collection[int]) -> str:
    """Return the section; moments lead to those states that the page shows."""
    seats = "".join(_seat(recording, analysis, ledger) for ledger in analysis.ledgers)
    return section("judged", _("How it was played"), seats + _marked(recording, analysis, shown))


def _seat(recording: Recording, analysis: Analysis, ledger: Ledger) -> str:
    """Return what one seat's result is made of, and its curve."""
    text = f"{recording.player(ledger.seat)} · {equation(ledger, analysis.unit)}"
    points = values_by_state(analysis, ledger.seat)
    values = [value for _state, value in points]
    low, high = min(values), max(values)
    steps, span = max(1, len(recording.steps)), (high - low) or 1.0

    def across(state: int) -> str:
        return f"{WIDE * state / steps:.5g}"

    path = " ".join(f"{across(state)},{2 + (HIGH - 4) * (high - value) / span:.5g}" for state, value in points)
    marks = "".join(
        f'<line x1="{across(one.state)}" x2="{across(one.state)}" y1="0" y2="{HIGH}"/>'
        for one in analysis.moments
        if one.mark and one.seat == ledger.seat
    )
    told = _("Value over the game: from {low} to {high}, at the start {start}, at the end {end}.").format(
        low=worth(low, analysis.unit),
        high=worth(high, analysis.unit),
        start=worth(values[0], analysis.unit),
        end=worth(values[-1], analysis.unit),
    )
    return (
        f'<p>{safe(text)}\n<svg class=curve role=img aria-label="{safe(told)}" viewBox="0 0 {WIDE} {HIGH}"'
        f' preserveAspectRatio="none">{marks}<polyline points="{path}"/></svg>\n<p class=dim>{safe(told)}\n'
    )


def _marked(recording: Recording, analysis: Analysis, shown: Collection[int]) -> str:
    """Return the marked moments in order, with what was better."""
    items = []
    for one in analysis.moments:
        if not one.mark:
            continue
        whose = f" · {recording.player(one.seat)}" if len(recording.names) > 1 else ""
        where = safe(_("turn {turn}").format(turn=one.turn) + whose)
        place = f"<a href=#s{one.state}>{where}</a>" if one.state in shown else where
        said = [
            spans(line) for line in recording.advice.get(one.state, ()) if one.mark in "".join(s.text for s in line)
        ]
        items.append(f"<li>{place}: {' '.join(said)}")
    return f"<ul>{''.join(items)}</ul>\n" if items else ""
