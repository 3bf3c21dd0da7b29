"""How a program that asks is told to end at once: by SIGTERM, SIGHUP or SIGINT, which is what Ctrl-C sends.

Such a signal is never lost and never late. An exception that a handler raises may end up where nobody hears of it:
while Python clears away an object, as it does after every prompt. And a Ctrl-C that is read as a key waits behind all
that was typed or pasted before it; a paste that never ends swallows it. So the terminal itself turns Ctrl-C into a
signal, and while there is a screen, signals are noted; the prompt that runs, or else the next one, ends and raises.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable, Iterator

    from prompt_toolkit.application import Application


class SignalledError(SystemExit):
    """A signal to end (SIGTERM, SIGHUP) came in."""


class _State:
    """What has come in, and who is to be told of it."""

    came: int = 0
    """The signal that came in; 0 where none did."""
    tell: Callable[[], None] | None = None
    """What is called instead of raising; None where a signal raises at once."""


_state = _State()


@contextlib.contextmanager
def ending_signals() -> Iterator[None]:
    """Turn the signals that ask a program to end into exceptions, so that the terminal is put in order first."""
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    numbers = [getattr(signal, name) for name in names]
    if signal.getsignal(signal.SIGINT) is _end:  # a game begun from the menu
        yield
        return
    _state.came = 0
    before = [signal.signal(number, _end) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _end(number: int, frame: object) -> None:
    _state.came = number
    if _state.tell is None:
        raise _error()
    _state.tell()


def has_signalled() -> bool:
    """Tell whether a signal to end has come in, inside of `ending_signals`."""
    return bool(_state.came)


def _error() -> BaseException:
    """Return what the signal that came in is raised as: Ctrl-C is what Python makes of it everywhere."""
    return KeyboardInterrupt() if _state.came == signal.SIGINT else SignalledError(130)


@contextlib.contextmanager
def hold_signals(tell: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Within, a signal raises nothing, and `tell` is called; it is raised at the end of the outermost, in any case."""
    outer, _state.tell = _state.tell, tell
    try:
        yield
    finally:
        _state.tell = outer
        if _state.came and outer is None:
            raise _error() from None


@contextlib.contextmanager
def end_on_signal(app: Application[Any]) -> Iterator[None]:
    """Let a signal end this application, which runs within; also one that came in just before.

    An error while it draws ends it as well: prompt_toolkit would show it and wait for Enter, deaf to signals.
    """

    def leave() -> None:
        if app.future is not None and not app.future.done():
            app.exit()

    def tell() -> None:
        if app.loop is not None:
            app.loop.call_soon_threadsafe(leave)

    def fail(loop: AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception) and app.future is not None and not app.future.done():
            app.exit(exception=error)

    def begin() -> None:
        if app.loop is not None:
            app.loop.set_exception_handler(fail)
        if _state.came:
            leave()

    app.pre_run_callables.append(begin)
    try:
        with hold_signals(tell):
            yield
    finally:
        if _state.came:
            raise _error() from None


# The terminal


def take_modes(source: Any) -> list[Any] | None:
    """Let the terminal hand over each key as it is typed, but Ctrl-C as a signal; return the modes it had.

    These are the modes for all prompts of `source`, an input of prompt_toolkit, and for the time between them: nothing
    is echoed, and a key means the same whenever it is typed. None where the system has no such modes.
    """
    if os.name == "nt":
        return None
    import termios

    handle = sys.stdin.fileno()
    before: list[Any] = termios.tcgetattr(handle)
    modes: list[Any] = termios.tcgetattr(handle)
    # Ctrl-S would stop the output, and with it the program; Enter has to stay what it is.
    modes[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR)
    modes[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
    if _is_ours(handle):
        modes[3] |= termios.ISIG | termios.NOFLSH  # whatever is on its way to the screen still gets there
        off = bytes([os.fpathconf(handle, "PC_VDISABLE")])
        modes[6][termios.VQUIT] = modes[6][termios.VSUSP] = off  # keys as well; Ctrl-Z is one that the prompts know
    modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
    termios.tcsetattr(handle, termios.TCSADRAIN, modes)
    source.raw_mode = contextlib.nullcontext
    return before


def _is_ours(handle: int) -> bool:
    """Tell whether a signal of this terminal's keys would come in here; else Ctrl-C has to be a key."""
    try:
        return os.tcgetpgrp(handle) == os.getpgrp()
    except OSError:
        return False


def give_back_modes(before: list[Any] | None) -> None:
    """Give the terminal the modes it had."""
    if before is not None:
        import termios

        with contextlib.suppress(OSError, termios.error):
            # What was typed before a signal to end is meant for nobody any more, least of all for the shell.
            when = termios.TCSAFLUSH if _state.came else termios.TCSADRAIN
            termios.tcsetattr(sys.stdin.fileno(), when, before)
