"""Copying through the terminal: it is asked to by a code (OSC 52), and does it where it can and may."""

from __future__ import annotations

import base64
import sys

from cubiri_cli.terminal.opening import can_draw


def copy(text: str) -> bool:
    """Ask the terminal to put a text on the clipboard; tell whether it could be asked. It never answers."""
    if not can_draw() or sys.stdout is None:
        return False
    code = base64.b64encode(text.encode("utf-8")).decode("ascii")
    sys.stdout.write(f"\x1b]52;c;{code}\x07")
    sys.stdout.flush()
    return True
