"""What is kept: folders, saved games, settings and the leaderboard index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.games.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class StoreError(OSError):
    """Something that cannot be stored or found for a reason that is not the system's: `problem` says which."""

    def __init__(self, number: int, code: str, path: str | None = None) -> None:
        super().__init__(number, code, path)
        self.problem = Problem(code)


watched: Callable[[Sequence[str]], Iterator[str]] = iter
"""Yields the names of games while they are read one by one, which may take long: who runs the program may watch."""
