"""What commands are given: files, standard input, and games at home by the beginning of a name."""

from __future__ import annotations

import sys
from pathlib import Path

from cubiri_cli.commands.output import UsageError
from cubiri_cli.replays.reading import read_bytes
from cubiri_cli.replays.replay import LARGEST
from cubiri_cli.table.language import _


def standard_input() -> bytes:
    """Return one file from standard input, no more of it than decides that it is too large.

    Raises `UsageError` where it is closed.
    """
    try:
        return sys.stdin.buffer.read(LARGEST + 1)
    except (AttributeError, ValueError, OSError):
        raise UsageError(_("standard input is closed; name a file")) from None


def file_or_input(name: str) -> bytes:
    """Return the bytes of a file, or of standard input where its name is `-`.

    Raises `UnreadableReplayError` or `UsageError`.
    """
    return standard_input() if name == "-" else read_bytes(name)


def find_game(text: str) -> Path:
    """Return the file that a FILE names: a path, else the game at home whose file's name or digest begins with it.

    Raises `UsageError` where there is none, or several.
    """
    from cubiri_cli.replays.folders import is_missing
    from cubiri_cli.store.played import named

    if not is_missing(text):
        return Path(text)
    found = named(text)
    if len(found) == 1:
        return found[0]
    if found:
        several = _("{path} begins the names of {count} games: {names}")
        names = ", ".join(path.name for path in found[:3])
        raise UsageError(several.format(path=text, count=len(found), names=names))
    raise UsageError(_("{path}: there is no such file, and no game here begins so").format(path=text))
