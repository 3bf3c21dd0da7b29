"""What is new about a finished game, held against the games before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.replays.clock import local

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cubiri_cli.store.played import Played


class News(NamedTuple):
    """What is new: `best-ever` or `best-today` of its kind, and feats of the game that were never done before."""

    best: str
    """The code; empty where it is neither. The first game of a kind is no best one."""
    feats: tuple[str, ...]


def news_of(this: Played, others: Iterable[Played]) -> News:
    """Return what is new about a player's game that verified; `others` are games at home."""
    before = [
        one
        for one in others
        if one.is_finished and one.name != this.name
        if (one.game, one.players, one.bots) == (this.game, this.players, this.bots)
    ]
    alike = [one for one in before if one.options == this.options and one.rules == this.rules]
    today = [one for one in alike if local(one.date).date() == local(this.date).date()]
    best = ""
    for code, rivals in (("best-today", today), ("best-ever", alike)):
        if rivals and this.standing.key < min(one.standing.key for one in rivals):
            best = code
    known = {feat for one in before for feats in one.feats for feat in feats}
    mine = this.feats[this.standing.seat - 1] if this.feats else ()
    return News(best, tuple(feat for feat in mine if feat not in known))
