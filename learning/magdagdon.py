"""Learns the tables of the players of MAGDAGDON from games against the dice:

    python -m learning.magdagdon learn DIFFICULTY      # kept after each round, and gone on with when begun again
    python -m learning.magdagdon measure DIFFICULTY    # mean scores of what was learnt, compiled
    python -m learning.magdagdon pack DIFFICULTY       # writes cubiri_cli/players/magdagdon-DIFFICULTY.xz

What is learnt is kept in the folder `CUBIRI_LEARNING`, here by default. Every round has its own seed, so that a run
that was interrupted ends with the same tables as one that was not. `magdagdon.md` says what was tried.
"""

from __future__ import annotations

import json
import lzma
import os
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cubiri_cli.games.magdagdon import DIFFICULTIES
from learning.magdagdon_engine import INNER, LINE_SCORES, MIDDLE, OUTER, SIZE, STAGES, play, train

PLAYERS = Path(__file__).parents[1] / "cubiri_cli" / "players"
UNIT = 8
ROUND = 20_000
"""Games a round."""


class Course(NamedTuple):
    """How a difficulty is learnt."""

    start: str | None
    """The difficulty whose networks it begins with; it ends before this one begins."""
    rounds: int
    first: float
    """The step at first; it falls evenly, by ratio, to `last`."""
    last: float
    noise: float
    """The scale of the noise at first; it falls evenly to nothing at nine tenths of the course."""
    full: int = 6
    """With at most so many cells empty a board learns from all rolls."""


COURSES = {
    "nightmare": Course(None, 60, 0.4, 0.01, 20.0),
    "peaceful": Course("nightmare", 60, 0.3, 0.01, 15.0),
    "survival": Course("peaceful", 20, 0.2, 0.01, 15.0),
}


def folder() -> Path:
    """Return the folder in which what was learnt is kept."""
    return Path(os.environ.get("CUBIRI_LEARNING", Path(__file__).parent))


def rules_of(difficulty: str) -> tuple[int, np.ndarray, int]:
    """Return the least number of dice to place, the price of a Power by how many are left, and how many there are."""
    minimum, prices = DIFFICULTIES[difficulty]
    return minimum, np.array([0, *reversed(prices), 0, 0, 0][:4]), len(prices)


def fresh(powers: int) -> np.ndarray:
    """Return networks that have learnt nothing: they know what the lines score."""
    nets = np.zeros((powers + 1, STAGES, SIZE), np.float32)
    nets[:, :, OUTER : OUTER + 8**4] = LINE_SCORES
    nets[:, :, INNER : INNER + 8**4] = LINE_SCORES
    return nets


def load(difficulty: str) -> tuple[np.ndarray, int]:
    """Return what was learnt so far, and in how many rounds."""
    kept, noted = folder() / f"{difficulty}.npy", folder() / f"{difficulty}.json"
    if noted.exists():
        return np.load(kept), json.loads(noted.read_text("ascii"))["rounds"]
    nets, start = fresh(rules_of(difficulty)[2]), COURSES[difficulty].start
    if start:
        known, _ = load(start)
        nets[:] = known[[min(powers, len(known) - 1) for powers in range(len(nets))]]
    return nets, 0


def save(difficulty: str, nets: np.ndarray, rounds: int) -> None:
    """Keep what was learnt; interrupted between its two files, the round is done again from what there was before."""
    np.save(folder() / f"{difficulty}.new.npy", nets)
    (folder() / f"{difficulty}.new.npy").replace(folder() / f"{difficulty}.npy")
    (folder() / f"{difficulty}.json").write_text(json.dumps({"rounds": rounds}), "ascii")


def learn(difficulty: str) -> None:
    """Play and learn to the end of the course."""
    course = COURSES[difficulty]
    minimum, prices, powers = rules_of(difficulty)
    nets, begin = load(difficulty)
    for done in range(begin, course.rounds):
        part = done / (course.rounds - 1)
        step = course.first * (course.last / course.first) ** part
        noise = course.noise * max(0.0, 1 - part / 0.9)
        total = train(nets, minimum, prices, powers, ROUND, step, noise, course.full, 1000 + done)
        print(f"{difficulty}: {(done + 1) * ROUND:,} games, mean of this round {total / ROUND:.1f}", flush=True)
        save(difficulty, nets, done + 1)


def measure(difficulty: str, games: int = 2_000) -> None:
    """Print the mean score of the network alone, and of its best boards seen over all their rolls; less the luck."""
    minimum, prices, powers = rules_of(difficulty)
    nets, rounds = load(difficulty)
    for top, count in ((0, games), (6, games // 2)):
        scores = play(nets, minimum, prices, powers, count, top, 1, np.zeros(16, np.int64))
        means, errors = scores.mean(axis=1), scores.std(axis=1) / count**0.5
        said = f"{means[1]:.2f} ± {errors[1]:.2f} (with luck {means[0]:.1f} ± {errors[0]:.1f})"
        print(f"{difficulty} after {rounds} rounds, top {top}: {said}", flush=True)


def pack(difficulty: str) -> None:
    """Write the tables as the package has them: `magdagdon_network.py` says how."""
    nets, _ = load(difficulty)
    ours = packed(nets)
    (PLAYERS / f"magdagdon-{difficulty}.xz").write_bytes(ours)
    print(f"{difficulty}: {len(ours)} bytes")


def packed(nets: np.ndarray) -> bytes:
    """Return networks as packed tables: per stage and table, the places that are filled, then the numbers of each."""
    out = bytearray([len(nets) - 1])
    for stage in range(STAGES):
        for begin, end in ((0, MIDDLE), (MIDDLE, OUTER), (OUTER, INNER), (INNER, SIZE)):
            values = np.round(nets[:, stage, begin:end] * UNIT).astype(np.int64)
            filled = (values != 0).any(axis=0)
            out += np.packbits(filled).tobytes()
            for row in values:
                numbers = row[filled] + (1 << 15)
                out += (numbers & 255).astype(np.uint8).tobytes() + (numbers >> 8).astype(np.uint8).tobytes()
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 1 << 25, "lc": 0, "lp": 0, "pb": 0}]
    return lzma.compress(bytes(out), format=lzma.FORMAT_XZ, filters=filters)


if __name__ == "__main__":
    {"learn": learn, "measure": measure, "pack": pack}[sys.argv[1]](sys.argv[2], *map(int, sys.argv[3:]))
