"""The work of `verify-score`: many files judged by several processes, answered in order, in bounded memory."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections import Counter, deque
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.commands.inputs import standard_input
from cubiri_cli.commands.output import DONE, NO, USAGE, message
from cubiri_cli.commands.reports import REPORTS
from cubiri_cli.replays.folders import is_missing, read_found, replays_of
from cubiri_cli.replays.replay import UnreadableReplayError
from cubiri_cli.replays.requirements import Requirements, required
from cubiri_cli.replays.verifying import Verdict, verify
from cubiri_cli.table.language import _, ngettext, speak, spoken
from cubiri_cli.table.style import STYLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Executor, Future

CHUNK = 16
"""How many files a process is handed at a time."""
FEW = 4 * CHUNK
"""Up to so many files, starting further processes costs more than it saves."""


class Rules(NamedTuple):
    """What every file is held against, and how it is answered."""

    format: str = "text"
    allow_unfinished: bool = False
    wanted: Requirements = Requirements()


DEFAULTS = Rules()


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


def run_gate(
    paths: Sequence[str], rules: Rules = DEFAULTS, jobs: int | None = None, shard: tuple[int, int] = (1, 1)
) -> int:
    """Judge all files, report, and return the exit status. `shard` (k, n) takes every n-th file, from the k-th.

    `jobs` is how many processes judge them: by default as many as there are cores this process may use.
    """
    report = REPORTS[rules.format]()
    before, began = spoken(), time.perf_counter()
    speak(report.LANGUAGE or before)
    progress = _Progress()
    counts: Counter[str] = Counter()
    failed = 0
    missing = [path for path in paths if path != "-" and is_missing(path)]
    try:
        for path in missing:
            message(f"cubiri: {path}: " + _("there is no such file or folder"))
        report.begin()
        tasks = islice(_tasks(paths), shard[0] - 1, None, shard[1])
        for answer in _answers(tasks, rules, jobs or _cores()):
            counts.update(answer.counts)
            failed += answer.failed
            progress.clear()
            report.add(answer.text)
            progress.show(counts.total())
        progress.clear()
        report.end(counts, failed, time.perf_counter() - began)
        if not counts:
            message("cubiri: " + _("no replay (*.toml) there"))
    finally:
        progress.clear()
        speak(before)
    return USAGE if missing else NO if failed else DONE


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every platform
        return os.cpu_count() or 1


def _tasks(paths: Sequence[str]) -> Iterator[Task]:
    for path in paths:
        if path == "-":
            yield Task(path, None, standard_input())
        else:
            yield from (Task(file, folder) for file, folder in replays_of([path]))


def judge(task: Task, rules: Rules) -> tuple[str, bool, str]:
    """Return the status of a file, whether it passed, and what the report says of it."""
    began = time.perf_counter()
    data = task.data or b""
    try:
        if task.data is None:
            data = read_found(task.path, task.folder)
        verdict = verify(data)
    except UnreadableReplayError as error:
        verdict = Verdict("unreadable", error.where, error.problem)
    passed = verdict.status == "verified" or (rules.allow_unfinished and verdict.status == "unfinished")
    if passed:
        verdict = required(verdict, rules.wanted)
        passed = verdict.status != "unwanted"
    seconds = time.perf_counter() - began
    return verdict.status, passed, REPORTS[rules.format].entry(task.path, verdict, passed, data, seconds)


def _judge_all(tasks: Sequence[Task], rules: Rules) -> Answer:
    counts: Counter[str] = Counter()
    failed, texts = 0, []
    for status, passed, text in (judge(task, rules) for task in tasks):
        counts[status] += 1
        failed += not passed
        texts.append(text)
    return Answer(counts, failed, "".join(texts))


def _answers(tasks: Iterable[Task], rules: Rules, jobs: int) -> Iterator[Answer]:
    """Yield the answers in the order of the tasks, never many more than are being worked on."""
    tasks = iter(tasks)
    # Before the first answer is known, nothing but a few paths: so a single file is answered at once.
    first = list(islice(tasks, FEW)) if jobs > 1 else []
    tasks = chain(first, tasks)
    chunks = iter(lambda: list(islice(tasks, CHUNK if jobs > 1 else 1)), [])
    if jobs > 1 and len(first) == FEW:
        yield from _in_processes(chunks, rules, jobs)
    else:
        yield from (_judge_all(chunk, rules) for chunk in chunks)


def _in_processes(chunks: Iterator[list[Task]], rules: Rules, jobs: int) -> Iterator[Answer]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    # Forked processes have all modules already; elsewhere the platform's own way.
    gc.freeze()  # what is loaded is shared with them: looking for garbage in it would copy it
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    others = set(multiprocessing.active_children())
    pool: Executor = ProcessPoolExecutor(jobs, context, _begin_worker, (spoken(),))
    waiting: deque[tuple[list[Task], Future[Answer] | None]] = deque()
    broken = False
    try:
        while True:
            for chunk in islice(chunks, 3 * jobs - len(waiting)):
                future = None
                if not broken:
                    try:
                        future = pool.submit(_judge_all, chunk, rules)
                    except BrokenProcessPool:
                        broken = True
                waiting.append((chunk, future))
            if not waiting:
                break
            chunk, future = waiting[0]
            try:
                answer = _judge_all(chunk, rules) if future is None else future.result()
            except BrokenProcessPool:
                # A process was ended from outside (out of memory, say): every file gets its answer all the same.
                broken = True
                answer = _judge_all(chunk, rules)
            waiting.popleft()
            yield answer
    finally:
        # Also after Ctrl-C and when the reader has left: whatever is still being judged, nobody waits for it.
        if waiting:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
        pool.shutdown(wait=not waiting, cancel_futures=True)


def _begin_worker(language: str) -> None:
    """Prepare a process: Ctrl-C is the parent's to answer, and without a parent there is nothing to do."""
    import multiprocessing
    import signal
    import threading
    from multiprocessing.connection import wait

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    speak(language)
    parent = multiprocessing.parent_process()
    if parent is not None:

        def follow() -> None:
            wait([parent.sentinel])
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()


class _Progress:
    """A count on standard error while the work is long, where that is a terminal that can move its cursor."""

    def __init__(self) -> None:
        self._next = time.monotonic() + 1
        self._shown = False
        self._wanted = False
        with suppress(AttributeError, ValueError):
            self._wanted = sys.stderr.isatty() and not STYLE.plain

    def show(self, count: int) -> None:
        """Show how many files were judged, five times a second at most."""
        if self._wanted and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.2
            self._shown = True
            print(
                "\r" + ngettext("{count} replay …", "{count} replays …", count).format(count=count),
                end="",
                file=sys.stderr,
                flush=True,
            )

    def clear(self) -> None:
        """Take the count away, so that something else can be printed."""
        if self._shown:
            self._shown = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
