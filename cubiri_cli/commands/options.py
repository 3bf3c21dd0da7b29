"""Options that several commands share, and those that come from the games themselves."""

from __future__ import annotations

import inspect
import re
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

from cubiri_cli import games
from cubiri_cli.commands.output import UsageError
from cubiri_cli.commands.parameters import CommandOption
from cubiri_cli.games.dice import is_seed
from cubiri_cli.games.game import InvalidOptionError, WholeOption, WordOption
from cubiri_cli.games.problem import Problem
from cubiri_cli.replays import clock
from cubiri_cli.replays.names import harmless
from cubiri_cli.store.settings import setting
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain, explain_at, learn_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cubiri_cli.games.game import Game
    from cubiri_cli.players.bots import Bot


_DECIMAL = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,6})?")

LONGEST_TIMEOUT = 86_400
"""The most seconds that a program can be given to answer: a day."""

GAMES = ", ".join(games.names())
"""The names of all games, as help texts list them."""


def with_game_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command one option for each option any game has; it receives those used as `options={name: text}`."""
    known = games.options()
    for game in games.names():
        learn_words(game)

    @wraps(command)
    def wrapper(**arguments: Any) -> Any:
        given = {name: arguments.pop(name) for name in known}
        return command(**arguments, options={name: text for name, text in given.items() if text is not None})

    signature = inspect.signature(command, eval_str=True)
    parameters = [parameter for parameter in signature.parameters.values() if parameter.name != "options"]
    for name, found in known.items():
        values = [value for one in found.values() for value in (one.values if isinstance(one, WordOption) else ("N",))]
        metavar = "|".join(dict.fromkeys(values))
        which = ", ".join(found)
        help_text = _("The {option} ({games}).").format(option=_(name), games=which)
        annotation = Annotated[str | None, CommandOption(f"--{name}", metavar=metavar, help=help_text)]
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation))
    wrapper.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return wrapper


def bot_option(text: str) -> CommandOption:
    """Return the option that names a bot, with what help pages say of it."""
    return CommandOption("--bot", metavar="BOT", help=text)


def bot_timeout_option() -> CommandOption:
    """Return the option that says how long a program may take to answer."""
    return CommandOption(
        "--bot-timeout", metavar="SECONDS", help=_("How long a program may take to answer; 0: for ever.")
    )


def format_named(typed: str, formats: Iterable[str]) -> str:
    """Return a format as it is written, typed in any case; `UsageError` where it is none of `formats`."""
    if typed.lower() not in formats:
        raise UsageError("--format: " + explain(Problem("choice", {"values": tuple(formats), "found": typed})))
    return typed.lower()


def game_named(name: str) -> type[Game]:
    """Return the game `name`; `UsageError` where there is none."""
    if name.lower() not in games.names():
        raise UsageError(explain(Problem("unknown-game", {"found": name, "known": tuple(games.names())})))
    return games.load(name.lower())


def parse_options(game: type[Game], given: Mapping[str, str]) -> dict[str, Any]:
    """Return options of a game from texts typed by a person, those that are given. Raises `UsageError`."""
    known = {option.name: option for option in game.OPTIONS}
    try:
        for name in given:
            if name not in known:
                raise InvalidOptionError(name, given[name], "no-such-option")
        return {name: known[name].parse(text) for name, text in given.items()}
    except InvalidOptionError as error:
        raise UsageError(f"--{explain_at(error.problem)}") from None


def required_options(game: str | None, given: Mapping[str, str]) -> dict[str, Any]:
    """Return the options that games are to have: of the game named, else as any game with such an option takes them.

    Raises `UsageError`.
    """
    if game is not None:
        return parse_options(game_named(game), given)

    try:
        return {name: setting(name).parse(text) for name, text in given.items()}
    except InvalidOptionError as error:
        raise UsageError(f"--{explain_at(error.problem)}") from None


def parse_whole(name: str, text: str | None, low: int, high: int) -> int | None:
    """Return the whole number typed for the option `--name`, None where it was not used. Raises `UsageError`.

    Not typer's `int`, which also takes `1_0` and digits of other scripts.
    """
    try:
        return None if text is None else WholeOption(name, low, high, low).parse(text)
    except InvalidOptionError as error:
        raise UsageError(f"--{explain_at(error.problem)}") from None


def parse_decimal(text: str) -> float | None:
    """Return the number that was typed, such as `300`, `-1` or `12.5`; None where it is none."""
    return float(text) if _DECIMAL.fullmatch(text.strip()) else None


def parse_timeout(text: str | None) -> float | None:
    """Return how many seconds a program has to answer, as they were typed; None for the usual ones.

    Raises `UsageError`.
    """
    if text is None:
        return None
    seconds = parse_decimal(text)
    if seconds is None or not 0 <= seconds <= LONGEST_TIMEOUT:
        reason = _("expected seconds such as 5 or 0.5, found {found}").format(found=harmless(text))
        raise UsageError("--bot-timeout: " + reason)
    return seconds


def parse_bots(texts: Sequence[str]) -> list[Bot]:
    """Return the bots that a person means. Raises `UsageError`."""
    if not texts:
        return []
    from cubiri_cli.commands.seating import parse_bot  # most games are played without

    return list(map(parse_bot, texts))


def parse_seed(text: str) -> str:
    """Return the seed that was typed, in lower case; `UsageError` where it is none."""
    seed = text.lower() if text.isascii() else text  # the sign for kelvin would become a k
    if not is_seed(seed):
        raise UsageError("--seed: " + explain(Problem("no-seed", {"found": text})))
    return seed


def chosen_seed(seed: str | None, daily: bool) -> str | None:
    """Return the seed that was asked for, if any; `UsageError` for two of them."""
    if seed is not None and daily:
        raise UsageError(_("{options} exclude each other").format(options="--seed, --daily"))
    return clock.daily_seed() if daily else None if seed is None else parse_seed(seed)
