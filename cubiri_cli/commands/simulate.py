"""`cubiri simulate`: a bot plays many games, and what came of them in numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cubiri_cli.commands.options import GAMES, bot_timeout_option, format_named, with_game_options
from cubiri_cli.commands.output import DONE, INTERRUPTED, UsageError, answering, message, write_for_programs
from cubiri_cli.commands.parameters import Argument, CommandOption
from cubiri_cli.table.language import N_, _
from cubiri_cli.terminal.printing import print_facts

if TYPE_CHECKING:
    from cubiri_cli.commands.series import Simulation
    from cubiri_cli.players.bots import Bot
    from cubiri_cli.players.series import Figures, Series, Tally

FORMATS = ("text", "json")


@with_game_options
def simulate(
    game: Annotated[str, Argument(metavar="GAME", help=GAMES)],
    bot: Annotated[str, CommandOption("--bot", metavar="BOT", help=_("A level, or the command of a program."))],
    games: Annotated[str, CommandOption("--games", metavar="N", help=_("How many games."))] = "1000",
    seed: Annotated[
        str | None, CommandOption("--seed", metavar="TEXT", help=_("Game number n has the seed TEXT-n."))
    ] = None,
    jobs: Annotated[
        str | None, CommandOption("--jobs", metavar="N", help=_("How many processes; as many as there are cores."))
    ] = None,
    bot_timeout: Annotated[str | None, bot_timeout_option()] = None,
    output: Annotated[
        str | None, CommandOption("--output", metavar="FOLDER", help=_("Write the replays of the games here."))
    ] = None,
    format: Annotated[str, CommandOption("--format", metavar="|".join(FORMATS), help=_("The output format."))] = "text",
    options: Mapping[str, str] | None = None,
) -> int:
    """Let a bot play many games."""
    format = format_named(format, FORMATS)
    from cubiri_cli.commands.series import SeriesOptions, bot_named, play_all, simulation_of
    from cubiri_cli.players.series import Tally

    wanted = simulation_of(game, SeriesOptions(games, jobs, seed, bot_timeout, options or {}))
    who = bot_named(bot, wanted.game.NAME)
    series = wanted.series if output is None else wanted.series._replace(keep=partial(_keep, _folder(output)))
    with answering():
        done, interrupted = play_all(wanted, partial(_play, series, who))
        _report(wanted, who, Tally(done), format)
    return INTERRUPTED if interrupted else DONE


HELP = (
    N_("Let a bot play many games."),
    N_("Mean, deviation, quantiles, and what happened in a game. The same seed gives the same games."),
)

COMMAND = simulate


def _play(series: Series, bot: Bot, number: int) -> Figures:
    from cubiri_cli.players.series import figures_of

    return figures_of(series.play(number, [bot]))


def _folder(typed: str) -> Path:
    """Return the folder for the replays, made where there is none. Raises `OSError`, `UsageError`."""
    from cubiri_cli.store.files import make_folder

    folder = Path(typed)
    if not typed:
        raise UsageError("--output: " + _("name a folder; for the current one, type ."))
    if folder.exists() and not folder.is_dir():
        raise UsageError("--output: " + _("{path} is not a folder").format(path=folder))
    make_folder(folder)
    return folder


def _keep(folder: Path, seed: str, record: bytes | None) -> None:
    """Write the record of a game; the same one may be there already. Raises `OSError`."""
    from cubiri_cli.store.files import create

    if record is None:
        text = _("game {seed} is counted but not written: its record would be too large to be read again")
        message("cubiri: --output: " + text.format(seed=seed))
        return
    path = folder / f"{seed}.toml"
    try:
        create(path, record, sync=False)
    except FileExistsError as error:
        if not path.is_file() or path.read_bytes() != record:
            raise FileExistsError(error.errno, error.strerror, str(path)) from None


def _report(wanted: Simulation, bot: Bot, tally: Tally, format: str) -> None:
    if format == "json":
        write_for_programs()
        print(json.dumps(as_data(wanted, bot, tally), ensure_ascii=False))
        return
    from cubiri_cli.table.simulations import tally_lines

    print_facts(tally_lines(wanted.series, bot.name, tally))


def as_data(wanted: Simulation, bot: Bot, tally: Tally) -> dict[str, Any]:
    """Return what came of the games as programs read it (contract, bots.md)."""
    from cubiri_cli.players.series import QUANTILES

    blank = wanted.series.blank()
    return {
        "game": wanted.series.game,
        "options": wanted.series.options,
        "bot": bot.name,
        "seed": wanted.series.seed,
        "games": tally.games,
        "unit": blank.unit,
        "mean": tally.mean,
        "stderr": tally.stderr,
        "stdev": tally.stdev,
        "quantiles": {str(percent): tally.quantile(percent) for percent in QUANTILES},
        "min": tally.least,
        "max": tally.most,
        **(tally.means or dict.fromkeys(blank.counts)),
        "verdicts": dict(tally.verdicts),
    }
