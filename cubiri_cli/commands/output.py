"""What commands say: results to standard output, messages to standard error, one line each."""

from __future__ import annotations

import sys
from contextlib import suppress

from cubiri_cli.replays.names import harmless

DONE, NO, USAGE, INTERRUPTED = 0, 1, 2, 130
"""The exit statuses (cli.md): done; the answer is no; called wrongly; interrupted, with the game saved."""


class UsageError(ValueError):
    """The command was called in a way that cannot be carried out. Its text is the one line that is shown."""


def message(text: str) -> None:
    """Say one line to people, on standard error. It may hold anything from a file: it is shown harmlessly.

    Where it cannot be said, a terminal that is gone or a full disk, there is nowhere to say that either.
    """
    if sys.stderr is not None:  # closed; print() would then take standard output
        with suppress(OSError):
            print(harmless(text, longest=2000), file=sys.stderr)
