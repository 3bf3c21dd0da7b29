"""A program from outside as a player: one line of JSON a question, one line an answer (contract, bots.md: Programs)."""

from __future__ import annotations

import json
import os
import shlex
import sys
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Semaphore, Thread
from time import monotonic
from typing import IO, TYPE_CHECKING, NamedTuple

from cubiri_cli import games
from cubiri_cli.games.problem import Problem, ProblemError
from cubiri_cli.players.player import BotError
from cubiri_cli.store.home import home

if TYPE_CHECKING:
    from collections.abc import Callable

    from cubiri_cli.players.player import View
    from cubiri_cli.players.started import Started

TIMEOUT, FIRST_TIMEOUT = 10.0, 30.0
"""How many seconds a program has to answer, and to answer for the first time."""
GRACE = 2.0
"""How many seconds it has to end once its input is closed."""
LONGEST_ANSWER = 1000
"""How many bytes an answer has at most, without the end of its line."""
KEPT = 4000
"""How many bytes of its standard error are kept: the last ones."""

_SETTLING, _SETTLED = 0.02, 3
"""How many seconds it is watched for another line after each of its first answers, and how many these are: a program
that always says too much is then told so, and not that what it said next was wrong."""
_CHUNK, _AHEAD = 4096, 8
"""How many bytes are read at a time, and how many times before somebody takes them: a flood has to wait."""
_IN_PIPES = 1 << 20
"""How many bytes a pipe holds at most."""
_SLICE = 0.1 if sys.platform == "win32" else None
"""For how many seconds at most is waited at a time: on Windows, Ctrl-C does not interrupt waiting."""


class Farewell(NamedTuple):
    """How a program took the end of its questions."""

    in_time: bool
    """Whether it ended within `GRACE` seconds."""
    alone: bool
    """Whether it left no process behind."""
    extra: bytes
    """The beginning of what it said without having been asked."""


def split_command(command: str) -> list[str]:
    """Return the words of a command, quoted as in a shell; there is no shell. `ValueError` for an open quotation.

    >>> split_command("python 'my bot.py' --depth=3")
    ['python', 'my bot.py', '--depth=3']
    """
    if os.name == "nt":  # where a backslash is part of a path
        return [word.strip('"') for word in shlex.split(command, posix=False)]
    return shlex.split(command)


def environment() -> dict[str, str]:
    """Return the environment of a program: that of this process without what names a folder of games."""
    hidden = ["XDG_DATA_HOME"]
    with suppress(OSError):
        hidden += [name for name, value in os.environ.items() if _is_inside(value)]
    return {name: value for name, value in os.environ.items() if name not in hidden and not name.startswith("CUBIRI_")}


def _is_inside(value: str) -> bool:
    """Tell whether a text names the home folder of games, or something in it. Raises `OSError` where there is none."""
    folders = {str(home()), os.path.realpath(home())}
    return any(folder in value for folder in folders if folder != os.sep)


class Program:
    """A program that is asked. It is started with the first question, and again with the one after a failure.

    `timeout` is how many seconds it has for each answer, 0 for any number, None for the usual ones. `listen` gets what
    it writes to its standard error, as it comes, in another thread. To be closed, also after an error; usable in
    `with`.
    """

    def __init__(
        self, command: str, timeout: float | None = None, listen: Callable[[bytes], None] | None = None
    ) -> None:
        self.command = command
        self.timeout = timeout
        self.listen = listen
        self._talk: _Talk | None = None

    def choose(self, view: View) -> str:
        """Return one of `view.legal`. Raises `BotError`; the program and all that it started have then been ended."""
        try:
            if self._talk is None:
                self._talk = _Talk(self.command, self.listen)
            answer = self._talk.ask(question(view), self.timeout)
            return _checked(answer, view)
        except _FailedError as error:
            talk, self._talk = self._talk, None
            stderr = talk.end() if talk is not None else ""
            raise BotError(error.verdict, error.problem, stderr) from None

    @property
    def is_asked(self) -> bool:
        """Whether there is a question that it has not answered."""
        return self._talk is not None and self._talk.is_asked

    def close(self) -> Farewell | None:
        """Ask nothing more, wait for the program to end, and end what is left; None where nothing ran."""
        talk, self._talk = self._talk, None
        return talk.finish() if talk is not None else None

    def __enter__(self) -> Program:
        """Return itself."""
        return self

    def __exit__(self, *about: object) -> None:
        """Close it."""
        self.close()


def question(view: View) -> bytes:
    """Return the line that a program is sent: all that it may know."""
    return json.dumps(view.data()).encode("ascii") + b"\n"


class _FailedError(ProblemError):
    """What a program did wrong."""

    def __init__(self, verdict: str, code: str, **details: object) -> None:
        super().__init__(Problem(code, details))
        self.verdict = verdict


def _checked(answer: bytes, view: View) -> str:
    """Return an answer as the action that it is. Raises `_FailedError`."""
    try:
        action = answer.decode("utf-8")
    except UnicodeDecodeError:
        shown = answer.decode("utf-8", "backslashreplace")
        raise _FailedError("garbled", "bot-not-utf-8", found=shown) from None
    if action not in games.load(view.game, view.rules).moves():
        raise _FailedError("garbled", "bot-no-action", found=action)
    if action not in view.legal:
        raise _FailedError("illegal", "bot-illegal", action=action)
    return action


class _Talk:
    """A program that runs, and what it has said so far. Its streams are read and written by threads of their own."""

    def __init__(self, command: str, listen: Callable[[bytes], None] | None) -> None:
        self._started = self._start(command)
        stdin, stdout, stderr = self._started.streams
        self._listen = listen
        self._questions: SimpleQueue[bytes | None] = SimpleQueue()
        self._heard: SimpleQueue[bytes] = SimpleQueue()
        """What it said, in pieces; the empty one stands for the end of it, or of the program."""
        self._room = Semaphore(_AHEAD)
        self._said = b""
        """What has been taken of it but not used."""
        self._stderr = b""
        self._answers = 0
        self.is_asked = False
        """Whether it has not answered the last question yet."""
        works = ((self._write, stdin), (self._read, stdout), (self._note, stderr))
        self._threads = [Thread(target=work, args=(stream,), daemon=True) for work, stream in works]
        self._threads.append(Thread(target=self._await_end, daemon=True))
        for thread in self._threads:
            thread.start()

    @staticmethod
    def _start(command: str) -> Started:
        from cubiri_cli.players import started

        try:
            return started.start(split_command(command), environment())
        except (OSError, ValueError, IndexError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise _FailedError("crashed", "bot-not-started", command=command, error=reason) from None

    # What the threads do

    def _write(self, stdin: IO[bytes]) -> None:
        with suppress(OSError), stdin:  # it reads no more: it will be asked no more either
            while (question := self._questions.get()) is not None:
                left = memoryview(question)
                while left:
                    left = left[stdin.write(left) :]

    def _read(self, stdout: IO[bytes]) -> None:
        with suppress(OSError), stdout:
            while self._room.acquire() and (piece := stdout.read(_CHUNK)):
                self._heard.put(piece)
        self._heard.put(b"")

    def _note(self, stderr: IO[bytes]) -> None:
        with suppress(OSError), stderr:
            while piece := stderr.read(_CHUNK):
                self._stderr = (self._stderr + piece)[-KEPT:]
                if self._listen is not None:
                    self._listen(piece)

    def _await_end(self) -> None:
        self._started.ended.wait()
        self._heard.put(b"")

    # What is asked

    def ask(self, question: bytes, timeout: float | None) -> bytes:
        """Return its answer to a question. Raises `_FailedError`."""
        if self._answers:
            self._take_all()
            self._check_extra()
        self.is_asked = True
        self._questions.put(question)
        seconds = timeout if timeout is not None else TIMEOUT if self._answers else FIRST_TIMEOUT
        until = monotonic() + seconds if seconds else None
        while b"\n" not in self._said:
            self._check_length(self._said, LONGEST_ANSWER + 1)  # perhaps the first byte of the end of the line
            if not self._take(until):
                self._raise_silence(seconds, until)
        answer, _end, self._said = self._said.partition(b"\n")
        answer = answer.removesuffix(b"\r")
        self._check_length(answer, LONGEST_ANSWER)
        self.is_asked = False
        self._answers += 1
        if self._answers <= _SETTLED:
            self._take(monotonic() + _SETTLING)
        self._check_extra()
        return answer

    def _check_extra(self) -> None:
        if self._said:
            raise _FailedError("garbled", "bot-extra", found=_text(self._said))

    def _check_length(self, answer: bytes, most: int) -> None:
        if len(answer) > most:
            raise _FailedError("garbled", "bot-too-long", found=_text(answer), most=LONGEST_ANSWER)

    def _raise_silence(self, seconds: float, until: float | None) -> None:
        """Say why there is no answer: it has ended, or it takes too long, also where it can say nothing any more."""
        if not self._started.ended.is_set() and not self._wait_for_end(until):
            raise _FailedError("timeout", "bot-late", seconds=seconds)
        while self._take(monotonic() + _SETTLING):  # what it said last may still be on its way
            if b"\n" in self._said:
                return
        raise _FailedError("crashed", "bot-ended", status=self._started.status)

    def _wait_for_end(self, until: float | None) -> bool:
        return _wait(self._started.ended.wait, until)

    def _take(self, until: float | None) -> bool:
        """Take a piece of what it says, waiting until a moment; tell whether there was one."""
        piece: list[bytes] = []

        def take(seconds: float | None) -> bool:
            with suppress(Empty):
                piece.append(self._heard.get(timeout=seconds))
            return bool(piece)

        if not _wait(take, until) or not piece[0]:
            return False
        self._room.release()
        self._said += piece[0]
        return True

    def _take_all(self) -> None:
        """Take what it has said already, but no flood."""
        while len(self._said) <= LONGEST_ANSWER and not self._heard.empty():
            if not self._take(monotonic()):
                return

    # How it ends

    def finish(self) -> Farewell:
        """Close its input, give it time to end, and end what is left."""
        self._questions.put(None)
        in_time = alone = False
        try:
            in_time = self._wait_for_end(monotonic() + GRACE)
            alone = in_time and self._started.leaves_nothing(0.2)
        finally:
            self.end()
        self._take_all()
        return Farewell(in_time, alone, self._said)

    def end(self) -> str:
        """End it and all that it started, at once; return the end of what it wrote to its standard error."""
        self._started.kill()  # before its input ends: it need not complain of that
        self._questions.put(None)
        self._room.release(_IN_PIPES // _CHUNK)
        for thread in self._threads:
            thread.join(1)  # elsewhere than on Linux something may have got away, and hold a stream open
        return _text(self._stderr)


def _wait(take: Callable[[float | None], bool], until: float | None) -> bool:
    """Wait until a moment, None for ever, for something to be taken; tell whether it was."""
    while True:
        left = None if until is None else max(0.0, until - monotonic())
        if take(left if _SLICE is None else _SLICE if left is None else min(left, _SLICE)):
            return True
        if until is not None and monotonic() >= until:
            return False


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
