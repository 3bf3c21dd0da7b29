"""What a game's dice allowed, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.replays.names import harmless
from cubiri_cli.table.language import _, ngettext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.players.hindsight import Hindsight
    from cubiri_cli.replays.replay import Replay


def hindsights(replay: Replay) -> list[Hindsight]:
    """Return the best that the dice of each seat allowed; nothing for games that nobody can look back at.

    It takes up to a few seconds.
    """
    from cubiri_cli.players.hindsight import in_hindsight  # brings its tables along

    seats = range(1, len(replay.players) + 1)
    looked = [in_hindsight(replay.game, replay.options, replay.seed, seat) for seat in seats]
    return [one for one in looked if one is not None]


def looked_back(replay: Replay, found: Sequence[Hindsight] | None = None) -> str:
    """Return the same in words; empty for games that nobody can look back at."""
    found = hindsights(replay) if found is None else found
    results = [_result(one) for one in found]
    if len(results) > 1:
        names = [harmless(player.name) for player in replay.players]
        results = [f"{name}: {result}" for name, result in zip(names, results, strict=True)]
    text = _("Best possible with these dice: {result}")
    if not all(one.is_exact for one in found):
        text = _("Possible with these dice, at least: {result}")
    return text.format(result=", ".join(results)) if results else ""


def _result(found: Hindsight) -> str:
    if found.unit == "turns":
        return ngettext("{count} turn", "{count} turns", found.value).format(count=found.value)
    return ngettext("{count} point", "{count} points", found.value).format(count=found.value)
