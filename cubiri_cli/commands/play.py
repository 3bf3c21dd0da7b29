"""`cubiri play`: a game at the prompt, or a script."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from cubiri_cli.commands.options import (
    GAMES,
    bot_option,
    bot_timeout_option,
    chosen_seed,
    parse_bots,
    parse_timeout,
    with_game_options,
)
from cubiri_cli.commands.output import UsageError
from cubiri_cli.commands.parameters import Argument, CommandOption
from cubiri_cli.replays.names import typed_name
from cubiri_cli.table.language import N_, _


@with_game_options
def play(
    game: Annotated[str | None, Argument(metavar="[GAME]", help=f"{GAMES}.")] = None,
    player: Annotated[
        list[str] | None,
        CommandOption("--player", metavar="NAME", help=_("A player's name; repeat it for more players.")),
    ] = None,
    bot: Annotated[list[str] | None, bot_option(_("A bot plays too: a level or a program; repeatable."))] = None,
    bot_timeout: Annotated[str | None, bot_timeout_option()] = None,
    seed: Annotated[str | None, CommandOption(metavar="TEXT", help=_("Play with the dice of this seed."))] = None,
    daily: Annotated[bool, CommandOption("--daily", help=_("Play with today's seed, the same for everybody."))] = False,
    like: Annotated[
        str | None, CommandOption(metavar="REPLAY", help=_("Play with the seed and options of a recorded game."))
    ] = None,
    script: Annotated[
        str | None, CommandOption(metavar="FILE", help=_("Play the actions of a file; - is standard input."))
    ] = None,
    output: Annotated[
        Path | None, CommandOption(metavar="FILE", help=_("Write the replay here, and nothing anywhere else."))
    ] = None,
    options: Mapping[str, str] | None = None,
) -> int:
    """Play a game: at the prompt, or from a script."""
    if like is not None and (seed is not None or daily):
        raise UsageError(_("{options} exclude each other").format(options="--like, --seed/--daily"))
    from cubiri_cli.commands import newgame, sitting  # not for a help page

    recorded = newgame.recorded_game(like) if like is not None else None
    dice = recorded.seed if recorded is not None else chosen_seed(seed, daily)
    order = newgame.Order(
        game,
        options or {},
        [*map(typed_name, player or ())],
        parse_bots(bot or ()),
        seed=dice,
        like=recorded,
        output=output,
    )
    timeout = parse_timeout(bot_timeout)
    return sitting.play_order(order, timeout) if script is None else sitting.play_script(script, order, timeout)


HELP = (N_("Play a game: at the prompt, or from a script."),)

COMMAND = play
