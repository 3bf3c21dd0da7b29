"""`cubiri resume`: go on with an unfinished game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cubiri_cli.commands.inputs import find_game
from cubiri_cli.commands.newgame import warn_without_locks
from cubiri_cli.commands.options import bot_option, bot_timeout_option, parse_bots, parse_timeout
from cubiri_cli.commands.output import DONE, NO, UsageError, message
from cubiri_cli.commands.parameters import Argument
from cubiri_cli.commands.sitting import need_terminal, play_at_table
from cubiri_cli.replays.replay import ReplayError
from cubiri_cli.replays.session import NotResumableError
from cubiri_cli.replays.verifying import verify_file
from cubiri_cli.store.locks import InUseError
from cubiri_cli.store.saved import Keeper
from cubiri_cli.store.unfinished import unfinished
from cubiri_cli.table.language import N_, _
from cubiri_cli.table.messages import cannot_resume, explain
from cubiri_cli.terminal.menu import ask_unfinished
from cubiri_cli.terminal.opening import open_prompter
from cubiri_cli.terminal.printing import is_terminal
from cubiri_cli.terminal.signals import ending_signals


class CannotResumeError(ValueError):
    """A game that cannot be resumed: finished, not what its seed and rules allow, damaged, or being played elsewhere.

    Its text is the one line that is shown.
    """


def resume(
    file: Annotated[
        str | None, Argument(metavar="[FILE]", help=_("The replay of the game; of several you are asked."))
    ] = None,
    bot: Annotated[list[str] | None, bot_option(_("Who plays for a bot; for a program it has to be said."))] = None,
    bot_timeout: Annotated[str | None, bot_timeout_option()] = None,
) -> int:
    """Continue an unfinished game exactly where it stopped."""
    given, timeout = parse_bots(bot or ()), parse_timeout(bot_timeout)
    warn_without_locks()
    try:
        keeper = open_game(find_game(file)) if file is not None else _open_one()
    except CannotResumeError as error:
        message(f"cubiri: {error}")
        return NO
    if isinstance(keeper, int):
        return keeper
    try:
        need_terminal(_("cubiri play --script FILE plays without one"))
        return play_at_table(keeper, given, timeout)
    finally:
        keeper.release()


HELP = (N_("Continue an unfinished game exactly where it stopped."),)

COMMAND = resume


def _open_one() -> Keeper | int:
    """Open an unfinished game: where several can be resumed, and there is a terminal, the one that is chosen.

    Else it is the one played last that can be resumed; of each that was played later it is said why it cannot. Return
    an exit status where no game is opened; raise `UsageError` where there are none at all.
    """
    saves = list(unfinished())
    if not saves:
        raise UsageError(_("there is no unfinished game"))
    if is_terminal() and sum(saved.can_resume for saved in saves) > 1:
        with ending_signals(), open_prompter() as prompter:
            path = ask_unfinished(prompter, saves)
        return DONE if path is None else open_game(path)
    for saved in saves:
        try:
            return open_game(saved.path)
        except (CannotResumeError, UsageError) as error:
            message(f"cubiri: {error}")
    return NO


def open_game(path: Path) -> Keeper:
    """Return the keeper of the unfinished game in a file, which holds the session to go on with.

    Raises `UsageError` where the file cannot be read, `CannotResumeError` where the game in it cannot be resumed.
    """
    try:
        return Keeper.resume(path)
    except InUseError as error:
        raise CannotResumeError(f"{path}: {explain(error.problem)}") from None
    except NotResumableError as error:
        verdict = error.verdict
    except ReplayError:
        verdict = verify_file(path)
    if verdict.status == "verified":
        raise CannotResumeError(_("{path}: this game is finished").format(path=path))
    if verdict.status == "unreadable":
        raise UsageError(f"{path}: {cannot_resume(verdict)}")
    raise CannotResumeError(f"{path}: {cannot_resume(verdict)}")
