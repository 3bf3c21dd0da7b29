"""Finds the full boards of MAGDAGDON that score much, for looking back at a game: which of them its dice allowed.

    python -m learning.magdagdon_boards      # writes cubiri_cli/players/magdagdon-boards.xz

A class is a board with those that turning and mirroring it make. The file holds a board of each class that scores at
least `LEAST` points before Powers, in order (which packs best), a byte a cell.
"""

from __future__ import annotations

import lzma
from itertools import product
from pathlib import Path

import numpy as np
from numba import njit

from cubiri_cli.games.magdagdon import EMPTY, RUIN, line_bonus
from learning.magdagdon_engine import NEAR

LEAST = 260
FILE = Path(__file__).parents[1] / "cubiri_cli" / "players" / "magdagdon-boards.xz"


def _fit(one: int, other: int) -> bool:
    return RUIN in (one, other) or abs(one - other) <= 1


ROWS = np.array([row for row in product(range(1, 8), repeat=4) if all(_fit(row[at], row[at + 1]) for at in range(3))])
FITS = np.array([[all(map(_fit, one, other)) for other in ROWS] for one in ROWS])
"""Whether one row may stand above another."""
BONUS = np.zeros(8**4, np.int64)
for _line in product(range(1, 8), repeat=4):
    BONUS[sum(value << 3 * at for at, value in enumerate(_line))] = line_bonus(_line)
SYMMETRIES = np.array(
    [
        [4 * way[a] + way[b] for way in ((row, column, 3 - row, 3 - column) for row in range(4) for column in range(4))]
        for a, b in ((0, 1), (0, 3), (2, 1), (2, 3), (1, 0), (1, 2), (3, 0), (3, 2))
    ]
)


@njit(cache=True)
def _score(board):
    """Return what a full board scores."""
    total = 0
    for i in range(4):
        row, column = 0, 0
        for j in range(4):
            row |= board[4 * i + j] << 3 * j
            column |= board[4 * j + i] << 3 * j
            total += -15 if board[4 * i + j] == RUIN else 2 * board[4 * i + j]
        total += BONUS[row] + BONUS[column]
    return total


@njit(cache=True)
def _is_connected(board, todo):
    """Tell whether the numbers of a board are one field."""
    seen, count, wanted = 0, 0, 0
    for cell in range(16):
        if board[cell] != RUIN:
            wanted += 1
            if not count:
                todo[0], seen, count = cell, 1 << cell, 1
    at = 0
    while at < count:
        for other in NEAR[todo[at]]:
            if other >= 0 and board[other] != RUIN and not seen >> other & 1:
                seen |= 1 << other
                todo[count] = other
                count += 1
        at += 1
    return count == wanted


@njit(cache=True)
def _is_first(board):
    """Tell whether a board is the smallest of its class."""
    for symmetry in SYMMETRIES:
        for cell in range(16):
            if board[symmetry[cell]] != board[cell]:
                if board[symmetry[cell]] < board[cell]:
                    return False
                break
    return True


@njit(cache=True)
def _boards(least, found):
    """Fill `found` with a board of each class that scores so much; return how many there are."""
    board, todo, count = np.zeros(16, np.int64), np.zeros(16, np.int64), 0
    for a in range(len(ROWS)):
        board[:4] = ROWS[a]
        for b in range(len(ROWS)):
            if not FITS[a, b]:
                continue
            board[4:8] = ROWS[b]
            for c in range(len(ROWS)):
                if not FITS[b, c]:
                    continue
                board[8:12] = ROWS[c]
                for d in range(len(ROWS)):
                    if FITS[c, d]:
                        board[12:] = ROWS[d]
                        if _score(board) >= least and _is_first(board) and _is_connected(board, todo):
                            found[count] = board
                            count += 1
    return count


def main() -> None:
    """Write the boards."""
    assert EMPTY == 0
    found = np.zeros((1_000_000, 16), np.uint8)
    boards = found[: _boards(LEAST, found)].tolist()
    boards.sort()
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "pb": 4}]
    FILE.write_bytes(lzma.compress(np.array(boards, np.uint8).tobytes(), lzma.FORMAT_XZ, filters=filters))
    print(f"{len(boards)} classes, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
