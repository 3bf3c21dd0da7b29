"""Where things are kept: `CUBIRI_HOME` if set, else the platform's user data folder."""

from __future__ import annotations

import contextlib
import errno
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from cubiri_cli.replays.clock import written
from cubiri_cli.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cubiri_cli.replays.replay import Replay


_IN_NAMES = str.maketrans(" ", "-", "-:")  # how a time stands in the name of a file: 20261130-180211


def home() -> Path:
    """Return the home folder. It need not exist.

    Raises `OSError` where there is none: no `CUBIRI_HOME`, no `HOME`, and a user without a home.
    """
    chosen = os.environ.get("CUBIRI_HOME")
    if chosen:
        return Path(chosen)
    import platformdirs

    try:
        path = platformdirs.user_data_path("cubiri", appauthor=False)
    except RuntimeError:
        path = Path()
    if not path.is_absolute():  # a `~` that stands for nothing
        raise StoreError(errno.ENOENT, "no-home")
    return path


def replays_folder() -> Path:
    """Return the folder that holds every game, finished or not. It need not exist. Raises `OSError` as `home`."""
    return home() / "replays"


def short_name(path: Path) -> str:
    """Return by what a game is found again, now and later, whatever games are added: its name where it is at home."""
    is_at_home = in_replays_folder(path) and is_name_of_game(path.name)
    return path.name.removesuffix(".toml") if is_at_home else str(path)


def named(beginning: str) -> list[Path]:
    """Return the games at home whose names begin so, in any case; one whose whole name it is comes alone."""
    found = [path for path in recent() if beginning and path.name.lower().startswith(beginning.lower())]
    return [path for path in found if path.stem.lower() == beginning.lower()] or found


def in_replays_folder(path: Path) -> bool:
    """Tell whether a file is one of the games that are kept here."""
    try:
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(replays_folder()))
    except OSError:
        return False


def game_paths(replay: Replay) -> Iterator[Path]:
    """Yield the paths a game may be kept at, the first free one to be taken: they sort by time and tell the game.

    Games of one second are numbered, such as `20261130-180211-magdagdon-survival.toml` and
    `20261130-180211.0002-magdagdon-survival.toml`. Whatever the options are, every system takes them: nothing but
    `a-z`, `0-9`, `-` and `.` is in them, and none is a device. Raises `OSError` as `home`.
    """
    folder = replays_folder()
    started = written(replay.started).translate(_IN_NAMES) if replay.started else "undated"
    rest = re.sub(r"[^a-z0-9-]+", "-", "-".join([replay.game, *map(str, replay.options.values())]).lower())
    for number in range(1, 10_000):
        yield folder / f"{started}{f'.{number:04}' if number > 1 else ''}-{rest}.toml"


def is_name_of_game(name: str) -> bool:
    """Tell whether a file's name is one that `game_paths` yields.

    >>> is_name_of_game("20261130-180211-magdagdon-survival.toml"), is_name_of_game("notes.toml")
    (True, False)
    """
    return re.fullmatch(r"(\d{8}-\d{6}|undated)(\.\d{4})?-[a-z0-9-]+\.toml", name) is not None


def recent() -> list[Path]:
    """Return the games in the replays folder, the one written last first; none without a folder."""
    dated = []
    with contextlib.suppress(OSError), os.scandir(replays_folder()) as entries:
        for entry in entries:
            if entry.name.lower().endswith(".toml") and not entry.name.startswith("."):
                with contextlib.suppress(OSError):  # gone meanwhile
                    dated.append((entry.stat().st_mtime_ns, entry.path))
    return [Path(path) for _, path in sorted(dated, reverse=True)]
