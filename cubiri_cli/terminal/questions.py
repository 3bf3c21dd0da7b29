"""The ways of asking between games: one of several choices, or a text; and scenes to ask in.

Every question has a way back, which is None.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from cubiri_cli.games.game import InvalidOptionError
from cubiri_cli.table.drawing import Line, Span, line
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain_at
from cubiri_cli.table.protocol import Choice, Question
from cubiri_cli.terminal.prompter import HELP, QUIT, LongText, Offer, Scene, Typing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cubiri_cli.games.game import WholeOption, WordOption
    from cubiri_cli.store.settings import Setting
    from cubiri_cli.terminal.prompter import Prompter

KEYS = "123456789abcdefghijklmnoprstuvwxyz"
"""The keys of choices that have no letter of their own: not 0, which goes back in plain mode, and not q."""


def pick(
    prompter: Prompter,
    text: str,
    choices: Sequence[tuple[str, str, Any]],
    scene: Scene,
    default: object = None,
    quits: object = None,
) -> Any:
    """Ask for one of the choices, each a key, a label and what it stands for; return that, or None for the way back.

    Where the key is empty, one is given. To quit, where the scene offers it, returns `quits`.
    """
    taken = {key for key, _label, _value in choices}
    free = (key for key in KEYS if key not in taken)
    keyed = [Choice(key or next(free), label, step=value) for key, label, value in choices]
    chosen = next((choice.key for choice in keyed if default is not None and choice.step == default), "")
    question = Question(text, tuple(keyed), chosen)
    pointed = ""
    while True:
        answer = prompter.choose(question, scene, pointed)
        pointed = answer.pointed
        if answer.is_back or answer.key == QUIT:
            return None if answer.is_back else quits
        if answer.key == HELP and scene.page is not None:
            prompter.page(scene.page.title, scene.page.lines)
        for choice in keyed:
            if choice.key == answer.key:
                return choice.step


def ask_text(
    prompter: Prompter,
    prompt: str,
    check: Callable[[str], str],
    scene: Scene,
    default: str = "",
    complete: Callable[[str], tuple[int, list[str]]] | None = None,
) -> str | None:
    """Ask for a text until `check`, which says what is wrong with it, says nothing; None is the way back.

    `default` is what is taken where nothing is typed; the prompt has to say so. `complete` is what Tab does.
    """
    typing = Typing(prompt, default=default, complete=complete)
    while True:
        answer = prompter.type_text(typing, scene)
        if answer is None:
            return None
        if answer == HELP and scene.page is not None:
            prompter.page(scene.page.title, scene.page.lines)
            continue
        typed = answer.strip() or default
        error = check(typed)
        if not error:
            return typed
        typing = typing._replace(text=typed, error=partial(_alone, error))


def _alone(text: str, columns: int) -> list[str]:
    """Return what is wrong with a text where nothing points at it."""
    return [text]


def wrong_value(option: WordOption | WholeOption | Setting, text: str) -> str:
    """Return in one line why a text cannot be the value of an option or a setting; empty where it can."""
    try:
        option.parse(text)
    except InvalidOptionError as error:
        return explain_at(error.problem)
    return ""


def quit_offer() -> Offer:
    """Return the offer to quit, for scenes in which that is the same as to go back."""
    return Offer(QUIT, _("quit"), _("quit"))


def title_scene(title: str, page: LongText) -> Scene:
    """Return a scene that shows nothing but a title, and offers a page and to quit."""

    def picture(width: int, height: int, pointed: object) -> list[Line]:
        return [line(Span(title, "title")), []]

    return Scene(picture, lambda: [title], offers=(help_offer(page), quit_offer()), page=page)


def help_offer(page: LongText) -> Offer:
    """Return the offer to show a page."""
    return Offer(HELP, page.label, _("help"))
