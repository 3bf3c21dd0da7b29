"""What may stand in a home folder: finished games, those of a day's challenge, tables of old with wrong content."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import Session
from cubiri_cli.store.days import challenge_of
from cubiri_cli.store.home import replays_folder
from tests.support.strategies import play, setup_number, unaided

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime

    import pytest

    from cubiri_cli.games.problem import Problem

CASES = Path(__file__).parents[1] / "tables"
"""Tables of version 1.0 with wrong content: options that are no JSON, a digest that is no UTF-8."""


def say_nothing(problem: Problem) -> None:
    """Be told of no problem: there must be none."""
    raise AssertionError(problem)


def write_games(folder: Path, numbers: range) -> list[Path]:
    """Write so many different finished games, of all kinds, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number in numbers:
        path = folder / f"game-{number:03}.toml"
        path.write_text(play(setup_number(number), random.Random(number), unaided).text(), encoding="utf-8")
        paths.append(path)
    return paths


def case(name: str) -> Callable[[Path], None]:
    """Return what puts one of `CASES` in the place of the leaderboard."""

    def spoil(path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(CASES / f"{name}.sqlite3", path)

    return spoil


def play_challenge(day: date, moment: datetime, monkeypatch: pytest.MonkeyPatch, name: str = "Ada") -> Session:
    """Play a day's challenge to its end, and keep it at home as the program does."""
    challenge = challenge_of(day)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(moment.timestamp())))
    session = Session.begin(challenge.game, challenge.options, [Player(name)], challenge.seed)
    chance = random.Random(challenge.seed)
    while not session.game.over:
        actions = session.game.legal_actions()
        session.do(next((one for one in actions if one in ("confirm", "bank")), None) or chance.choice(actions))
    replays_folder().mkdir(parents=True, exist_ok=True)
    path = replays_folder() / f"{moment:%Y%m%d-%H%M%S}.toml"
    path.write_text(session.text(), "utf-8")
    os.utime(path, (moment.timestamp(),) * 2)
    return session
