"""Running the command: in this process, which is quick, or as a process of its own, which is the real thing."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import IO, TYPE_CHECKING, NamedTuple

import pytest

from tests.support.reference import is_shown_safely

if TYPE_CHECKING:
    from collections.abc import Sequence


class Ran(NamedTuple):
    """How a command ended: its exit status, and what it said."""

    status: int
    out: str
    err: str

    @property
    def message(self) -> str:
        """The one line of standard error; fails where there is another number of lines, or one that is not harmless."""
        assert self.err.endswith("\n"), self
        line = self.err.removesuffix("\n")
        assert is_shown_safely(line), self
        assert line, self
        assert "Traceback" not in line, self
        assert "please report" not in line, self
        return line


def cubiri(*arguments: object, stdin: bytes | None = b"") -> Ran:
    """Carry out a command line in this process. `stdin=None` is a standard input that is closed."""
    from cubiri_cli.cli.app import run

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", None if stdin is None else io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        status = run([str(argument) for argument in arguments])
    return Ran(status, *(stream.buffer.getvalue().decode() for stream in (out, err)))


def process(
    *arguments: object,
    stdin: bytes | int | IO[bytes] = b"",
    shell: str = "",
    program: Sequence[str] = ("-m", "cubiri_cli"),
    **environment: str,
) -> Ran:
    """Run `python -m cubiri_cli`, or another program, as a process. `shell` is appended to the command: `<&-`."""
    command = [sys.executable, *program, *map(str, arguments)]
    given: dict[str, object] = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
    if shell:
        command = ["/bin/sh", "-c", f'"$@" {shell}', "sh", *command]
    ended = subprocess.run(  # type: ignore[call-overload]
        command, capture_output=True, timeout=60, check=False, env={**os.environ, **environment}, **given
    )
    return Ran(
        ended.returncode,
        ended.stdout.decode("utf-8", "replace"),
        ended.stderr.decode("utf-8", "replace").replace(os.linesep, "\n"),
    )
