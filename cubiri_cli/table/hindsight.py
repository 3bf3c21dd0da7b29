"""What a game's dice allowed, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.replays.names import harmless
from cubiri_cli.table.language import _, ngettext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.players.hindsight import Hindsight


def hindsight_words(found: Sequence[Hindsight], names: Sequence[str]) -> str:
    """Return the best that the dice of each seat allowed; empty where nothing is known."""
    results = [_result(one) for one in found]
    if len(names) > 1:
        results = [f"{harmless(name)}: {result}" for name, result in zip(names, results, strict=True)]
    text = _("Best possible with these dice: {result}")
    if not all(one.is_exact for one in found):
        text = _("Possible with these dice, at least: {result}")
    return text.format(result=", ".join(results)) if results else ""


def _result(found: Hindsight) -> str:
    if found.unit == "turns":
        return ngettext("{count} turn", "{count} turns", found.value).format(count=found.value)
    return ngettext("{count} point", "{count} points", found.value).format(count=found.value)
