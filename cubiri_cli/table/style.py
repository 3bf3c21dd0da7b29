"""How output looks: language, colour, plain or drawn. Decided once, from the global options and the environment."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cubiri_cli.table.language import LANGUAGES, speak

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


STYLE = Style()
"""The style of this process."""


def take_global_options(arguments: Sequence[str]) -> list[str]:
    """Apply the global options, which may stand before or after the command, and return the other arguments.

    Raises `InvalidLanguageError`.
    """
    rest: list[str] = []
    words = iter(arguments)
    language = None
    STYLE.plain, STYLE.color = os.environ.get("TERM") == "dumb", not os.environ.get("NO_COLOR")
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word == "--plain":
            STYLE.plain = True
        elif word == "--no-color":
            STYLE.color = False
        elif word == "--lang":
            language = next(words, "")
        elif word.startswith("--lang="):
            language = word.removeprefix("--lang=")
        else:
            rest.append(word)
    if language is not None and language not in LANGUAGES:
        raise InvalidLanguageError(f"--lang: expected one of {', '.join(LANGUAGES)}, found {language}")
    speak(language or _language_of_locale())
    return rest


def is_terminal() -> bool:
    """Tell whether people can be asked: standard input and standard output are both a terminal."""
    try:
        return sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):  # closed
        return False


def _language_of_locale() -> str:
    """Return the language of the locale, as gettext reads it: LANGUAGE, LC_ALL, LC_MESSAGES, LANG."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable, "")
        if value:
            code = value.split(":")[0].split("_")[0].split(".")[0].lower()
            return code if code in LANGUAGES else "en"
    return "en"
