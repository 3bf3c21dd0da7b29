"""The menu of the settings: it changes those that are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.games.game import InvalidOptionError
from cubiri_cli.store import settings as store
from cubiri_cli.store.unfinished import resumable
from cubiri_cli.table.drawing import cut, pad, width
from cubiri_cli.table.language import _
from cubiri_cli.table.settings import (
    SettingsNotKeptError,
    change_setting,
    heading,
    meaning,
    shown_value,
    spoken_value,
    value_in_words,
)
from cubiri_cli.terminal.menu import Entry, describe_save, menu_scene
from cubiri_cli.terminal.questions import ask_text, pick, wrong_value

if TYPE_CHECKING:
    from cubiri_cli.replays.replay import Replay
    from cubiri_cli.terminal.prompter import Prompter

DEFAULT = object()
"""An answer that is no value: to have the default again."""

BACK_TO_DEFAULT = "-"
"""What is typed for the default."""

LONGEST = 40
"""How many columns a value gets in the list: then every setting has one line."""


class Another(NamedTuple):
    """A new game that is wanted at once: like an open one, but for an option."""

    like: Replay
    option: str
    value: str | int
    description: str
    """Of the open game."""

    @property
    def order(self) -> tuple[Replay, str, str | int]:
        """What has to be known to begin it."""
        return self[:3]


def choose_settings(prompter: Prompter) -> Another | None:
    """Show the settings and change those that are chosen, until the player goes back, or wants a new game."""
    news, pointed = "", None
    while (pointed := _ask_which(prompter, news, pointed)) is not None:
        one, news, another = store.setting(pointed), "", None
        value = _ask_value(prompter, one)
        running = _open_game_with(one, value) if value is not None else None
        if running is not None:
            is_now = _ask_whether_now(prompter, running)
            if is_now is None:
                continue
            another = running if is_now else None
        if value is not None:
            try:
                news = change_setting(pointed, None if value is DEFAULT else value)
            except SettingsNotKeptError as error:
                news, another = str(error), None
        if another is not None:
            return another
    return None


def _ask_which(prompter: Prompter, news: str, pointed: Any) -> Any:
    chosen, known = store.load(), store.known()
    widest = max(width(heading(name)) for name in known)
    choices = [
        ("", f"{pad(heading(name), widest)}  {cut(spoken_value(one, chosen), LONGEST)}", name)
        for name, one in known.items()
    ]
    return pick(prompter, _("Which setting?"), choices, menu_scene([news] if news else []), pointed)


def _ask_value(prompter: Prompter, one: store.Setting) -> Any:
    """Ask for the value of a setting: one of its words, or typed; `DEFAULT` to have none, None to go back."""
    chosen = store.load()
    label, present = f"{heading(one.name)}:", chosen.get(one)
    values = None if isinstance(one, store.Name) else one.values
    if values is None:
        return _ask_typed(prompter, one)
    choices: list[Entry] = [("", value, value) for value in values]
    if isinstance(one, store.Switch):
        choices = [("1", value_in_words(True), True), ("2", value_in_words(False), False)]
    default = ("d", _("the default"), DEFAULT)
    return pick(prompter, label, [*choices, default], menu_scene([meaning(one.name)]), present)


def _ask_typed(prompter: Prompter, one: store.Setting) -> Any:
    """Ask for a value that is typed: at once, so that no letter of it is taken for a key."""
    present = shown_value(one, store.load())
    default = shown_value(one, store.Settings())
    prompt = _("{setting} [{present}] ({sign} is the default: {default}):").format(
        setting=heading(one.name), present=present, sign=BACK_TO_DEFAULT, default=default
    )

    def wrong(text: str) -> str:
        return "" if text in (BACK_TO_DEFAULT, present) else wrong_value(one, text)

    typed = ask_text(prompter, prompt, wrong, menu_scene([meaning(one.name)]), present)
    if typed in (None, present):
        return None
    return DEFAULT if typed == BACK_TO_DEFAULT else one.parse(str(typed))


# A game that is open


def _open_game_with(one: store.Setting, value: Any) -> Another | None:
    """Return the game that another value of an option would be for, like the open one of it played last.

    None where there is none, or it has that value.
    """
    for saved in resumable() if isinstance(one, store.OptionDefault) else ():
        replay = saved.verdict.replay
        assert replay is not None
        for option in replay.game_class.OPTIONS:
            if option.name == one.name:
                try:
                    wanted = option.default if value is DEFAULT else option.check(value)
                except InvalidOptionError:  # a word of another game
                    continue
                is_other = replay.options[one.name] != wanted
                return Another(replay, one.name, wanted, describe_save(saved)) if is_other else None
    return None


def _ask_whether_now(prompter: Prompter, another: Another) -> bool | None:
    """Ask whether a new game begins at once; None to change nothing. Either way the open one stays."""
    notes = [another.description, _("This game keeps what it started with; you can continue it later.")]
    begin = _("start a new game now, {option}: {value}").format(option=_(another.option), value=another.value)
    choices = [("n", begin, True), ("l", _("later: only change the setting"), False)]
    now: bool | None = pick(prompter, _("A game is open. Start a new one?"), choices, menu_scene(notes))
    return now
