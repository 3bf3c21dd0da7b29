"""What a board of MAGDAGDON will score in the end, as learnt from games against itself.

The value of a board is the sum of numbers from tables, one for each of 20 parts of the board: the rectangles of 2×3
cells at the edge (8, each read from its corner of the board) and in the middle (4), the outer and the inner lines (4
and 4). Parts that a symmetry of the board maps onto each other share a table; each stage of the game, by the number of
empty cells, has tables of its own, and so has each number of Powers left. `learning/magdagdon.py` makes them.

Of a full board the value is its score, exactly.
"""

from __future__ import annotations

import lzma
import sys
from array import array
from functools import cache, cached_property
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.games.magdagdon import RUIN, RUIN_PENALTY, line_bonus

if TYPE_CHECKING:
    from collections.abc import Sequence

STAGES = ((1, 2), (3, 4), (5, 6), (7, 8), (9, 11), (12, 16))
"""The empty cells, from and to, of each stage."""
UNIT = 8
"""Values are whole numbers, so many to a point."""
LINE, RECTANGLE = 8**4, 8**6
"""How many ways there are to fill a line, and a rectangle."""
PAIR = 0xFFFFFF
"""Two lines next to each other, of three bits a cell."""
SIZES = (RECTANGLE, RECTANGLE, LINE, LINE)


class Pairs(dict[int, int]):
    """What two lines that lie side by side add to the value of a board: worked out when first met, then known."""

    def __init__(self, rectangle: array[int], first: array[int], second: array[int]) -> None:
        super().__init__()
        self.rectangle, self.first, self.second = rectangle, first, second

    def __missing__(self, pair: int) -> int:
        """Return what a pair adds: both rectangles of 2×3 cells in it, and the lines."""
        one, two = pair & LINE - 1, pair >> 12
        worth = self.rectangle[one & 511 | (two & 511) << 9]
        worth += self.rectangle[_BACK[one] | _BACK[two] << 9]
        worth += self.first[one] + self.second[two]
        self[pair] = worth
        return worth


def _backwards(line: int) -> int:
    return line >> 9 | line >> 3 & 0o70 | line << 3 & 0o700 | (line & 7) << 9


_BACK = tuple(_backwards(line) & 511 for line in range(LINE))
_MIRRORED = tuple((line, _backwards(line)) for line in range(LINE) if _backwards(line) < line)
_BITS = bytes.maketrans(b"01", b"\0\1")
_SIGNED = bytes(high ^ 0x80 for high in range(256))


class Stage(NamedTuple):
    """The tables of a stage, by the place of two lines: the first two, the middle two, the last two."""

    first: Pairs
    middle: Pairs
    last: Pairs

    def value(self, board: int) -> int:
        """Return what a board will score in the end, in units. Where it is asked often, this is written out."""
        first, middle, last = self
        rows = first[board & PAIR] + middle[board >> 12 & PAIR] + last[board >> 24 & PAIR]
        return rows + first[board >> 48 & PAIR] + middle[board >> 60 & PAIR] + last[board >> 72 & PAIR]


def stage_of(edge: array[int], middle: array[int], outer: array[int], inner: array[int]) -> Stage:
    """Return a stage from its four tables; of what mirror images share only the smaller place needs to be filled."""
    nothing = array("h", bytes(2 * LINE))
    for place, back in _MIRRORED:
        outer[place], inner[place] = outer[back], inner[back]
    turned = array("h", bytes(2 * RECTANGLE))
    for one in range(512):
        turned[one::512] = edge[512 * one : 512 * one + 512]
        middle[one : one + 512 * one : 512] = middle[512 * one : 513 * one]
    return Stage(Pairs(edge, outer, inner), Pairs(middle, nothing, nothing), Pairs(turned, inner, outer))


@cache
def scores() -> Stage:
    """Return the stage in which a board is full: what it scores."""
    lines = array("h", bytes(2 * LINE))
    for place in range(LINE):
        line = tuple(place >> 3 * at & 7 for at in range(4))
        numbers = sum(value for value in line if value != RUIN)
        # A ruin stands in two lines.
        lines[place] = round(UNIT * (numbers + line_bonus(line) - RUIN_PENALTY / 2 * line.count(RUIN)))
    nothing = array("h", bytes(2 * RECTANGLE))
    first = Pairs(nothing, lines, lines)
    return Stage(first, Pairs(nothing, first.rectangle[:LINE], first.rectangle[:LINE]), first)


class Network:
    """A stage for every number of empty cells, from 0 to 16: each is unpacked when it is asked for first.

    A game begins with the last stages and ends with the first ones, and what is asked for at one moment are few.
    """

    def __init__(self, packed: Sequence[Packed]) -> None:
        self.stages = _Stages(packed)


class Filled:
    """Which places of the four tables of a stage are filled, a bit each as they are kept: the same for all Powers."""

    def __init__(self, packed: Sequence[memoryview]) -> None:
        self._packed = packed

    @cached_property
    def places(self) -> list[list[int]]:
        """The places of each table."""
        found = []
        for bits, size in zip(self._packed, SIZES, strict=True):
            text = f"{int.from_bytes(bits, 'big'):0{size}b}".encode("ascii").translate(_BITS)
            found.append(list(compress(range(size), text)))
        return found


class Packed(NamedTuple):
    """The four tables of a stage as they are kept: which places of each are filled, and the numbers there."""

    filled: Filled
    numbers: tuple[memoryview, ...]

    def unpacked(self) -> Stage:
        """Return the stage."""
        return stage_of(*map(_table, self.filled.places, self.numbers, SIZES))


class _Stages(dict[int, Stage]):
    """The stages by the number of empty cells."""

    def __init__(self, packed: Sequence[Packed]) -> None:
        super().__init__({0: scores()})
        self._packed = packed

    def __missing__(self, empty: int) -> Stage:
        number = next(at for at, (low, high) in enumerate(STAGES) if low <= empty <= high)
        stage = self._packed[number].unpacked()
        low, high = STAGES[number]
        self.update(dict.fromkeys(range(low, high + 1), stage))
        return stage


@cache
def networks(name: str) -> tuple[Network, ...]:
    """Return the networks of a difficulty by the number of Powers left."""
    data = memoryview(lzma.decompress(Path(__file__).with_name(f"magdagdon-{name}.xz").read_bytes()))
    powers, data = data[0], data[1:]
    found: list[list[Packed]] = [[] for _ in range(powers + 1)]
    for _ in STAGES:
        filled: list[memoryview] = []
        numbers: list[list[memoryview]] = [[] for _ in found]
        for size in SIZES:
            filled.append(data[: size // 8])
            data, count = data[size // 8 :], int.from_bytes(filled[-1], "big").bit_count()
            for row in numbers:
                row.append(data[: 2 * count])
                data = data[2 * count :]
        places = Filled(filled)
        for packed, row in zip(found, numbers, strict=True):
            packed.append(Packed(places, tuple(row)))
    return tuple(map(Network, found))


def _table(places: Sequence[int], numbers: memoryview, size: int) -> array[int]:
    """Return a table. Its numbers are kept with 1 << 15 added: the low bytes of all, then the high bytes."""
    values, count = array("h", bytes(2 * size)), len(places)
    mixed = bytearray(2 * count)
    mixed[::2], mixed[1::2] = numbers[:count], bytes(numbers[count:]).translate(_SIGNED)
    there = array("h", mixed)
    if sys.byteorder == "big":
        there.byteswap()
    for place, value in zip(places, there, strict=True):
        values[place] = value
    return values
