"""What there is to say about the day: for the menu, for `cubiri daily`, and for the end of its game."""

from __future__ import annotations

from cubiri_cli.replays import clock
from cubiri_cli.store.days import challenge_of, days_of
from cubiri_cli.store.played import games_played
from cubiri_cli.store.settings import default_name
from cubiri_cli.table.today import Today


def look_at_today() -> Today:
    """Return what there is to say about the day for the player of the settings."""
    player, played = default_name(), games_played()
    challenge = challenge_of(clock.today())
    ours = [one for one in played if challenge.is_played_in(one)]
    return Today(challenge, player, days_of(played, player), ours, clock.until_tomorrow())
