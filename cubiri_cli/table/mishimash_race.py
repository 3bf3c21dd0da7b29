"""What the player on turn needs in MISHIMASH: to lead, to win, to stay in; and what a bank now comes to.

Rulings R15 and R16: in the final round and in sudden death everybody after the one on turn plays once more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.table.language import _, points

if TYPE_CHECKING:
    from cubiri_cli.games.mishimash import Mishimash


SUDDEN_DEATH, FINAL_ROUND, IN_SIGHT = "sudden-death", "final-round", "in-sight"


def phase(game: Mishimash, turn: int = 0) -> str:
    """Return `SUDDEN_DEATH`, `FINAL_ROUND`, `IN_SIGHT`, or nothing; `turn` are the half-points of the turn so far.

    The final round is in sight where somebody has two thirds of the target, the turn counted.
    """
    if game.over or game.seats == 1:
        return ""
    if game.contenders:
        return SUDDEN_DEATH
    if game.final_round:
        return FINAL_ROUND
    most = max(*game.totals, game.totals[game.seat - 1] + turn)
    return IN_SIGHT if 3 * most >= 2 * 2 * game.target else ""


def outlook(game: Mishimash, turn: int) -> str:
    """Return what the player on turn needs, or what a bank would come to now; nothing as long as that is far away.

    `turn` are the half-points of the turn so far, with what is ticked.
    """
    if game.over:
        return ""
    if game.final_round:
        return _against_others(game, turn)
    lacking = 2 * game.target - game.totals[game.seat - 1] - turn
    if lacking > 0:
        is_told = game.seats == 1 or phase(game, turn)
        return _("{points} to the target").format(points=points(lacking)) if is_told else ""
    if game.seats == 1:
        return _("a bank now ends the game")
    if game.seat == game.seats:  # R15: all have had as many turns, and nobody else has the target
        return _("wins with a bank now")
    return _("a bank now begins the final round")


def _against_others(game: Mishimash, turn: int) -> str:
    """Return what it takes in the final round or in sudden death, against the best of the others as they stand."""
    order = game.contenders or tuple(range(1, game.seats + 1))
    is_last = game.seat == order[-1]
    best = max(game.totals[seat - 1] for seat in order if seat != game.seat)
    lacking = best - game.totals[game.seat - 1] - turn
    if lacking < 0:
        text = _("wins with a bank now") if is_last else _("leads with a bank now")
    elif lacking == 0 and turn:
        text = _("ties for first with a bank now")
        if is_last:
            text = _("a bank now leads to another round") if game.contenders else _("a bank now leads to sudden death")
    elif is_last:
        text = _("{points} to win").format(points=points(lacking + 1))
        if lacking:
            text = _("{points} to win, {tie} to tie").format(points=points(lacking + 1), tie=points(lacking))
    else:
        text = _("{points} to lead").format(points=points(lacking + 1))
    return f"{text} · " + _("last to play") if is_last else text
