"""Run as a program of its own: it starts another program, and sees to it that nothing of that is left in the end.

    python -I -S warden.py CONTROL WORD…

CONTROL is the number of an open socket. What is told there, a line each: `failed ERRNO` where the program cannot be
started, else `started PID`, `ended STATUS` once it has ended, and the end of the socket once nothing that it started is
left. What is heard: `k` is to kill everything at once; the end of the socket means that nobody is there any more (they
were killed, say): the program then has 2 seconds to notice.

Why a process: programs fork, begin sessions of their own and outlive those who started them. On Linux whatever loses
its parent becomes a child of this process, and so does not get lost; elsewhere its process group is all there is.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from contextlib import suppress

GRACE = 2.0
"""How many seconds a program has to end once its input is closed."""

SUBREAPER, PARENT_DIED = 36, 1  # of prctl(2)


def prctl(option: int, value: int) -> None:
    """Ask Linux for something that Python has no name for; elsewhere nothing happens."""
    if sys.platform == "linux":
        with suppress(ImportError, OSError, AttributeError):  # there is still the process group
            import ctypes

            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


class Warden:
    """What is known of the program, and who is told."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._program = 0
        self._ended = False

    def start(self, words: list[str]) -> None:
        """Start the program in a session of its own, with the standard streams of this process."""
        prctl(SUBREAPER, 1)
        signal.signal(signal.SIGCHLD, lambda *_about: self._reap())
        heard, told = os.pipe()
        self._program = os.fork()  # its end is noticed once it is known: the signal is still blocked
        if not self._program:
            _become(words, told)
        os.close(told)
        failed = os.read(heard, 16)
        os.close(heard)
        for stream in range(3):  # they are the program's alone: their ends mean something
            os.close(stream)
        self._tell(f"failed {failed.decode()}" if failed else f"started {self._program}")
        signal.pthread_sigmask(signal.SIG_SETMASK, [])

    def wait(self) -> None:
        """Wait until everything has ended, or it is to be ended, and do so."""
        try:
            is_there = self._control.recv(1)
        except OSError:
            is_there = b""
        if not is_there:
            until = time.monotonic() + GRACE
            while not self._ended and time.monotonic() < until:
                time.sleep(0.02)  # a rare case; being ended by a signal it would only be more to explain
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._kill()

    def _reap(self) -> None:
        """Take note of what has ended; end with the last."""
        try:
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                if found[0] == self._program:
                    self._ended = True
                    self._tell(f"ended {os.waitstatus_to_exitcode(found[1])}")
        except ChildProcessError:
            if self._ended and not _is_group(self._program):
                os._exit(0)

    def _tell(self, text: str) -> None:
        with suppress(OSError):  # nobody is there any more
            self._control.sendall(text.encode() + b"\n")

    def _kill(self) -> None:
        """Kill the program and all that came of it, until there is nothing left."""
        while True:
            _kill_one(-self._program)
            for pid in _descendants():
                _kill_one(pid)
            try:
                os.waitpid(-1, 0)
            except ChildProcessError:
                return


def _become(words: list[str], told: int) -> None:
    """Become the program, in the child; `told` gets the number of the error where that cannot be."""
    try:
        os.setsid()
        prctl(PARENT_DIED, signal.SIGKILL)
        for number in range(1, signal.NSIG):
            with suppress(OSError, ValueError):  # two that cannot be had, and some that there are not
                signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.execvp(words[0], words)
    except OSError as error:
        os.write(told, str(error.errno).encode())
    finally:
        os._exit(127)


def _kill_one(pid: int) -> None:
    with suppress(OSError):  # has ended, or is another user's by now
        os.kill(pid, signal.SIGKILL)


def _is_group(pid: int) -> bool:
    """Tell whether a process group still holds somebody."""
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _descendants() -> list[int]:
    """Return the processes that descend from this one, as far as the system shows them."""
    from pathlib import Path  # seldom needed, and half of what this program would load

    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, IndexError, ValueError):  # has ended meanwhile
            parents[int(path.parent.name)] = int(path.read_bytes().rpartition(b")")[2].split()[1])
    found: list[int] = []
    above = {os.getpid()}
    while above := {pid for pid, parent in parents.items() if parent in above}:
        found += above
    return found


if __name__ == "__main__":
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, [signal.SIGCHLD])
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    warden = Warden(control)
    warden.start(sys.argv[2:])
    warden.wait()
