"""MAGDAGDON at the table: its words and how it looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.table.language import N_, _

if TYPE_CHECKING:
    from cubiri_cli.games.magdagdon import Magdagdon

REASONS = {
    "already-rolled": N_("the dice of this turn have been rolled"),
    "not-available": N_("no available die shows {die}"),
    "magdagdon": N_("this is MAGDAGDON: nothing can be staged, use a Power or accept a ruin"),
    "taken": N_("{cell} is taken"),
    "differs": N_("{cell} touches the {number} on {neighbour}; a {die} may differ from it by 1 at most"),
    "not-connected": N_("{cell} touches no number"),
    "not-staged": N_("no die is staged on {cell}"),
    "no-power-left": N_("no Majda Power is left"),
    "out-of-range": N_("a {die} cannot be changed by {change}"),
    "too-few-staged": N_("{staged} staged, {required} needed"),
    "no-magdagdon": N_("this is no MAGDAGDON: the required number ({required}) can be placed"),
}


def breakdown(game: Magdagdon, names: list[str]) -> list[str]:
    """Return the lines that explain the score: of the whole game, or of the game so far."""
    score = game.score()
    title = _("Final score: {score}") if game.over else _("Score so far: {score}")
    return [
        f"MAGDAGDON · {game.difficulty} · {names[0]}",
        _("rows and columns {points}").format(points=score.base),
        _("bonuses +{points}").format(points=score.bonuses),
        _("ruins −{points} ({count})").format(points=score.ruin_penalty, count=game.ruins),
        _("Powers −{points} ({count})").format(points=score.power_penalty, count=game.powers),
        _("turns {count}").format(count=game.turn),
        title.format(score=score.total),
    ]
