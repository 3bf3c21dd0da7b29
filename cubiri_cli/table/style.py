"""How output looks: language, colour, plain or drawn. From the command line, the environment and the settings."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import NamedTuple

from cubiri_cli.store.settings import LOOKS, Name, game_setting, load, settings_path
from cubiri_cli.table.language import _, language_of_locale, speak


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


def complaints() -> list[str]:
    """Return what is wrong with the settings file, a line each; defaults of games' options are not looked at."""
    from cubiri_cli.table.messages import explain, explain_option

    settings = load()
    if settings.problem is not None:
        what = [explain(settings.problem)]
    else:
        what = [explain_option(error) for error in settings.wrong((*LOOKS, Name("name"), game_setting()))]
    return [_("{path}: {problem}; the default holds").format(path=settings_path(), problem=one) for one in what]
