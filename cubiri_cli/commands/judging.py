"""The work of `verify-score`: many files judged by several processes, answered in order, in bounded memory."""

from __future__ import annotations

import os
import time
from collections import Counter
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.commands.inputs import find_game, standard_input
from cubiri_cli.commands.output import DONE, NO, USAGE, answering, message
from cubiri_cli.commands.processes import cores, in_processes
from cubiri_cli.commands.progress import Progress
from cubiri_cli.commands.reports import ALL_REPORTS, VERBOSE, Report
from cubiri_cli.commands.time_limit import BY_THE_CLOCK, TookTooLongError, within
from cubiri_cli.games.problem import Problem
from cubiri_cli.replays.folders import is_missing, read_found, replays_of
from cubiri_cli.replays.replay import UnreadableReplayError
from cubiri_cli.replays.requirements import Requirements, held_against
from cubiri_cli.replays.verifying import Verdict, refused, verify
from cubiri_cli.table.language import _, ngettext, speak, spoken
from cubiri_cli.table.messages import explain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FEW = 64
"""Up to so many files, starting further processes costs more than it saves."""


LONGEST = 10.0
"""How many seconds of the processor one file may take (see `time_limit`): many times what the slowest good one does."""


class Criteria(NamedTuple):
    """What every file is held against, and how it is answered."""

    format: str = "text"
    allow_unfinished: bool = False
    wanted: Requirements = Requirements()
    seconds: float = LONGEST
    is_verbose: bool = False
    """Whether the text has a line for each file."""


DEFAULTS = Criteria()

TOO_LONG = Verdict("unreadable", Problem("took-too-long"))


class Task(NamedTuple):
    """A file to judge: its path, the folder it was found in (if any), and its bytes where they are here already."""

    path: str
    folder: str | None = None
    data: bytes | None = None


class Answer(NamedTuple):
    """What came of some files: how many there are of each status, how many failed, and what the report says."""

    counts: Counter[str]
    failed: int
    text: str


def judge_all(
    paths: Sequence[str], criteria: Criteria = DEFAULTS, jobs: int | None = None, shard: tuple[int, int] = (1, 1)
) -> int:
    """Judge all files, report, and return the exit status. `shard` (k, n) takes every n-th file, from the k-th.

    `jobs` is how many processes judge them: by default as many as there are cores this process may use.
    """
    if criteria.format == "text" and (criteria.is_verbose or _is_one_file(paths)):
        criteria = criteria._replace(format=VERBOSE)
    report = ALL_REPORTS[criteria.format]()
    before = spoken()
    speak(report.LANGUAGE or before)
    paths = [str(find_game(path)) if path not in ("", "-") and is_missing(path) else path for path in paths]
    missing = [path for path in paths if path != "-" and is_missing(path)]
    try:
        for path in missing:
            message(f"cubiri: {path}: " + explain(Problem("missing")))
        with answering():
            tasks = islice(_tasks(paths), shard[0] - 1, None, shard[1])
            counts, failed = _report(report, _answers(tasks, criteria, jobs or cores()))
        if not counts:
            message("cubiri: " + _("no replay (*.toml) there"))
    finally:
        speak(before)
    return USAGE if missing else NO if failed else DONE


def _is_one_file(paths: Sequence[str]) -> bool:
    """Tell whether one file is asked for, or what is on standard input."""
    return len(paths) == 1 and not os.path.isdir(paths[0])  # noqa: PTH112 - never raises


def _report(report: Report, answers: Iterable[Answer]) -> tuple[Counter[str], int]:
    """Report all answers; return how many files there are of each status, and how many failed."""
    began, progress = time.perf_counter(), Progress()
    counts: Counter[str] = Counter()
    failed = 0
    report.begin()
    try:
        for answer in answers:
            counts.update(answer.counts)
            failed += answer.failed
            progress.clear()
            report.add(answer.text)
            progress.show(partial(so_far, counts.total()))
    finally:
        progress.clear()
    report.end(counts, failed, time.perf_counter() - began)
    return counts, failed


def so_far(count: int) -> str:
    """Return how far the work is that is done replay by replay."""
    return ngettext("{count} replay …", "{count} replays …", count).format(count=count)


def _tasks(paths: Sequence[str]) -> Iterator[Task]:
    for path in paths:
        if path == "-":
            yield Task(path, None, standard_input())
        else:
            yield from (Task(file, folder) for file, folder in replays_of([path]))


def judge(task: Task, criteria: Criteria) -> tuple[str, bool, str]:
    """Return the status of a file, whether it passed, and what the report says of it; whatever the file holds, soon."""
    try:
        return within(criteria.seconds, partial(_judge, task, criteria))
    except TookTooLongError:
        return _answered(task, criteria, TOO_LONG, b"", criteria.seconds)


def _judge(task: Task, criteria: Criteria) -> tuple[str, bool, str]:
    began = time.perf_counter()
    data = task.data or b""
    try:
        if task.data is None:
            data = read_found(task.path, task.folder)
        verdict = verify(data)
    except UnreadableReplayError as error:
        verdict = refused(error)
    return _answered(task, criteria, verdict, data, time.perf_counter() - began)


def _answered(task: Task, criteria: Criteria, verdict: Verdict, data: bytes, seconds: float) -> tuple[str, bool, str]:
    """Hold a verdict against what is required; return its status, whether that is met, and what the report says."""
    passed = verdict.status == "verified" or (criteria.allow_unfinished and verdict.status == "unfinished")
    if passed:
        verdict, passed = held_against(verdict, criteria.wanted)
    return verdict.status, passed, ALL_REPORTS[criteria.format].entry(task.path, verdict, passed, data, seconds)


def _judge_some(tasks: Sequence[Task], criteria: Criteria) -> Answer:
    return _sum_up(judge(task, criteria) for task in tasks)


def _give_up(task: Task, criteria: Criteria) -> Answer:
    return _sum_up([_answered(task, criteria, TOO_LONG, b"", criteria.seconds)])


def _sum_up(judged: Iterable[tuple[str, bool, str]]) -> Answer:
    counts: Counter[str] = Counter()
    failed, texts = 0, []
    for status, passed, text in judged:
        counts[status] += 1
        failed += not passed
        texts.append(text)
    return Answer(counts, failed, "".join(texts))


def _answers(tasks: Iterable[Task], criteria: Criteria, jobs: int) -> Iterator[Answer]:
    """Yield the answers in the order of the tasks, never many more than are being worked on."""
    tasks = iter(tasks)
    # Before the first answer is known, nothing but a few paths: so a single file is answered at once.
    first = list(islice(tasks, FEW)) if jobs > 1 else []
    tasks = chain(first, tasks)
    if jobs > 1 and len(first) == FEW:
        work, late = partial(_judge_some, criteria=criteria), partial(_give_up, criteria=criteria)
        # Longer than any file takes that ends by itself, or is ended in the process that judges it.
        patience = (BY_THE_CLOCK + 1) * criteria.seconds
        yield from in_processes(work, tasks, jobs, partial(speak, spoken()), late, patience)
    else:
        yield from (_judge_some([task], criteria) for task in tasks)
