"""`cubiri play`: a game at the prompt, or a script."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from cubiri_cli.commands.options import game_named, parse_options, parse_seed, with_game_options
from cubiri_cli.commands.output import DONE, NO, USAGE, UsageError, message
from cubiri_cli.replays import clock
from cubiri_cli.replays.names import is_name
from cubiri_cli.replays.reading import read_bytes
from cubiri_cli.replays.replay import LARGEST, Player, Problem, ReplayError
from cubiri_cli.replays.session import Session
from cubiri_cli.store.saved import Keeper
from cubiri_cli.store.settings import default_name
from cubiri_cli.table.ending import print_ending
from cubiri_cli.table.language import _
from cubiri_cli.table.words import explain, summary


@with_game_options
def play(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="magdagdon or mishimash.")] = None,
    player: Annotated[
        list[str] | None, typer.Option("--player", metavar="NAME", help="A player's name; repeat it for more players.")
    ] = None,
    seed: Annotated[str | None, typer.Option(metavar="TEXT", help="Play with the dice of this seed.")] = None,
    daily: Annotated[bool, typer.Option("--daily", help="Play with today's seed, the same for everybody.")] = False,
    like: Annotated[
        Path | None, typer.Option(metavar="REPLAY", help="Play with the seed and options of a recorded game.")
    ] = None,
    script: Annotated[
        str | None, typer.Option(metavar="FILE", help="Play the actions of a file; - is standard input.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the replay here and nothing elsewhere.")
    ] = None,
    options: Mapping[str, str] | None = None,
) -> int:
    """Play a game: at the prompt, or from a script."""
    given = dict(options or {})
    if output is not None and not output.parent.is_dir():
        raise UsageError(f"--output: there is no folder {output.parent}")
    if output is not None and output.is_dir():
        raise UsageError(f"--output: {output} is a folder")
    if script is not None:
        return _play_script(script, game, given, player or [], seed, daily, output)
    raise UsageError("playing at the prompt: not here yet")


COMMAND = play


def _play_script(
    script: str,
    game: str | None,
    options: Mapping[str, str],
    players: list[str],
    seed: str | None,
    daily: bool,
    output: Path | None,
) -> int:
    """Play a script to its end, or to the first action that is refused, and say what came of it."""
    from cubiri_cli.replays.script import ScriptStoppedError, play_script, players_of, read_script, wrong_claims

    given: dict[str, Any] = {}
    if game is not None:
        given["game"] = game_named(game).NAME
        if options:
            given["options"] = parse_options(game_named(game), options)
    shown = "standard input" if script == "-" else script
    try:
        document = read_script(_script_bytes(script), given)
    except ReplayError as error:
        where = f"{error.where}: " if error.where else ""
        raise UsageError(f"{shown}: {where}{explain(error.problem)}") from None
    for key, value in given.items():
        if document[key] != value:
            raise UsageError(f"{shown}: the script says {key} = {document[key]}, the command line {value}")
    chosen = chosen_seed(seed, daily)
    if chosen and document.get("seed", chosen) != chosen:
        raise UsageError(f"{shown}: the script says seed = {document['seed']}, the command line {chosen}")
    session = Session.begin(
        document["game"],
        document["options"],
        players_of(document) or players_named(players),
        document.get("seed") or chosen or clock.fresh_seed(),
        started=document.get("started"),
        comment=document.get("comment"),
    )
    keeper = Keeper(session, output, sync=False)
    stopped = None
    try:
        play_script(session, document)
    except ScriptStoppedError as error:
        stopped = error
    keeper.finish()
    print_ending(session, keeper.path)
    if stopped is not None:
        legal = summary(stopped.legal) or _("nothing")
        reason = explain(stopped.problem, session.replay.game)
        message(f"{shown}: {stopped.where}: {reason}; " + _("legal here: {actions}").format(actions=legal))
        return NO
    for name, (claimed, actual) in wrong_claims(session, document).items():
        text = _("the script claims {claimed}, the game gives {actual}").format(claimed=claimed, actual=actual)
        message(f"{shown}: result.{name}: {text}")
    return DONE if session.failure is None else USAGE


def _script_bytes(script: str) -> bytes:
    if script != "-":
        return read_bytes(script)
    try:
        return sys.stdin.buffer.read(LARGEST + 1)
    except (AttributeError, ValueError, OSError):
        raise UsageError("standard input is closed; name a file after --script") from None


def players_named(names: list[str]) -> list[Player]:
    """Return the players of these names; one of the login name where there are none. `UsageError` for a wrong name."""
    for name in names:
        if not is_name(name):
            raise UsageError(f"--player: {explain(Problem('no-name', {'found': name}))}")
    if len(set(names)) < len(names):
        raise UsageError("--player: two players of the same name")
    return [Player(name) for name in names or [default_name()]]


def chosen_seed(seed: str | None, daily: bool) -> str | None:
    """Return the seed that was asked for, if any."""
    if seed is not None and daily:
        raise UsageError("--seed and --daily exclude each other")
    return clock.daily_seed() if daily else None if seed is None else parse_seed(seed)
