"""Interrupting work from another thread, where there is no alarm: see `time_limit`."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def watched(is_over: Callable[[], bool], pause: float, error: type[BaseException]) -> Iterator[None]:
    """Let another thread, which asks after each pause whether the time is over, raise an error in this one then."""
    watch = _watch()
    try:
        try:
            watch.begin(is_over, pause, error)
            yield
        finally:
            watch.end()
    finally:  # once more: the error may have come in between
        watch.end()


class _Watch(threading.Thread):
    """Watches the work of one thread after the other, and interrupts what takes too long."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._changed = threading.Condition()
        self._is_over: Callable[[], bool] | None = None
        self._error: type[BaseException] = BaseException
        self._pause = 0.0
        self._watched = 0
        self._has_raised = False
        self.start()

    def begin(self, is_over: Callable[[], bool], pause: float, error: type[BaseException]) -> None:
        """Watch the thread that calls, from now on."""
        with self._changed:
            if pause != self._pause:
                self._changed.notify()
            self._is_over, self._error = is_over, error
            self._pause, self._watched = pause, threading.get_ident()

    def end(self) -> None:
        """Watch it no more; what has been raised in it and has not come yet does not come."""
        with self._changed:
            self._is_over = None
            if self._has_raised:
                _raise_in(self._watched, None)
                self._has_raised = False

    def run(self) -> None:
        """Look at every check. Without work it looks on, so that beginning and ending cost nothing."""
        with self._changed:
            while True:
                self._changed.wait(self._pause or None)
                if self._is_over is not None and self._is_over():
                    self._has_raised = True
                    _raise_in(self._watched, self._error)


_watches: list[_Watch] = []


def _watch() -> _Watch:
    """Return the one watch of this process, made where it is needed first. (A forked process has none.)"""
    if not _watches or not _watches[0].is_alive():
        _watches[:] = [_Watch()]
    return _watches[0]


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise an error in another thread at its next step; None takes one back. Nothing where C cannot be called."""
    with suppress(ImportError):
        import ctypes

        given = ctypes.py_object(error) if error is not None else None
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), given)
