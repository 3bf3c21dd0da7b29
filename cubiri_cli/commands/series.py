"""What `simulate` and `match` share: their options, and games played in several processes, in order."""

from __future__ import annotations

import time
from contextlib import closing
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cubiri_cli.commands.options import game_named, parse_options, parse_seed, parse_timeout, parse_whole
from cubiri_cli.commands.output import UsageError
from cubiri_cli.commands.processes import cores, in_processes
from cubiri_cli.commands.progress import Progress
from cubiri_cli.commands.seating import check_level, parse_bot
from cubiri_cli.commands.verify_score import MOST_JOBS
from cubiri_cli.games.dice import is_seed
from cubiri_cli.players.series import Series
from cubiri_cli.replays import clock
from cubiri_cli.store.settings import default_options
from cubiri_cli.table.language import _, speak, spoken
from cubiri_cli.terminal.printing import pass_on

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from cubiri_cli.games.game import Game
    from cubiri_cli.players.bots import Bot

FORMATS = ("text", "json")
MOST_GAMES = 100_000_000

Done = TypeVar("Done")


class SeriesOptions(NamedTuple):
    """What was typed, as far as both commands take it."""

    games: str
    jobs: str | None
    seed: str | None
    bot_timeout: str | None
    options: Mapping[str, str]


class Simulation(NamedTuple):
    """What is to be played."""

    game: type[Game]
    series: Series
    games: int
    jobs: int


def simulation_of(game: str, typed: SeriesOptions) -> Simulation:
    """Return what is to be played. Raises `UsageError`."""
    found = game_named(game)
    options = {**default_options(found), **parse_options(found, typed.options)}
    count = parse_whole("games", typed.games, 1, MOST_GAMES) or 1
    seed = clock.fresh_seed() if typed.seed is None else parse_seed(typed.seed)
    if not is_seed(f"{seed}-{count}"):
        raise UsageError("--seed: " + _("too long: a number is put behind it for every game"))
    series = Series(found.NAME, options, seed, parse_timeout(typed.bot_timeout), pass_on)
    return Simulation(found, series, count, parse_whole("jobs", typed.jobs, 1, MOST_JOBS) or cores())


def bot_named(text: str, game: str) -> Bot:
    """Return the bot that a person means, where it can play the game. Raises `UsageError`."""
    bot = parse_bot(text)
    check_level(bot, game)
    return bot


def play_all(
    wanted: Simulation, play: Callable[[int], Done], enough: Callable[[Done], bool] = lambda one: False
) -> tuple[list[Done], bool]:
    """Play the games 1, 2 and so on, and show meanwhile how long it will still take.

    Return what came of them, in their order, up to the first of which `enough` says so; and whether Ctrl-C came before.
    """
    done: list[Done] = []
    began, progress = time.monotonic(), Progress()

    def so_far() -> str:
        left = round((time.monotonic() - began) / len(done) * (wanted.games - len(done)))
        text = _("{done} of {count} games; {left} left …")
        return text.format(done=len(done), count=wanted.games, left=str(timedelta(seconds=left)).removeprefix("0:"))

    try:
        with closing(_played(wanted, play)) as results:
            for one in results:
                done.append(one)
                if enough(one):
                    break
                progress.show(so_far)
    except KeyboardInterrupt:
        return done, True
    finally:
        progress.clear()
    return done, False


def _played(wanted: Simulation, play: Callable[[int], Done]) -> Generator[Done]:
    numbers, jobs = range(1, wanted.games + 1), min(wanted.jobs, wanted.games)
    if jobs == 1:
        yield from map(play, numbers)
    else:
        for some in in_processes(partial(_play_some, play), numbers, jobs, partial(speak, spoken())):
            yield from some


def _play_some(play: Callable[[int], Done], numbers: Sequence[int]) -> list[Done]:
    return [play(number) for number in numbers]
