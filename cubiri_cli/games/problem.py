"""What is wrong, as a code: the one form in which everything below the words says no."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Problem(NamedTuple):
    """What is wrong, as a code and its values, and where, as far as that can be said. The words are the table's.

    >>> str(Problem("wrong-dice", {"found": "1 2"}, "turn 3, entry 2"))
    'turn 3, entry 2: wrong-dice found=1 2'
    """

    code: str
    details: Mapping[str, Any] = {}
    where: str | None = None

    def __str__(self) -> str:
        """Return place, code and values, for developers."""
        place = "" if self.where is None else f"{self.where}: "
        return place + " ".join([self.code, *(f"{name}={value}" for name, value in self.details.items())])


class ProblemError(ValueError):
    """Something is refused: `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem

    def __str__(self) -> str:
        """Return place, code and values, for developers."""
        return str(self.problem)
