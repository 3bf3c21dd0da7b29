"""Analyzes games of a level, and prints what their results are made of:

    python -m learning.sums GAME OPTION LEVEL [SEATS [GAMES [SECONDS]]]

The largest difference between start + luck - loss + revision + others and the result; the means of luck and revision
with their standard errors; and the mean loss of a decision in which there was a choice.
"""

from __future__ import annotations

import sys
from math import sqrt
from time import process_time

from cubiri_cli import games, players
from cubiri_cli.games.game import WordOption
from cubiri_cli.players.analysis import Analysis, analyze
from cubiri_cli.replays.history import history
from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import Session


def analyzed(game: str, option: str, level: str, seats: int, seed: str) -> Analysis:
    """Return the analysis of a game among players of a level."""
    [known] = games.load(game).OPTIONS
    options = {known.name: option if isinstance(known, WordOption) else int(option)}
    names = [f"player {seat}" for seat in range(1, seats + 1)]
    session = Session.begin(game, options, [Player(name) for name in names], seed)
    bots = [players.level(level, game, players.own_key(seed, seat)) for seat in range(1, seats + 1)]
    while not session.game.over:
        session.do(bots[session.game.seat - 1].choose(players.View(session.game, names)))
    return analyze(session.replay.beginning(), history(session.replay).steps)


def main() -> None:
    """Analyze games, and print what they are made of."""
    game, option, level, *rest = sys.argv[1:]
    seats, most, seconds = (*map(int, rest), *(1, 1000, 3600)[len(rest) :])
    luck: list[float] = []
    revision: list[float] = []
    difference = loss = count = choices = 0
    while count < most and process_time() < seconds:
        count += 1
        for one in analyzed(game, option, level, seats, f"sums-{count}").ledgers:
            total = one.start + one.luck - one.loss + one.revision + one.others
            difference, loss, choices = (
                max(difference, abs(total - one.result)),
                loss + one.loss,
                choices + one.unforced,
            )
            luck.append(one.luck)
            revision.append(one.revision)
    print(
        f"{game} {option} {level} {seats}: {count} games, difference {difference:.1e}, luck {_mean(luck)}, "
        f"revision {_mean(revision)}, lost each {loss / choices:.4f}",
        flush=True,
    )


def _mean(row: list[float]) -> str:
    """Return a mean with its standard error."""
    mean = sum(row) / len(row)
    return f"{mean:+.4f} ± {sqrt(sum((one - mean) ** 2 for one in row) / len(row) / max(1, len(row) - 1)):.4f}"


if __name__ == "__main__":
    main()
