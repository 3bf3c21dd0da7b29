"""Writing a replay: the one canonical text, exactly what tomli-w writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tomli_w

from cubiri_cli.replays.replay import FORMAT

if TYPE_CHECKING:
    from cubiri_cli.replays.replay import Replay, Turn


def write(replay: Replay) -> str:
    """Return the canonical text of a replay: UTF-8 when encoded, LF, fixed key order."""
    result = {} if replay.result is None else {"result": replay.result}
    return tomli_w.dumps({**_head(replay), "turns": [_turn(turn) for turn in replay.turns], **result})


def head_text(replay: Replay) -> str:
    """Return the canonical text up to the first turn."""
    return tomli_w.dumps(_head(replay))


def turn_text(turn: Turn) -> str:
    """Return the canonical text of one turn, the blank line before it included."""
    return "\n" + tomli_w.dumps({"turns": [_turn(turn)]})


def entry_text(entry: str) -> str:
    """Return the line of one entry in the canonical text of a turn.

    >>> print(entry_text("roll -> 2 2 4 3"), end="")
        "roll -> 2 2 4 3",
    """
    return f'    "{entry}",\n'


def comment_text(comment: str) -> str:
    """Return the line of a comment in the canonical text of a turn."""
    return tomli_w.dumps({"comment": comment})


def result_text(result: dict[str, Any]) -> str:
    """Return the canonical text of the result, the blank line before it included."""
    return "\n" + tomli_w.dumps({"result": result})


def _head(replay: Replay) -> dict[str, Any]:
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": replay.version,
        "game": replay.game,
        "rules": replay.rules,
        "dice": replay.dice,
        "seed": replay.seed,
    }
    if replay.started is not None:
        head["started"] = replay.started
    if replay.comment is not None:
        head["comment"] = replay.comment
    head["players"] = [
        {"name": player.name} if player.bot is None else {"name": player.name, "bot": player.bot}
        for player in replay.players
    ]
    head["options"] = replay.options
    return head


def _turn(turn: Turn) -> dict[str, Any]:
    comment = {} if turn.comment is None else {"comment": turn.comment}
    return {"player": turn.player, **comment, "log": turn.log}
