"""The work of `analyze`: one file after the other judged, in several processes where there are many."""

from __future__ import annotations

import json
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.commands.judging import so_far
from cubiri_cli.commands.processes import cores, in_processes
from cubiri_cli.commands.progress import Progress
from cubiri_cli.players.advice import MARKS, NoAdviceError
from cubiri_cli.players.analysis import analyze, moment_data
from cubiri_cli.replays.folders import read_found, replays_of
from cubiri_cli.replays.history import history
from cubiri_cli.replays.reading import read
from cubiri_cli.replays.replay import ReplayError
from cubiri_cli.replays.verifying import refused
from cubiri_cli.table.hindsight import hindsights
from cubiri_cli.table.language import speak, spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cubiri_cli.players.analysis import Analysis, Ledger
    from cubiri_cli.replays.replay import Replay
    from cubiri_cli.replays.verifying import Verdict


class JudgedFile(NamedTuple):
    """What came of a file: its status, why it was not judged, and what its game was made of."""

    path: str
    status: str
    verdict: Verdict
    is_judged: bool = False
    kind: tuple[str, tuple[tuple[str, Any], ...]] | None = None
    """The game and its options."""
    players: tuple[str, ...] = ()
    unit: str = ""
    ledgers: tuple[Ledger, ...] = ()
    data: str = ""
    """The whole analysis as JSON, where that is wanted."""


def judged_files(paths: Sequence[str], with_data: bool) -> Iterator[JudgedFile]:
    """Yield what came of every file, in order; many are shared with other processes, with progress on a terminal."""
    tasks = replays_of(paths)
    first = list(islice(tasks, 2))
    progress, count = Progress(), 0
    try:
        for some in _judged(first, tasks, with_data):
            progress.clear()
            count += len(some)
            yield from some
            progress.show(partial(so_far, count))
    finally:
        progress.clear()


def _judged(
    first: list[tuple[str, str | None]], rest: Iterable[tuple[str, str | None]], with_data: bool
) -> Iterator[list[JudgedFile]]:

    work = partial(_judge_some, with_data=with_data)
    if len(first) > 1 and cores() > 1:
        yield from in_processes(work, chain(first, rest), cores(), partial(speak, spoken()))
    else:
        yield from (work([task]) for task in chain(first, rest))


def _judge_some(tasks: list[tuple[str, str | None]], with_data: bool) -> list[JudgedFile]:
    return [judge_file(path, folder, with_data) for path, folder in tasks]


def judge_file(path: str, folder: str | None = None, with_data: bool = False, data: bytes | None = None) -> JudgedFile:
    """Return what came of one file; only a game that verified is judged."""
    try:
        played = history(read(read_found(path, folder) if data is None else data))
    except ReplayError as error:
        verdict = refused(error)
        return JudgedFile(path, verdict.status, verdict, data=_data(path, verdict) if with_data else "")
    replay, verdict, beginning, steps = played
    judged = JudgedFile(path, verdict.status, verdict, data=_data(path, verdict) if with_data else "")
    if verdict.status != "verified":
        return judged
    try:
        analysis = analyze(beginning, steps)
    except NoAdviceError:
        return judged
    return judged._replace(
        is_judged=True,
        kind=(replay.game, tuple(replay.options.items())),
        players=tuple(player.name for player in replay.players),
        unit=analysis.unit,
        ledgers=tuple(analysis.ledgers),
        data=_data(path, verdict, replay, analysis) if with_data else "",
    )


# As programs read it (contract, advice.md)


def _data(path: str, verdict: Verdict, replay: Replay | None = None, analysis: Analysis | None = None) -> str:
    about: dict[str, Any] = {
        "path": path,
        "status": verdict.status,
        "game": verdict.game,
        "options": verdict.options,
        "seed": verdict.seed,
        "unit": None,
        "error": None,
        "seats": [],
        "moments": [],
        "hindsight": [],
    }
    if replay is not None and analysis is not None:
        about |= {
            "unit": analysis.unit,
            "error": analysis.error,
            "seats": [_seat(replay, ledger) for ledger in analysis.ledgers],
            "moments": [moment_data(moment) for moment in analysis.moments],
            "hindsight": [
                {"seat": seat, "best": one.value, "unit": one.unit, "exact": one.is_exact}
                for seat, one in enumerate(hindsights(replay), 1)
            ],
        }
    return json.dumps(about, ensure_ascii=True)


def _seat(replay: Replay, ledger: Ledger) -> dict[str, Any]:
    named = ("start", "luck", "loss", "revision", "others", "result", "decisions", "unforced", "marks")
    return {"player": replay.players[ledger.seat - 1].name, **{name: getattr(ledger, name) for name in named}}


# Many games: means by player and kind


class Totals:
    """The sums of a player in games of one kind."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.games = self.unforced = 0
        self.result = self.luck = self.loss = 0.0
        self.marks = dict.fromkeys(MARKS, 0)

    def add(self, ledger: Ledger) -> None:
        """Add a game."""
        self.games += 1
        self.unforced += ledger.unforced
        self.result += ledger.result
        self.luck += ledger.luck
        self.loss += ledger.loss
        for mark, count in ledger.marks.items():
            self.marks[mark] += count


Kind = tuple[str, str, tuple[tuple[str, Any], ...], bool]
"""Player, game, options, and whether alone."""


def totals_of(files: Iterable[JudgedFile]) -> dict[Kind, Totals]:
    """Return the sums of every player and kind of game, in the order of their names."""
    found: dict[Kind, Totals] = {}
    for one in files:
        for player, ledger in zip(one.players, one.ledgers, strict=True):
            assert one.kind is not None
            key = (player, *one.kind, len(one.players) == 1)
            found.setdefault(key, Totals(one.unit)).add(ledger)
    return dict(sorted(found.items(), key=lambda pair: repr(pair[0])))
