"""The global options, which may stand before or after the command: `--lang`, `--plain`, `--no-color`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.table.language import LANGUAGES, _
from cubiri_cli.table.style import Overrides, override

if TYPE_CHECKING:
    from collections.abc import Sequence


class InvalidLanguageError(ValueError):
    """A language that is not spoken here."""


def take_global_options(arguments: Sequence[str]) -> list[str]:
    """Apply the global options, and return the other arguments. Raises `InvalidLanguageError`."""
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
    if language is not None and language not in LANGUAGES:
        override(Overrides())
        text = _("{option}: expected one of {values}, found {found}")
        raise InvalidLanguageError(text.format(option="--lang", values=", ".join(LANGUAGES), found=f'"{language}"'))
    override(Overrides(language, "--plain" in asked, "--no-color" in asked))
    return rest
