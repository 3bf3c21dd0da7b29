"""`cubiri match`: two bots on the same dice, until it is decided which is better."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from cubiri_cli.commands.options import GAMES, bot_timeout_option, format_named, parse_whole, with_game_options
from cubiri_cli.commands.output import DONE, INTERRUPTED, UsageError, answering, write_for_programs
from cubiri_cli.commands.parameters import Argument, CommandOption
from cubiri_cli.table.language import N_, _
from cubiri_cli.terminal.printing import print_facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.commands.series import Simulation
    from cubiri_cli.players.comparing import Comparison

FORMATS = ("text", "json")
MOST_SEATS = 2


@with_game_options
def match(
    game: Annotated[str, Argument(metavar="GAME", help=GAMES)],
    bot: Annotated[
        list[str],
        CommandOption("--bot", metavar="BOT", help=_("A level, or the command of a program; to be given twice.")),
    ],
    games: Annotated[str, CommandOption("--games", metavar="N", help=_("How many pairs of games at most."))] = "2000",
    seats: Annotated[
        str, CommandOption("--seats", metavar="1|2", help=_("1: each plays alone; 2: against each other."))
    ] = "1",
    seed: Annotated[
        str | None, CommandOption("--seed", metavar="TEXT", help=_("Game number n has the seed TEXT-n."))
    ] = None,
    jobs: Annotated[
        str | None, CommandOption("--jobs", metavar="N", help=_("How many processes; as many as there are cores."))
    ] = None,
    bot_timeout: Annotated[str | None, bot_timeout_option()] = None,
    format: Annotated[str, CommandOption("--format", metavar="|".join(FORMATS), help=_("The output format."))] = "text",
    options: Mapping[str, str] | None = None,
) -> int:
    """Compare two bots on the same dice."""
    format = format_named(format, FORMATS)
    from cubiri_cli.commands.series import SeriesOptions, bot_named, play_all, simulation_of
    from cubiri_cli.players.bots import names_apart
    from cubiri_cli.players.comparing import Comparison, play_pair

    wanted = simulation_of(game, SeriesOptions(games, jobs, seed, bot_timeout, options or {}))
    if len(bot) != 2:
        raise UsageError("--bot: " + _("two bots are compared, not {count}").format(count=len(bot)))
    two = [bot_named(one, wanted.game.NAME) for one in bot]
    places = parse_whole("seats", seats, 1, min(MOST_SEATS, wanted.game.MOST_SEATS)) or 1
    judge = Comparison()
    with answering():
        done, interrupted = play_all(wanted, partial(play_pair, wanted.series, two, places), judge.is_decided_by)
        _report(wanted, places, names_apart([one.name for one in two]), Comparison(done), format)
    return INTERRUPTED if interrupted else DONE


HELP = (
    N_("Compare two bots on the same dice."),
    N_("It stops as soon as it is decided which is better, or that they are equally good."),
)

COMMAND = match


def _report(wanted: Simulation, seats: int, names: Sequence[str], found: Comparison, format: str) -> None:
    if format == "json":
        write_for_programs()
        print(json.dumps(as_data(wanted, seats, names, found), ensure_ascii=False))
        return
    from cubiri_cli.table.simulations import comparison_lines

    print_facts(comparison_lines(wanted.series, seats, names, found))


def as_data(wanted: Simulation, seats: int, names: Sequence[str], found: Comparison) -> dict[str, Any]:
    """Return what came of a match as programs read it (contract, bots.md)."""
    return {
        "game": wanted.series.game,
        "options": wanted.series.options,
        "seats": seats,
        "bots": list(names),
        "pairs": found.pairs,
        "means": found.means,
        "difference": found.difference,
        "stderr": found.test.stderr,
        "won": found.won,
        "drawn": found.drawn,
        "lost": found.lost,
        "decided": found.decided,
        "verdicts": [dict(one) for one in found.verdicts],
    }
