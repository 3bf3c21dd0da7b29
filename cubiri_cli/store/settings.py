"""What a player has chosen once and for all (`settings.toml`), and what holds where nothing was chosen.

>>> setting("language").parse("FI")
'fi'
"""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli import games
from cubiri_cli.games.game import InvalidOptionError, WholeOption, WordOption
from cubiri_cli.games.problem import Problem
from cubiri_cli.replays.names import LONGEST_NAME, is_name, typed_name
from cubiri_cli.replays.replay import MalformedReplayError, UnreadableReplayError
from cubiri_cli.store.home import home
from cubiri_cli.store.locks import PATIENCE, Lock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cubiri_cli.games.game import Game


class WordSetting(NamedTuple):
    """A setting that is one of a few words, typed in any case."""

    name: str
    values: tuple[str, ...]
    default: str | None = None

    def check(self, value: object) -> str:
        """Return `value` where it is one of the words, else raise `InvalidOptionError`."""
        return WordOption(self.name, self.values, "").check(value)

    def parse(self, text: str) -> str:
        """Return the value that `text`, typed by a person, stands for."""
        return WordOption(self.name, self.values, "").parse(text)


class Switch(NamedTuple):
    """A setting that is on or off."""

    name: str
    default: bool

    @property
    def values(self) -> tuple[str, ...]:
        """What can be typed."""
        return ("on", "off")

    def check(self, value: object) -> bool:
        """Return `value` where it is true or false, else raise `InvalidOptionError`."""
        if isinstance(value, bool):
            return value
        raise InvalidOptionError(self.name, value, "choice", values=("true", "false"))

    def parse(self, text: str) -> bool:
        """Return the value that `text`, typed by a person, stands for."""
        word = text.strip().lower()
        if word in ("on", "yes", "true", "1"):
            return True
        if word in ("off", "no", "false", "0"):
            return False
        raise InvalidOptionError(self.name, text, "choice", values=self.values)


class Name(NamedTuple):
    """The name of the player."""

    name: str
    default: None = None

    def check(self, value: object) -> str:
        """Return `value` where it is a name, else raise `InvalidOptionError`."""
        if is_name(value):
            return str(value)
        raise InvalidOptionError(self.name, value, "no-name")

    def parse(self, text: str) -> str:
        """Return the name that `text`, typed by a person, stands for."""
        return self.check(typed_name(text.strip()))


class OptionDefault(NamedTuple):
    """What holds for an option of games (such as `difficulty`) where a game is begun without it."""

    name: str
    options: tuple[WordOption | WholeOption, ...]
    """The option in each of the games that have it."""

    @property
    def defaults(self) -> tuple[str | int, ...]:
        """What holds in these games where nothing was chosen."""
        return tuple(dict.fromkeys(option.default for option in self.options))

    @property
    def default(self) -> str | int | None:
        """What holds where nothing was chosen; None where that depends on the game."""
        return self.defaults[0] if len(self.defaults) == 1 else None

    @property
    def values(self) -> tuple[str, ...] | None:
        """What can be typed; None where that is a number."""
        words = [value for option in self.options if isinstance(option, WordOption) for value in option.values]
        return tuple(dict.fromkeys(words)) or None

    def check(self, value: object) -> str | int:
        """Return `value` where the option can have it in one of the games, else raise `InvalidOptionError`."""
        return self._first(lambda option: option.check(value))

    def parse(self, text: str) -> str | int:
        """Return the value that `text`, typed by a person, stands for."""
        return self._first(lambda option: option.parse(text))

    def _first(self, attempt: Any) -> str | int:
        refusal = None
        for option in self.options:
            try:
                value: str | int = attempt(option)
            except InvalidOptionError as error:
                refusal = refusal or error
            else:
                return value
        assert refusal is not None
        raise refusal


Setting = WordSetting | Switch | Name | OptionDefault


class Language(NamedTuple):
    """What has to be known of a language besides its texts."""

    name: str
    """In English."""
    point: str = ","
    """What stands before the tenths of a number."""
    upper_row: str = ""
    """What the keys of the digits 2 to 9 and 0 give without Shift on its keyboards, where that is no digit."""


LANGUAGES = {
    "en": Language("English", point="."),
    "fi": Language("Finnish"),
    "sk": Language("Slovak", upper_row="ľščťžýáíé"),
}
"""The languages people can be spoken to in, by their codes. Tests name what is missing of one."""

LOOKS: tuple[Setting, ...] = (
    WordSetting("language", tuple(LANGUAGES)),
    Switch("color", True),
    WordSetting("symbols", ("unicode", "ascii"), "unicode"),
    Switch("animation", True),
    Switch("plain", False),
)
"""The settings of how everything looks. Every command reads them, so they load no game."""


def game_setting() -> WordSetting:
    """Return the setting of the game that is played where none is named."""
    return WordSetting("game", tuple(games.names()))


def known() -> dict[str, Setting]:
    """Return all settings by name, in the order in which they are shown; each option of a game is one."""
    language, *others = LOOKS
    defaults = [OptionDefault(name, tuple(found.values())) for name, found in games.options().items()]
    return {one.name: one for one in (language, Name("name"), game_setting(), *defaults, *others)}


def setting(name: str) -> Setting:
    """Return the setting of this name. Raises `InvalidOptionError` where there is none."""
    found = known().get(name)
    if found is None:
        raise InvalidOptionError(name, name, "no-setting", known=tuple(known()))
    return found


@dataclass
class Settings:
    """The settings as the file has them; each is checked when it is asked for."""

    values: dict[str, Any] = field(default_factory=dict)
    problem: Problem | None = None
    """Why the file as a whole is void; None where it is not."""

    def get(self, one: Setting | WordOption | WholeOption) -> Any:
        """Return the value of a setting, or of an option of a game: the chosen one where valid, else the default."""
        try:
            return one.check(self.values[one.name])
        except (KeyError, InvalidOptionError):
            return one.default

    def is_chosen(self, one: Setting) -> bool:
        """Tell whether the file has a valid value for a setting."""
        return one.name in self.values and not any(self.wrong([one]))

    def wrong(self, among: Iterable[Setting]) -> Iterator[InvalidOptionError]:
        """Yield what is wrong with the values of these settings."""
        for one in among:
            if one.name in self.values:
                try:
                    one.check(self.values[one.name])
                except InvalidOptionError as error:
                    yield error


def settings_path() -> Path:
    """Return where the settings are kept. Raises `OSError` where there is no home folder."""
    return home() / "settings.toml"


def load() -> Settings:
    """Return the settings. Whatever is wrong with the file, there are settings: the defaults, and the problem."""
    try:
        path = settings_path()
        if not path.exists():
            return Settings()
    except OSError:  # no home, or none that may be looked into: nothing was ever chosen
        return Settings()
    from cubiri_cli.replays.reading import parse, read_bytes

    try:
        return Settings(parse(read_bytes(path)))
    except (MalformedReplayError, UnreadableReplayError) as error:
        return Settings(problem=error.problem)


def change(name: str, value: str | int | bool | None) -> Path | None:
    """Give a setting a value, or its default again where that is None, and keep the file's other keys as they are.

    A file that cannot be read as TOML is set aside before: its new path is returned, else None. Raises `OSError` where
    the file cannot be written, `InUseError` where another process has kept it for two seconds.
    """
    import tomli_w

    from cubiri_cli.store.files import make_folder, replace, set_aside, sweep

    path = settings_path()
    make_folder(path.parent)
    sweep(path.parent)
    with Lock(path, PATIENCE, "others-write"):  # so that of two changes at once none is lost
        settings = load()
        aside = set_aside(path) if settings.problem is not None else None
        if value is None:
            settings.values.pop(name, None)
        else:
            settings.values[name] = value
        replace(Path(os.path.realpath(path)), tomli_w.dumps(settings.values).encode())
    return aside


def default_options(game: type[Game]) -> dict[str, Any]:
    """Return the options of a game that hold where none are named: the chosen ones, else the game's own."""
    settings = load()
    return {option.name: settings.get(option) for option in game.OPTIONS}


def default_game() -> str | None:
    """Return the name of the game that is played where none is named, if one was chosen."""
    name: str | None = load().get(game_setting())
    return name


def default_name() -> str:
    """Return the name of the player who did not give one: the chosen one, the login name, or else `Player`."""
    chosen: str | None = load().get(Name("name"))
    return login_name() if chosen is None else chosen


def login_name() -> str:
    """Return the name of a player who never chose one: the login name, or else `Player`."""
    try:
        login = typed_name(getpass.getuser())[:LONGEST_NAME].strip()
    except (OSError, KeyError, ImportError):
        return "Player"
    return login if is_name(login) else "Player"
