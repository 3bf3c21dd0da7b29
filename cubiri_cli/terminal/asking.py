"""What is asked before a game: which game, its options, who plays."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from cubiri_cli import games
from cubiri_cli.games.game import InvalidOptionError, WordOption
from cubiri_cli.replays.names import typed_name
from cubiri_cli.replays.replay import Problem
from cubiri_cli.store.settings import default_name, default_options
from cubiri_cli.table.drawing import Line, Span, line, wrap_line
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain, explain_option, table_of, wrong_names
from cubiri_cli.table.protocol import Choice, Question
from cubiri_cli.table.rulebook import aim_lines, rules_lines
from cubiri_cli.terminal.prompter import HELP, QUIT, LongText, Offer, Scene, Typing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cubiri_cli.games.game import Game, WholeOption
    from cubiri_cli.store.settings import Setting
    from cubiri_cli.terminal.prompter import Prompter

KEYS = "123456789abcdefghijklmnoprstuvwxyz"
"""The keys of choices that have no letter of their own: not 0, which goes back in plain mode, and not q."""


def ask_game(prompter: Prompter) -> type[Game] | None:
    """Ask which game is played; None where none is."""
    choices = [("", f"{table_of(name).TITLE} – {_(table_of(name).ABOUT)}", name) for name in games.names()]
    name = pick(prompter, _("Which game?"), choices, titled("CUBIRI", games_page()))
    return None if name is None else games.load(name)


def ask_option(prompter: Prompter, game: type[Game], option: WordOption | WholeOption) -> str | None:
    """Ask for an option of a game, the default marked; return what could have been typed for it, None for back."""
    scene = titled(table_of(game.NAME).TITLE, _rules_page(game))
    default, labels = default_options(game)[option.name], table_of(game.NAME).LABELS
    if not isinstance(option, WordOption):
        prompt = _("{option} ({low} to {high}) [{default}]:").format(
            option=_(labels.get(option.name, option.name)), low=option.low, high=option.high, default=default
        )
        return ask_text(prompter, prompt, lambda text: wrong_value(option, text), scene, str(default))
    choices = [("", _labelled(value, _(labels.get(value, "")), value == default), value) for value in option.values]
    chosen: str | None = pick(
        prompter, _("Which {option}?").format(option=_(labels.get(option.name, option.name))), choices, scene, default
    )
    return chosen


def _labelled(value: str, label: str, is_default: bool) -> str:
    text = f"{value} – {label}" if label else value
    return text + " " + _("(default)") if is_default else text


def ask_players(prompter: Prompter, game: type[Game]) -> list[str] | None:
    """Ask who plays, where the game seats several; None for back. The default is one name, whatever it holds."""
    if game.MOST_SEATS == 1:
        return []
    default = default_name()

    def names_in(text: str) -> list[str]:
        return [default] if text == default else _names(text)

    def wrong(text: str) -> str:
        names = names_in(text)
        if len(names) > game.MOST_SEATS:
            return explain(Problem("seats", {"found": len(names), "most": game.MOST_SEATS}))
        return wrong_names(names)

    prompt = _("Who plays? Names with commas between them, at most {most} [{default}]:").format(
        most=game.MOST_SEATS, default=default
    )
    scene = titled(table_of(game.NAME).TITLE, _rules_page(game))
    typed = ask_text(prompter, prompt, wrong, scene, default)
    return None if typed is None else names_in(typed)


def _names(text: str) -> list[str]:
    return [typed_name(name.strip()) for name in text.split(",") if name.strip()]


# The two ways of asking between games


def pick(
    prompter: Prompter, text: str, choices: Sequence[tuple[str, str, Any]], scene: Scene, default: object = None
) -> Any:
    """Ask for one of the choices, each a key, a label and what it stands for; return that, or None for the way back.

    Where the key is empty, one is given. To quit, where the scene offers it, is the same as to go back.
    """
    taken = {key for key, _label, _value in choices}
    free = (key for key in KEYS if key not in taken)
    keyed = [Choice(key or next(free), label, step=value) for key, label, value in choices]
    chosen = next((choice.key for choice in keyed if default is not None and choice.step == default), "")
    question = Question(text, tuple(keyed), chosen)
    while True:
        answer = prompter.choose(question, scene)
        if answer.is_back or answer.key == QUIT:
            return None
        if answer.key == HELP and scene.page is not None:
            prompter.page(scene.page.title, scene.page.lines)
        for choice in keyed:
            if choice.key == answer.key:
                return choice.step


def ask_text(
    prompter: Prompter, prompt: str, check: Callable[[str], str], scene: Scene, default: str = ""
) -> str | None:
    """Ask for a text until `check`, which says what is wrong with it, says nothing; None is the way back.

    `default` is what is taken where nothing is typed; the prompt has to say so.
    """
    typed, error = "", ""
    while True:
        answer = prompter.type_text(Typing(prompt, typed, default, [error] if error else ()), scene)
        if answer is None:
            return None
        if answer == HELP and scene.page is not None:
            prompter.page(scene.page.title, scene.page.lines)
            continue
        typed = answer.strip() or default
        error = check(typed)
        if not error:
            return typed


def wrong_value(option: WordOption | WholeOption | Setting, text: str) -> str:
    """Return in one line why a text cannot be the value of an option or a setting; empty where it can."""
    try:
        option.parse(text)
    except InvalidOptionError as error:
        return explain_option(error)
    return ""


def quits() -> Offer:
    """Return the offer to quit, for scenes in which that is the same as to go back."""
    return Offer(QUIT, _("quit"), _("quit"))


def titled(title: str, page: LongText) -> Scene:
    """Return a scene that shows nothing but a title, and offers a page and to quit."""

    def picture(width: int, height: int, pointed: object) -> list[Line]:
        return [line(Span(title, "title")), []]

    return Scene(picture, lambda: [title], offers=(explains(page), quits()), page=page)


def explains(page: LongText) -> Offer:
    """Return the offer to show a page."""
    return Offer(HELP, page.label, _("help"))


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
