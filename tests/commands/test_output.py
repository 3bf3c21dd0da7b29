"""What is printed, whatever it is about: no command to a CI runner, whole for programs, quiet where nobody reads."""

from __future__ import annotations

import errno
import io
import json
import os
import random
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cubiri_cli.cli.app import run
from cubiri_cli.commands.output import ReaderLeftError, guarded
from cubiri_cli.table.runners import disarmed
from tests.support.running import cubiri
from tests.support.strategies import STARTED, magdagdon, play, to_bytes

GOOD = Path(__file__).parents[2] / "replays" / "magdagdon-peaceful-six-straights.toml"

COMMANDS = (
    "##[set-env name=A]b",
    "##[ERROR]c",
    "##vso[task.setvariable variable=a]b",
    "x##teamcity[message text='a']",
    "::error::d",
    "::set-output name=a::b",
    "  ::Stop-Commands::e",
    "section_start:1:a[collapsed=true]",
    "travis_fold:start:a",
)


def commands_in(text: str) -> list[str]:
    """Return the lines of a log that a runner obeys, as the runners' own sources look for them."""
    lines = [line for line in re.split(r"\r\n|\r|\n", text) if not line.startswith("::error file=")]
    unseen = re.compile("[\ufe0e\ufe0f\u200d]|\x1b\\[[0-9;]*m")
    return [
        line
        for line in lines
        if unseen.sub("", line).strip().startswith("::")
        or re.search(r"##[\w.-]*\[|(?:section|travis)_(?:start|end|fold|time):", unseen.sub("", line), re.IGNORECASE)
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_recogniser_of_these_tests_knows_them(command: str) -> None:
    assert commands_in(f"a\n{command}\n") == [command]


# Wherever it comes from


def hostile(folder: Path, command: str) -> list[Path]:
    """Write replays in which everything that may be chosen is a command: finished, unfinished, wrong in many ways."""
    folder.mkdir()
    name = command.strip()[:32].strip()
    document = tomllib.loads(play(magdagdon("survival", "usage"), random.Random(1), started=STARTED).text())
    document["players"] = [{"name": name}]
    document["comment"] = f"a\n{command}\n\n{command}"
    document["turns"][0]["comment"] = command
    unfinished = {key: value for key, value in document.items() if key != "result"}
    unfinished["turns"] = unfinished["turns"][:1]
    texts = {
        "": to_bytes(document),
        "unfinished": to_bytes(unfinished),
        "seed": to_bytes({**document, "seed": "another"}),
        "key": to_bytes({**document, command: 1}),
        "value": to_bytes({**document, "format": command}),
        "version": to_bytes({**document, "dice": command}),
        "entry": to_bytes({**document, "turns": [{"player": 1, "log": [command]}]}),
        "name": to_bytes({**document, "players": [{"name": f"{name}\x07"}]}),
        "toml": f'a = 1\n"{command}" = ="'.encode(),
        "twice": f'"{command}" = 1\n"{command}" = 2\n'.encode(),
    }
    safe = command.replace("/", "_")
    paths = []
    for kind, data in texts.items():
        paths.append(folder / f"{safe}{kind}.toml")
        paths[-1].write_bytes(data)
    return paths


def check(*arguments: object, statuses: tuple[int, ...] = (0, 1, 2), stdin: bytes = b"") -> tuple[str, str]:
    ran = cubiri(*arguments, stdin=stdin)
    assert ran.status in statuses, arguments
    for stream in (ran.out, ran.err):
        assert commands_in(stream) == [], arguments
        assert not re.search(r"[^\n -~\u00a0-\U0010ffff]", stream), arguments
    return ran.out, ran.err


@pytest.mark.skipif(sys.platform == "win32", reason="names of files")
@pytest.mark.parametrize(("command", "ci"), [*((command, False) for command in COMMANDS), (COMMANDS[0], True)])
def test_nothing_printed_is_a_command_to_a_runner(
    command: str, ci: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if ci:
        for name in ("CI", "GITHUB_ACTIONS", "TF_BUILD", "GITLAB_CI"):
            monkeypatch.setenv(name, "true")
    paths = [path.relative_to(tmp_path / "x") for path in hostile(tmp_path / "x", command)]
    monkeypatch.chdir(tmp_path / "x")
    for form in ("text", "jsonl", "junit", "github"):
        check("verify-score", "--format", form, ".")
        check("verify-score", "--format", form, "--", *paths)
        check("verify-score", "--format", form, "--seed", "other", "--allow-unfinished", ".")
    for path in paths:
        options: list[list[object]] = [[], ["--turn", 1], ["--plain"]]
        if path in paths[:3]:
            options += [["--format", form] for form in ("text", "json", "svg", "cast", "html")]
        for one in options:
            check("replay", *one, "--", path)
        check("play", "--script", f"./{path}", "--output", tmp_path / f"{command.replace('/', '_')}out.toml")
        check("resume", "--", path)
        check("leaderboard", "--add", f"./{path}")
        check("play", "magdagdon", "--like", f"./{path}")
    for form in ("text", "json", "markdown"):
        check("leaderboard", "--from", ".", "--format", form)
        check("leaderboard", "--format", form)
    check("leaderboard", "--rebuild")
    check("resume")


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_typed_comes_back_as_a_command(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (
        [], ["play"], ["play", "magdagdon", "--difficulty"], ["play", "magdagdon", "--player"],
        ["play", "--seed"], ["play", "mishimash", "--target"], ["play", "--script"], ["play", "magdagdon", "--like"],
        ["resume"], ["replay"], ["replay", "--format"], ["replay", "--turn"], ["replay", "--speed"], ["verify-score"],
        ["verify-score", "--jobs"], ["verify-score", "--shard"], ["verify-score", "--min-score"],
        ["verify-score", "--format"], ["leaderboard"], ["leaderboard", "--limit"], ["leaderboard", "--from"],
        ["leaderboard", "--add"], ["rules"], ["help"], ["completion"], ["settings"], ["settings", "language"],
        ["settings", "name"], ["--lang"], ["settings", command], ["no-such", "x"], ["play", "--no-such"],
    ):  # fmt: skip
        check(*arguments, command)
        check("--lang=fi", *arguments, "--", command)
    check("settings")
    check("verify-score", "-", stdin=command.encode())
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path / command.strip().replace("/", "_")))
    check("play", "--script", GOOD)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", command)
    check("play", "--script", GOOD)


def test_a_text_that_is_kept_elsewhere_still_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON, XML and the replay that is printed where none can be stored: another spelling, the same text."""
    command = "##[set-env name=A]b"
    paths = hostile(tmp_path / "x", command)
    ran = cubiri("verify-score", "--format", "jsonl", tmp_path / "x")
    assert {json.loads(line)["path"] for line in ran.out.splitlines()} == set(map(str, paths))
    ran = cubiri("verify-score", "--format", "junit", tmp_path / "x")
    assert {case.attrib["name"] for case in ElementTree.fromstring(ran.out).iter("testcase")} == set(map(str, paths))
    monkeypatch.setenv("CUBIRI_HOME", str(GOOD / "home"))
    ran = cubiri("play", "--script", paths[0])
    replay = tomllib.loads(ran.out[ran.out.index('format = "cubiri-replay"') :])
    assert replay["players"] == [{"name": command}]


@pytest.mark.parametrize("command", [*COMMANDS, "#\ufe0f#\ufe0f[a]", " \u200a\ufe0f:\ufe0f:e::", "\x1b[31m::e::"])
def test_a_command_written_in_pieces_is_none(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (1, 2, 3, 50):
        stream = io.StringIO()
        monkeypatch.setattr(sys, "stdout", stream)
        with guarded():
            text = f"{' ' * 300}a\n{' ' * 300}{command}\n{command}{command}"
            for start in range(0, len(text), size):
                print(text[start : start + size], end="")
        assert commands_in(stream.getvalue()) == []
        assert stream.getvalue() == disarmed(text)
        assert len(stream.getvalue()) > len(text)


def test_what_is_no_command_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    text = "a::b [1] # [x]\n## [2]\n: : :\n12:30:05::\nsection 1: a\n#1[\nx:\n:y\n"
    with guarded():
        print(text, end="")
    assert stream.getvalue() == text


# For programs


@pytest.mark.parametrize("encoding", ["cp1252", "cp852", "ascii", "utf-16"])
@pytest.mark.parametrize(
    "arguments",
    [
        *(["verify-score", "--format", form] for form in ("jsonl", "junit")),
        *(["replay", "--format", form] for form in ("json", "svg", "cast", "html")),
        *(["leaderboard", "--format", form, "--from"] for form in ("json", "markdown")),
        *(["completion", shell] for shell in ("bash", "zsh", "fish")),
    ],
    ids=" ".join,
)
def test_what_programs_read_is_utf_8_with_lf_whatever_the_console_is(
    arguments: list[str], encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tmp_path / "ä山.toml"
    game.write_text(GOOD.read_text("utf-8").replace('name = "Zuzka"', 'name = "Väinö 山田"'), "utf-8")
    given = arguments if arguments[0] == "completion" else [*arguments, str(game)]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    found = []
    for console, newline in (("utf-8", "\n"), (encoding, "\r\n")):
        out = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, console, newline=newline))
        assert run(given) == 0
        found.append(re.sub(rb'time="[0-9.]+"', b"", out.getvalue()))
    assert found[0] == found[1]
    assert b"\r" not in found[0]
    if "markdown" in arguments:
        assert "Väinö 山田" in found[0].decode("utf-8")


def test_what_people_read_is_in_the_console_s_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, "cp1252", newline="\r\n"))
    assert run(["--lang", "fi", "verify-score", str(GOOD)]) == 0
    assert out.getvalue().endswith(b"\r\n")
    assert " · ".encode("cp1252") in out.getvalue()


# Where nobody reads

SHOWING: list[list[Any]] = [
    ["rules", "magdagdon"],
    ["--help"],
    ["play", "--help"],
    ["--version"],
    ["--plain", "--version"],
    ["help"],
    ["completion", "bash"],
    ["settings"],
    ["leaderboard", "--from", GOOD],
    ["leaderboard", "--from", GOOD, "--format", "json"],
    *(["replay", GOOD, "--format", form] for form in ("text", "json", "svg", "cast", "html")),
]
ANSWERING: list[list[Any]] = [
    *(["verify-score", GOOD, "--format", form] for form in ("text", "jsonl", "junit", "github")),
    ["simulate", "mishimash", "--target", "10", "--bot", "random", "--games", "2", "--jobs", "1"],
    ["match", "mishimash", "--target", "10", "--bot", "random", "--bot", "casual", "--games", "2", "--jobs", "1"],
]


class Left(io.StringIO):
    """A standard output whose reader has left, as one system or another says it."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error

    def write(self, text: str) -> int:
        raise self.error

    def flush(self) -> None:
        raise self.error


@pytest.mark.parametrize(("status", "calls"), [(0, SHOWING), (141, ANSWERING)], ids=["showing", "answering"])
@pytest.mark.parametrize("how", ["pipe", "socket", "Windows"])
def test_a_reader_that_leaves_ends_it_quietly(
    status: int, calls: list[list[Any]], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    error: OSError = {
        "pipe": BrokenPipeError(errno.EPIPE, "Broken pipe"),
        "socket": ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"),
        "Windows": OSError(errno.EINVAL, "Invalid argument"),
    }[how]
    said = io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    if how == "Windows":
        monkeypatch.setattr("cubiri_cli.commands.output.WINDOWS", True)
    for arguments in calls:
        monkeypatch.setattr(sys, "stdout", Left(error))
        assert run([str(one) for one in arguments]) == status, arguments
        assert said.getvalue() == ""


def test_a_closed_pipe_of_the_system() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        for status, calls in ((0, SHOWING), (141, ANSWERING)):
            for arguments in calls:
                command = [sys.executable, "-m", "cubiri_cli", *map(str, arguments)]
                ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False)
                assert (ran.returncode, ran.stderr) == (status, b""), arguments
    finally:
        os.close(writing)


def test_a_disk_that_is_full_is_no_reader_that_left(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (OSError(errno.ENOSPC, "No space left on device"), OSError(errno.EINVAL, "Invalid argument")):
        for arguments in (*SHOWING, *ANSWERING):
            monkeypatch.setattr(sys, "stdout", Left(error))
            assert run([str(one) for one in arguments]) == 2, arguments


def test_the_guard_tells_a_closed_pipe_in_a_way_that_typer_lets_through() -> None:
    assert ReaderLeftError().errno is None
