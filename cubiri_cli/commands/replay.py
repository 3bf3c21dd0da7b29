"""`cubiri replay`: a recorded game to watch, to read, or as data and pictures for elsewhere."""

from __future__ import annotations

from typing import Annotated

from cubiri_cli.commands.options import format_named, parse_whole
from cubiri_cli.commands.output import DONE, UsageError
from cubiri_cli.commands.parameters import Argument, CommandOption
from cubiri_cli.table.language import N_, _

FORMATS = ("text", "json", "svg", "cast", "html")
MOST_TURNS = 1_000_000
"""A file of 1 MiB holds a twentieth of that."""


def replay(
    file: Annotated[
        str | None, Argument(metavar="[FILE]", help=_("The replay; - is standard input. Without one you are asked."))
    ] = None,
    turn: Annotated[
        str | None, CommandOption("--turn", metavar="N", help=_("Show the state after turn N; 0 is before the first."))
    ] = None,
    format: Annotated[
        str | None,
        CommandOption(
            "--format", metavar="|".join(FORMATS), help=_("Write it in this format instead of playing it back.")
        ),
    ] = None,
    speed: Annotated[
        str | None,
        CommandOption("--speed", metavar="FACTOR", help=_("The speed of playback, and of a cast: 2 is twice as fast.")),
    ] = None,
    advice: Annotated[
        bool, CommandOption("--advice", help=_("Say beside each state how good it was, and what was better."))
    ] = False,
    step: Annotated[
        bool, CommandOption("--step", help=_("Start paused, to go step by step, as it does where animation is off."))
    ] = False,
) -> int:
    """Watch a recorded game. Nothing is written anywhere."""
    from cubiri_cli.commands import replaying  # not for a help page

    format = None if format is None else format_named(format, FORMATS)
    factor, number = replaying.speed_of(speed), parse_whole("turn", turn, 0, MOST_TURNS)
    if number is not None and format in ("cast", "html"):
        raise UsageError(_("--turn: a {format} is of the whole game").format(format=format))
    if file is None and (file := replaying.ask_file()) is None:
        return DONE
    return replaying.show(file, format, number, factor, advice=advice, step=step)


HELP = (
    N_("Watch a recorded game. Nothing is written anywhere."),
    N_(
        "On a terminal it is played back: space pauses, arrows step, g goes to a turn, + and - change the speed, ? "
        "shows all keys. Elsewhere, and with --turn, --plain or --format text, it is plain text."
    ),
    N_(
        "--format json writes one object a line: state 0, then one after each entry, with turn, entry, player "
        "(seat, name), action, dice, events, comment, and state: over, in_turn, player (the seat on turn), what "
        "the game has (board, dice, at_risk ...), and result as in the replay, of the game so far. Values are "
        "in points. State 0 has replay as well: game, rules, dice, seed, options, players, started. With --turn only"
        " the state after that turn."
    ),
    N_(
        "With --advice each state says the luck of its roll, or how good the decision was: right, or its mark with "
        "what was better and why; in JSON as advice, an array with what cubiri analyze says of the entry."
    ),
    N_("--format svg writes a picture of the last state, or of the one after --turn, for a README or a web page."),
    N_("--format cast writes a recording of the whole game for asciinema (version 2)."),
    N_(
        "--format html writes a page to send or to publish: the whole game to watch, its result, the verdict, and the"
        " replay to save. All is inside; it asks for nothing from anywhere."
    ),
    N_("A game with a mistake is shown up to there; then one line says what is wrong and where, with exit status 1."),
)

COMMAND = replay
