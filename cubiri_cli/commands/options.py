"""Options that several commands share, and those that come from the games themselves."""

from __future__ import annotations

import inspect
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cubiri_cli import games
from cubiri_cli.commands.output import UsageError
from cubiri_cli.games.dice import is_seed
from cubiri_cli.games.game import Choice, InvalidOptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cubiri_cli.games.game import Game


def with_game_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command one option for each option any game has; it receives those used as `options={name: text}`."""
    known = {option.name: option for name in games.names() for option in games.load(name).OPTIONS}

    @wraps(command)
    def wrapper(**arguments: Any) -> Any:
        given = {name: arguments.pop(name) for name in known}
        return command(**arguments, options={name: text for name, text in given.items() if text is not None})

    signature = inspect.signature(command, eval_str=True)
    parameters = [parameter for parameter in signature.parameters.values() if parameter.name != "options"]
    for name, option in known.items():
        metavar = "|".join(option.values) if isinstance(option, Choice) else "N"
        which = ", ".join(game for game in games.names() if name in {o.name for o in games.load(game).OPTIONS})
        annotation = Annotated[str | None, typer.Option(f"--{name}", metavar=metavar, help=f"The {name} ({which}).")]
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation))
    wrapper.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return wrapper


def game_named(name: str) -> type[Game]:
    """Return the game `name`; `UsageError` where there is none."""
    if name.lower() not in games.names():
        raise UsageError(f"there is no game {name}; there are {', '.join(games.names())}")
    return games.load(name.lower())


def parse_options(game: type[Game], given: Mapping[str, str], defaults: bool = True) -> dict[str, Any]:
    """Return the options of a game from texts typed by a person; what is not given has its default (or is left out).

    Raises `UsageError`.
    """
    from cubiri_cli.table.words import explain_option

    known = {option.name: option for option in game.OPTIONS}
    try:
        for name in given:
            if name not in known:
                raise InvalidOptionError(name, given[name], "no-such-option")
        parsed = {name: known[name].parse(text) for name, text in given.items()}
    except InvalidOptionError as error:
        raise UsageError(f"--{explain_option(error)}") from None
    return {**({option.name: option.default for option in game.OPTIONS} if defaults else {}), **parsed}


def parse_seed(text: str) -> str:
    """Return the seed that was typed, in lower case; `UsageError` where it is none."""
    seed = text.lower()
    if not is_seed(seed):
        raise UsageError("--seed: a seed is 1 to 64 of the characters a-z, 0-9 and -")
    return seed
