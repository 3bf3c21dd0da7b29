"""`cubiri share`: a finished game in at most five lines to send to others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cubiri_cli.commands.inputs import find_game
from cubiri_cli.commands.output import DONE, NO, UsageError, message
from cubiri_cli.commands.parameters import Argument
from cubiri_cli.replays.clock import day_of_seed
from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import ReplayError, UnreadableReplayError
from cubiri_cli.table.language import N_, _
from cubiri_cli.table.messages import explain_at
from cubiri_cli.table.style import STYLE
from cubiri_cli.terminal.printing import print_texts

if TYPE_CHECKING:
    from pathlib import Path

    from cubiri_cli.replays.history import History


def share(
    file: Annotated[str | None, Argument(metavar="[FILE]", help=_("A finished game; by default the latest."))] = None,
) -> int:
    """Show a finished game in a few lines to send to others."""
    from cubiri_cli.replays.history import history

    path = latest() if file is None else find_game(file)
    try:
        shared = history(read_file(path))
    except UnreadableReplayError as error:
        raise UsageError(f"{path}: {explain_at(error.problem)}") from None
    except ReplayError as error:
        message(f"cubiri: {path}: {explain_at(error.problem)}")
        return NO
    verdict = shared.verdict
    if verdict.status != "verified":
        message(f"cubiri: {path}: {explain_at(verdict.problem, verdict.game)}")
        return NO
    print_texts(shared_texts(shared))
    return DONE


def latest() -> Path:
    """Return the file of the game that was finished last. Raises `UsageError` where there is none."""
    from cubiri_cli.store.played import games_played

    finished = next((one for one in games_played() if one.is_finished), None)
    if finished is None:
        raise UsageError(_("there is no finished game yet"))
    return finished.path


def shared_texts(history: History) -> list[str]:
    """Return the lines that share a finished game that verified; with the streak where it counts in one."""
    from cubiri_cli.store.days import days_of
    from cubiri_cli.store.played import games_played
    from cubiri_cli.table.sharing import share_lines

    replay = history.replay
    streak, day = 0, day_of_seed(replay.seed)
    if day is not None and len(replay.players) == 1:
        days = days_of(games_played(), replay.players[0].name)
        counting = days.counting.get(day)
        if counting is not None and counting.digest == replay.digest:
            streak = days.streak(day)
    return share_lines(history, streak, STYLE.plain)


HELP = (
    N_("Show a finished game in a few lines to send to others."),
    N_("They tell how it went and give no die away, and end with the command that plays the same dice."),
)

COMMAND = share
