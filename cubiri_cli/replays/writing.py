"""Writing a replay: the one canonical text, exactly what tomli-w writes, and putting it on disk whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from cubiri_cli.replays.replay import FORMAT

if TYPE_CHECKING:
    from cubiri_cli.replays.replay import Replay, Turn


def to_document(replay: Replay) -> dict[str, Any]:
    """Return the replay as a TOML document with its keys in the order in which they are written."""
    document = _head(replay)
    document["turns"] = [_turn(turn) for turn in replay.turns]
    if replay.result is not None:
        document["result"] = replay.result
    return document


def write(replay: Replay) -> str:
    """Return the canonical text of a replay: UTF-8 when encoded, LF, fixed key order."""
    return tomli_w.dumps(to_document(replay))


def head_text(replay: Replay) -> str:
    """Return the canonical text up to the first turn."""
    return tomli_w.dumps(_head(replay))


def turn_text(turn: Turn) -> str:
    """Return the canonical text of one turn, the blank line before it included."""
    return "\n" + tomli_w.dumps({"turns": [_turn(turn)]})


def result_text(result: dict[str, Any]) -> str:
    """Return the canonical text of the result, the blank line before it included."""
    return "\n" + tomli_w.dumps({"result": result})


def save(path: Path, text: str, sync: bool = True) -> None:
    """Put `text` into the file `path` as a whole: written beside, synced, renamed over.

    A reader, or a machine that stops at any moment, finds the old file or the new one. `sync=False` leaves out the
    waiting for the disk: then a killed program loses nothing, but a power cut may.

    Raises `OSError`; the old file is then still there, and nothing is left beside it.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    if sync:
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename in `folder` last. Where folders cannot be opened or synced, the file itself is safe already."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


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
