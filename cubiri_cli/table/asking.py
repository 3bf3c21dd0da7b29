"""What is asked before a game: which game, its options, who plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli import games
from cubiri_cli.games.game import Choice as WordOption
from cubiri_cli.games.game import InvalidOptionError
from cubiri_cli.replays.names import is_name
from cubiri_cli.replays.replay import Problem
from cubiri_cli.store.settings import default_name, default_options
from cubiri_cli.table.drawing import Line, Span, line
from cubiri_cli.table.front import QUIT, Offer, Scene, Typing
from cubiri_cli.table.language import _
from cubiri_cli.table.protocol import Choice, Question
from cubiri_cli.table.words import explain, explain_option, table_of

if TYPE_CHECKING:
    from cubiri_cli.games.game import Game, Whole
    from cubiri_cli.table.front import Front


def ask_game(front: Front) -> type[Game] | None:
    """Ask which game is played; None where none is."""
    names = games.names()
    choices = tuple(
        Choice(str(number), f"{table_of(name).TITLE} – {_(table_of(name).ABOUT)}", step=name)
        for number, name in enumerate(names, 1)
    )
    name = _pick(front, Question(_("Which game?"), choices), "CUBIRI")
    return None if name is None else games.load(name)


def ask_option(front: Front, game: type[Game], option: WordOption | Whole) -> str | None:
    """Ask for an option of a game, the default marked; return what could have been typed for it, None for back."""
    title = table_of(game.NAME).TITLE
    default = default_options(game)[option.name]
    if not isinstance(option, WordOption):
        return _ask_number(front, title, option, str(default))
    labels = table_of(game.NAME).option_labels()
    choices = tuple(
        Choice(str(number), _labelled(value, labels.get(value, ""), value == default), step=value)
        for number, value in enumerate(option.values, 1)
    )
    key = next(choice.key for choice in choices if choice.step == default)
    return _pick(front, Question(_("Which {option}?").format(option=_(option.name)), choices, key), title)


def _labelled(value: str, label: str, is_default: bool) -> str:
    text = f"{value} – {label}" if label else value
    return text + " " + _("(default)") if is_default else text


def _ask_number(front: Front, title: str, option: Whole, default: str) -> str | None:
    """Ask for a whole number until one is given that the option can have."""
    text = default
    error: tuple[str, ...] = ()
    while True:
        prompt = _("{option} ({low} to {high}):").format(option=_(option.name), low=option.low, high=option.high)
        typed = front.type_text(Typing(prompt, text, error), _scene(title))
        if typed is None:
            return None
        try:
            return str(option.parse(typed.strip()))
        except InvalidOptionError as problem:
            text, error = typed, (explain_option(problem),)


def ask_players(front: Front, game: type[Game]) -> list[str] | None:
    """Ask who plays, where the game seats several; None for back."""
    if game.MOST_SEATS == 1:
        return []
    text = default_name()
    error: tuple[str, ...] = ()
    while True:
        prompt = _("Who plays? Names with commas between them, at most {most}:").format(most=game.MOST_SEATS)
        typed = front.type_text(Typing(prompt, text, error), _scene(table_of(game.NAME).TITLE))
        if typed is None:
            return None
        names = [name.strip() for name in typed.split(",") if name.strip()]
        problem = _wrong_names(names, game.MOST_SEATS)
        if problem is None:
            return names
        text, error = typed, (problem,)


def _wrong_names(names: list[str], most: int) -> str | None:
    """Return what is wrong with the names of the players; None where nothing is."""
    if len(names) > most:
        return explain(Problem("seats", {"found": len(names), "most": most}))
    if len(set(names)) < len(names):
        return _("two players of the same name")
    for name in names:
        if not is_name(name):
            return explain(Problem("no-name", {"found": name}))
    return None


def _pick(front: Front, question: Question, title: str) -> str | None:
    """Ask a question and return the step of the choice; None for back."""
    while True:
        answer = front.choose(question, _scene(title))
        if answer.is_back or answer.key == QUIT:
            return None
        for choice in question.choices:
            if choice.key == answer.key:
                return str(choice.step)


def _scene(title: str) -> Scene:
    def picture(width: int, height: int, pointed: object) -> list[Line]:
        return [line(Span(title, "title")), []]

    return Scene(picture, lambda: [title], offers=(Offer(QUIT, _("quit"), _("quit")),))
