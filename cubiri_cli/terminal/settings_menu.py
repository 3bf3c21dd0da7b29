"""The menu of the settings: it changes those that are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cubiri_cli.store import settings as store
from cubiri_cli.store.saved import resumable
from cubiri_cli.table.language import _
from cubiri_cli.table.settings import SettingsNotKeptError, change_setting, meaning, shown_value
from cubiri_cli.terminal.menu import left_alone, menu_scene
from cubiri_cli.terminal.questions import ask_text, pick, wrong_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.terminal.prompter import Prompter

DEFAULT, TYPED = object(), object()
"""Answers that are no values: to have the default again, and to type the value."""


def choose_settings(prompter: Prompter) -> None:
    """Show the settings and change those that are chosen, until the player goes back."""
    news = ""
    pointed = None
    while True:
        chosen = store.load()
        width = max(map(len, store.known()))
        notes = [_("Settings hold from now on, in new games; a game that is going on keeps what it began with."), news]
        choices = [
            ("", f"{name.ljust(width)}  {shown_value(one, chosen)}  ({meaning(name)})", name)
            for name, one in store.known().items()
        ]
        pointed = pick(prompter, _("Change which?"), choices, menu_scene([note for note in notes if note]), pointed)
        if pointed is None:
            return
        one = store.setting(pointed)
        value = _ask_value(prompter, one, chosen.get(one), _before_change(one))
        if value is not None:
            try:
                news = change_setting(pointed, None if value is DEFAULT else value)
            except SettingsNotKeptError as error:
                news = str(error)


def _before_change(one: store.Setting) -> list[str]:
    """Return what is said before a setting is changed: what it means, and what becomes of the game going on."""
    running = next(resumable(), None) if isinstance(one, store.OptionDefault) else None
    return [meaning(one.name), *([] if running is None else [left_alone(running.path)])]


def _ask_value(prompter: Prompter, one: store.Setting, present: Any, notes: Sequence[str]) -> Any:
    """Ask for the value of a setting: one of its words, or typed; `DEFAULT` to have none, None to go back."""
    label, scene = f"{one.name}:", menu_scene(notes)
    back_to_default = ("d", _("the default"), DEFAULT)
    if isinstance(one, store.Switch):
        return pick(prompter, label, [("1", "on", True), ("2", "off", False), back_to_default], scene, present)
    values = None if isinstance(one, store.Name) else one.values
    if values is not None:
        return pick(prompter, label, [*(("", value, value) for value in values), back_to_default], scene, present)
    chosen = pick(prompter, label, [("t", _("type it"), TYPED), back_to_default], scene)
    if chosen is not TYPED:
        return chosen
    typed = ask_text(prompter, label, lambda text: wrong_value(one, text), scene)
    return None if typed is None else one.parse(typed)
