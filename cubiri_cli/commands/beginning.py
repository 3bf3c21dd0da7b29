"""How a new game begins: its options, players and seed, from the command line, a recorded game or the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cubiri_cli.commands.options import game_named, parse_options
from cubiri_cli.commands.output import UsageError, message
from cubiri_cli.games.game import InvalidOptionError
from cubiri_cli.replays import clock
from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import Player, ReplayError
from cubiri_cli.replays.session import Session
from cubiri_cli.store.settings import default_game, default_name, default_options, load, setting, settings_path
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain_at, explain_option, wrong_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from cubiri_cli.games.game import Game
    from cubiri_cli.replays.replay import Replay


def recorded_game(path: Path) -> Replay:
    """Return the recorded game that is to be played again; `UsageError` where the file holds none."""
    try:
        return read_file(path)
    except ReplayError as error:
        raise UsageError(f"--like: {path}: {explain_at(error.where, error.problem)}") from None


def game_wanted(name: str | None, like: Replay | None) -> type[Game] | None:
    """Return the game that is meant: the one named, that of the recorded game, or the default; None where none is.

    Raises `UsageError` where there is no such game, or the recorded one is of another.
    """
    if name is not None and like is not None and like.game != game_named(name).NAME:
        raise UsageError("--like: " + _("that is a game of {game}, not of {name}").format(game=like.game, name=name))
    chosen = name if name is not None else like.game if like is not None else default_game()
    return game_named(chosen) if chosen is not None else None


def options_wanted(game: type[Game], given: Mapping[str, str], like: Replay | None) -> dict[str, Any]:
    """Return the options of a new game: those given, those of the recorded game, the default ones, the first that is.

    Raises `UsageError`.
    """
    for error in load().wrong(setting(option.name) for option in game.OPTIONS):
        message(f"cubiri: {settings_path()}: {explain_option(error)}; " + _("the default holds"))
    recorded = like.options if like is not None else {}
    return {**default_options(game), **recorded, **parse_options(game, given)}


def players_wanted(names: Sequence[str], like: Replay | None = None) -> list[Player]:
    """Return the players: those named, those of a recorded game of several, or the one of the settings or the login.

    Raises `UsageError` for a wrong name.
    """
    if wrong := wrong_names(names):
        raise UsageError(f"--player: {wrong}")
    if not names and like is not None and len(like.players) > 1:
        names = [player.name for player in like.players]
    return [Player(name) for name in names or [default_name()]]


def begin(
    game: type[Game],
    options: Mapping[str, Any],
    players: Sequence[Player],
    seed: str | None,
    *,
    started: datetime | None = None,
    comment: str | None = None,
) -> Session:
    """Begin a new game, with a fresh seed where none is given; nothing keeps it yet. Raises `UsageError`."""
    try:
        chosen = seed or clock.fresh_seed()
        return Session.begin(game.NAME, options, players, chosen, started=started, comment=comment, rules=game.RULES)
    except InvalidOptionError as error:
        raise UsageError(explain_option(error)) from None
