"""What commands are given on standard input."""

from __future__ import annotations

import sys

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
