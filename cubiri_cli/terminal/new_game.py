"""What is asked before a new game: which game, its options, who plays."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cubiri_cli import games
from cubiri_cli.games.game import WordOption
from cubiri_cli.games.problem import Problem
from cubiri_cli.replays.names import typed_name
from cubiri_cli.store.remembered import last_game, last_option, last_players
from cubiri_cli.store.settings import default_name, default_options
from cubiri_cli.table.drawing import Line, wrap_line
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain, table_of, wrong_names
from cubiri_cli.table.rulebook import aim_lines, rules_lines
from cubiri_cli.terminal.prompter import LongText
from cubiri_cli.terminal.questions import ask_text, pick, title_scene, wrong_value

if TYPE_CHECKING:
    from cubiri_cli.games.game import Game, WholeOption
    from cubiri_cli.terminal.prompter import Prompter


def ask_game(prompter: Prompter) -> type[Game] | None:
    """Ask which game is played, the last one pointed at; None where none is."""
    choices = [("", f"{table_of(name).TITLE} – {_(table_of(name).ABOUT)}", name) for name in games.names()]
    last = last_game()
    scene = title_scene("CUBIRI", games_page())
    name = pick(prompter, _("Which game?"), choices, scene, None if last is None else last.game)
    return None if name is None else games.load(name)


def ask_option(prompter: Prompter, game: type[Game], option: WordOption | WholeOption) -> str | None:
    """Ask for an option of a game, what was chosen last or holds by default marked; None for back.

    Return what could have been typed for it.
    """
    scene = title_scene(table_of(game.NAME).TITLE, _rules_page(game))
    last, labels = last_option(game, option), table_of(game.NAME).LABELS
    default = default_options(game)[option.name] if last is None else last
    if not isinstance(option, WordOption):
        prompt = _("{option} ({low} to {high}) [{default}]:").format(
            option=_(labels.get(option.name, option.name)), low=option.low, high=option.high, default=default
        )
        return ask_text(prompter, prompt, lambda text: wrong_value(option, text), scene, str(default))
    mark = _("(default)") if last is None else _("(last time)")
    choices = [
        ("", _labelled(value, _(labels.get(value, "")), mark if value == default else ""), value)
        for value in option.values
    ]
    chosen: str | None = pick(
        prompter, _("Which {option}?").format(option=_(labels.get(option.name, option.name))), choices, scene, default
    )
    return chosen


def _labelled(value: str, label: str, mark: str) -> str:
    return f"{value} – {label} {mark}".rstrip() if label else f"{value} {mark}".rstrip()


def ask_players(prompter: Prompter, game: type[Game]) -> list[str] | None:
    """Ask who plays, where the game seats several; None for back. By default those who did last time."""
    if game.MOST_SEATS == 1:
        return []
    usual = last_players(game) or [default_name()]
    default = ", ".join(usual)

    def names_in(text: str) -> list[str]:
        return usual if text == default else _names(text)

    def wrong(text: str) -> str:
        names = names_in(text)
        if len(names) > game.MOST_SEATS:
            return explain(Problem("seats", {"found": len(names), "most": game.MOST_SEATS}))
        return wrong_names(names)

    prompt = _("Who plays? Names with commas between them, at most {most} [{default}]:").format(
        most=game.MOST_SEATS, default=default
    )
    scene = title_scene(table_of(game.NAME).TITLE, _rules_page(game))
    typed = ask_text(prompter, prompt, wrong, scene, default)
    return None if typed is None else names_in(typed)


def _names(text: str) -> list[str]:
    return [typed_name(name.strip()) for name in text.split(",") if name.strip()]


def _rules_page(game: type[Game]) -> LongText:
    return LongText(_("rules"), _("Rules"), partial(rules_lines, game.NAME))


def games_page() -> LongText:
    """Return the page that says in short what the games are."""
    return LongText(_("what the games are"), _("The games"), _games_lines)


def _games_lines(width: int) -> list[Line]:
    lines: list[Line] = []
    for name in games.names():
        head = f"{table_of(name).TITLE} – {_(table_of(name).ABOUT)}"
        lines += [*wrap_line(head, width, "title"), [], *aim_lines(name, width), []]
    return [*lines, *wrap_line(_("Once a game is chosen, ? shows its rules in full."), width)]
