"""What the settings are called, mean and hold, in words; and what is said where one is changed."""

from __future__ import annotations

from cubiri_cli.store import settings as store
from cubiri_cli.store.locks import InUseError
from cubiri_cli.table.language import N_, _, pgettext, spoken
from cubiri_cli.table.messages import explain, explain_at, why
from cubiri_cli.table.style import apply_settings

MEANINGS = {
    "language": N_("the program's language"),
    "name": N_("your name in new games"),
    "game": N_("the game to play when none is named"),
    "color": N_("colour on terminals"),
    "symbols": N_("drawn with unicode or ascii characters"),
    "animation": N_("rolled dice tumble for a moment"),
    "plain": N_("plain text: ASCII, no animation, no cursor movement"),
}
"""What the settings mean; those that are not in here are options of games."""


HEADINGS = {
    "language": N_("language"),
    "name": N_("name"),
    "game": N_("game"),
    "color": N_("colour"),
    "symbols": N_("symbols"),
    "animation": N_("animation"),
    "plain": N_("plain text"),
}
"""What the settings are called where they are shown to be chosen from; options of games as everywhere."""


class SettingsNotKeptError(ValueError):
    """The settings cannot be written. Its text is the one line that says why."""


def shown_value(one: store.Setting, chosen: store.Settings) -> str:
    """Return the value of a setting as people type it."""
    value = chosen.get(one)
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is not None:
        return str(value)
    if isinstance(one, store.Name):
        return store.login_name()
    if isinstance(one, store.OptionDefault):
        return ", ".join(map(str, one.defaults))
    return spoken() if one.name == "language" else _("(asked)")


def heading(name: str) -> str:
    """Return what a setting is called where it is chosen."""
    return _(HEADINGS.get(name, name))


def value_in_words(value: bool) -> str:
    """Return whether a switch is on or off."""
    return pgettext("switch", "on") if value else pgettext("switch", "off")


def spoken_value(one: store.Setting, chosen: store.Settings) -> str:
    """Return the value of a setting as people say it."""
    value = chosen.get(one)
    return value_in_words(value) if isinstance(value, bool) else shown_value(one, chosen)


def meaning(name: str) -> str:
    """Return in a few words what a setting means."""
    return _(MEANINGS[name]) if name in MEANINGS else _("the {option} of new games").format(option=_(name))


def change_setting(name: str, value: str | int | bool | None) -> str:
    """Give a setting a value, or its default again where that is None; it holds at once.

    Return what else there is to say, if anything. Raises `SettingsNotKeptError`.
    """
    try:
        aside = store.change(name, value)
    except (OSError, InUseError) as error:
        reason = why(error) if isinstance(error, OSError) else explain(error.problem)
        raise SettingsNotKeptError(_("the settings cannot be written: {reason}").format(reason=reason)) from None
    apply_settings()
    if aside is None:
        return ""
    return _("the settings file could not be read; it is now {path}").format(path=aside)


def complaints() -> list[str]:
    """Return what is wrong with the settings file, a line each; defaults of games' options are not looked at."""
    settings = store.load()
    if settings.problem is not None:
        what = [explain(settings.problem)]
    else:
        looked_at = (*store.LOOKS, store.Name("name"), store.game_setting())
        what = [explain_at(error.problem) for error in settings.wrong(looked_at)]
    return [_("{path}: {problem}; the default is used").format(path=store.settings_path(), problem=one) for one in what]
