"""Measures whether a table of first turns would gain anything: master's first decision of every roll, against games.

    python -m learning.first_turns DIFFICULTY [GAMES [TOP]]

For each of the 126 rolls there are the boards that master's evaluator (the board seen over all its rolls) puts within
`NEAR` points of its best. What each is worth is measured by so many games played on from it (by the network's `TOP`
best boards, or its best one), less the luck. Each board is measured twice: the first games choose, the second ones
judge the choice, so that a choice that was only lucky gains nothing. Symmetric boards are one.
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np

from cubiri_cli.games.magdagdon import NEIGHBOURS
from cubiri_cli.players.magdagdon import MagdagdonPosition, choices, search
from cubiri_cli.players.magdagdon_board import MULTISETS, ROLLS, WAYS
from cubiri_cli.players.magdagdon_network import SIZES, UNIT, _table, networks
from learning.magdagdon import rules_of
from learning.magdagdon_engine import EDGE, INNER, MIDDLE, OUTER, SIZE, STAGES, play

NEAR = 4.0
LOOKED_AT = 24
"""How many of the network's best boards the evaluator sees for a roll."""

Board = tuple[int, ...]


def packed_nets(difficulty: str) -> np.ndarray:
    """Return the networks that the package has."""
    found = networks(difficulty)
    nets = np.zeros((len(found), STAGES, SIZE), np.float32)
    for net, network in zip(nets, found, strict=True):
        for row, packed in zip(net, network.stages._packed, strict=True):
            for begin, places, numbers, size in zip(
                (EDGE, MIDDLE, OUTER, INNER), packed.filled.places, packed.numbers, SIZES, strict=True
            ):
                row[begin : begin + size] = np.array(_table(places, numbers, size), np.float32) / UNIT
    return nets


def symmetries() -> list[list[int]]:
    """Return the eight ways to turn and mirror the cells."""
    grid = np.arange(16).reshape(4, 4)
    return [np.rot90(one, turns).ravel().tolist() for one in (grid, grid.T) for turns in range(4)]


SYMMETRIES = symmetries()


def cells(board: int) -> Board:
    """Return the cells of a board, turned and mirrored as all its symmetric ones are."""
    marks = [board >> 3 * cell & 7 for cell in range(len(NEIGHBOURS))]
    return min(tuple(marks[cell] for cell in turned) for turned in SYMMETRIES)


def near_boards(difficulty: str, roll: int, powers: int) -> tuple[Board, dict[Board, float], float]:
    """Return the board that master takes of a first roll, what the evaluator says of those near it, and of Powers."""
    thoughts = search(difficulty)
    by_network = sorted(thoughts.boards(0, roll), key=lambda board: -thoughts.after(board, powers))
    different: dict[Board, int] = {}
    for board in by_network:
        different.setdefault(cells(board), board)
    said = {one: thoughts.ahead(board, powers) / UNIT for one, board in list(different.items())[:LOOKED_AT]}
    best = max(said.values())
    uses = max((use.value / UNIT for use in thoughts.uses(0, roll, powers)), default=-np.inf) - best
    return choice(difficulty, roll, powers), {b: v for b, v in said.items() if v > best - NEAR}, uses


def choice(difficulty: str, roll: int, powers: int) -> Board:
    """Return the board that master takes; of a Power there is none to compare."""
    best = choices(MagdagdonPosition(difficulty, 0, roll, powers), 8)[0]
    return cells(best.board) if best.to is None else ()


def main() -> None:
    """Measure a difficulty."""
    difficulty, *rest = sys.argv[1:]
    games, top = (*map(int, rest), *(400, 0)[len(rest) :])
    minimum, prices, powers = rules_of(difficulty)
    nets, rolls, began = packed_nets(difficulty), {}, process_time()
    for roll in ROLLS:
        rolls[roll] = near_boards(difficulty, roll, powers)
    said = [f"{value:.1f}" for value in sorted((uses for _, _, uses in rolls.values()), reverse=True)[:3]]
    boards = sorted({board for _, near, _ in rolls.values() for board in near} | {b for b, _, _ in rolls.values() if b})
    print(
        f"{difficulty}: {len(boards)} boards; Powers best at {said} points; {process_time() - began:.0f} s", flush=True
    )
    worth: dict[Board, np.ndarray] = {}
    for number, board in enumerate(boards):
        start = np.array(board, np.int64)
        scores = play(nets, minimum, prices, powers, 2 * games, top, number, start)[1].reshape(2, games)
        worth[board] = np.array([*scores.mean(axis=1), scores.std() / games**0.5])
    error = float(np.mean([one[2] for one in worth.values()]))
    gain = lost = changed = 0.0
    for roll, (ours, near, _) in rolls.items():
        if ours:
            first = max(near, key=lambda board: worth[board][0])
            second = max(near, key=lambda board: worth[board][1])
            better = (worth[first][1] - worth[ours][1] + worth[second][0] - worth[ours][0]) / 2
            gain += WAYS[roll] * better
            both = max(near, key=lambda board: worth[board][:2].sum())
            over = (worth[both][:2].sum() - worth[ours][:2].sum()) / 2
            lost += WAYS[roll] * over
            changed += over > 2 * error
            if over > 2 * error:
                print(f"{MULTISETS[roll]}: {over:.1f}: {both}, ours {ours}", flush=True)
    said = f"a table gains {gain / 6**4:.2f} points a game, judged by other games ({lost / 6**4:.2f} by the same)"
    print(f"{difficulty}: {said}; a board's standard error {error:.2f}; {changed:.0f} rolls differ", flush=True)


if __name__ == "__main__":
    main()
