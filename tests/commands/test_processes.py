"""Files that never end, processes that are ended, systems that start none: every file still gets its answer."""

from __future__ import annotations

import errno
import json
import multiprocessing
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cubiri_cli.commands import processes
from cubiri_cli.commands.judging import Criteria, judge_all
from cubiri_cli.commands.time_limit import TookTooLongError, within
from cubiri_cli.replays.folders import read_found
from tests.benchmarks.corpus import magdagdon_text

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = magdagdon_text("42", "survival")
BAD_DICE = GOOD.replace('"roll -> 2 2 4 3"', '"roll -> 2 2 4 4"')

COUNT = 130
"""More than are judged without further processes."""

LOOPS = {
    "python": "while True: pass",
    "guarded": "while True:\n    try:\n        int('x')\n    except Exception: pass",
    "expression": "import re; re.fullmatch('(a|aa)+', 'a' * 80 + 'b')",
    "waiting": "import time; time.sleep(1000)",
    "c": "import itertools; sum(itertools.repeat(0))",
}
"""Ways not to end: the last one looks at no signal."""

not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of files, every third of them bad."""
    folder = tmp_path_factory.mktemp("many")
    for n in range(COUNT):
        (folder / f"{n:03}.toml").write_text(BAD_DICE if n % 3 == 0 else GOOD)
    return folder


def answers(out: str) -> dict[str, Any]:
    found = [json.loads(line) for line in out.splitlines()]
    assert [one["path"] for one in found] == sorted(one["path"] for one in found)
    return {Path(one["path"]).name: one for one in found}


def check(found: dict[str, Any], endless: tuple[int, ...] = ()) -> None:
    """Every file has its answer, and the endless ones theirs."""
    assert len(found) == COUNT
    for n in range(COUNT):
        one = found[f"{n:03}.toml"]
        if n in endless:
            assert (one["status"], one["message"], one["where"]) == ("unreadable", "took too long", None)
        else:
            assert one["status"] == ("verified" if n % 3 else "dice"), n


def loop_in(monkeypatch: pytest.MonkeyPatch, kind: str, *names: str) -> None:
    """Put an endless loop into the reader, for files of these names."""

    def endless(path: str, folder: str | None) -> bytes:
        if Path(path).name in names:
            exec(LOOPS[kind], {})
        return read_found(path, folder)

    monkeypatch.setattr("cubiri_cli.commands.judging.read_found", endless)


# A bounded time for each file


@not_on_windows
@pytest.mark.parametrize("kind", [kind for kind in LOOPS if kind != "c"])
def test_a_file_that_never_ends_costs_the_others_nothing(
    kind: str, many: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    loop_in(monkeypatch, kind, "001.toml", "007.toml")
    before = signal.getitimer(signal.ITIMER_REAL)
    assert judge_all([str(many)], Criteria("jsonl", seconds=0.3), 1) == 1
    check(answers(capsys.readouterr().out), (1, 7))
    assert signal.getitimer(signal.ITIMER_REAL) == before == (0, 0)


@pytest.mark.parametrize("kind", LOOPS)
def test_nor_with_several_processes(
    kind: str, many: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    loop_in(monkeypatch, kind, "007.toml", "101.toml")
    assert judge_all([str(many)], Criteria("jsonl", seconds=1), 3) == 1
    check(answers(capsys.readouterr().out), (7, 101))
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("kind", ["python", "guarded"])
def test_nor_where_the_system_has_no_alarm(
    kind: str, many: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr(signal, "setitimer", raising=False)
    loop_in(monkeypatch, kind, "001.toml", "007.toml")
    for jobs, seconds in ((1, 0.3), (3, 1)):
        assert judge_all([str(many)], Criteria("jsonl", seconds=seconds), jobs) == 1
        check(answers(capsys.readouterr().out), (1, 7))


@pytest.mark.parametrize("kind", ["expression", "waiting", "c"])
def test_without_an_alarm_a_process_that_hangs_is_replaced(
    kind: str, many: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr(signal, "setitimer", raising=False)
    loop_in(monkeypatch, kind, "007.toml")
    assert judge_all([str(many)], Criteria("jsonl", seconds=1), 2) == 1
    check(answers(capsys.readouterr().out), (7,))


def test_what_took_too_long_is_said_in_every_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.toml").write_text(GOOD)
    loop_in(monkeypatch, "python", "a.toml")
    for form in ("text", "junit", "github"):
        assert judge_all([str(tmp_path)], Criteria(form, seconds=0.1)) == 1
        assert "took too long" in capsys.readouterr().out


@pytest.mark.parametrize("where", ["main", "other"])
def test_work_in_time_is_left_alone_and_what_comes_after_too(where: str) -> None:
    """Also in a thread that hears no signals, and where the time is over just as the work ends."""
    found: list[object] = []

    def work() -> None:
        for n in range(300):
            try:
                found.append(within(0.002, partial(sum, range(1000 * n))))
            except TookTooLongError:
                found.append(None)
        time.sleep(0.01)

    if where == "main":
        work()
    else:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(found) == 300
    assert found[0] == 0


@not_on_windows
def test_a_time_in_which_the_program_was_stopped_does_not_count() -> None:
    """Ctrl-Z: the alarms of that time are one."""
    script = """
import os, signal, subprocess, sys
from cubiri_cli.commands.time_limit import within
def stop():
    subprocess.Popen(["/bin/sh", "-c", f"sleep 2; kill -CONT {os.getpid()}"], start_new_session=True)
    os.kill(os.getpid(), signal.SIGSTOP)
    return "done"
print(within(0.3, stop))
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.stdout, ended.stderr) == ("done\n", "")


# Other processes


def judged_with(
    changes: str, *arguments: object, jobs: int = 3, seconds: float = 10
) -> subprocess.CompletedProcess[str]:
    """Judge files in a process of its own, with changes to the program: each of `judging` or `processes`."""
    script = f"""
import errno, multiprocessing, os, signal, sys, time
from pathlib import Path
from cubiri_cli.cli.app import run
from cubiri_cli.commands import judging, processes
first = os.getpid()
{changes}
if __name__ == "__main__":
    judging.Criteria.__new__.__defaults__ = (*judging.Criteria.__new__.__defaults__[:-1], {seconds})
    sys.exit(run(["verify-score", "--jobs", "{jobs}", "--format", "jsonl", *sys.argv[1:]]))
"""
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False
    )


KILLED = """
judge, judged = judging.judge, 0
def killed(task, criteria):
    global judged
    judged += os.getpid() != first
    if judged > {after}:
        os.write(2, b"killed ")
        os._exit(9)
    return judge(task, criteria)
judging.judge = killed
"""


@not_on_windows
@pytest.mark.parametrize("after", [0, 10, 40])
def test_a_process_that_is_killed_costs_no_file_its_answer(many: Path, after: int) -> None:
    ended = judged_with(KILLED.format(after=after), many)
    assert ended.returncode == 1
    assert set(ended.stderr.split()) == {"killed"}
    check(answers(ended.stdout))


@not_on_windows
def test_a_process_that_is_stopped_costs_no_file_its_answer(many: Path, tmp_path: Path) -> None:
    stopped = f"""
judge = judging.judge
def stop(task, criteria):
    if task.path.endswith("007.toml") and os.getpid() != first:
        try:
            Path({str(tmp_path / "once")!r}).open("x").close()
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGSTOP)
    return judge(task, criteria)
judging.judge = stop
"""
    ended = judged_with(stopped, many, seconds=1)
    assert (ended.returncode, ended.stderr) == (1, "")
    check(answers(ended.stdout))
    assert (tmp_path / "once").exists()


@not_on_windows
@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_however_processes_are_started(many: Path, tmp_path: Path, start: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nfrom cubiri_cli.cli.app import run\nfrom cubiri_cli.commands import processes\n"
        f"processes.START = {start!r}\n"
        'if __name__ == "__main__":\n    sys.exit(run(["verify-score", "--format", "jsonl", *sys.argv[1:]]))\n'
    )
    call = [sys.executable, script, "--jobs", "3", many]
    ended = subprocess.run(list(map(str, call)), capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stderr) == (1, "")
    check(answers(ended.stdout))


@pytest.mark.parametrize("started", [0, 1, 5])
@pytest.mark.parametrize(
    "refusal",
    ["OSError(errno.EAGAIN, 'Resource temporarily unavailable')", 'RuntimeError("can\'t start new thread")'],
)
def test_fewer_processes_do_it_where_the_system_starts_no_more(many: Path, started: int, refusal: str) -> None:
    refuse = f"""
begin, left = multiprocessing.Process.start, {started}
kind = multiprocessing.get_context(processes.START).Process
begin = kind.start
def start(self):
    global left
    if not left:
        raise {refusal}
    left -= 1
    begin(self)
kind.start = start
"""
    ended = judged_with(refuse, many, jobs=1024)
    assert (ended.returncode, ended.stderr) == (1, "")
    check(answers(ended.stdout))


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left"), ImportError("no semaphores")], ids=repr)
def test_one_process_does_it_where_there_can_be_no_others(
    error: Exception, many: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_arguments: object) -> None:
        raise error

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", refuse)
    assert judge_all([str(many)], Criteria("jsonl"), 3) == 1
    check(answers(capsys.readouterr().out))


@not_on_windows
@pytest.mark.parametrize("files", [8, 16, 24, 32, 33, 34, 35, 36, 37, 38, 39, 40, 64])
def test_few_files_that_can_be_open(many: Path, files: int) -> None:
    few = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))"
    ended = judged_with(few, many, jobs=8)
    assert (ended.returncode, ended.stderr) == (1, "")
    check(answers(ended.stdout))


@not_on_windows
def test_other_processes_never_see_ctrl_c(many: Path) -> None:
    interrupted = """
follow = processes._follow
def begin(*arguments):
    os.kill(os.getpid(), signal.SIGINT)
    follow(*arguments)
processes._follow = begin
"""
    ended = judged_with(interrupted, many)
    assert (ended.returncode, ended.stderr) == (1, "")
    check(answers(ended.stdout))


def test_as_many_processes_as_are_asked_for_within_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    monkeypatch.setattr(processes._Sharing, "start", lambda self, count: started.append(count))
    work: Callable[[list[int]], int] = sum
    for asked in (2, 1024):
        assert list(processes.in_processes(work, [1, 2, 3], asked, lambda: None)) == [1, 2, 3]
    assert started == [2, min(1024, processes.A_CORE * processes.cores())]


def test_results_come_in_the_order_of_the_items_and_each_once() -> None:
    found = list(processes.in_processes(list, range(5000), 3, nothing))
    assert [item for piece in found for item in piece] == list(range(5000))
    assert multiprocessing.active_children() == []


def test_what_cannot_be_told_by_another_process_is_done_here() -> None:
    assert sum(one is lambda_of for one in processes.in_processes(lambda_of, range(100), 2, nothing)) > 0


def nothing() -> None:
    """Begin with nothing."""


def lambda_of(_items: list[int]) -> Any:
    return lambda_of if multiprocessing.parent_process() is None else (lambda: None)


def test_the_speed_of_results_read_slowly_bounds_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = 0

    def items() -> Any:
        nonlocal taken
        while True:
            taken += 1
            yield taken

    results = processes.in_processes(len, items(), 2, nothing)
    got = 0
    for size in results:
        got += size
        assert taken - got <= 2 * processes.AHEAD + processes.CHUNK
        if got > 5000:
            break
    results.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []
