"""Work shared with other processes: its results in order, in bounded memory, whatever becomes of the processes.

The process that asks only hands out and waits, so whatever the work does, it can be ended. What starts processes is not
loaded before it is needed: that takes as long as judging fifty files.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import deque
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future, ProcessPoolExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")

AT_A_TIME = 0.02
"""For how many seconds, about, a process is handed work at a time: as little as keeps handing out from costing much, so
that all have something to do to the end."""
CHUNK = 32
"""How many items that are at most."""
AHEAD = 4 * CHUNK
"""How many items are in hand at most, for each process, before the first result is there."""
HANDED = 3
"""How many pieces there are at most for each process: one at work, the others for it to go on with at once."""
START = "fork" if sys.platform == "linux" else None
"""How processes are started. Forked ones have all modules already; elsewhere it is the platform's own way."""
A_CORE = 8
"""How many processes there are at most for each core: with more, each would get too little of it."""
SPARE = 16
"""How many files this process must still be able to open."""
BREAKS = 3
"""How often processes are started anew after one was ended from outside; then this one does what is left."""


def cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every platform
        return os.cpu_count() or 1


def in_processes(
    work: Callable[[list[Item]], Result],
    items: Iterable[Item],
    processes: int,
    begin: Callable[[], None],
    late: Callable[[Item], Result] | None = None,
    patience: float | None = None,
) -> Iterator[Result]:
    """Yield the results of `work` for all `items`, a few items at a time, in their order.

    So many `processes` work on them, or as many as the system lets be started; each calls `begin` first. What one had
    in hand when it was ended from outside (out of memory, say) is done by others. Where some items are not done in
    `patience` seconds, the processes are ended and the items done one by one; an item that is not done then either has
    the result `late` gives. Where there can be no other processes, this one works.
    """
    gc.freeze()  # what is loaded is shared with forked processes: looking for garbage in it would copy it
    sharing = _Sharing(work, iter(items), begin, late, patience)
    most = min(processes, A_CORE * cores(), 61 if sys.platform == "win32" else processes)  # more, Windows cannot await
    try:
        sharing.start(most)
        yield from sharing.results()
    finally:
        # Also after Ctrl-C and when the reader has left: whatever is still being worked on, nobody waits for it.
        sharing.stop()


class _Piece(Generic[Item, Result]):
    """Some items, who works on them, whether again (then it is one), and what came of them once it is known."""

    def __init__(self, items: list[Item], is_again: bool = False) -> None:
        self.items = items
        self.is_again = is_again
        self.future: Future[tuple[float, Result]] | None = None
        self.result: Result | None = None


class _Sharing(Generic[Item, Result]):
    """The pieces in hand, in order: some with this process, some with others."""

    def __init__(
        self,
        work: Callable[[list[Item]], Result],
        items: Iterator[Item],
        begin: Callable[[], None],
        late: Callable[[Item], Result] | None,
        patience: float | None,
    ) -> None:
        self._work, self._items, self._begin = work, items, begin
        self._late, self._patience = late, patience if late is not None else None
        self._pool: ProcessPoolExecutor | None = None
        self._others = 0
        self._breaks = 0
        self._pieces: deque[_Piece[Item, Result]] = deque()
        self._at_work: deque[Future[tuple[float, Result]]] = deque()
        self._in_hand = 0
        self._seconds = AT_A_TIME  # that an item takes: as long as the last ones did, for what is alike is side by side
        self._since = monotonic()  # when the first piece became the first, or was handed out

    # The other processes

    def start(self, others: int) -> None:
        """Start so many other processes, or as many as there can be."""
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        context = multiprocessing.get_context(START)
        while others > 0:
            # What the system refuses with: no more processes, threads or files; no semaphores at all.
            with suppress(OSError, RuntimeError, ImportError, NotImplementedError):
                self._pool = ProcessPoolExecutor(others, context, _follow, (self._begin,))
                self._others = others
                self._submit(_nothing)
                _open_some_files()
                return
            self.stop()
            others //= 2

    def stop(self) -> None:
        """End the other processes, at once."""
        import multiprocessing

        if self._pool is not None:
            for process in multiprocessing.active_children():
                process.kill()  # also one that was stopped
            self._pool.shutdown(wait=True, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.join()  # those of a pool that could not be started as a whole
        self._pool, self._others = None, 0

    def _submit(self, work: Callable[[], Any]) -> Future[Any]:
        assert self._pool is not None
        with _uninterrupted():
            return self._pool.submit(work)

    def _start_again(self, others: int) -> None:
        """End all other processes, start new ones, and hand these what is not done."""
        self.stop()
        self.start(others)
        self._at_work.clear()
        for piece in self._pieces:
            piece.future = None
        for piece in self._pieces:
            self._hand(piece)
        self._since = monotonic()

    def _hand(self, piece: _Piece[Item, Result]) -> None:
        """Have others work on a piece, where there are others and it has no result."""
        if self._pool is not None and piece.result is None:
            with suppress(OSError, RuntimeError):  # broken, or no more processes: found out when its result is wanted
                piece.future = self._submit(partial(_timed, self._work, piece.items))
                self._at_work.append(piece.future)

    # The pieces

    def results(self) -> Iterator[Result]:
        """Have the work done, and yield the results in order."""
        while True:
            self._hand_out()
            if not self._pieces:
                return
            piece = self._pieces[0]
            if piece.result is None:
                self._await(piece)
            else:
                self._pieces.popleft()
                self._in_hand -= len(piece.items)
                self._since = monotonic()
                yield piece.result

    def _hand_out(self) -> None:
        """Take in hand what others can work on; what is known meanwhile counts as well, so memory is bounded."""
        while self._at_work and self._at_work[0].done():
            self._at_work.popleft()
        while (self._in_hand < AHEAD * self._others and len(self._at_work) < HANDED * self._others) or not self._pieces:
            piece = self._next()
            if piece is None:
                return
            self._hand(piece)

    def _next(self) -> _Piece[Item, Result] | None:
        """Take a piece in hand, None after the last."""
        size = int(min(max(AT_A_TIME / self._seconds, 1), CHUNK)) if self._pool is not None else 1
        piece: _Piece[Item, Result] = _Piece(list(islice(self._items, size)))
        if not piece.items:
            return None
        if not self._pieces:
            self._since = monotonic()
        self._pieces.append(piece)
        self._in_hand += len(piece.items)
        return piece

    def _await(self, piece: _Piece[Item, Result]) -> None:
        """Wait for the first piece; where nobody works on it, do it here."""
        if piece.future is None:
            piece.result = self._work(piece.items)
        else:
            left = None if self._patience is None else max(0, self._since + self._patience - monotonic())
            self._take(piece, left)

    def _take(self, piece: _Piece[Item, Result], seconds: float | None) -> None:
        """Take the result of a piece from the process that has it, within so many seconds."""
        from concurrent.futures import BrokenExecutor

        assert piece.future is not None
        try:
            spent, piece.result = piece.future.result(seconds)
            self._seconds = max(spent / len(piece.items), AT_A_TIME / CHUNK)
        except BrokenExecutor:  # one of them was ended
            self._breaks += 1
            self._start_again(self._others if self._breaks <= BREAKS else 0)
        except Exception:
            if piece.future.done():  # it could not be done there, or not be told
                piece.result = self._work(piece.items)
            else:
                self._give_up(piece)

    def _give_up(self, first: _Piece[Item, Result]) -> None:
        """Go on without the processes that are at work: one hangs in the first piece, or was stopped there."""
        others = self._others
        if first.is_again and self._late is not None:  # no chance: it was alone
            first.result = self._late(first.items[0])
        pieces = [part for one in self._pieces for part in ([one] if _is_known(one) else _parts(one, one is first))]
        self._pieces = deque(pieces)
        self._start_again(others)


def _is_known(piece: _Piece[Item, Result]) -> bool:
    """Tell whether the result of a piece is known, also where it has only just come."""
    future = piece.future
    if piece.result is None and future is not None and future.done() and not future.exception():
        piece.result = future.result()[1]
    return piece.result is not None


def _parts(piece: _Piece[Item, Result], is_again: bool) -> list[_Piece[Item, Result]]:
    """Return a piece as pieces of one item each."""
    return [_Piece([item], is_again) for item in piece.items]


def _timed(work: Callable[[list[Item]], Result], items: list[Item]) -> tuple[float, Result]:
    """Return how many seconds some work took (it may wait for other programs), and what came of it."""
    began = monotonic()
    result = work(items)
    return monotonic() - began, result


def _nothing() -> None:
    """Be the first thing that is handed out: processes are started then."""


def _open_some_files() -> None:
    """Raise `OSError` where only few files could still be opened: those to be worked on are files too."""
    opened = []
    try:
        opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(SPARE)]
    finally:
        for handle in opened:
            os.close(handle)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back while processes and threads are started.

    A process then never sees it, not even before it can ignore it; and signals come to this thread, and interrupt it.
    """
    import signal

    if sys.platform == "win32":
        yield
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGALRM})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _follow(begin: Callable[[], None]) -> None:
    """Begin as another process: it ends with the first one, which also is the one to answer Ctrl-C."""
    import multiprocessing
    import signal
    import threading
    from multiprocessing.connection import wait

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        wait([parent.sentinel])
        os._exit(1)

    with suppress(RuntimeError):  # no more threads can be had
        threading.Thread(target=follow, daemon=True).start()
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
    begin()
