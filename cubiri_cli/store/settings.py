"""What a player has chosen once and for all, and what holds where nothing was chosen."""

from __future__ import annotations

import getpass

from cubiri_cli.replays.names import LONGEST_NAME, is_name


def default_name() -> str:
    """Return the name of the player who did not give one: the login name, or `Player` where that is no name."""
    try:
        login = getpass.getuser()[:LONGEST_NAME].strip()
    except (OSError, KeyError, ImportError):
        return "Player"
    return login if is_name(login) else "Player"
