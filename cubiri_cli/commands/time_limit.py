"""A bound on the time that a piece of work may take, whatever it does.

It counts processor time, so that a busy machine makes no difference, and three times as much by the clock, for work
that waits for ever. On systems with an alarm (all but Windows), and in the main thread, that interrupts Python, system
calls and regular expressions; elsewhere another thread interrupts Python between two steps of it. C code that neither
ends nor looks at signals is only stopped by ending its process: `processes` does.
"""

from __future__ import annotations

import signal
import sys
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")

BY_THE_CLOCK = 3
"""How many times as long as on the processor work may take by the clock."""

CHECKS = 10
"""How often it is looked in the time allowed. A program that is stopped (Ctrl-Z) misses them: its time stands still."""


class TookTooLongError(BaseException):
    """Some work took longer than it may. Nothing that guards against errors of that work may catch it."""


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """Return what `work` returns; raise `TookTooLongError` in it where it takes more than so many seconds."""
    meter, pause = Meter(seconds), seconds / CHECKS
    if hasattr(signal, "setitimer") and _is_main_thread():
        return _alarmed(meter, pause, work)
    from cubiri_cli.commands.watch import watched

    with watched(meter.is_over, pause, TookTooLongError):
        return work()


def _is_main_thread() -> bool:
    """Tell whether this is the thread that hears signals; without loading what threads are made with."""
    threading = sys.modules.get("threading")
    return threading is None or threading.current_thread() is threading.main_thread()


class Meter:
    """How much time has gone since it was made, in checks by the clock and in seconds of the processor."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._began = time.process_time()
        self._checks = 0

    def is_over(self) -> bool:
        """Tell whether the time is over. To be asked at every check."""
        self._checks += 1
        spent = time.process_time() - self._began
        return spent >= self._seconds or self._checks >= BY_THE_CLOCK * CHECKS


def _alarmed(meter: Meter, pause: float, work: Callable[[], Result]) -> Result:
    """Let the system's alarm raise the error in this, the main thread; it looks at a meter after each pause."""

    def check(_number: int, _frame: object) -> None:
        if meter.is_over():  # at each check from then on: where the first is lost (in a destructor), the next is not
            raise TookTooLongError

    signal.signal(signal.SIGALRM, check)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, pause, pause)
            return work()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except TookTooLongError:
        signal.setitimer(signal.ITIMER_REAL, 0)  # once more: the error may have come just before
        raise
