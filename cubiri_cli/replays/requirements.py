"""What may be asked of a replay beyond being right: which game, options and seed, and how high a score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.games.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cubiri_cli.replays.verifying import Verdict


class Requirements(NamedTuple):
    """What is asked of a replay. None, or no options: anything will do."""

    game: str | None = None
    options: Mapping[str, Any] = {}
    seed: str | None = None
    min_score: float | None = None
    """In points, as the game's `Standing.score` has them: the score, or the winner's total."""


def held_against(verdict: Verdict, wanted: Requirements) -> tuple[Verdict, bool]:
    """Return the verdict and whether the replay meets the requirements; where not, the verdict says what is missing.

    A verified game is `unwanted` then. An unfinished one, where those are let through, stays `unfinished`: it has no
    score yet.
    """
    problem = _unmet(verdict, wanted)
    if problem is None:
        return verdict, True
    status = "unwanted" if verdict.status == "verified" else verdict.status
    return verdict._replace(status=status, problem=problem), False


def _unmet(verdict: Verdict, wanted: Requirements) -> Problem | None:
    """Return what is wrong with the first requirement that is not met."""
    replay = verdict.replay
    assert replay is not None
    if wanted.game is not None and replay.game != wanted.game:
        return _differs("game", wanted.game, replay.game)
    for name, value in wanted.options.items():
        if name not in replay.options:
            return Problem("no-such-option", {}, f"options.{name}")
        if replay.options[name] != value:
            return _differs(f"options.{name}", value, replay.options[name])
    if wanted.seed is not None and replay.seed != wanted.seed:
        return _differs("seed", wanted.seed, replay.seed)
    if wanted.min_score is not None:
        if verdict.result is None:
            return Problem("unfinished", {}, "result")
        score = verdict.standing.score
        if score < wanted.min_score:
            return _differs("result", f">= {wanted.min_score:g}", score)
    return None


def _differs(where: str, expected: object, found: object) -> Problem:
    return Problem("wrong-value", {"expected": expected, "found": found}, where)
