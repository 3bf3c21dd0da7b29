"""How output looks: language, colour, plain or drawn. From the global options, the environment and the settings."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cubiri_cli.store.settings import LOOKS, Name, game_setting, load, settings_path
from cubiri_cli.table.language import LANGUAGES, _, language_of_locale, speak

if TYPE_CHECKING:
    from collections.abc import Sequence


class InvalidLanguageError(ValueError):
    """A language that is not spoken here."""


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


def take_global_options(arguments: Sequence[str]) -> list[str]:
    """Apply the global options, which may stand before or after the command, and return the other arguments.

    Raises `InvalidLanguageError`.
    """
    rest: list[str] = []
    words = iter(arguments)
    language = None
    asked = set()
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word in ("--plain", "--no-color"):
            asked.add(word)
        elif word == "--lang":
            language = next(words, "")
        elif word.startswith("--lang="):
            language = word.removeprefix("--lang=")
        else:
            rest.append(word)
    _asked.clear()
    if language is not None and language not in LANGUAGES:
        apply_settings()
        text = _("{option}: expected one of {values}, found {found}")
        raise InvalidLanguageError(text.format(option="--lang", values=", ".join(LANGUAGES), found=language))
    _asked.update(asked, {f"--lang={language}"} if language else ())
    apply_settings()
    return rest


_asked: set[str] = set()
"""The global options of this process."""


def apply_settings() -> None:
    """Make everything look as the global options, the environment and the settings say, the first that does."""
    settings = load()
    language, color, symbols, animation, plain = (settings.get(one) for one in LOOKS)
    STYLE.plain = "--plain" in _asked or os.environ.get("TERM") == "dumb" or plain
    STYLE.color = color and "--no-color" not in _asked and not os.environ.get("NO_COLOR")
    STYLE.animation, STYLE.ascii = animation and not STYLE.plain, symbols == "ascii" or STYLE.plain
    asked = next((option.removeprefix("--lang=") for option in _asked if option.startswith("--lang=")), None)
    speak(asked or language or language_of_locale(os.environ))


def complaints() -> list[str]:
    """Return what is wrong with the settings file, a line each; defaults of games' options are not looked at."""
    from cubiri_cli.table.messages import explain, explain_option

    settings = load()
    if settings.problem is not None:
        what = [explain(settings.problem)]
    else:
        what = [explain_option(error) for error in settings.wrong((*LOOKS, Name("name"), game_setting()))]
    return [_("{path}: {problem}; the default holds").format(path=settings_path(), problem=one) for one in what]


def is_terminal() -> bool:
    """Tell whether people can be asked: standard input and standard output are both a terminal."""
    try:
        return sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):  # closed
        return False
