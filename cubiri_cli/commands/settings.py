"""`cubiri settings`: show and change what holds where nothing else is said."""

from __future__ import annotations

from typing import Annotated

from cubiri_cli.commands.output import DONE, UsageError, message
from cubiri_cli.commands.parameters import Argument, CommandOption
from cubiri_cli.games.game import InvalidOptionError
from cubiri_cli.replays.names import harmless, mended
from cubiri_cli.store import settings as store
from cubiri_cli.table.language import N_, _
from cubiri_cli.table.messages import explain_at, why
from cubiri_cli.table.settings import SettingsNotKeptError, change_setting, meaning, shown_value
from cubiri_cli.terminal.printing import is_terminal


def settings(
    key: Annotated[str | None, Argument(metavar="[KEY]", help=_("The setting."))] = None,
    value: Annotated[str | None, Argument(metavar="[VALUE]", help=_("Its new value."))] = None,
    reset: Annotated[bool, CommandOption("--reset", help=_("Back to the default: this setting, or all."))] = False,
) -> int:
    """Show the settings, or change one."""
    if reset and value is not None:
        raise UsageError(_("--reset takes no value"))
    try:
        if reset:
            for name in [store.setting(key).name] if key is not None else list(store.known()):
                _change(name, None)
        elif key is not None and value is not None:
            _change(key, store.setting(key).parse(mended(value)))
        one = store.setting(key) if key is not None else None
    except InvalidOptionError as error:
        raise UsageError(explain_at(error.problem)) from None
    if one is not None:
        print(f"{one.name} = {shown_value(one, store.load())}")
        return DONE
    if key is None and not reset and is_terminal():
        from cubiri_cli.terminal.opening import open_prompter
        from cubiri_cli.terminal.settings_menu import choose_settings
        from cubiri_cli.terminal.signals import ending_signals

        with ending_signals(), open_prompter() as prompter:
            another = choose_settings(prompter)
        if another is not None:
            from cubiri_cli.commands.newgame import changed
            from cubiri_cli.commands.sitting import play_new

            return play_new(changed(*another.order))
    print("\n".join(lines()))
    return DONE


HELP = (N_("Show the settings, or change one."),)

COMMAND = settings


def _change(name: str, value: str | int | bool | None) -> None:
    try:
        note = change_setting(name, value)
    except SettingsNotKeptError as error:
        raise UsageError(str(error)) from None
    if note:
        message(f"cubiri: {note}")


def lines() -> list[str]:
    """Return all settings, a line each: name, value, whether that is the default, and what it means."""
    chosen = store.load()
    rows = []
    for name, one in store.known().items():
        values = None if isinstance(one, store.Name) else one.values
        words = f" ({', '.join(values)})" if values else ""
        mark = "" if chosen.is_chosen(one) else _("default")
        rows.append((name, shown_value(one, chosen), mark, meaning(name) + words))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    texts = ["  ".join([*map(str.ljust, row[:3], widths), row[3]]) for row in rows]
    return [*texts, "", _where()]


def _where() -> str:
    try:
        return _("Kept in {path}").format(path=harmless(str(store.settings_path()), longest=4096))
    except OSError as error:
        return why(error)
