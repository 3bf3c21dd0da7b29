"""The form of a replay: which keys, types and spellings a document must have to be one.

`replay_of` takes a whole document, as TOML gives it, and makes the `Replay` of it, or says the first thing that is
wrong and where. A script is a replay with holes (replay.md): `holes=True` lets everything be missing that the program
can supply.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.games.game import InvalidOptionError
from cubiri_cli.replays.names import is_comment, is_name, normal
from cubiri_cli.replays.replay import (
    FORMAT,
    VERSION,
    MalformedReplayError,
    Player,
    Replay,
    Turn,
    UnsupportedReplayError,
    place,
    place_of_key,
)

if TYPE_CHECKING:
    from cubiri_cli.games.game import Game

KEYS = (
    "format",
    "version",
    "game",
    "rules",
    "dice",
    "seed",
    "started",
    "comment",
    "players",
    "options",
    "turns",
    "result",
)
_OPTIONAL = {"started", "comment", "result"}
_HOLES = _OPTIONAL | {"version", "rules", "dice", "seed", "players"}

_ANSWER = re.compile(r"[1-6](?: [1-6])*+")


def replay_of(document: Mapping[str, Any], *, holes: bool = False, entries: bool = True) -> Replay:
    """Check the form of a whole document and return the replay it holds.

    Without `entries` it is left to `check_entries` how they are spelled, as long as nothing else is wrong.

    Raises `UnsupportedReplayError` for a version, rules or dice of the right type that are unknown, before anything
    else in the document is judged; `MalformedReplayError` for the first thing that is not as replay.md says.
    """
    _check_supported(document)
    try:
        return _replay_of(document, holes, entries and not holes)
    except MalformedReplayError:
        if entries:
            raise
        return _replay_of(document, holes, entries=True)  # an entry may be the first thing that is wrong


def _replay_of(document: Mapping[str, Any], holes: bool, entries: bool) -> Replay:
    _check_keys(document, KEYS, _HOLES if holes else _OPTIONAL)
    if document["format"] != FORMAT:
        raise MalformedReplayError("format", "wrong-value", expected=f'"{FORMAT}"', found=document["format"])
    if document["game"] not in games.names():
        raise MalformedReplayError("game", "unknown-game", found=document["game"], known=tuple(games.names()))
    game = games.load(document["game"], document.get("rules"))
    if "seed" in document and not dice.is_seed(document["seed"]):
        raise MalformedReplayError("seed", "no-seed", found=document["seed"])
    if "started" in document and not is_time(document["started"]):
        raise MalformedReplayError("started", "no-time", found=document["started"])
    _check_comment(document, "comment")
    players = _players(document["players"], game) if "players" in document else []
    seats = len(players) or game.MOST_SEATS
    try:
        game.check_options(document["options"])
    except InvalidOptionError as error:
        code, details, option = error.problem
        raise MalformedReplayError(place_of_key(f"options.{option}"), code, **details) from None
    turns = _turns(document["turns"], game, seats, holes, entries)
    if "result" in document and not holes:
        check_result(document["result"], game, seats)
    return Replay(
        game=document["game"],
        seed=document.get("seed", ""),
        options=document["options"],
        players=players,
        turns=turns,
        started=document.get("started"),
        comment=document.get("comment"),
        result=document.get("result"),
        rules=document.get("rules", game.RULES),
    )


def is_time(value: object) -> bool:
    """Tell whether `value` is a time as replays hold it: UTC, whole seconds."""
    return isinstance(value, datetime) and value.utcoffset() == timedelta(0) and value.microsecond == 0


def is_answer(text: str) -> bool:
    """Tell whether `text` is the right side of an entry: dice, single spaces between them."""
    return _ANSWER.fullmatch(text) is not None


def check_result(result: Mapping[str, Any], game: type[Game], seats: int) -> None:
    """Check the form of a `[result]` table; its values are claims, which only a simulation can judge."""
    _check_keys(result, ("finished", *game.RESULT), set(), "result.")
    if not is_time(result["finished"]):
        raise MalformedReplayError("result.finished", "no-time", found=result["finished"])
    for name, has_form in game.RESULT.items():
        if not has_form(result[name], seats):
            raise MalformedReplayError(f"result.{name}", "wrong-form", found=result[name])


_TYPES: dict[str, tuple[type, str]] = {
    "format": (str, "text"),
    "version": (int, "whole-number"),
    "game": (str, "text"),
    "rules": (int, "whole-number"),
    "dice": (str, "text"),
    "seed": (str, "text"),
    "comment": (str, "text"),
    "players": (list, "list"),
    "options": (dict, "table"),
    "turns": (list, "list"),
    "result": (dict, "table"),
    "name": (str, "text"),
    "bot": (str, "text"),
    "player": (int, "whole-number"),
    "log": (list, "list"),
}


def _check_supported(document: Mapping[str, Any]) -> None:
    version, rules, die = document.get("version"), document.get("rules"), document.get("dice")
    if type(version) is int and version != VERSION:
        raise UnsupportedReplayError("version", "unsupported", found=version, known=(VERSION,))
    name = document.get("game")
    known = games.rules_versions(name if isinstance(name, str) else None)
    if type(rules) is int and rules not in known:
        raise UnsupportedReplayError("rules", "unsupported", found=rules, known=tuple(known))
    if isinstance(die, str) and die != dice.NAME:
        raise UnsupportedReplayError("dice", "unsupported", found=die, known=(dice.NAME,))


def _check_keys(
    table: Mapping[str, Any], known: tuple[str, ...], optional: set[str], prefix: str = "", holder: str | None = None
) -> None:
    """Check that a table has no unknown key, lacks none that is needed, and that all have the right type."""
    for key in table:
        if key not in known:
            raise MalformedReplayError(holder or place_of_key(f"{prefix}{key}"), "unknown-key", key=key)
    for key in known:
        if key not in table:
            if key not in optional:
                raise MalformedReplayError(holder or f"{prefix}{key}", "missing-key", key=key)
        elif key in _TYPES and prefix != "result.":
            kind, name = _TYPES[key]
            if type(table[key]) is not kind:
                raise MalformedReplayError(holder or f"{prefix}{key}", "wrong-type", expected=name, found=table[key])


def _check_comment(table: Mapping[str, Any], where: str) -> None:
    if "comment" in table and not is_comment(table["comment"]):
        raise MalformedReplayError(where, "no-comment", found=table["comment"])


def _players(players: list[Any], game: type[Game]) -> list[Player]:
    try:
        game.check_seats(len(players))
    except InvalidOptionError as error:
        raise MalformedReplayError("players", error.problem.code, **error.problem.details) from None
    seen = set()
    for seat, player in enumerate(players, 1):
        where = f"player {seat}"
        if not isinstance(player, dict):
            raise MalformedReplayError(where, "wrong-type", expected="table", found=player)
        _check_keys(player, ("name", "bot"), {"bot"}, holder=where)
        for key in player:
            if not is_name(player[key]):
                raise MalformedReplayError(where, "no-name", found=player[key])
        name = normal(player["name"])
        if name in seen:
            raise MalformedReplayError(where, "duplicate-name", found=player["name"])
        seen.add(name)
    return [Player(player["name"], player.get("bot")) for player in players]


def _turns(turns: list[Any], game: type[Game], seats: int, holes: bool, entries: bool) -> list[Turn]:
    if not turns:
        raise MalformedReplayError("turns", "no-turns")
    found = []
    for number, turn in enumerate(turns, 1):
        is_known = type(turn) is Turn and turn.player <= seats  # as nearly all are
        if not is_known:
            turn = _turn(turn, number, seats, holes)
        if entries or not is_known:
            _check_log(turn.log, number, game, entries)
        found.append(turn)
    return found


def _turn(turn: Any, number: int, seats: int, holes: bool) -> Turn:
    """Check a turn but for its entries, and return it."""
    where = place(number)
    if isinstance(turn, Turn):
        turn = {"player": turn.player, "log": turn.log}
    if not isinstance(turn, dict):
        raise MalformedReplayError(where, "wrong-type", expected="table", found=turn)
    _check_keys(turn, ("player", "comment", "log"), {"comment", "player"} if holes else {"comment"}, holder=where)
    if not 1 <= turn.get("player", 1) <= seats:
        raise MalformedReplayError(where, "no-seat", found=turn["player"], seats=seats)
    _check_comment(turn, where)
    if not turn["log"] and not holes:
        raise MalformedReplayError(where, "empty-log")
    return Turn(turn.get("player", 0), turn["log"], turn.get("comment"))


def check_entries(replay: Replay) -> None:
    """Check how the entries of a replay are spelled; raise `MalformedReplayError` for the first that is wrong."""
    for number, turn in enumerate(replay.turns, 1):
        _check_log(turn.log, number, replay.game_class, entries=True)


def _check_log(log: list[Any], number: int, game: type[Game], entries: bool) -> None:
    """Check that the entries of a turn are texts; with `entries`, that they are spelled as those of the game."""
    silent, throws = game.moves_by_dice()
    for index, entry in enumerate(log, 1):
        if not isinstance(entry, str):
            raise MalformedReplayError(place(number, index), "wrong-type", expected="text", found=entry)
        # In a script a wrong entry is an action that is refused when its turn comes, not a broken file.
        if entries and entry not in silent:
            action, _, answer = entry.partition(" -> ")
            if action not in throws or not is_answer(answer):
                raise MalformedReplayError(place(number, index), "unknown-entry", entry=entry)
