"""What commands are given: files, standard input, and games at home by the beginning of a name."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from cubiri_cli.commands.output import UsageError
from cubiri_cli.replays.folders import is_missing
from cubiri_cli.replays.reading import read_bytes
from cubiri_cli.replays.replay import LARGEST
from cubiri_cli.store.home import named
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
    return standard_input() if name == "-" else read_bytes(find_game(name))


def find_game(text: str) -> Path:
    """Return the file that a FILE names: a path, else the game at home whose name or digest begins so.

    Raises `UsageError` where several do; where none does, the path is returned as it is.
    """
    if not is_missing(text) or not {"/", os.sep}.isdisjoint(text):
        return Path(text)
    from cubiri_cli.store.played import with_digest

    found = named(text) or (with_digest(text) if re.fullmatch("[0-9A-Fa-f]{4,64}", text) else [])
    if len(found) > 1:
        several = _("{path} begins the names of {count} games: {names}")
        names = ", ".join(path.name for path in found[:3])
        raise UsageError(several.format(path=text, count=len(found), names=names))
    return found[0] if found else Path(text)
