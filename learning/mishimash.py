"""Computes all tables of the players of MISHIMASH (`cubiri_cli/players/mishimash.xz`), in some minutes:

    python -m learning.mishimash [FILE]

Nothing in it is learnt from games: all is induction, the same in every run. Points are half-points unless said.
"""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path

import numpy as np

from cubiri_cli.games.mishimash import DICE
from learning.mishimash_induction import BONUSES, ROLLS, Workspace, _fewest

FILE = Path(__file__).parents[1] / "cubiri_cli" / "players" / "mishimash.xz"

MOST_SOLO = 2000
"""Turns to go are computed for so many half-points and less."""
DEEPEST = 1200
"""A turn that has so much at risk is banked."""
RACE, RACE_TURNS = 400, 48
"""The chances of a race are computed for so many half-points and less, and so many turns."""
LAST_TURN = 600
"""The chances of a last turn are computed for so many half-points and less."""
UNIT = 64
"""Values of a turn are kept as whole numbers, so many to a point; chances as ten-thousandths."""


def turn_table() -> dict[str, object]:
    """Return the best turn for its expected points: what a state is worth in points beyond those at risk."""
    last = 3000
    room = Workspace.of(last)
    value, _ = room.turn(np.arange(last + 1) / 2, 0.0, 0.5)
    low, rows = _fewest(last), {}
    for n in range(1, 16):
        for k in range(5):
            for d in range(1, DICE + 1):
                begin = int(low[n, k, d])
                excess = np.round((room.values[n, k, d] - np.arange(last) / 2) * UNIT)[begin:400].astype(int)
                if len(excess):
                    rows[f"{n} {d} {k}"] = [begin, *deltas(excess)]
    return {"value": float(value), "states": rows}


def deltas(row: np.ndarray) -> list[int]:
    """Return the first number and the steps from each to the next, without the zeros at the end."""
    steps = np.diff(row, prepend=0)
    steps = steps[: np.flatnonzero(steps).max(initial=-1) + 1]
    return [int(step) for step in steps]


def solo_table(room: Workspace) -> np.ndarray:
    """Return the fewest expected turns to bank 0, 1, … half-points.

    A bust leaves what is needed as it was, so the number wanted stands on both sides: found by Newton's steps, each of
    which plays a whole turn as if the last guess were true.
    """
    needed = np.zeros(MOST_SOLO + 1)
    for rest in range(1, MOST_SOLO + 1):
        guess = 2 * needed[rest - 1] - needed[rest - 2] if rest > 1 else 1.0
        while True:
            value, lost = room.turn(solo_payoff(needed, rest), -guess, 0.0 if rest <= DEEPEST else 1 / 31.4447)
            step = (1 - value - guess) / (1 - lost)
            guess += step
            if abs(step) < 1e-6:  # what is left is its square
                break
        needed[rest] = guess
        if rest % 100 == 0:
            print(f"turns to {rest / 2:g} points: {guess:.6f}", flush=True)
    return needed


def solo_payoff(needed: np.ndarray, rest: int) -> np.ndarray:
    """Return what banking 0, 1, … is worth where `rest` is needed: the turns that are then to come, negative."""
    return -needed[np.maximum(rest - np.arange(min(rest, DEEPEST) + 1), 0)]


def last_turn_table(room: Workspace) -> tuple[float, np.ndarray, np.ndarray]:
    """Return sudden death of two: the first one's chance, and the second one's to beat and to equal a given turn."""
    first = 0.5
    for _ in range(4):  # a tie is rare: each round brings two digits
        beats, equals = np.zeros(LAST_TURN + 1), np.zeros(LAST_TURN + 1)
        for asked in range(LAST_TURN + 1):
            payoff = np.zeros(asked + 2)
            payoff[asked], payoff[asked + 1] = 1 - first, 1.0
            room.turn(payoff, 1 - first if asked == 0 else 0.0)
            found = room.gains(payoff, asked + 1)
            beats[asked], equals[asked] = found[asked + 1], found[asked]
        kept = 1 - beats - (1 - first) * equals
        first, _ = room.turn(kept, kept[0])
        print(f"sudden death, first of two: {first:.6f}", flush=True)
    return float(first), beats, equals


def race_tables(room: Workspace, needed: np.ndarray, first: float, beats: np.ndarray, equals: np.ndarray) -> tuple:
    """Return for 0, 1, … half-points needed and 0, 1, … turns, all played as solo: two chances.

    The first: not to be there after so many turns. The second: not to be there one turn earlier, and then to beat in
    one last turn somebody who has reached the target.
    """
    found = np.zeros((RACE + 1, RACE + 101))
    for rest in range(1, RACE + 1):
        payoff = solo_payoff(needed, rest)
        room.turn(payoff, -needed[rest])
        found[rest, : rest + 101] = room.gains(payoff, rest + 100)
    beyond = overshoot(found)
    left, challenge = np.zeros((2, RACE + 1, RACE_TURNS + 1))
    left[1:, 0] = 1.0
    chance = beats + (1 - first) * equals
    for rest in range(1, RACE + 1):
        asked = np.minimum(rest + np.arange(101), LAST_TURN)
        challenge[rest, 1] = beyond @ chance[asked]
    for turns in range(1, RACE_TURNS + 1):
        for rest in range(1, RACE + 1):
            left[rest, turns] = found[rest, :rest] @ left[rest:0:-1, turns - 1]
            if turns > 1:
                challenge[rest, turns] = found[rest, :rest] @ challenge[rest:0:-1, turns - 1]
    return left, challenge


def overshoot(found: np.ndarray) -> np.ndarray:
    """Return the chances of reaching the target by 0, 1, … half-points more than needed, from far away."""
    beyond = np.zeros((RACE + 1, 101))
    for rest in range(1, RACE + 1):
        beyond[rest] = found[rest, rest : rest + 101]
        for gain in range(1, rest):
            beyond[rest] += found[rest, gain] * beyond[rest - gain]
        beyond[rest] /= 1 - found[rest, 0]
    return beyond[RACE]


def thousandths(row: np.ndarray) -> list[int]:
    """Return chances as steps of ten-thousandths."""
    return deltas(np.round(row * 10_000).astype(int))


def race_rows() -> list[int]:
    """Return the numbers of half-points for which the chances of a race are kept."""
    return [*range(1, 100), *range(100, RACE + 1, 5)]


def main() -> None:
    """Compute everything and write it."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    turn = turn_table()
    print(f"the best turn: {turn['value']:.6f} points (cut after {ROLLS} rolls, {BONUSES} MISHIMASHes)", flush=True)
    room = Workspace.of(DEEPEST)
    first, beats, equals = last_turn_table(room)
    needed = solo_table(room)
    left, challenge = race_tables(room, needed, first, beats, equals)
    tables = {
        "turn": turn,
        "solo": [round(turns * 1e9) for turns in needed],
        "first": first,
        "beats": thousandths(beats),
        "equals": thousandths(equals),
        "left": {rest: thousandths(left[rest]) for rest in race_rows()},
        "challenge": {rest: thousandths(challenge[rest]) for rest in race_rows()},
    }
    for name, table in tables.items():
        print(f"{name}: {len(packed(table))} bytes")
    file.write_bytes(packed(tables))
    print(f"{file}: {file.stat().st_size} bytes")


def packed(table: object) -> bytes:
    """Return a table as packed JSON."""
    return lzma.compress(json.dumps(table, separators=(",", ":")).encode("ascii"), preset=9)


if __name__ == "__main__":
    main()
