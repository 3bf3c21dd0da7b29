"""Where things are kept: `CUBIRI_HOME` if set, else the platform's user data folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cubiri_cli.replays.replay import Replay


def home() -> Path:
    """Return the home folder. It need not exist."""
    chosen = os.environ.get("CUBIRI_HOME")
    if chosen:
        return Path(chosen)
    import platformdirs

    return platformdirs.user_data_path("cubiri", appauthor=False)


def replays_folder() -> Path:
    """Return the folder that holds every game, finished or not. It need not exist."""
    return home() / "replays"


def new_game_path(replay: Replay) -> Path:
    """Return where a new game is kept: a name that sorts by time and tells the game, and that no file has yet.

    Raises `OSError` where the folder cannot be made.
    """
    folder = replays_folder()
    folder.mkdir(parents=True, exist_ok=True)
    started = f"{replay.started:%Y%m%d-%H%M%S}" if replay.started else "undated"
    options = "-".join(str(value) for value in replay.options.values())
    stem = "-".join(part for part in (started, replay.game, options) if part)
    for number in range(1, 10_000):
        path = folder / (f"{stem}.toml" if number == 1 else f"{stem}-{number}.toml")
        try:
            path.open("x").close()  # taken at once, so that two processes never choose the same
        except FileExistsError:
            continue
        path.unlink()
        return path
    raise OSError(f"no free name for {stem} in {folder}")
