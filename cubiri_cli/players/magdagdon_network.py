"""What a board of MAGDAGDON will score in the end, as learnt from games against itself.

The value of a board is the sum of numbers from tables, one for each of 20 parts of the board: the rectangles of 2×3
cells at the edge (8, each read from its corner of the board) and in the middle (4), the outer and the inner lines (4
and 4). Parts that a symmetry of the board maps onto each other share a table; each stage of the game, by the number of
empty cells, has tables of its own, and so has each number of Powers left. `learning/magdagdon.py` makes them.

Of a full board the value is its score, exactly.
"""

from __future__ import annotations

import lzma
from array import array
from functools import cache
from itertools import compress
from pathlib import Path
from typing import NamedTuple

from cubiri_cli.games.magdagdon import RUIN, RUIN_PENALTY, line_bonus

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


class Network(NamedTuple):
    """A stage for every number of empty cells, from 0 to 16."""

    stages: tuple[Stage, ...]


@cache
def networks(name: str) -> tuple[Network, ...]:
    """Return the networks of a difficulty by the number of Powers left."""
    data = memoryview(lzma.decompress(Path(__file__).with_name(f"magdagdon-{name}.xz").read_bytes()))
    powers, data = data[0], data[1:]
    found: list[list[Stage]] = [[] for _ in range(powers + 1)]
    for _ in STAGES:
        tables: list[list[array[int]]] = [[] for _ in found]
        for size in SIZES:
            data = _read(data, size, tables)
        for stages, (edge, middle, outer, inner) in zip(found, tables, strict=True):
            stages.append(stage_of(edge, middle, outer, inner))
    return tuple(_network(stages) for stages in found)


def _read(data: memoryview, size: int, tables: list[list[array[int]]]) -> memoryview:
    """Read a table of each network: which places are filled, a bit each, then the low bytes and the high bytes."""
    filled = f"{int.from_bytes(data[: size // 8], 'big'):0{size}b}".encode("ascii").translate(_BITS)
    data, count = data[size // 8 :], sum(filled)
    places = list(compress(range(size), filled))
    for table in tables:
        values = array("h", bytes(2 * size))
        for place, low, high in zip(places, data[:count], data[count : 2 * count], strict=True):
            values[place] = (low | high << 8) - (1 << 15)
        table.append(values)
        data = data[2 * count :]
    return data


def _network(stages: list[Stage]) -> Network:
    by_empty = [scores()]
    for stage, (low, high) in zip(stages, STAGES, strict=True):
        by_empty += [stage] * (high - low + 1)
    return Network(tuple(by_empty))
