"""Players of MAGDAGDON: a plain rule, near-best choices, and the best play known."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.games.magdagdon import CELLS, EMPTY, RUIN, score_board
from cubiri_cli.players.chance import number
from cubiri_cli.players.magdagdon_board import MULTISETS, NUMBER, board_of, empty_cells, numbers_on
from cubiri_cli.players.magdagdon_network import UNIT
from cubiri_cli.players.magdagdon_search import Search, Thought

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cubiri_cli.players.player import Player, View


class MagdagdonPosition(NamedTuple):
    """What matters of a turn, whatever is staged."""

    difficulty: str
    board: int
    roll: int
    powers: int

    @classmethod
    def of(cls, view: View) -> MagdagdonPosition:
        """Return the position that a view shows in which dice lie there."""
        state = view.state
        cells = [RUIN if mark == "ruin" else mark or EMPTY for mark in state["board"].values()]
        roll = NUMBER[tuple(sorted(die["value"] for die in state["dice"]))]
        return cls(view.options["difficulty"], board_of(cells), roll, len(state["power_prices"]))


def next_action(view: View, choice: Thought, position: MagdagdonPosition) -> str:
    """Return the next action on the way to a choice, from whatever is staged."""
    staged: dict[str, Any] = view.state["staged"]
    if choice.to is not None:
        return f"return {list(staged)[-1]}" if staged else power_action(position.roll, choice.to)
    added = numbers_on(choice.board ^ position.board)
    wanted = {CELLS[cell]: mark for cell, mark in added.items()}
    if RUIN in wanted.values():
        return f"ruin {next(iter(wanted))}"
    wrong = [cell for cell, value in staged.items() if wanted.get(cell) != value]
    if wrong:
        return f"return {wrong[-1]}"
    if len(staged) == len(wanted):
        return "confirm"
    steps = {f"place {value} {cell}" for cell, value in wanted.items()}
    return next(action for action in view.legal if action in steps)


def power_action(roll: int, to: int) -> str:
    """Return the Power that makes of a roll another one, or leaves so many of its dice."""
    left = list(MULTISETS[roll])
    came = []
    for die in MULTISETS[to]:
        if die in left:
            left.remove(die)
        else:
            came.append(die)
    if came:
        return f"power {came[0] - left[0]:+} {left[0]}"
    return "power reroll " + " ".join(map(str, left))


@cache
def search(difficulty: str) -> Search:
    """Return the thoughts of a difficulty, which all its players share."""
    return Search(difficulty)


def choices(position: MagdagdonPosition, top: int) -> list[Thought]:
    """Return the best choices there are, best first, with values in points: what the game is then expected to score.

    The Powers used so far are not taken off.
    """
    found = search(position.difficulty).choices(position.board, position.roll, position.powers, top)
    return [choice._replace(value=choice.value / UNIT) for choice in found]


class _Master:
    """The best play known: the network's best boards, each seen over all the rolls that can follow."""

    TOP = 8
    """How many boards."""

    def __init__(self, key: str = "") -> None:
        self.key = key
        self._last: tuple[MagdagdonPosition, Thought] | None = None

    def choose(self, view: View) -> str:
        """Return one of `view.legal`."""
        if len(view.legal) == 1:
            return view.legal[0]
        position = MagdagdonPosition.of(view)
        if self._last is None or self._last[0] != position:
            self._last = position, choices(position, self.TOP)[0]
        return next_action(view, self._last[1], position)


class _Filler:
    """Looks at what the roll can make of the board, no further. In MAGDAGDON the dice are thrown again."""

    def __init__(self, key: str = "") -> None:
        self.key = key

    def choose(self, view: View) -> str:
        """Return one of `view.legal`."""
        if len(view.legal) == 1:
            return view.legal[0]
        position = MagdagdonPosition.of(view)
        if view.state["magdagdon"] and position.powers:
            return next_action(view, Thought(0, position.board, 0), position)
        return next_action(view, Thought(0, self.board(position)), position)

    def board(self, position: MagdagdonPosition) -> int:
        """Return the board to be made with a roll."""
        raise NotImplementedError


class _Steady(_Filler):
    """Near-best boards: any that the network sees less than `SLACK` points below its best."""

    SLACK = 12

    def board(self, position: MagdagdonPosition) -> int:
        """Return one of the boards, by chance."""
        thoughts = search(position.difficulty)
        worth = {
            board: thoughts.networks[position.powers].stages[empty_cells(board).bit_count()].value(board)
            for board in thoughts.boards(position.board, position.roll)
        }
        best = max(worth.values())
        near = [board for board, value in worth.items() if value > best - self.SLACK * UNIT]
        return near[int(number(self.key, position) * len(near))]


class _Casual(_Filler):
    """A plain rule: the best score now, but room is worth something."""

    ROOM = 12
    """What an empty cell is worth, in points."""

    def board(self, position: MagdagdonPosition) -> int:
        """Return the board of the best score with the room that it leaves."""
        return max(search(position.difficulty).boards(position.board, position.roll), key=self._worth)

    def _worth(self, board: int) -> float:
        cells = [board >> 3 * cell & 7 for cell in range(16)]
        return score_board(cells).total + self.ROOM * cells.count(EMPTY)


LEVELS: Mapping[str, type[Player]] = {"casual": _Casual, "steady": _Steady, "master": _Master}
