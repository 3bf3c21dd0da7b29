"""MISHIMASH at the table: its words and how it looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.table.language import N_, _, points

if TYPE_CHECKING:
    from cubiri_cli.games.mishimash import Mishimash

REASONS = {
    "select-first": N_("at least one combination of the roll has to be taken first"),
    "nothing-to-take": N_("there is no roll to take from"),
    "no-selection": N_("{dice} are not whole combinations of this roll"),
}


def breakdown(game: Mishimash, names: list[str]) -> list[str]:
    """Return the lines with everybody's points: at the end, or so far."""
    lines = [f"MISHIMASH · {game.target}"]
    for name, total, turns in zip(names, game.totals, game.turns, strict=True):
        lines.append(_("{name}: {points} points in {turns} turns").format(name=name, points=points(total), turns=turns))
    if game.over:
        lines.append(_("Winner: {name}").format(name=names[game.winner - 1]))
        lines.append(_("Final score: {score}").format(score=points(game.totals[game.winner - 1])))
    return lines
