"""`cubiri hint`: the best choices in an unfinished game."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from cubiri_cli.commands.inputs import file_or_input
from cubiri_cli.commands.options import format_named
from cubiri_cli.commands.output import DONE, NO, UsageError, message, write_for_programs
from cubiri_cli.commands.parameters import Argument, CommandOption
from cubiri_cli.replays.reading import read
from cubiri_cli.replays.replay import ReplayError, UnreadableReplayError
from cubiri_cli.table.language import N_, _, speak, spoken
from cubiri_cli.table.messages import cannot_resume, explain, explain_at
from cubiri_cli.table.naming import names_shown
from cubiri_cli.table.style import STYLE
from cubiri_cli.terminal.printing import page_width, print_lines

if TYPE_CHECKING:
    from cubiri_cli.table.advice import HintTexts
    from cubiri_cli.table.transcript import Recording

FORMATS = ("text", "json")


def hint(
    file: Annotated[
        str | None,
        Argument(
            metavar="[FILE]", help=_("The replay of the game; by default the one played last. - is standard input.")
        ),
    ] = None,
    format: Annotated[str, CommandOption("--format", metavar="|".join(FORMATS), help=_("The output format."))] = "text",
) -> int:
    """Show the best choices in an unfinished game."""
    from cubiri_cli.players.advice import NoAdviceError
    from cubiri_cli.table.advice import hint_for

    format = format_named(format, FORMATS)
    name = file if file is not None else _latest()
    if name is None:
        return NO
    recording = _load(name)
    if isinstance(recording, str):
        message(f"cubiri: {name}: {recording}")
        return NO
    before = spoken()
    try:
        if format == "json":
            write_for_programs()
            speak("en")
        found = hint_for(recording.game(len(recording.steps)), recording.table)
        if format == "json":
            print(json.dumps(_as_data(recording, found), ensure_ascii=False))
            return DONE
    except NoAdviceError as error:
        message(f"cubiri: {explain(error.problem)}")
        return NO
    finally:
        speak(before)
    _show(recording, found)
    return DONE


HELP = (
    N_("Show the best choices in an unfinished game."),
    N_("What each is worth, what it loses against the best one, and why. Nothing is logged; h at the table is."),
)

COMMAND = hint


def _latest() -> str | None:
    """Return the file of the unfinished game that was played last; of what was played later it is said what is wrong.

    None where all are damaged. Raises `UsageError` where there are none at all.
    """
    from cubiri_cli.store.unfinished import unfinished

    saved = None
    for saved in unfinished():
        if saved.can_resume:
            return str(saved.path)
        message(f"cubiri: {saved.path}: {cannot_resume(saved.verdict)}")
    if saved is None:
        raise UsageError(_("there is no unfinished game"))
    return None


def _load(name: str) -> Recording | str:
    """Return the unfinished game in a file, or why there is nothing to advise. Raises `UsageError` for no file."""
    from cubiri_cli.replays.history import history
    from cubiri_cli.table.transcript import Recording

    try:
        played = history(read(file_or_input(name)))
    except UnreadableReplayError as error:
        raise UsageError(f"{name}: {explain_at(error.problem)}") from None
    except ReplayError as error:
        return explain_at(error.problem)
    verdict = played.verdict
    if verdict.status == "verified":
        return _("this game is finished")
    if verdict.status != "unfinished":
        return explain_at(verdict.problem, verdict.game)
    return Recording(played)


def _as_data(recording: Recording, found: HintTexts) -> dict[str, Any]:
    """Return a hint as programs read it (contract, advice.md)."""
    game = recording.game(len(recording.steps))
    choices = [{**one._asdict(), "actions": list(one.actions)} for one in found.choices]
    return {
        "game": recording.replay.game,
        "turn": recording.turns + (not game.in_turn),
        "seat": game.seat,
        "unit": found.unit,
        "error": found.error,
        "nudge": found.nudge,
        "choices": choices,
    }


def _show(recording: Recording, found: HintTexts) -> None:
    from cubiri_cli.table.advice import hint_lines
    from cubiri_cli.table.transcript import state_text

    recording.names, columns = names_shown(recording.names), page_width()
    last = len(recording.steps)
    print_lines(state_text(recording, last, columns, words=STYLE.plain))
    print_lines([[], *hint_lines(found, recording.game(last), recording.table, columns)])
