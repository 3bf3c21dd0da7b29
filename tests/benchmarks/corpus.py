"""Replays of typical length to measure with: games of small greedy players, the same ones every time.

python -m tests.benchmarks.corpus FOLDER --magdagdon 3000 --mishimash 300
"""

from __future__ import annotations

import argparse
import random
from datetime import UTC, datetime
from pathlib import Path

from cubiri_cli.games.magdagdon import Magdagdon
from cubiri_cli.games.mishimash import Mishimash
from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import Session

STARTED = datetime(2026, 11, 30, 18, 2, 11, tzinfo=UTC)


def magdagdon_text(seed: str, difficulty: str) -> str:
    """Return the replay of a game of MAGDAGDON by a player who looks one die ahead."""
    session = Session.begin("magdagdon", {"difficulty": difficulty}, [Player("Ada")], seed, started=STARTED)
    session.finished = STARTED
    game, chance = session.game, random.Random(seed)
    assert isinstance(game, Magdagdon)
    while not game.over:
        session.do(_magdagdon_action(game, chance))
    return session.text()


def _magdagdon_action(game: Magdagdon, chance: random.Random) -> str:
    legal = game.legal_actions()
    if game.can_confirm and chance.random() < 0.8:
        return "confirm"
    places = [action for action in legal if action.startswith("place")]
    if places and (not game.staged_cells or chance.random() < 0.9):
        # Now and then any place at all, or one die back, so that staging that leads nowhere comes to an end.
        greedy = chance.random() < 0.7
        return max(places, key=lambda action: _worth(game, action)) if greedy else chance.choice(places)
    powers = [action for action in legal if action.startswith("power reroll")]
    if powers and game.is_magdagdon and chance.random() < 0.6:
        return powers[-1]
    wanted = "return" if game.staged_cells and not game.can_confirm else ("roll", "ruin", "confirm")
    return chance.choice([action for action in legal if action.startswith(wanted)])


def _worth(game: Magdagdon, action: str) -> int:
    after = game.copy()
    after.apply(action, lambda roll, count: (1,) * count)
    return after.score(after.board_if_confirmed()).total


def mishimash_text(seed: str, players: int, target: int) -> str:
    """Return the replay of a game of MISHIMASH by players who take all that scores and bank at 12 points."""
    names = [Player(name) for name in ("Ada", "Bo", "Cy", "Di")[:players]]
    session = Session.begin("mishimash", {"target": target}, names, seed, started=STARTED)
    session.finished = STARTED
    game = session.game
    assert isinstance(game, Mishimash)
    while not game.over:
        session.do(_mishimash_action(game))
    return session.text()


def _mishimash_action(game: Mishimash) -> str:
    if game.must_select:
        return game.legal_actions()[-1] if len(game.selections) < 3 else max(game.legal_actions(), key=len)
    return "bank" if game.at_risk >= 2 * 12 else "roll"


def texts(magdagdon: int, mishimash: int) -> dict[str, str]:
    """Return so many replays of each game: file name → text."""
    levels = ("peaceful", "survival", "nightmare")
    found = {f"magdagdon-{n:05}.toml": magdagdon_text(f"bench-{n}", levels[n % 3]) for n in range(magdagdon)}
    for n in range(mishimash):
        found[f"mishimash-{n:05}.toml"] = mishimash_text(
            f"bench-{n}", (1, 1, 2, 4)[n % 4], (1000, 1000, 500, 300)[n % 4]
        )
    return found


def write(folder: Path, magdagdon: int, mishimash: int) -> list[Path]:
    """Write so many replays of each game into a folder and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in texts(magdagdon, mishimash).items():
        paths.append(folder / name)
        paths[-1].write_text(text, "utf-8", newline="\n")
    return paths


def main() -> None:
    """Write the replays the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--magdagdon", type=int, default=3000)
    parser.add_argument("--mishimash", type=int, default=300)
    arguments = parser.parse_args()
    print(len(write(arguments.folder, arguments.magdagdon, arguments.mishimash)), "replays")


if __name__ == "__main__":
    main()
