"""What a player chose last: it is offered first the next time. Nothing is kept for that: the games at home know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.replays import clock
from cubiri_cli.store.played import games_played
from cubiri_cli.store.settings import Name, OptionDefault, load

if TYPE_CHECKING:
    from cubiri_cli.games.game import Game, WholeOption, WordOption
    from cubiri_cli.store.played import Played


def last_game(name: str | None = None) -> Played | None:
    """Return the game begun last whose choices were the player's, be it of this game alone; None where there is none.

    The day's challenge is nobody's choice.
    """
    chosen = (
        one for one in games_played() if one.game and name in (None, one.game) and clock.day_of_seed(one.seed) is None
    )
    return max(chosen, key=lambda one: (one.changed if one.started is None else one.started, one.name), default=None)


def last_option(game: type[Game], option: WordOption | WholeOption) -> str | int | None:
    """Return what was chosen last for an option of a game; None for nothing yet, or where the settings have it."""
    if load().is_chosen(OptionDefault(option.name, (option,))):
        return None
    last = last_game(game.NAME)
    value: str | int | None = (last.options or {}).get(option.name) if last is not None else None
    return value


def last_players(game: type[Game]) -> list[tuple[str, str | None]]:
    """Return who played a game last, and what bot each was; nobody where that was not the player of the settings."""
    last, chosen = last_game(game.NAME), load().get(Name("name"))
    if last is None or chosen not in (None, *last.players):
        return []
    return list(zip(last.players, last.bots, strict=True))
