"""How output looks: language, colour, plain or drawn. From the command line, the environment and the settings."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import NamedTuple

from cubiri_cli.store.settings import LOOKS, load
from cubiri_cli.table.language import language_of_locale, speak


@dataclass
class Style:
    """What the terminal can do and the player wants."""

    plain: bool = False
    """ASCII, no animation, no cursor movement."""
    color: bool = True
    animation: bool = True
    """Whether thrown dice may roll for a moment; never in plain mode."""
    ascii: bool = False
    """Draw with the characters of ASCII only."""


STYLE = Style()
"""The style of this process."""


class Overrides(NamedTuple):
    """What stands above the environment and the settings: the global options of the command line."""

    language: str | None = None
    is_plain: bool = False
    has_no_color: bool = False


_overrides = Overrides()


def override(overrides: Overrides) -> None:
    """Let these looks hold in this process, whatever else says otherwise."""
    global _overrides
    _overrides = overrides
    apply_settings()


def apply_settings() -> None:
    """Make everything look as the overrides, the environment and the settings say, the first that does."""
    settings = load()
    language, color, symbols, animation, plain = (settings.get(one) for one in LOOKS)
    STYLE.plain = _overrides.is_plain or os.environ.get("TERM") == "dumb" or plain
    STYLE.color = color and not _overrides.has_no_color and not os.environ.get("NO_COLOR")
    STYLE.animation, STYLE.ascii = animation and not STYLE.plain, symbols == "ascii" or STYLE.plain
    speak(_overrides.language or language or language_of_locale(os.environ))
