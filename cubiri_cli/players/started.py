"""A program that was started: its three streams, its end, and how nothing of it is left, on every system."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PATIENCE = 5.0
"""For how many seconds the system is given to do away with what was killed."""


class Started:
    """A program that was started. Its streams are its own; whoever started it closes them."""

    status: int | None = None
    """The exit status once it has ended, negative for a signal; None where nobody knows."""

    def __init__(self) -> None:
        self.ended = Event()
        """Set once the program has ended, whatever it has left behind."""

    def begin(self, words: list[str], environment: Mapping[str, str]) -> None:
        """Start it. Raises `OSError` where that cannot be."""
        raise NotImplementedError

    @property
    def streams(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        """Its standard input, output and error, unbuffered."""
        raise NotImplementedError

    def leaves_nothing(self, seconds: float) -> bool:
        """Tell whether, once it has ended, nothing that it started is left within so many seconds."""
        raise NotImplementedError

    def kill(self) -> None:
        """End it, where it has not ended, and all that it started."""
        raise NotImplementedError

    def _take_streams(self, process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        return process.stdin, process.stdout, process.stderr


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    class _Limits(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION, of which only the flags are of interest."""

        _fields_ = (
            ("times", ctypes.c_int64 * 2),
            ("flags", wintypes.DWORD),
            ("sizes", ctypes.c_size_t * 2),
            ("processes", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("classes", wintypes.DWORD * 2),
            ("counters", ctypes.c_uint64 * 6),
            ("memory", ctypes.c_size_t * 4),
        )

    class _Accounting(ctypes.Structure):
        """JOBOBJECT_BASIC_ACCOUNTING_INFORMATION."""

        _fields_ = (
            ("times", ctypes.c_int64 * 4),
            ("faults", wintypes.DWORD),
            ("processes", wintypes.DWORD),
            ("active", wintypes.DWORD),
            ("terminated", wintypes.DWORD),
        )

    _KILL_ON_CLOSE, _EXTENDED_LIMITS, _ACCOUNTING = 0x2000, 9, 1

    class InJob(Started):
        """A program in a job: whatever it starts is in it too, and ends with it, also where this process is killed."""

        def begin(self, words: list[str], environment: Mapping[str, str]) -> None:
            """Start it. Raises `OSError` where that cannot be."""
            kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            kernel.CreateJobObjectW.restype = wintypes.HANDLE
            self._kernel = kernel
            self._job = wintypes.HANDLE(kernel.CreateJobObjectW(None, None))
            limits = _Limits(flags=_KILL_ON_CLOSE)
            kernel.SetInformationJobObject(self._job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits))
            self._process = subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(environment),
                creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
            )
            kernel.AssignProcessToJobObject(self._job, wintypes.HANDLE(int(self._process._handle)))  # type: ignore[attr-defined]
            Thread(target=self._follow, daemon=True).start()

        def _follow(self) -> None:
            self.status = self._process.wait()
            self.ended.set()

        @property
        def streams(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
            """Its standard input, output and error, unbuffered."""
            return self._take_streams(self._process)

        def leaves_nothing(self, seconds: float) -> bool:
            """Tell whether, once it has ended, nothing that it started is left within so many seconds."""
            about = _Accounting()
            self._process.wait(seconds)
            self._kernel.QueryInformationJobObject(
                self._job, _ACCOUNTING, ctypes.byref(about), ctypes.sizeof(about), None
            )
            return not about.active

        def kill(self) -> None:
            """End it, where it has not ended, and all that it started."""
            self._kernel.TerminateJobObject(self._job, 1)
            with suppress(OSError):
                self._process.kill()  # where it could not be put into the job
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(PATIENCE)
            self._kernel.CloseHandle(self._job)

    _here: type[Started] = InJob

else:
    import signal
    import socket

    WARDEN = Path(__file__).with_name("warden.py")

    class WithWarden(Started):
        """A program with a warden (`warden.py`): whatever it starts ends with it, also where this process is killed."""

        def begin(self, words: list[str], environment: Mapping[str, str]) -> None:
            """Start it. Raises `OSError` where that cannot be."""
            self._control, there = socket.socketpair()
            with there:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(WARDEN), str(there.fileno()), *words],
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=dict(environment),
                    pass_fds=[there.fileno()],
                    start_new_session=True,
                )
            self._told = self._control.makefile("rb")
            self._alone = Event()  # set once the warden has ended, which is with the last of them
            about = self._told.readline().split()
            if about[:1] == [b"failed"]:
                self._process.wait()
                self._control.close()
                for stream in self.streams:
                    stream.close()
                raise OSError(int(about[1]), os.strerror(int(about[1])))
            self._pid = int(about[1]) if about else 0
            Thread(target=self._follow, daemon=True).start()

        def _follow(self) -> None:
            with suppress(OSError):  # a warden that ends before it has heard that it should
                for line in self._told:
                    self.status = int(line.split()[1])
                    self.ended.set()
            self.ended.set()
            self._alone.set()

        @property
        def streams(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
            """Its standard input, output and error, unbuffered."""
            return self._take_streams(self._process)

        def leaves_nothing(self, seconds: float) -> bool:
            """Tell whether, once it has ended, nothing that it started is left within so many seconds."""
            return self._alone.wait(seconds)

        def kill(self) -> None:
            """End it, where it has not ended, and all that it started."""
            with suppress(OSError):
                self._control.sendall(b"k")
            if not self._alone.wait(PATIENCE):  # the warden was stopped, or what it kills does not end
                self._process.kill()
            if self._process.wait() and self._pid:  # it was killed itself
                with suppress(OSError):
                    os.killpg(self._pid, signal.SIGKILL)
            self._control.close()

    _here: type[Started] = WithWarden


def start(words: list[str], environment: Mapping[str, str]) -> Started:
    """Start a program. Raises `OSError` where that cannot be."""
    program = _here()
    program.begin(words, environment)
    return program
