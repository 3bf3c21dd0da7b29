"""MAGDAGDON, looking back: the highest score that the dice of a game allow.

Few boards score much. Those that do are known (`learning/magdagdon_boards.py`), a board for each class of symmetry, and
are tried from the highest score on, less the price of the Powers: can the known dice fill it, turn by turn? The rules
know no left and right, so one board of a class stands for all. Most fail at once: the turns that are left do not throw
the numbers that are missing. Where none can be filled, the best boards of each turn are followed: then there may
be something better.
"""

from __future__ import annotations

import lzma
from functools import cache, partial
from heapq import nlargest
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.games import dice
from cubiri_cli.games.magdagdon import (
    CELLS,
    DICE,
    DIFFICULTIES,
    RUIN,
    RUIN_PENALTY,
    can_place,
    cells_of,
    field_of,
    line_bonus,
    roll_name,
)
from cubiri_cli.players.hindsight import Hindsight
from cubiri_cli.players.magdagdon_board import (
    INSIDE,
    MORE,
    MULTISETS,
    NEAR,
    NUMBER,
    SIZE,
    each_set,
    empty_cells,
    numbers_on,
    with_ruin,
)
from cubiri_cli.players.magdagdon_network import UNIT, networks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

BEAM = 1_000
"""How many boards of a turn are followed."""
NEVER = 99
"""More Powers than there are: for dice that cannot be had."""
FULL = (1 << 16) - 1
LANE = 8
"""How many values are counted in one integer: so many bits for each."""
LANE_MASK = (1 << LANE) - 1
ENOUGH = sum(1 << LANE * value + LANE - 1 for value in range(6))
COUNTS = tuple(sum(1 << LANE * (value - 1) for value in dice) for dice in MULTISETS)
"""How often each value is in each multiset."""


class TurnMade(NamedTuple):
    """What a turn did: the cells it filled, the dice it needed (as a multiset's number; 0 for a ruin), the Powers."""

    cells: int
    dice: int
    powers: int


class _Link(NamedTuple):
    """A turn, and those before it."""

    before: _Link | None
    turn: TurnMade


class KnownTurn:
    """The dice of a turn: what they are, and what Powers can make of them."""

    def __init__(self, seed: str, turn: int, most: int) -> None:
        throw = partial(dice.throw, seed)
        self.again = [throw(roll_name(turn, reroll + 1), DICE) for reroll in range(most)]
        first = tuple(sorted(throw(roll_name(turn), DICE)))
        self.ways: dict[tuple[int, ...], tuple[str, ...]] = {first: ()}
        """The dice that can lie there, with the fewest Powers that make them, the fewest first."""
        self.first = NUMBER[first]
        """The dice as they are thrown, as a multiset's number."""
        self._find({(first, 0): ()}, most)
        self.least = [NEVER] * len(MULTISETS)
        """For each multiset the fewest Powers with which it lies there, perhaps among other dice."""
        for there, powers in self.ways.items():
            for inside in INSIDE[NUMBER[there]]:
                self.least[inside] = min(self.least[inside], len(powers))

    def _find(self, level: dict[tuple[tuple[int, ...], int], tuple[str, ...]], most: int) -> None:
        for _ in range(most):
            following: dict[tuple[tuple[int, ...], int], tuple[str, ...]] = {}
            for (there, rerolls), powers in level.items():
                for action, new, thrown in self._uses(there, rerolls):
                    following.setdefault((new, rerolls + thrown), (*powers, action))
                    self.ways.setdefault(new, (*powers, action))
            level = following

    def _uses(self, there: tuple[int, ...], rerolls: int) -> Iterator[tuple[str, tuple[int, ...], bool]]:
        """Yield what a Power can do: the action, the dice afterwards, and whether it throws."""
        for value in set(there):
            rest = list(there)
            rest.remove(value)
            for step in (-1, 1):
                if 1 <= value + step <= 6:
                    yield f"power {step:+} {value}", tuple(sorted((*rest, value + step))), False
        for kept in INSIDE[NUMBER[there]][:-1]:
            picked = list(there)
            for value in MULTISETS[kept]:
                picked.remove(value)
            new = (*MULTISETS[kept], *self.again[rerolls][: len(picked)])
            yield "power reroll " + " ".join(map(str, picked)), tuple(sorted(new)), True

    def holding(self, wanted: int) -> tuple[str, ...]:
        """Return the Powers, as few as possible, after which the dice hold a multiset."""
        return next(powers for there, powers in self.ways.items() if wanted in INSIDE[NUMBER[there]])

    def magdagdon(self, field: int, required: int) -> tuple[str, ...] | None:
        """Return the Powers, as few as possible, after which the dice do not fit a field; None where they always do."""
        return next((powers for there, powers in self.ways.items() if not can_place(field, there, required)), None)


class KnownGame:
    """A game of which all dice are known."""

    def __init__(self, difficulty: str, seed: str) -> None:
        self.difficulty = difficulty
        self.minimum, self.prices = DIFFICULTIES[difficulty]
        self.paid = tuple(accumulate(self.prices, initial=0))
        """What so many Powers cost together."""
        self.turn = cache(lambda number: KnownTurn(seed, number, len(self.prices)))

    @cache  # noqa: B019 - a game is thrown away as a whole
    def thrown(self, number: int, turns: int) -> int:
        """Return how often each value is thrown in so many turns from turn `number` on, no Power used."""
        if not turns:
            return 0
        return self.thrown(number, turns - 1) + COUNTS[self.turn(number + turns - 1).first]

    @cache  # noqa: B019
    def to_be_had(self, number: int, turns: int, powers: int) -> int:
        """Return how often each value can lie there at most in so many turns, with so many Powers."""
        known = [self.turn(at) for at in range(number, number + turns)]
        found = self.thrown(number, turns)
        for at in range(0, 6 * LANE, LANE) if powers else ():
            gains = [
                max(COUNTS[NUMBER[there]] >> at & LANE_MASK for there, used in turn.ways.items() if len(used) <= powers)
                - (COUNTS[turn.first] >> at & LANE_MASK)
                for turn in known
            ]
            found += powers * max(gains, default=0) << at
        return found

    def best(self) -> Hindsight:
        """Return the highest score that the dice allow."""
        tries = [(score - paid, powers, boards) for score, boards in classes() for powers, paid in enumerate(self.paid)]
        tries.sort(key=lambda one: -one[0])
        least = classes()[-1][0]
        for value, powers, boards in tries:
            if value < least:  # a board that is not in the list could score that
                break
            for board in boards:
                turns = Filling(self, board).turns(powers)
                if turns is not None:
                    return Hindsight(value, "points", True, self.actions(turns, board))
        return self.followed()

    def followed(self, most: int = BEAM) -> Hindsight:
        """Return the best of what following so many boards a turn leads to."""
        nets = networks(self.difficulty)
        ends: list[tuple[int, int, _Link | None]] = []
        states: dict[tuple[int, int], _Link | None] = {(0, len(self.prices)): None}
        number = 0
        while states:
            number += 1
            following: dict[tuple[int, int], _Link | None] = {}
            for (board, left), link in states.items():
                for bigger, turn in self._turns(number, board, left):
                    following.setdefault((bigger, left - turn.powers), _Link(link, turn))
            worth = {
                (board, left): nets[left].stages[empty_cells(board).bit_count()].value(board) - UNIT * self._cost(left)
                for board, left in following
            }
            kept = nlargest(most, worth, key=worth.__getitem__)
            ends += [(worth[key] // UNIT, key[0], following[key]) for key in kept if not empty_cells(key[0])]
            states = {key: following[key] for key in kept if empty_cells(key[0])}
        value, board, link = max(ends, key=lambda end: end[0])
        turns: list[TurnMade] = []
        while link:
            turns.insert(0, link.turn)
            link = link.before
        marks = numbers_on(board)
        return Hindsight(value, "points", False, self.actions(turns, [marks[cell] for cell in range(16)]))

    def _cost(self, left: int) -> int:
        return self.paid[len(self.prices) - left]

    def _turns(self, number: int, board: int, left: int) -> list[tuple[int, TurnMade]]:
        """Return the boards in which a turn can end, and how."""
        known, empty = self.turn(number), empty_cells(board)
        required = min(self.minimum, empty.bit_count())
        found: list[tuple[int, TurnMade]] = []

        def note(dice: int, bigger: int) -> None:
            found.append((bigger, TurnMade(empty & ~empty_cells(bigger), dice, known.least[dice])))

        each_set(board, self._values(number, left), required, note)
        powers = known.magdagdon(field_of(numbers_on(board).items()), required)
        if powers is not None and len(powers) <= left:
            found += [(bigger, TurnMade(empty & ~empty_cells(bigger), 0, len(powers))) for bigger in with_ruin(board)]
        return found

    @cache  # noqa: B019 - a game is thrown away as a whole
    def _values(self, number: int, left: int) -> tuple[int, ...]:
        """Return for each multiset the values, as bits, that can be had beside it with the Powers that are left."""
        least = self.turn(number).least
        return tuple(
            sum(1 << value - 1 for value in range(1, 7) if SIZE[one] < DICE and least[MORE[one][value]] <= left)
            for one in range(len(MULTISETS))
        )

    def actions(self, turns: Sequence[TurnMade], board: Sequence[int]) -> tuple[tuple[str, ...], ...]:
        """Return the actions that fill a board in these turns."""
        filled, line = 0, []
        for number, turn in enumerate(turns, 1):
            known = self.turn(number)
            if turn.dice:
                powers, ends = known.holding(turn.dice), [*_placements(board, filled, turn.cells), "confirm"]
            else:
                required = min(self.minimum, 16 - filled.bit_count())
                found = known.magdagdon(field_of((cell, board[cell]) for cell in cells_of(filled)), required)
                powers, ends = found or (), [f"ruin {CELLS[next(cells_of(turn.cells))]}"]
            line.append(("roll", *powers, *ends))
            filled |= turn.cells
        return tuple(line)


class Filling:
    """The attempt to fill one board with the known dice."""

    def __init__(self, game: KnownGame, board: Sequence[int]) -> None:
        self.game, self.board = game, board
        self.numbers = sum(1 << cell for cell, mark in enumerate(board) if mark != RUIN)
        self.failed: dict[tuple[int, int], int] = {}
        """Turn and filled cells → the most Powers with which it leads nowhere."""

    def turns(self, powers: int) -> list[TurnMade] | None:
        """Return the turns that fill the board with so many Powers at most; None where there are none."""
        missing = sum(self.board.count(value) << LANE * (value - 1) for value in range(1, 7))
        return self._turns(1, 0, missing, powers)

    def _turns(self, number: int, filled: int, missing: int, left: int) -> list[TurnMade] | None:
        """Return the turns from turn `number` on; `missing` says how often each value is still to be placed."""
        if filled == FULL:
            return []
        if self.failed.get((number, filled), -1) >= left or not self._can_be_thrown(number, filled, missing, left):
            return None
        for turn in (*self._sets(number, filled, left), *self._ruins(number, filled, left)):
            rest = self._turns(number + 1, filled | turn.cells, missing - COUNTS[turn.dice], left - turn.powers)
            if rest is not None:
                return [turn, *rest]
        self.failed[number, filled] = left
        return None

    def _can_be_thrown(self, number: int, filled: int, missing: int, left: int) -> bool:
        """Tell whether the turns that are left at most can throw what is missing; a Power changes at most four dice."""
        empty = FULL & ~filled
        numbers = (empty & self.numbers).bit_count()
        most = -(-numbers // self.game.minimum) + empty.bit_count() - numbers
        if (self.game.to_be_had(number, most, left) + ENOUGH - missing) & ENOUGH != ENOUGH:
            return False
        thrown = self.game.thrown(number, most)
        if not left or (thrown + ENOUGH - missing) & ENOUGH == ENOUGH:
            return True
        lacking = [(missing >> at & LANE_MASK) - (thrown >> at & LANE_MASK) for at in range(0, 6 * LANE, LANE)]
        return sum([lack for lack in lacking if lack > 0]) <= DICE * left

    def _sets(self, number: int, filled: int, left: int) -> list[TurnMade]:
        """Return the sets that a turn can place. Each is met once (Redelmeier)."""
        least, board = self.game.turn(number).least, self.board
        required = min(self.game.minimum, 16 - filled.bit_count())
        found: list[TurnMade] = []

        def grow(todo: int, known: int, taken: int, cells: int) -> None:
            more = MORE[taken]
            while todo:
                bit = todo & -todo
                todo ^= bit
                cell = _CELL[bit]
                dice = more[board[cell]]
                powers = least[dice]
                if powers > left:
                    continue
                size = SIZE[dice]
                if size >= required:
                    found.append(TurnMade(cells | bit, dice, powers))
                if size < DICE:
                    near = NEAR[cell] & ~known
                    if todo or near:
                        grow(todo | near, known | near, dice, cells | bit)

        outside = ~self.numbers | filled
        there = filled & self.numbers
        if there:
            todo = _touching(there) & ~outside
            grow(todo, outside | todo, 0, 0)
        else:  # R3: the first number anywhere; each set from the first of its cells on
            for cell in cells_of(self.numbers):
                outside |= 1 << cell
                grow(1 << cell, outside, 0, 0)
        return found

    def _ruins(self, number: int, filled: int, left: int) -> list[TurnMade]:
        """Return the ruins that a turn can end in."""
        todo = FULL & ~self.numbers & ~filled
        if not todo:
            return []
        field = field_of((cell, self.board[cell]) for cell in cells_of(filled))
        powers = self.game.turn(number).magdagdon(field, min(self.game.minimum, 16 - filled.bit_count()))
        if powers is None or len(powers) > left:
            return []
        return [TurnMade(1 << cell, 0, len(powers)) for cell in cells_of(todo)]


_CELL = {1 << cell: cell for cell in range(16)}


@cache
def _touching(cells: int) -> int:
    """Return the cells that touch one of some cells, both as bits."""
    lowest = cells & -cells
    return NEAR[_CELL[lowest]] | (_touching(cells ^ lowest) if cells != lowest else 0)


def hindsight(options: Mapping[str, Any], seed: str, seat: int = 1) -> Hindsight:
    """Return the highest score that the dice of a seed allow."""
    return KnownGame(options["difficulty"], seed).best()


@cache
def classes() -> list[tuple[int, list[bytes]]]:
    """Return the boards that score much, a board a class, by their score, the highest first."""
    data = lzma.decompress(Path(__file__).with_name("magdagdon-boards.xz").read_bytes())
    found: dict[int, list[bytes]] = {}
    for begin in range(0, len(data), 16):
        board = data[begin : begin + 16]
        lines = [board[0:4], board[4:8], board[8:12], board[12:], board[::4], board[1::4], board[2::4], board[3::4]]
        found.setdefault(sum(map(_twice, lines)) // 2, []).append(board)
    return sorted(found.items(), reverse=True)


@cache
def _twice(line: bytes) -> int:
    """Return twice what a line adds to the score; a ruin stands in two lines."""
    numbers = sum(value for value in line if value != RUIN)
    return 2 * (numbers + line_bonus(tuple(line))) - RUIN_PENALTY * line.count(RUIN)


def _placements(board: Sequence[int], filled: int, cells: int) -> list[str]:
    """Return the placements of a turn in an order that is legal."""
    there = sum(1 << cell for cell in cells_of(filled) if board[cell] != RUIN)
    placed = []
    while cells:
        cell = next(cell for cell in cells_of(cells) if not there or NEAR[cell] & there)
        placed.append(f"place {board[cell]} {CELLS[cell]}")
        there |= 1 << cell
        cells ^= 1 << cell
    return placed
