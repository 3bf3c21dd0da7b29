"""Where the arrows lead among choices: over those that lie on the picture as they look, and through the list below it.

Nothing here knows a game: a choice may say where it lies (`Choice.at`), and that is all there is to know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.terminal.listing import move_pointer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.table.protocol import Choice


class Pointer:
    """Which choice is pointed at, by index, and how the arrows move it."""

    def __init__(self, choices: Sequence[Choice], at: int) -> None:
        self.choices = choices
        self.at = at
        placed = [(index, choice.at) for index, choice in enumerate(choices) if choice.at is not None]
        self._places = dict(placed) if len(placed) > 1 else {}
        """Where the choices on the picture lie, by index; nothing where there are not two to move between."""
        self._is_board = len({row for _column, row in self._places.values()}) > 1
        """Whether they lie above one another; in a single row, up and down are free for the list."""
        self._last = at if at in self._places else None
        """Which choice on the picture was pointed at last."""

    @property
    def choice(self) -> Choice:
        """The choice that is pointed at."""
        return self.choices[self.at]

    def step(self, by: int) -> None:
        """Point at the next choice of all, or the one before; after the last comes the first."""
        self._point((self.at + by) % len(self.choices))

    def move(self, right: int, down: int, rows: Sequence[Sequence[int]]) -> None:
        """Point at what an arrow leads to: one of `right` and `down` is 1 or -1; `rows` is how the choices are listed.

        On the picture that is the nearest in this direction, first of all on the same line. Beyond the edge of a board
        is nothing but the list below it.
        """
        target = self._beside(right, down)
        if target is None and self._is_board and down:
            target = self._off_board(rows, down)
        elif target is None and down:
            target = move_pointer(rows, self.at, down)
        elif target is None and self.at not in self._places:
            target = (self.at + right) % len(self.choices)
        if target is not None:
            self._point(target)

    def _point(self, index: int) -> None:
        self.at = index
        if index in self._places:
            self._last = index

    def _beside(self, right: int, down: int) -> int | None:
        """Return what lies on the picture in this direction from what is pointed at; None where nothing does."""
        if self.at not in self._places:
            return None
        x, y = self._places[self.at]
        found = []
        for index, (column, row) in self._places.items():
            along = (column - x) * right + (row - y) * down
            aside = abs((column - x) * down) + abs((row - y) * right)
            if along > 0:
                found.append((aside > 0, along + aside, along, index))
        return min(found)[-1] if found else None

    def _off_board(self, rows: Sequence[Sequence[int]], down: int) -> int | None:
        """Return what stands in the next line of the list that is not of the board; from there, the board's last.

        None at the ends of the list.
        """
        is_on_board = self.at in self._places
        at = next(number for number, row in enumerate(rows) if self.at in row)
        for row in rows[at + 1 :] if down > 0 else rows[:at][::-1]:
            if row[0] not in self._places:
                return row[min(rows[at].index(self.at), len(row) - 1)]
            if not is_on_board:
                return row[0] if self._last is None else self._last
        return None
