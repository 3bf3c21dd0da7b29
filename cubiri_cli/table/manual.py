"""The manual pages: one text a page and language, in `man/` beside this module, in the Markdown of the rules pages.

What depends on which games there are stands in them as `{{claims}}` and the like, and is asked of the games when a page
is read. `cubiri help` shows the pages; those of `man` are made from them when the package is built (`man/roff.py`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cubiri_cli import games
from cubiri_cli.games.game import WordOption
from cubiri_cli.table.language import LANGUAGES, N_, _, spoken
from cubiri_cli.table.messages import table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cubiri_cli.games.game import Game, WholeOption

PAGES = ("cubiri", "cubiri-replay")
"""The pages, by name."""

FOLDER = Path(__file__).parent / "man"

TYPES = {
    int: (N_("whole number"), N_("list of whole numbers")),
    float: (N_("float"), N_("list of floats")),
    str: (N_("a text"), N_("list of texts")),
}
"""What a claim is, alone and in a list."""


def page_text(name: str) -> str:
    """Return the page of this name in the language spoken now, or in English where that lacks it."""
    page = FOLDER / f"{name}.{spoken()}.md"
    text = (page if page.exists() else FOLDER / f"{name}.en.md").read_text("utf-8").rstrip()
    return re.sub(r"\{\{(.+?)\}\}", lambda found: OF_GAMES[found[1]](), text)


def section_text(text: str, heading: str) -> str:
    """Return the part of a page under the heading that begins with the words of `heading`; empty where none does.

    >>> section_text("# A\\n\\n## B c\\n\\nd\\n\\n## B\\n\\ne", "B")
    '## B c\\n\\nd'
    """
    parts = re.split(r"\n+(?=#+ )", text)
    return next((one for one in parts if re.match(rf"#+ {re.escape(heading)}(\s|$)", one)), "")


def forms(game: type[Game]) -> dict[str, bool]:
    """Return how the actions of a game are written, and whether dice answer them: `V` is a value, `CELL` a cell.

    >>> forms(games.load("mishimash"))
    {'roll': True, 'bank': False, 'take V ...': False, 'hint': False}
    """
    found: dict[str, bool] = {}
    for action, move in game.moves().items():
        words = [re.sub(r"^\d$", "V", re.sub(r"^[a-z]\d$", "CELL", word)) for word in action.split()]
        found[re.sub(r"V( V)+", "V ...", " ".join(words))] = move.throws
    return {form: throws for form, throws in found.items() if f"{form} ..." not in found}


def _each(lines: Callable[[type[Game]], list[str]]) -> str:
    """Return lists, one a game that has anything to list, below its title."""
    listed = {table_of(name).TITLE: lines(games.load(name)) for name in games.names()}
    return "\n\n".join("\n".join([f"{title}:", "", *found]) for title, found in listed.items() if found)


def _versions() -> str:
    return ", ".join(f"{name} {', '.join(map(str, games.rules_versions(name)))}" for name in games.names())


def _seats() -> str:
    most = {name: games.load(name).MOST_SEATS for name in games.names()}
    return ", ".join(f"{name} {'1' if seats == 1 else f'1–{seats}'}" for name, seats in most.items())


def _values(option: WordOption | WholeOption) -> str:
    if isinstance(option, WordOption):
        return ", ".join(f'`"{value}"`' for value in option.values)
    return f"{option.low}–{option.high}"


def _which(found: Mapping[str, WordOption | WholeOption]) -> str:
    """Return which games have an option, with its range where it is a number."""
    return ", ".join(name if isinstance(one, WordOption) else f"{name}: {_values(one)}" for name, one in found.items())


def _metavar(found: Mapping[str, WordOption | WholeOption]) -> str:
    values = [value for one in found.values() for value in (one.values if isinstance(one, WordOption) else ("N",))]
    return "|".join(dict.fromkeys(values))


def _options(start: str) -> str:
    """Return the options of games as a list; `start` is how each begins, with its name and what it can be."""
    for name in games.names():
        table_of(name)  # its words
    return "\n".join(
        f"- {start.format(name=name, values=_metavar(found))}: "
        + _("The {option} ({games}).").format(option=_(name), games=_which(found))
        for name, found in games.options().items()
    )


def _replay_options() -> str:
    return "\n".join(
        f"- `{name}`: " + "; ".join(f"{_values(one)} ({game})" for game, one in found.items()) + "."
        for name, found in games.options().items()
    )


def _claims(game: type[Game]) -> list[str]:
    result: Mapping[str, Any] = game.start({option.name: option.default for option in game.OPTIONS}).result()
    return [
        f"- `{name}` ({_type(result[name])})" + (f": {_(words)}" if words else "")
        for name in game.RESULT
        for words in [table_of(game.NAME).CLAIMS.get(name)]
    ]


def _type(value: Any) -> str:
    """Return what kind of value this is, in words; a list is what its first element is."""
    is_list = isinstance(value, list)
    return _(TYPES[type(value[0] if is_list else value)][is_list])


def _actions(game: type[Game]) -> list[str]:
    common = set.intersection(*({*forms(games.load(name))} for name in games.names()))
    answered = _("answered")
    return [
        f"- `{form}`" + (f" ({answered})" if throws else "")
        for form, throws in forms(game).items()
        if form not in common
    ]


def _rolls(game: type[Game]) -> list[str]:
    return [f"- `{form}`: {_(words)}" for form, words in table_of(game.NAME).ROLLS.items()]


def _keys() -> str:
    tables = [table_of(name) for name in games.names()]
    return "\n\n".join(
        "\n".join([f"### {one.TITLE}", "", *(f"- {_(text)}" for text in (*one.PICTURE_HELP, *one.HELP))])
        for one in tables
    )


OF_GAMES: Mapping[str, Callable[[], str]] = {
    "languages": lambda: "|".join(LANGUAGES),
    "games": lambda: "|".join(games.names()),
    "titles": lambda: ", ".join(table_of(name).TITLE for name in games.names()),
    "about": lambda: "\n".join(f"- {one.TITLE}: {_(one.ABOUT)}." for one in map(table_of, games.names())),
    "rules": _versions,
    "seats": _seats,
    "options": lambda: _options("`--{name}` *{values}*"),
    "settings": lambda: _options("`{name}` ({values})"),
    "options of replays": _replay_options,
    "claims": lambda: _each(_claims),
    "actions": lambda: _each(_actions),
    "rolls": lambda: _each(_rolls),
    "keys": _keys,
}
"""What stands in the pages in double braces."""
