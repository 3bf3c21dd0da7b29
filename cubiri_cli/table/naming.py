"""What players are called on a terminal that may lack the letters of their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.table.drawing import cut, degrade, screen_encoding
from cubiri_cli.table.language import _
from cubiri_cli.table.style import STYLE

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEFT = 12
"""How many columns are given to what can be shown of a name."""


def names_shown(names: Sequence[str], encoding: str | None = None) -> list[str]:
    """Return what players are called in `encoding`, the terminal's by default, so that they can be told apart.

    A name with letters that `encoding` lacks, and one that would look like another's, gets the number of the seat.

    >>> names_shown(["数独", "Väinö", "Vaino"], "utf-8"), names_shown(["数独", "Väinö"], "ascii")
    (['数独', 'Väinö', 'Vaino'], ['player 1 (????)', 'Vaino'])
    """
    encoding = encoding or screen_encoding(STYLE.ascii)
    shown = [degrade(name, encoding) for name in names]
    if shown == list(names):
        return shown
    return [
        _("player {seat}").format(seat=seat) + f" ({cut(text, _LEFT)})"
        if text.count("?") > name.count("?") or shown.count(text) > 1
        else text
        for seat, (name, text) in enumerate(zip(names, shown, strict=True), 1)
    ]
