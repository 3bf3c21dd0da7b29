"""`cubiri resume`: go on with an unfinished game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cubiri_cli.commands.output import NO, UsageError, message
from cubiri_cli.commands.sitting import need_terminal, play_at_table
from cubiri_cli.replays.replay import ReplayError, UnreadableReplayError
from cubiri_cli.replays.session import NotResumableError
from cubiri_cli.store.locks import InUseError
from cubiri_cli.store.saved import Keeper, go_on, unfinished
from cubiri_cli.table.language import N_, _
from cubiri_cli.table.messages import explain_at


class NotGoneOnError(ValueError):
    """A game that cannot be gone on with: finished, not what its seed and rules allow, or being played elsewhere.

    Its text is the one line that is shown.
    """


def resume(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help=_("The replay of the game; by default the one played last."))
    ] = None,
) -> int:
    """Go on with an unfinished game, exactly where it stopped."""
    path = Path(file) if file is not None else next(unfinished(), None)
    if path is None:
        raise UsageError(_("there is no unfinished game to go on with"))
    try:
        keeper = opened(path)
    except NotGoneOnError as error:
        message(f"cubiri: {error}")
        return NO
    try:
        need_terminal(_("cubiri play --script FILE plays without one"))
        return play_at_table(keeper)
    finally:
        keeper.release()


HELP = (N_("Go on with an unfinished game, exactly where it stopped."),)

COMMAND = resume


def opened(path: Path) -> Keeper:
    """Return the keeper of the unfinished game in a file, which holds the session to go on with.

    Raises `UsageError` where there is no such file, `NotGoneOnError` where the game in it cannot be gone on with.
    """
    try:
        return go_on(path)
    except InUseError:
        raise NotGoneOnError(_("{path}: this game is being played in another terminal").format(path=path)) from None
    except UnreadableReplayError as error:
        raise UsageError(f"{path}: {explain_at(error.where, error.problem)}") from None
    except ReplayError as error:
        wrong = explain_at(error.where, error.problem)
    except NotResumableError as error:
        verdict = error.verdict
        if verdict.problem is None:
            raise NotGoneOnError(_("{path}: this game is finished").format(path=path)) from None
        wrong = explain_at(verdict.where, verdict.problem, verdict.game)
    raise NotGoneOnError(_("{path}: this is not what was played: {problem}").format(path=path, problem=wrong))
