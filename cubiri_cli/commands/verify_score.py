"""`cubiri verify-score`: verdicts on replays, for people and for machines."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cubiri_cli.commands.output import DONE, NO, UsageError, message
from cubiri_cli.replays.verifying import Verdict, verify, verify_file
from cubiri_cli.table.words import explain

if TYPE_CHECKING:
    from collections.abc import Iterator


def verify_score(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Replays, and folders of them; - is one.")],
    format: Annotated[str, typer.Option("--format", metavar="text|jsonl", help="How to answer.")] = "text",
    allow_unfinished: Annotated[
        bool, typer.Option("--allow-unfinished", help="An unfinished game is no failure.")
    ] = False,
) -> int:
    """Verify replays: dice, legality, turns and every claim are recomputed."""
    if format not in ("text", "jsonl"):
        raise UsageError("--format: text or jsonl")
    good = {"verified", "unfinished"} if allow_unfinished else {"verified"}
    count = failed = 0
    for path, verdict in _verdicts(paths):
        count += 1
        failed += verdict.status not in good
        if format == "jsonl":
            print(_json(path, verdict))
        elif verdict.status not in good:
            print(_line(path, verdict))
    if format == "text":
        print(f"{count - failed} of {count} verified" if failed or count != 1 else "verified")
    return NO if failed else DONE


COMMAND = verify_score


def _verdicts(paths: list[str]) -> Iterator[tuple[str, Verdict]]:
    for path in paths:
        if path == "-":
            yield path, verify(sys.stdin.buffer.read())
        elif Path(path).is_dir():
            for file in sorted(Path(path).rglob("*.toml")):
                yield str(file), verify_file(file)
        elif Path(path).exists():
            yield path, verify_file(path)
        else:
            message(f"cubiri: {path}: there is no such file or folder")
            yield path, verify_file(path)


def _json(path: str, verdict: Verdict) -> str:
    return json.dumps(
        {
            "path": path,
            "status": verdict.status,
            "game": verdict.game,
            "options": verdict.options,
            "seed": verdict.seed,
            "players": verdict.players,
            "result": verdict.result,
            "where": verdict.where,
            "message": explain(verdict.problem, verdict.game) if verdict.problem else None,
        },
        ensure_ascii=True,
    )


def _line(path: str, verdict: Verdict) -> str:
    where = f"{verdict.where}: " if verdict.where else ""
    reason = explain(verdict.problem, verdict.game) if verdict.problem else ""
    return f"{path}: {verdict.status}: {where}{reason}"
