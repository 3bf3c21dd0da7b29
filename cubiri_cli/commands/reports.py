"""How `verify-score` answers: as text for people, one JSON object a line, JUnit's XML, or annotations for GitHub.

A report writes one piece a file (`entry`, made in the process that judged the file), and what stands around them.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, ClassVar

from cubiri_cli.commands.output import write_commands, write_for_programs
from cubiri_cli.replays import clock
from cubiri_cli.replays.names import harmless
from cubiri_cli.replays.reading import is_inside
from cubiri_cli.table.language import _, ngettext
from cubiri_cli.table.messages import explain, explain_at, status_in_words
from cubiri_cli.table.runners import disarmed
from cubiri_cli.table.style import STYLE
from cubiri_cli.terminal.printing import read_out

if TYPE_CHECKING:
    from collections import Counter

    from cubiri_cli.replays.verifying import Verdict


class Report:
    """Text for people: only what failed, a line each, and a summary. The other reports say what they do otherwise."""

    LANGUAGE: ClassVar[str | None] = None
    """The language it is always in; None: the one that is spoken."""

    @staticmethod
    def entry(path: str, verdict: Verdict, passed: bool, data: bytes, seconds: float) -> str:
        """Return what is said of one file, whole lines or nothing; `data` is what it held, `seconds` what it took."""
        return (
            "" if passed else f"{harmless(path, longest=4096)}: {status_in_words(verdict.status)}: {_said(verdict)}\n"
        )

    def begin(self) -> None:
        """Say what comes before the first file."""

    def add(self, text: str) -> None:
        """Say what `entry` returned of some files."""
        if text:
            print(text, end="", flush=True)

    def end(self, counts: Counter[str], failed: int, seconds: float) -> None:
        """Say what comes after the last file: `counts` holds how many files have each status."""
        print(_summary(counts, failed))


class Verbose(Report):
    """Text for people with a line for each file: what verified shows its result too."""

    @staticmethod
    def entry(path: str, verdict: Verdict, passed: bool, data: bytes, seconds: float) -> str:
        """Return the line of a file."""
        if verdict.status == "verified":
            from cubiri_cli.table.sharing import verified_words

            said = verified_words(verdict)
        else:
            said = _said(verdict)

        text = f"{harmless(path, longest=4096)}: {status_in_words(verdict.status)}: {said}"
        return f"{read_out(text) if STYLE.plain else text}\n"


class JsonLines(Report):
    """One object a line for each file (cli.md), and nothing else. Always in English."""

    LANGUAGE = "en"

    @staticmethod
    def entry(path: str, verdict: Verdict, passed: bool, data: bytes, seconds: float) -> str:
        """Return the object of a file. Not ASCII is escaped, so no name can break the line or the encoding."""
        import json

        about = {
            "path": path,
            "status": verdict.status,
            "game": verdict.game,
            "options": verdict.options,
            "seed": verdict.seed,
            "players": verdict.players,
            "result": verdict.result,
            "where": verdict.where,
            "message": explain(verdict.problem, verdict.game) if verdict.problem else None,
        }
        return json.dumps(about, ensure_ascii=True) + "\n"

    def begin(self) -> None:
        """Say nothing, but the rest to programs."""
        write_for_programs()

    def end(self, counts: Counter[str], failed: int, seconds: float) -> None:
        """Say nothing."""


class GitHub(Report):
    """Commands of GitHub Actions: an error at the file and line of the first bad place, and the summary."""

    @staticmethod
    def entry(path: str, verdict: Verdict, passed: bool, data: bytes, seconds: float) -> str:
        """Return the annotation of a file that failed."""
        if passed:
            return ""
        line = f",line={_line(verdict, data)}" if data else ""
        title = f"title={_property(f'replay {verdict.status}')}"
        file = _property(harmless(_in_repository(path), longest=4096))
        return f"::error file={file}{line},{title}::{_value(_said(verdict))}\n"

    def add(self, text: str) -> None:
        """Say the annotations of some files: the only commands there are."""
        if text:
            write_commands(text)


class JUnit(Report):
    """The XML of JUnit, in English: a test case a file. It begins with the totals, so its body waits in a file."""

    LANGUAGE = "en"

    def begin(self) -> None:
        """Make room for the body: in memory while it is small."""
        write_for_programs()
        import tempfile

        self._began = clock.now()

        self._body: IO[str] = tempfile.SpooledTemporaryFile(1 << 20, "w+", encoding="utf-8", newline="\n")  # noqa: SIM115

    @staticmethod
    def entry(path: str, verdict: Verdict, passed: bool, data: bytes, seconds: float) -> str:
        """Return the test case of a file: a failure, an error where it could not be read, or passed."""
        name, said = _xml(harmless(path, longest=4096)), _xml(_said(verdict))
        case = f'    <testcase name="{name}" classname="{verdict.game or "replay"}" time="{seconds:.6f}"'
        if verdict.status == "verified":
            return f"{case}/>\n"
        if passed:
            return f'{case}>\n      <skipped message="{said}"/>\n    </testcase>\n'
        kind = "error" if verdict.status == "unreadable" else "failure"
        body = f'      <{kind} type="{verdict.status}" message="{said}">{name}: {verdict.status}: {said}</{kind}>'
        return f"{case}>\n{body}\n    </testcase>\n"

    def add(self, text: str) -> None:
        """Keep the test cases of some files until the totals are known."""
        self._body.write(text)

    def end(self, counts: Counter[str], failed: int, seconds: float) -> None:
        """Write the whole document."""
        errors = counts["unreadable"]
        totals = {
            "name": "cubiri verify-score",
            "package": "cubiri",
            "id": "0",
            "timestamp": clock.written(self._began).replace(" ", "T"),
            "hostname": "localhost",
            "tests": str(counts.total()),
            "failures": str(failed - errors),
            "errors": str(errors),
            "skipped": str(counts.total() - failed - counts["verified"]),
            "time": f"{seconds:.6f}",
        }
        attributes = " ".join(f'{name}="{value}"' for name, value in totals.items())
        print('<?xml version="1.0" encoding="UTF-8"?>')
        print(f"<testsuites>\n  <testsuite {attributes}>\n    <properties/>")
        with self._body:
            self._body.seek(0)
            for line in self._body:
                print(line, end="")
        print(f"    <system-out>{_xml(_summary(counts, failed))}</system-out>\n    <system-err/>")
        print("  </testsuite>\n</testsuites>")


REPORTS: dict[str, type[Report]] = {"text": Report, "jsonl": JsonLines, "junit": JUnit, "github": GitHub}
"""The reports by what `--format` calls them."""

VERBOSE = "verbose"
"""What the text with a line for each file is called beside them."""

ALL_REPORTS: dict[str, type[Report]] = {**REPORTS, VERBOSE: Verbose}


def _said(verdict: Verdict) -> str:
    return explain_at(verdict.problem, verdict.game)


def _summary(counts: Counter[str], failed: int) -> str:
    """Return the one line that sums up: how many of how many, and how many there are of each other status."""
    count = counts.total()
    others = ", ".join(
        f"{number} {status_in_words(status)}" for status, number in sorted(counts.items()) if status != "verified"
    )
    text = ngettext("{good} of {count} replay verified", "{good} of {count} replays verified", count)
    line = text.format(good=counts["verified"], count=count) + (f" ({others})" if others else "")
    return line if failed or not others else line + _("; nothing failed")


def _line(verdict: Verdict, data: bytes) -> int:
    """Return the line of a file on which an editor should open to show what is wrong."""
    from cubiri_cli.replays.lines import line_of

    details = verdict.problem.details if verdict.problem else {}
    if "position" in details:  # of the first byte that is not UTF-8
        return data.count(b"\n", 0, details["position"]) + 1
    if "line" in details:  # where the parser stopped
        return int(details["line"])
    key = details.get("key") if verdict.problem and verdict.problem.code == "unknown-key" else None
    return line_of(data.decode("utf-8", "replace").removeprefix("\ufeff"), verdict.where, key)


def _xml(text: str) -> str:
    """Return a harmless text as XML holds it, in ASCII: so it is right in whatever encoding standard output has."""
    from html import escape

    text = disarmed(escape(text), spell=lambda sign: f"&#{ord(sign)};")
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _in_repository(path: str) -> str:
    """Return a path as GitHub wants it: relative to the root of the repository, whichever folder is the one at hand.

    That is the workspace of the job, else the work tree of git in which the file lies; outside of both it stays whole.
    """
    if path == "-":
        return path
    try:
        folder, name = os.path.split(os.path.abspath(path))  # noqa: PTH100 - Path would follow links, and be slow
        roots = (os.environ.get("GITHUB_WORKSPACE"), _work_tree(str(Path.cwd())), _work_tree(folder))
        for root in filter(None, roots):
            for above, below in ((root, folder), (os.path.realpath(root), os.path.realpath(folder))):
                if is_inside(whole := os.path.join(below, name), above):  # noqa: PTH118
                    return Path(os.path.relpath(whole, above)).as_posix()
    except (OSError, ValueError):  # no folder at hand, a NUL
        pass
    return path


@cache
def _work_tree(folder: str) -> str | None:
    """Return the root of the work tree of git that a folder lies in; None where it lies in none."""
    folders = (Path(folder), *Path(folder).parents)
    return next((str(one) for one in folders if os.path.exists(one / ".git")), None)  # noqa: PTH110 - never raises


def _value(text: str) -> str:
    """Return a text as GitHub's commands hold it, and no other command with it."""
    return disarmed(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Return a text as a property of GitHub's commands holds it."""
    return _value(text).replace(":", "%3A").replace(",", "%2C")
