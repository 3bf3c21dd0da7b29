"""Work shared with other processes: its results in order, in bounded memory.

The process that asks works too: for two, only one more is started, and neither just waits for the other. A pool of
`concurrent.futures` keeps a process and its two threads for handing out work alone, which two cores cannot spare.
"""

from __future__ import annotations

import gc
import pickle
import sys
from collections import deque
from contextlib import contextmanager, suppress
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Item = TypeVar("Item")
Result = TypeVar("Result")

OWN, OTHERS = 0.001, 0.006
"""For how many seconds, about, this process works before it looks whether another one has finished; and for how many
another one is handed work at a time. Little, so that all have something to do to the end."""
CHUNK = 32
"""How many items that are at most."""
SHORT = 2048
"""How many bytes a pipe holds for sure."""
AHEAD = 4 * CHUNK
"""How many items are in hand at most, for each process, before the first result is there."""


def in_processes(
    work: Callable[[list[Item]], Result], items: Iterable[Item], processes: int, begin: Callable[[], None]
) -> Iterator[Result]:
    """Yield the results of `work` for all `items`, a few items at a time, in their order.

    `processes` work on them, this one included, or as many as the system lets be started; the others call `begin`
    first. What one of them had in hand when it was ended from outside (out of memory, say) is done here.
    """
    import multiprocessing

    gc.freeze()  # what is loaded is shared with forked processes: looking for garbage in it would copy it
    # Forked processes have all modules already; elsewhere the platform's own way.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    workers: list[_Worker[Item, Result]] = []
    try:
        try:
            for _ in range(processes - 1):
                workers.append(_Worker(context, work, begin))
        except OSError:  # too many processes or open files: the last ones make room for the files that are judged
            _end(workers[-2:])
            del workers[-2:]
        yield from _Sharing(work, iter(items), workers).results()
    finally:
        # Also after Ctrl-C and when the reader has left: whatever is still being worked on, nobody waits for it.
        _end(workers)


def _end(workers: list[_Worker[Any, Any]]) -> None:
    """End other processes, and close what is open for them."""
    for worker in workers:
        worker.process.kill()  # also one that was stopped
    for worker in workers:
        worker.process.join()
        worker.process.close()
        worker.pipe.close()


class _Piece(Generic[Item, Result]):
    """Some items, and what came of them once it is known."""

    def __init__(self, items: list[Item]) -> None:
        self.items = items
        self.result: Result | None = None


class _Worker(Generic[Item, Result]):
    """Another process, and the pieces it has in hand: one that it works on, and one that it goes on with at once.

    Only what is short is sent before it is wanted: if both ends had more to say than a pipe holds, each would wait for
    the other.
    """

    def __init__(self, context: Any, work: Callable[[list[Item]], Result], begin: Callable[[], None]) -> None:
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, work, begin), daemon=True)
        with _uninterrupted():
            self.process.start()
        theirs.close()
        self.pieces: deque[_Piece[Item, Result]] = deque()
        self._unsent: deque[bytes] = deque()

    def hand(self, piece: _Piece[Item, Result]) -> None:
        """Have it work on a piece."""
        self.pieces.append(piece)
        self._unsent.append(pickle.dumps(piece.items))
        self._send()

    def _send(self) -> None:
        while self._unsent and (len(self._unsent) == len(self.pieces) or len(self._unsent[0]) <= SHORT):
            with suppress(OSError):  # it was ended: `take` finds out
                self.pipe.send_bytes(self._unsent.popleft())

    def take(self) -> bool:
        """Wait for the result of its first piece; False if there will be none."""
        try:
            self.pieces[0].result = self.pipe.recv()
        except (EOFError, OSError):
            return False
        self.pieces.popleft()
        self._send()
        return True


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back while a process is started, which then never sees it, not even before it can ignore it."""
    import signal

    if sys.platform == "win32":
        yield
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Any, work: Callable[[list[Item]], Result], begin: Callable[[], None]) -> None:
    """Be another process, until it is ended: Ctrl-C is the first one's to answer."""
    import multiprocessing
    import os
    import signal
    import threading
    from multiprocessing.connection import wait

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    sentinel = parent.sentinel

    def follow() -> None:  # without the first one, there is nothing to do
        wait([sentinel])
        os._exit(1)

    try:
        threading.Thread(target=follow, daemon=True).start()
    except RuntimeError:  # no more threads can be had: the first one does what this one was handed
        return
    begin()
    while True:
        pipe.send(work(pipe.recv()))


class _Sharing(Generic[Item, Result]):
    """The pieces in hand: in order, some with this process, some with others."""

    def __init__(
        self,
        work: Callable[[list[Item]], Result],
        items: Iterator[Item],
        workers: list[_Worker[Item, Result]],
    ) -> None:
        self._work = work
        self._items = items
        self._workers = {worker.pipe: worker for worker in workers}
        self._pieces: deque[_Piece[Item, Result]] = deque()
        self._in_hand = 0
        self._most = AHEAD * (len(workers) + 1)
        self._seconds = OTHERS  # that an item takes: as long as the last ones did, for what is alike is side by side

    def results(self) -> Iterator[Result]:
        """Work, and yield the results in order."""
        from multiprocessing.connection import wait

        while True:
            own = self._next(OWN) if self._hand_out() else None
            if own is not None:
                began = perf_counter()
                own.result = self._work(own.items)
                self._seconds = (perf_counter() - began) / len(own.items)
            elif not self._pieces:
                return
            busy = [pipe for pipe, worker in self._workers.items() if worker.pieces]
            for pipe in wait(busy, 0 if own is not None else None):
                self._take(pipe)
            while self._pieces and self._pieces[0].result is not None:
                piece = self._pieces.popleft()
                self._in_hand -= len(piece.items)
                yield piece.result  # type: ignore[misc]

    def _hand_out(self) -> bool:
        """Give the other processes what they can have in hand; tell whether this one may take a piece too."""
        for worker in self._workers.values():
            while len(worker.pieces) < 2 and self._in_hand < self._most:
                piece = self._next(OTHERS)
                if piece is None:
                    return False
                worker.hand(piece)
        return self._in_hand < self._most

    def _next(self, seconds: float) -> _Piece[Item, Result] | None:
        """Take a piece in hand that will take about so many seconds, None after the last."""
        size = int(min(max(seconds / self._seconds, 1), CHUNK)) if self._seconds else CHUNK
        piece: _Piece[Item, Result] = _Piece(list(islice(self._items, size)))
        if not piece.items:
            return None
        self._pieces.append(piece)
        self._in_hand += len(piece.items)
        return piece

    def _take(self, pipe: Any) -> None:
        """Take the result that another process has; if it was ended, do its work."""
        worker = self._workers[pipe]
        if not worker.take():
            del self._workers[pipe]
            for piece in worker.pieces:
                piece.result = self._work(piece.items)
