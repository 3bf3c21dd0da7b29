"""Showing a recorded game: on the terminal, as text, as data, and as pictures for elsewhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cubiri_cli.commands.inputs import file_or_input, find_game
from cubiri_cli.commands.options import parse_decimal
from cubiri_cli.commands.output import DONE, NO, UsageError, message, write_for_programs
from cubiri_cli.players.advice import NoAdviceError
from cubiri_cli.replays.folders import is_missing
from cubiri_cli.replays.history import first_state, history, state_after
from cubiri_cli.replays.reading import read
from cubiri_cli.replays.replay import ReplayError, UnreadableReplayError
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain, explain_at
from cubiri_cli.table.naming import names_shown
from cubiri_cli.table.style import STYLE
from cubiri_cli.table.transcript import NoSuchTurnError, Recording, state_text, transcript
from cubiri_cli.terminal.opening import open_prompter
from cubiri_cli.terminal.printing import is_terminal, print_lines, terminal_size
from cubiri_cli.terminal.prompter import NoScreenError
from cubiri_cli.terminal.signals import ending_signals
from cubiri_cli.terminal.watching import FASTEST, SLOWEST, watch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cubiri_cli.players.analysis import JudgedMoment


def ask_file() -> str | None:
    """Ask which game is watched; None for the way back. Raises `UsageError` where there is no terminal."""
    from cubiri_cli.store.played import games_played
    from cubiri_cli.terminal.menu import ask_replay

    if not is_terminal():
        raise UsageError(_("name a replay, or - for standard input"))
    with ending_signals(), open_prompter() as prompter:
        picked = ask_replay(prompter, games_played(), is_watched=True)
    return None if picked is None else str(picked.path.absolute())


def speed_of(text: str | None) -> float:
    """Return the speed that was typed, 1 where none was. Raises `UsageError`."""
    factor = 1.0 if text is None else parse_decimal(text)
    if factor is None or not SLOWEST <= factor <= FASTEST:
        raise UsageError(_("--speed: expected a number from {low:g} to {high:g}").format(low=SLOWEST, high=FASTEST))
    return factor


def show(file: str, format: str | None, turn: int | None, speed: float, *, advice: bool, step: bool) -> int:
    """Show a game in a format, None for the usual way; all of it, or the state after a turn. Return the exit status.

    Raises `UsageError` where there is no such file or no such turn.
    """
    loaded = _load(file)
    if isinstance(loaded, str):
        message(f"cubiri: {file}: {loaded}")
        return NO
    recording, data = loaded
    judged: Mapping[int, Sequence[JudgedMoment]] | None = None
    if advice:
        try:
            judged = _judge(recording)
        except NoAdviceError as error:
            message(f"cubiri: {explain(error.problem)}")
            return NO
    state = _state_after(recording, turn, file)
    if format not in (None, "text"):
        write_for_programs()
    if format == "json":
        _write_json(recording, turn, state, judged)
    elif format == "svg":
        _write_svg(recording, state)
    elif format == "cast":
        _write_cast(recording, speed)
    elif format == "html":
        _write_html(recording, data)
    elif format is None and turn is None and is_terminal() and not STYLE.plain:
        _play_back(recording, speed, step)
    else:
        _write_text(recording, turn, state)
    return _end(file, recording)


def _load(file: str) -> tuple[Recording, bytes] | str:
    """Return the game in a file and the bytes of it, or what is wrong with the file.

    Raises `UsageError` where there is no such file.
    """
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
    if turn is None:
        return len(recording.steps)
    try:
        return recording.last_of(turn)
    except NoSuchTurnError as error:
        raise UsageError(f"--turn {turn}: {error} ({file})") from None


def _columns() -> int:
    return max(40, min(100, terminal_size().columns))


def _write_text(recording: Recording, turn: int | None, state: int | None) -> None:
    recording.names = names_shown(recording.names)
    if turn is None:
        for lines in transcript(recording, _columns(), words=STYLE.plain):
            print_lines(lines)
    elif state is not None:
        print_lines(state_text(recording, state, _columns(), words=STYLE.plain))


def _judge(recording: Recording) -> Mapping[int, Sequence[JudgedMoment]]:
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


def _play_back(recording: Recording, speed: float, step: bool) -> None:
    """Play the game on the terminal; what it came to stays there when the viewer has seen its end.

    Where nothing can be drawn it is plain text.
    """
    recording.names = names_shown(recording.names)
    try:
        if watch(recording, speed, step or not STYLE.animation):
            print_lines(recording.breakdown())
    except NoScreenError:
        _write_text(recording, None, len(recording.steps))


def _end(file: str, recording: Recording) -> int:
    """Say what is wrong with a game that has been shown as far as it is, and return the exit status."""
    if not recording.complaint:
        return DONE
    print(end="", flush=True)  # in this order where both streams are one
    message(f"cubiri: {file}: {recording.complaint}")
    return NO
