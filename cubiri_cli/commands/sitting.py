"""Sitting at a game: it is played at the prompt or by a script, then left: its result, its replay, its rank."""

from __future__ import annotations

import contextlib
import sys
from functools import partial
from typing import TYPE_CHECKING

from cubiri_cli.commands.newgame import Order, again, ask_order, check_output, keeper_of, read_script
from cubiri_cli.commands.output import DONE, INTERRUPTED, LEFT, NO, USAGE, UsageError, message
from cubiri_cli.players.player import BotError
from cubiri_cli.replays.session import FullRecordError
from cubiri_cli.store.leaderboard import LeaderboardError
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain, explain_at, explain_failure, not_stored, summary, table_of, unexpected
from cubiri_cli.terminal.ending import print_result, print_whereabouts
from cubiri_cli.terminal.printing import is_terminal, pass_on, print_texts, table_width
from cubiri_cli.terminal.questions import pick

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cubiri_cli.games.problem import ProblemError
    from cubiri_cli.players.bots import Bot
    from cubiri_cli.replays.session import Session
    from cubiri_cli.store.saved import Keeper


def need_terminal(instead: str) -> None:
    """Raise `UsageError` where people cannot be asked: standard input or standard output is no terminal."""
    if not is_terminal():
        raise UsageError(_("playing at the prompt needs a terminal; {instead}").format(instead=instead))


def play_order(order: Order, timeout: float | None = None) -> int:
    """Play a new game at the prompt; what is left open of a game that is not named is asked."""
    if order.output is not None:
        check_output(order.output, may_exist=False)
    # What is wrong is told before the terminal is looked for: that holds wherever it is called.
    session = order.begin() if order.wanted_game() is not None else None
    order.wanted_players(order.wanted_game())
    need_terminal(_("--script FILE plays without one"))
    if session is None:
        answered = ask_order(order)
        if answered is None:
            return DONE
        session = answered.begin()
    return play_at_table(keeper_of(session, order.output), order.bots, timeout)


def play_at_table(
    keeper: Keeper, given: Sequence[Bot] = (), timeout: float | None = None, from_menu: bool = False
) -> int:
    """Play a game, new or resumed, and those that follow it, until the player leaves. Return the exit status.

    It is `TO_MENU` where the main menu comes next; with `from_menu` that is so after every game that was finished,
    and it is `LEFT` where the player saved a game and quit.
    Bots sit down as `given`, else as the record says. Raises `UsageError` where one of them cannot.
    """
    from cubiri_cli.terminal.playing import Departure, play

    bots = _bots_of(keeper.session, given)
    while True:
        try:
            left = play(keeper.session, bots, timeout)
        except (BotError, FullRecordError) as error:
            return _leave_without(keeper, error)
        if left is Departure.INTERRUPTED:
            return _leave_at_once(keeper)
        if left is Departure.NEW:
            order = _ask_for_another(keeper.session)
            if order is not None:
                leave(keeper)
                keeper = keeper_of(order.begin(), None)
                bots = bots if order.seats else _bots_of(keeper.session, order.bots)
            continue
        notes: list[str] = []
        status = leave(keeper, notes=notes)
        if not keeper.session.game.over or keeper.session.failure is not None or not keeper.at_home:
            return LEFT if from_menu and left is Departure.SAVED and status == DONE else status
        from cubiri_cli.commands.after import ask_next

        following = ask_next(keeper, notes, from_menu)
        if isinstance(following, int):
            return following
        keeper = following


def play_new(order: Order, from_menu: bool = False) -> int:
    """Begin a new game and play it at the prompt. Return the exit status, or `TO_MENU`."""
    return play_at_table(keeper_of(order.begin(), None), order.bots, from_menu=from_menu)


def _ask_for_another(session: Session) -> Order | None:
    """Ask which new game takes the place of an open one, which is kept; None to go on with that one."""
    from cubiri_cli.terminal.menu import menu_scene
    from cubiri_cli.terminal.opening import open_prompter
    from cubiri_cli.terminal.signals import ending_signals

    replay = session.replay
    like = _("start {game} again").format(game=table_of(replay.game).kind(replay.options))
    choices = [("n", like, again(replay, same_dice=False)), ("o", _("another game, or other options"), Order())]
    scene = menu_scene([_("This game is saved; you can continue it later.")] if replay.turns else [])
    with ending_signals(), open_prompter() as prompter:
        chosen: Order | None = pick(prompter, _("Start a new game?"), choices, scene)
        return ask_order(chosen) if chosen is not None and chosen.game is None else chosen


def _bots_of(session: Session, given: Sequence[Bot]) -> dict[int, Bot]:
    """Return who plays for the bots of a game, by seat. Raises `UsageError`."""
    if not given and all(player.bot is None for player in session.replay.players):
        return {}
    from cubiri_cli.commands.seating import seat_bots  # most games are played without

    return seat_bots(session, given)


def _leave_without(keeper: Keeper, error: ProblemError) -> int:
    """Leave a game that a bot cannot go on with, and return the exit status. The game stays as it is."""
    name = keeper.session.replay.players[keeper.session.game.seat - 1].name
    status = leave(keeper)
    message("cubiri: " + explain_failure(name, error))
    return status or NO


def _leave_at_once(keeper: Keeper) -> int:
    """Leave a game that Ctrl-C or a signal has interrupted, and return the exit status."""
    status = INTERRUPTED
    # A signal may mean that nobody reads any more.
    with contextlib.suppress(OSError):
        status = leave(keeper) or INTERRUPTED
        if not keeper.session.replay.turns:
            message(_("Interrupted before the first roll."))
        elif keeper.session.failure is None:
            message(_("Interrupted; the game is saved."))
    return status


def play_script(file: str, order: Order, timeout: float | None = None) -> int:
    """Play a script to its end, or to the first action that is refused, and say what came of it.

    The script says every move, also those of bots. But where a bot is given of whose turns it holds none, that plays.
    """
    from cubiri_cli.players.seats import play_bots, seated_bots
    from cubiri_cli.replays import script
    from cubiri_cli.terminal.signals import SignalledError, ending_signals

    if order.output is not None:
        check_output(order.output, may_exist=True)
    read = read_script(file, order)
    session = read.begin(order)
    recorded = {turn.player for turn in read.replay.turns}
    given = _bots_of(session, order.bots) if order.bots else {}
    bots = {seat: bot for seat, bot in given.items() if seat not in recorded}
    keeper = keeper_of(session, order.output, is_script=True)
    stopped = None
    try:
        with ending_signals(), seated_bots(session, bots, timeout, pass_on) as seated:
            script.play_script(session, read.replay, partial(play_bots, session, seated))
    except (BotError, FullRecordError) as error:
        return _leave_without(keeper, error)
    except script.ScriptStoppedError as error:
        stopped = error
    except (KeyboardInterrupt, SignalledError):
        return _leave_at_once(keeper)
    status = leave(keeper, among_others=False)
    if stopped is not None:
        reason = explain_at(stopped.problem, session.replay.game)
        legal = _("legal here: {actions}").format(actions=summary(stopped.legal) or _("nothing"))
        message(f"{read.name}: {reason}; {legal}")
        return status or NO
    for problem in script.wrong_claims(session, read.replay):
        message(f"{read.name}: " + explain_at(problem))
    return status


# Leaving it


def leave(keeper: Keeper, among_others: bool = True, notes: list[str] | None = None) -> int:
    """Leave a game, finished or not: show its result, store it for good, rank it. Return the exit status.

    The result comes first, whatever happens then; and output that fails keeps nothing from being stored and ranked: it
    is raised at the end. Where the game is kept comes last, as a block of its own. `among_others` shows the place as a
    piece of the table, else it is told in one line. `notes` gets what is new and the place, to be shown again.
    """
    session = keeper.session
    broken: BaseException | None = None
    stopped: BaseException | None = None
    lines: list[str] = []
    try:
        try:
            broken = _show(partial(print_result, session))
        finally:
            _store(keeper)
        if _is_ranked(keeper):
            lines = _told(keeper, among_others, [] if notes is None else notes)
    except BaseException as reason:  # Ctrl-C, a signal to end
        stopped = reason
        if _is_ranked(keeper):
            _say_not_ranked(_reason(reason))
    broken = _show(partial(_print_end, keeper, lines)) or broken
    if session.failure is not None and not is_terminal():  # where it stands above the text to keep
        message(f"cubiri: {not_stored(session.failure)}")
    if (error := stopped or broken) is not None:
        raise error
    return DONE if session.failure is None else USAGE


def _is_ranked(keeper: Keeper) -> bool:
    """Tell whether a game is one that is ranked by itself: finished, and stored in the home folder."""
    return keeper.session.game.over and keeper.at_home and keeper.session.failure is None


def _print_end(keeper: Keeper, lines: Sequence[str]) -> None:
    print_texts([*lines, *([""] * bool(lines))])
    print_whereabouts(keeper.session, keeper.path)


def _told(keeper: Keeper, among_others: bool, notes: list[str]) -> list[str]:
    """Return what is new about a finished game, and its place, and note both. Whatever hinders that costs one line."""
    from cubiri_cli.commands import ranking  # not before a game has ended
    from cubiri_cli.table.standings import place_lines

    lines = [*ranking.news(keeper), *ranking.day_table(keeper)]
    notes += lines
    try:
        place = ranking.rank(keeper.session)
        if place is None:
            return lines
        digest = keeper.session.replay.digest
        notes += place_lines(place, digest, among_others=False)
        return [*lines, *([""] * bool(lines)), *place_lines(place, digest, table_width(), among_others)]
    except Exception as error:
        _say_not_ranked(_reason(error))
        return lines


def _say_not_ranked(reason: str) -> None:
    text = _("this game could not be ranked: {reason}; cubiri leaderboard --rebuild does so later")
    message("cubiri: " + text.format(reason=reason))


def _show(printed: Callable[[], None]) -> OSError | None:
    """Print, also into a file or a pipe, before anything else is done; return why that failed."""
    try:
        printed()
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:  # nobody reads, a full disk
        return error
    return None


def _store(keeper: Keeper) -> None:
    """Store a game for good. Whatever hinders that is noted as its failure: the text is then printed."""
    try:
        keeper.finish()
    except Exception as error:
        keeper.session.failure = OSError(unexpected(error))


def _reason(error: BaseException) -> str:
    """Return why a game could not be ranked."""
    if isinstance(error, LeaderboardError):
        return explain(error.problem)
    return unexpected(error) if isinstance(error, Exception) else _("interrupted")
