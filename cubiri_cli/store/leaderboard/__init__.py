"""The leaderboard: an SQLite index of the games that verified, made again from the replays whenever that is needed.

A file is judged, and makes an entry or is refused (`entries`); entries are put into the stored table (`admitting`), as
its `schema` says; that is opened, made and mended (`opening`), and asked (`board`).
"""

from __future__ import annotations

from cubiri_cli.games.problem import Problem, ProblemError


class LeaderboardError(ProblemError):
    """The leaderboard cannot be used just now: no permission, a full disk, other processes."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(Problem(code, details))
