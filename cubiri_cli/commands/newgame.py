"""The work of `play`: a new game, at the prompt or from a script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli import games
from cubiri_cli.commands.beginning import begin, game_wanted, options_wanted, players_wanted, recorded_game
from cubiri_cli.commands.finishing import leave
from cubiri_cli.commands.inputs import file_or_input
from cubiri_cli.commands.options import chosen_seed
from cubiri_cli.commands.output import DONE, NO, USAGE, UsageError, message
from cubiri_cli.commands.resume import warn_without_locks
from cubiri_cli.commands.sitting import ask_order, leave_at_once, need_terminal, play_at_table
from cubiri_cli.replays.replay import Problem, ReplayError
from cubiri_cli.store.locks import InUseError
from cubiri_cli.store.saved import OFTEN, Keeper
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain_at, summary, why

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cubiri_cli.replays.replay import Player, Replay
    from cubiri_cli.replays.session import Session


class Order(NamedTuple):
    """What the command line says about the game to be played; what it leaves open is None or empty."""

    game: str | None
    options: Mapping[str, str]
    players: list[str]
    seed: str | None
    like: Replay | None
    output: Path | None


def order_of(
    game: str | None,
    options: Mapping[str, str],
    players: list[str],
    dice: tuple[str | None, bool, Path | None],
    output: Path | None,
) -> Order:
    """Return what was ordered; `dice` are those of a seed, of the day, or of the game in a file."""
    seed, daily, like = dice
    recorded = recorded_game(like) if like is not None else None
    seed = recorded.seed if recorded is not None else chosen_seed(seed, daily)
    return Order(game, options, players, seed, recorded, output)


def play_new(order: Order, script: str | None) -> int:
    """Play the game that is ordered, at the prompt or as a script says."""
    if order.output is not None:
        _check_output(order.output, may_exist=script is not None)
    return _play_at_table(order) if script is None else _play_script(script, order)


def _play_at_table(order: Order) -> int:
    """Play a new game at the prompt; what the command line leaves open of a game it does not name is asked."""
    # What is wrong is told before the terminal is looked for: that holds wherever it is called.
    wanted, seated = game_wanted(order.game, order.like), players_wanted(order.players, order.like)
    instead = _("--script FILE plays without one")
    if wanted is not None:
        session = begin(wanted, options_wanted(wanted, order.options, order.like), seated, order.seed)
        need_terminal(instead)
    else:
        need_terminal(instead)
        answered = ask_order(order.options, order.players)
        if answered is None:
            return DONE
        wanted, options, players = answered
        session = begin(wanted, options_wanted(wanted, options, order.like), players_wanted(players), order.seed)
    return play_at_table(keeper_of(session, order.output))


def _play_script(script: str, order: Order) -> int:
    """Play a script to its end, or to the first action that is refused, and say what came of it."""
    from cubiri_cli.replays.script import ScriptStoppedError, play_script, wrong_claims
    from cubiri_cli.terminal.signals import SignalledError, ending_signals

    shown = _("standard input") if script == "-" else script
    document, seated = _script(script, shown, order)
    session = begin(
        games.load(document["game"], document.get("rules")),
        document["options"],
        seated,
        document.get("seed") or order.seed,
        started=document.get("started"),
        comment=document.get("comment"),
    )
    keeper = keeper_of(session, order.output, is_script=True)
    stopped = None
    try:
        with ending_signals():
            play_script(session, document)
    except ScriptStoppedError as error:
        stopped = error
    except (KeyboardInterrupt, SignalledError):
        return leave_at_once(keeper)
    leave(keeper, among_others=False)
    if stopped is not None:
        reason = explain_at(stopped.where, stopped.problem, session.replay.game)
        legal = _("legal here: {actions}").format(actions=summary(stopped.legal) or _("nothing"))
        message(f"{shown}: {reason}; {legal}")
        return NO
    for name, (claimed, actual) in wrong_claims(session, document).items():
        message(f"{shown}: " + explain_at(f"result.{name}", Problem("claim", {"found": claimed, "expected": actual})))
    return DONE if session.failure is None else USAGE


def _script(script: str, shown: str, order: Order) -> tuple[dict[str, Any], list[Player]]:
    """Return the document of a script and the players, what it leaves out filled in from the command line.

    Raises `UsageError` where the script cannot be read, or says something else than the command line.
    """
    from cubiri_cli.replays.script import players_of, read_script

    given: dict[str, Any] = {}
    wanted = game_wanted(order.game, order.like) if order.game is not None or order.like is not None else None
    if wanted is not None:
        given["game"] = wanted.NAME
        if order.options or order.like is not None:
            given["options"] = options_wanted(wanted, order.options, order.like)
    try:
        document = read_script(file_or_input(script), given)
    except ReplayError as error:
        raise UsageError(f"{shown}: {explain_at(error.where, error.problem)}") from None
    for key, value in given.items():
        if document[key] != value:
            raise UsageError(_contradiction(shown, key, document[key], value))
    if order.seed and document.get("seed", order.seed) != order.seed:
        raise UsageError(_contradiction(shown, "seed", document["seed"], order.seed))
    seated = players_of(document) or players_wanted(order.players, order.like)
    if order.players and [player.name for player in seated] != order.players:
        names = ", ".join(player.name for player in seated)
        raise UsageError(_contradiction(shown, "players", names, ", ".join(order.players)))
    return document, seated


def _contradiction(script: str, key: str, there: object, here: object) -> str:
    """Return in one line where a script and the command line say different things."""
    text = _("{script}: the script says {key} = {there}, the command line {here}")
    return text.format(script=script, key=key, there=there, here=here)


def keeper_of(session: Session, output: Path | None, is_script: bool = False) -> Keeper:
    """Return what keeps a new game; `UsageError` where another process is playing into the same file."""
    warn_without_locks()
    try:
        return Keeper(session, output, every=OFTEN if is_script else 0.0, overwrites=is_script)
    except InUseError as error:
        raise UsageError(
            "--output: " + _("{path}: this game is being played elsewhere").format(path=error.path)
        ) from None


def _check_output(output: Path, may_exist: bool) -> None:
    """Find out before the game whether it can be written there. `UsageError` where it cannot.

    A script may write over a file: it can be played again, and what was there is often its own replay. A person's game
    begins with a file of its own, because a game that is overwritten is lost.
    """
    problem = ""
    try:
        if not output.parent.is_dir():
            problem = _("there is no folder {path}").format(path=output.parent)
        elif output.is_dir():
            problem = _("{path} is a folder").format(path=output)
        elif output.exists() and not output.is_file():
            problem = _("{path} is no regular file").format(path=output)
        elif output.is_symlink() and not output.exists():
            problem = _("{path} is a link that leads nowhere").format(path=output)
        elif output.exists() and not may_exist:
            problem = _("{path} exists; cubiri resume goes on with an unfinished game").format(path=output)
    except OSError as error:  # a name that is too long, a folder that may not be looked into
        problem = f"{output}: " + why(error)
    if problem:
        raise UsageError(f"--output: {problem}")
