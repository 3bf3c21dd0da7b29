"""`cubiri replay`: a recorded game to watch, to read, or as data and pictures for elsewhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from cubiri_cli.commands.inputs import file_or_input, find_game
from cubiri_cli.commands.options import format_named, parse_decimal, parse_whole
from cubiri_cli.commands.output import DONE, NO, UsageError, message, write_for_programs
from cubiri_cli.commands.parameters import Argument, CommandOption
from cubiri_cli.players.advice import NoAdviceError
from cubiri_cli.replays.folders import is_missing
from cubiri_cli.replays.replay import ReplayError, UnreadableReplayError
from cubiri_cli.table.language import N_, _
from cubiri_cli.table.messages import explain, explain_at
from cubiri_cli.table.style import STYLE
from cubiri_cli.terminal.printing import is_terminal, print_lines, terminal_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cubiri_cli.players.analysis import JudgedMoment
    from cubiri_cli.table.transcript import Recording

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
    format = None if format is None else format_named(format, FORMATS)
    factor, number = _speed(speed), parse_whole("turn", turn, 0, MOST_TURNS)
    if number is not None and format in ("cast", "html"):
        raise UsageError(_("--turn: a {format} is of the whole game").format(format=format))
    if file is None and (file := _ask()) is None:
        return DONE
    loaded = _load(file)
    if isinstance(loaded, str):
        message(f"cubiri: {file}: {loaded}")
        return NO
    recording, data = loaded
    judged: Mapping[int, Sequence[JudgedMoment]] | None = None
    if advice:
        try:
            judged = _judged(recording)
        except NoAdviceError as error:
            message(f"cubiri: {explain(error.problem)}")
            return NO
    state = _state_after(recording, number, file)
    if format not in (None, "text"):
        write_for_programs()
    if format == "json":
        _write_json(recording, number, state, judged)
    elif format == "svg":
        _write_svg(recording, state)
    elif format == "cast":
        _write_cast(recording, factor)
    elif format == "html":
        _write_html(recording, data)
    elif format is None and number is None and is_terminal() and not STYLE.plain:
        _watch(recording, factor, step)
    else:
        _write_text(recording, number, state)
    return _end(file, recording)


def _end(file: str, recording: Recording) -> int:
    """Say what is wrong with a game that has been shown as far as it is, and return the exit status."""
    if not recording.complaint:
        return DONE
    print(end="", flush=True)  # in this order where both streams are one
    message(f"cubiri: {file}: {recording.complaint}")
    return NO


def _ask() -> str | None:
    """Ask which game is watched; None for the way back. Raises `UsageError` where there is no terminal."""
    from cubiri_cli.store.played import games_played
    from cubiri_cli.terminal.menu import ask_replay
    from cubiri_cli.terminal.opening import open_prompter
    from cubiri_cli.terminal.signals import ending_signals

    if not is_terminal():
        raise UsageError(_("name a replay, or - for standard input"))
    with ending_signals(), open_prompter() as prompter:
        picked = ask_replay(prompter, games_played(), is_watched=True)
    return None if picked is None else str(picked.path.absolute())


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


def _speed(text: str | None) -> float:
    from cubiri_cli.terminal.watching import FASTEST, SLOWEST

    factor = 1.0 if text is None else parse_decimal(text)
    if factor is None or not SLOWEST <= factor <= FASTEST:
        raise UsageError(_("--speed: expected a number from {low:g} to {high:g}").format(low=SLOWEST, high=FASTEST))
    return factor


def _load(file: str) -> tuple[Recording, bytes] | str:
    """Return the game in a file and the bytes of it, or what is wrong with the file.

    Raises `UsageError` where there is no such file.
    """
    from cubiri_cli.replays.history import history
    from cubiri_cli.replays.reading import read
    from cubiri_cli.table.transcript import Recording

    try:
        data = file_or_input(file)
        return Recording(history(read(data))), data
    except ReplayError as error:
        reason = explain_at(error.problem)
        if isinstance(error, UnreadableReplayError) and file != "-" and is_missing(str(find_game(file))):
            raise UsageError(f"{file}: {reason}") from None
        return reason


def _state_after(recording: Recording, turn: int | None, file: str) -> int | None:
    """Return the state that was asked for, the last one by default; None where the game is wrong before it."""
    from cubiri_cli.table.transcript import NoSuchTurnError

    if turn is None:
        return len(recording.steps)
    try:
        return recording.last_of(turn)
    except NoSuchTurnError as error:
        raise UsageError(f"--turn {turn}: {error} ({file})") from None


def _columns() -> int:
    return max(40, min(100, terminal_size().columns))


def _write_text(recording: Recording, turn: int | None, state: int | None) -> None:
    from cubiri_cli.table.naming import names_shown
    from cubiri_cli.table.transcript import state_text, transcript

    recording.names = names_shown(recording.names)
    if turn is None:
        for lines in transcript(recording, _columns(), words=STYLE.plain):
            print_lines(lines)
    elif state is not None:
        print_lines(state_text(recording, state, _columns(), words=STYLE.plain))


def _judged(recording: Recording) -> Mapping[int, Sequence[JudgedMoment]]:
    """Let a recording say how good each decision was; return its moments by state. Raises `NoAdviceError`."""
    from cubiri_cli.table.analysis import advise

    return advise(recording)


def _write_json(
    recording: Recording,
    turn: int | None,
    state: int | None,
    judged: Mapping[int, Sequence[JudgedMoment]] | None,
) -> None:
    from cubiri_cli.players.analysis import moment_data
    from cubiri_cli.replays.history import first_state, state_after

    replay = recording.replay
    if turn == 0 or turn is None:
        print(json.dumps(first_state(replay) | ({"advice": []} if judged is not None else {})))
    numbers = range(1, len(recording.steps) + 1) if turn is None else [state] if state else []
    for number in numbers:
        data = state_after(replay, recording.steps[number - 1])
        if judged is not None:
            data["advice"] = [moment_data(moment) for moment in judged.get(number, ())]
        print(json.dumps(data))


def _write_svg(recording: Recording, state: int | None) -> None:
    from cubiri_cli.table import pictures

    if state is None:
        return
    lines = recording.picture(state, pictures.COLUMNS - 4, pictures.ROWS)
    print(pictures.svg(lines, [recording.table.TITLE + ".", *recording.words(state)], STYLE.color), end="")


def _write_cast(recording: Recording, speed: float) -> None:
    from cubiri_cli.table.pictures import cast

    for one in cast(recording, speed, STYLE.color, "ascii" if STYLE.ascii else "utf-8"):
        print(one)


def _write_html(recording: Recording, data: bytes) -> None:
    from cubiri_cli.table.replay_page import replay_page

    print(replay_page(recording, data), end="")


def _watch(recording: Recording, speed: float, step: bool) -> None:
    """Play the game on the terminal; what it came to stays there when the viewer has seen its end.

    Where nothing can be drawn it is plain text.
    """
    from cubiri_cli.table.naming import names_shown
    from cubiri_cli.terminal.prompter import NoScreenError
    from cubiri_cli.terminal.watching import watch

    recording.names = names_shown(recording.names)
    try:
        if watch(recording, speed, step or not STYLE.animation):
            print_lines(recording.breakdown())
    except NoScreenError:
        _write_text(recording, None, len(recording.steps))
