"""`cubiri verify-score` as CI uses it: folders, formats, requirements, several processes, and hostile folders."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from cubiri_cli.cli.app import run
from cubiri_cli.commands import judging, processes
from cubiri_cli.commands.reports import _work_tree
from cubiri_cli.replays import folders
from cubiri_cli.replays.folders import replays_in
from cubiri_cli.replays.lines import line_of
from tests.benchmarks.corpus import magdagdon_text, mishimash_text

CUBIRI = [sys.executable, "-m", "cubiri_cli"]
GOOD = magdagdon_text("42", "survival")
BAD_DICE = GOOD.replace('"roll -> 2 2 4 3"', '"roll -> 2 2 4 4"')
UNFINISHED = GOOD[: GOOD.index("\n[result]")].rsplit("\n[[turns]]", 1)[0]
SOLO = mishimash_text("7", 1, 30)


@pytest.fixture(autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "replays"
    (found / "a").mkdir(parents=True)
    (found / "a" / "good.toml").write_text(GOOD)
    (found / "a-bad.toml").write_text(BAD_DICE)
    (found / "b.toml").write_text(SOLO)
    (found / "c.toml").write_text(UNFINISHED)
    (found / "notes.txt").write_text("no replay")
    return found


def verdicts(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[dict[str, object]]]:
    status = run(["verify-score", "--format", "jsonl", *map(str, arguments)])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


# Folders


def test_a_folder_is_judged_in_the_order_of_its_paths(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, found = verdicts(capsys, folder)
    assert status == 1
    assert [(Path(str(v["path"])).relative_to(folder).as_posix(), v["status"]) for v in found] == [
        ("a-bad.toml", "dice"),
        ("a/good.toml", "verified"),
        ("b.toml", "verified"),
        ("c.toml", "unfinished"),
    ]


def test_the_order_is_that_of_the_whole_paths_as_text(tmp_path: Path) -> None:
    chance = random.Random(1)
    names = ["a", "a-", "a.", "a0", "ab", "b", "ä", "a.toml", "\udcff", "z z"]
    for _ in range(60):
        path = tmp_path.joinpath(*chance.choices(names, k=chance.randrange(1, 4)))
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_name(path.name + ".toml").write_text("")
    expected = sorted(str(path) for path in tmp_path.rglob("*.toml") if path.is_file())
    assert len(expected) > 30
    assert list(replays_in(str(tmp_path))) == expected


def test_the_folder_at_hand_adds_nothing_to_the_paths(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert list(replays_in(".")) == ["a-bad.toml", "a/good.toml", "b.toml", "c.toml"]
    assert list(replays_in("a/")) == ["a/good.toml"]


def test_an_empty_folder_is_said_to_be_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify-score", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert out == "0 of 0 replays verified\n"
    assert "no replay" in err


@pytest.mark.parametrize(
    ("text", "status"),
    [(GOOD, "verified"), (BAD_DICE, "dice"), ("\0", "malformed"), ("x" * (1 << 21), "unreadable")],
    ids=["good", "bad", "binary", "large"],
)
def test_standard_input(text: str, status: str) -> None:
    call = subprocess.run(
        [*CUBIRI, "verify-score", "-", "--format", "jsonl"], input=text, capture_output=True, text=True, timeout=60
    )
    verdict = json.loads(call.stdout)
    assert (verdict["path"], verdict["status"]) == ("-", status)
    assert (call.returncode, call.stderr) == (status != "verified", "")


def test_shards_share_out_every_file_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, everything = verdicts(capsys, folder)
    shards = [verdicts(capsys, folder, "--shard", f"{k}/3")[1] for k in (1, 2, 3)]
    assert shards[0] == everything[0::3]
    assert shards[1] == everything[1::3]
    assert shards[2] == everything[2::3]


@pytest.mark.parametrize(
    "wrong",
    [
        ("--shard", "0/2"), ("--shard", "3/2"), ("--shard", "1"), ("--jobs", "0"), ("--jobs", "x"), ("--format", "xml"),
        ("--min-score", "nan"), ("--min-score", "1e5"), ("--difficulty", "easy"), ("--target", "5"),
        ("--seed", "Ä"), ("--game", "chess"), ("--game", "mishimash", "--difficulty", "survival"),
    ],
)  # fmt: skip
def test_wrong_options_are_a_wrong_call(wrong: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify-score", *wrong, "nothing.toml"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("cubiri: ")
    assert len(err.splitlines()) == 1


# Requirements


@pytest.mark.parametrize(
    ("wanted", "where"),
    [
        (("--game", "mishimash"), "game"),
        (("--difficulty", "nightmare"), "options.difficulty"),
        (("--target", "1000"), "options.target"),
        (("--seed", "43"), "seed"),
        (("--min-score", "500"), "result"),
    ],
)
def test_a_requirement_that_is_not_met(
    wanted: tuple[str, ...], where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "good.toml").write_text(GOOD)
    status, found = verdicts(capsys, tmp_path, *wanted)
    assert status == 1
    assert (found[0]["status"], found[0]["where"]) == ("unwanted", where)
    assert found[0]["message"]
    assert found[0]["result"]


def test_requirements_that_are_met(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score = verdicts(capsys, folder / "a")[1][0]["result"]["score"]  # type: ignore[index]
    wanted = ("--game", "magdagdon", "--difficulty", "survival", "--seed", "42", "--min-score", score)
    assert verdicts(capsys, folder / "a", *wanted)[0] == 0
    assert verdicts(capsys, folder / "a", "--min-score", score + 1)[0] == 1
    assert verdicts(capsys, folder / "b.toml", "--target", "30", "--min-score", "30")[0] == 0


def test_a_replay_that_does_not_verify_is_not_called_unwanted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verdicts(capsys, folder / "a-bad.toml", "--seed", "43")[1][0]["status"] == "dice"
    assert verdicts(capsys, folder / "c.toml", "--seed", "43")[1][0]["status"] == "unfinished"


def test_unfinished_games_pass_where_they_may_but_not_against_a_requirement(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "c.toml"
    status, found = verdicts(capsys, file, "--allow-unfinished")
    assert (status, found[0]["status"]) == (0, "unfinished")
    for wanted, where in ((("--seed", "43"), "seed"), (("--min-score", "-1000"), "result")):
        status, found = verdicts(capsys, file, "--allow-unfinished", *wanted)
        assert (status, found[0]["status"], found[0]["where"]) == (1, "unfinished", where)


# Formats


def test_text_says_what_failed_and_sums_up(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify-score", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f'{folder}/a-bad.toml: dice: turn 1, entry 1: the dice are 2 2 4 3, not "2 2 4 4"',
        f"{folder}/c.toml: unfinished: the game is not finished",
        "2 of 4 replays verified (1 dice, 1 unfinished)",
    ]


def test_a_single_file_and_verbose_say_the_result(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = "verified: MAGDAGDON survival · score: "
    assert run(["verify-score", str(folder / "b.toml")]) == 0
    said, summary = capsys.readouterr().out.splitlines()
    assert said.startswith(f"{folder}/b.toml: verified: MISHIMASH to 30 · ")
    assert summary == "1 of 1 replay verified"
    assert run(["verify-score", "--verbose", str(folder)]) == 1
    *lines, summary = capsys.readouterr().out.splitlines()
    assert sorted(line.split(": ")[1] for line in lines) == ["dice", "unfinished", "verified", "verified"]
    assert any(line.split(": ", 1)[1].startswith(game) for line in lines)
    assert said in lines
    assert run(["--plain", "verify-score", str(folder / "b.toml")]) == 0
    assert "MISHIMASH to 30, " in capsys.readouterr().out


def test_github_points_at_file_and_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "d,100%:.toml").write_text(GOOD.replace("confirm", "confirmed", 1))
    (folder / "e.toml").write_text("a = 1\nb = \n")
    (folder / "f.toml").write_bytes(b"a = 1\n\n# \xff")
    assert run(["verify-score", "--format", "github", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len([line for line in lines if line.startswith("::error ")]) == 5
    roll = BAD_DICE.splitlines().index('    "roll -> 2 2 4 4",') + 1
    assert lines[0].startswith(f"::error file={folder}/a-bad.toml,line={roll},title=")
    assert lines[0].endswith('::turn 1, entry 1: the dice are 2 2 4 3, not "2 2 4 4"')
    confirm = GOOD.splitlines().index('    "confirm",') + 1
    assert f"file={folder}/d%2C100%25%3A.toml,line={confirm}," in lines[2]
    assert f"file={folder}/e.toml,line=2," in lines[3]
    assert f"file={folder}/f.toml,line=3," in lines[4]


def test_github_s_paths_begin_at_the_root_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "re po"
    games = root / "a" / "gämes"
    games.mkdir(parents=True)
    (games / "b,100%:.toml").write_text("x")
    (tmp_path / "link").symlink_to(root)
    outside = tmp_path / "outside.toml"
    outside.write_text("x")

    def file(path: object, here: Path) -> str:
        monkeypatch.chdir(here)
        run(["verify-score", "--format", "github", str(path)])
        return capsys.readouterr().out.partition(",line=")[0]

    wanted = "::error file=a/gämes/b%2C100%25%3A.toml"
    ways: list[tuple[object, Path]] = [
        (".", games), ("b,100%:.toml", games), ("../gämes", games), ("a", root), (".", root), (root, tmp_path),
        ("re po/a", tmp_path), (tmp_path / "link", tmp_path), ("link/a/gämes/b,100%:.toml", tmp_path),
        ("a", tmp_path / "link"),
    ]  # fmt: skip
    for setting in (root, tmp_path / "link", f"{root}/"):
        monkeypatch.setenv("GITHUB_WORKSPACE", str(setting))
        for path, here in ways:
            assert file(path, here) == wanted, (setting, path, here)
    assert file(outside, root) == f"::error file={outside}"
    monkeypatch.delenv("GITHUB_WORKSPACE")
    assert file("a", root) == wanted  # from there, as ever
    for make in (lambda: (root / ".git").write_text("gitdir: elsewhere\n"), (root / ".git").mkdir):
        _work_tree.cache_clear()
        (root / ".git").unlink(missing_ok=True)
        make()
        for path, here in ways:
            assert file(path, here) == wanted, (path, here)
    assert file(outside, root) == f"::error file={outside}"


@pytest.mark.parametrize(
    "key",
    [
        '"a.b"', "'a.b'", '"a\\u002eb"', '"a . b"', '" a"', '"a.b".c', r'"x.\"y"', '"result.score"', '"a#.=b"', '""',
        '"turn 3"', '"turn 1, entry 2"', '"player 1"', '"options.difficulty"', '"' + "a." * 150 + 'b"', '"a.\\nb"',
    ],
)  # fmt: skip
def test_the_line_of_a_key_in_quotes(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = GOOD.splitlines()
    for header in (None, "[options]", "[result]"):
        at = 2 if header is None else lines.index(header) + 1
        (tmp_path / "x.toml").write_text("\n".join([*lines[:at], f"{key} = 1", *lines[at:]]))
        run(["verify-score", "--format", "github", str(tmp_path)])
        assert f",line={at + 1}," in capsys.readouterr().out, header


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("turn 1", 7), ("turn 2", 7), ("turn 2, entry 2", 9), ("player 2", 3), ("options.difficulty", 6), ("seed", 1),
        ("result.score", 13), ("result.turns", 11), ("nothing", 1), (None, 1),
    ],
)  # fmt: skip
def test_lines_are_found_in_any_spelling(where: str | None, line: int) -> None:
    text = '''seed = "[[turns]]"  # [result]
players = [{name = """a
"b""" }, {name = 'log = ['}]
comment = \'\'\'
\'\'\'
"options" . difficulty = "x"
turns = [{log = ["a", [1, "]"], "b"], player = 1}, {player=1, log = [
    "x",
    "y", # "z"
]}]
[result]
finished = 1
'score' = 2
'''
    assert line_of(text, where) == line


def test_the_line_of_a_table_written_as_a_list() -> None:
    assert line_of(GOOD.replace("[result]", "[[result]]"), "result") == GOOD[: GOOD.index("[result]")].count("\n") + 1


def test_junit_has_the_form_that_its_schema_asks_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The schema: github.com/windyroad/JUnit-Schema, JUnit.xsd. What it requires is checked one by one."""
    (folder / "d<&>\x1b.toml").mkdir()
    (folder / "d<&>\x1b.toml" / "x.toml").symlink_to(folder.parent / "elsewhere.toml")
    status = run(["verify-score", "--format", "junit", "--allow-unfinished", str(folder)])
    assert status == 1
    root = ET.fromstring(capsys.readouterr().out)
    assert root.tag == "testsuites"
    assert root.attrib == {}
    (suite,) = root
    required = {"name", "package", "id", "timestamp", "hostname", "tests", "failures", "errors", "time"}
    assert required <= set(suite.attrib) <= required | {"skipped"}
    assert [child.tag for child in suite] == ["properties", *["testcase"] * 5, "system-out", "system-err"]
    numbers = [int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")]
    assert numbers == [5, 1, 1, 1]
    time.strptime(suite.attrib["timestamp"], "%Y-%m-%dT%H:%M:%S")
    cases = suite.findall("testcase")
    assert all(set(case.attrib) == {"name", "classname", "time"} for case in cases)
    assert all(float(case.attrib["time"]) >= 0 for case in cases)
    assert 0 < sum(float(case.attrib["time"]) for case in cases) <= float(suite.attrib["time"])
    assert [[child.tag for child in case] for case in cases] == [["failure"], [], [], ["skipped"], ["error"]]
    failure = cases[0][0]
    assert failure.attrib == {"type": "dice", "message": 'turn 1, entry 1: the dice are 2 2 4 3, not "2 2 4 4"'}


def test_junit_is_xml_whatever_a_file_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a\uffff.toml").write_text(GOOD.replace('seed = "42"', 'seed = "\ufffe\U0001fffe<&>"'))
    assert run(["verify-score", "--format", "junit", str(tmp_path)]) == 1
    case = ET.fromstring(capsys.readouterr().out)[0][1]
    assert case.attrib["name"].endswith("a\\uffff.toml")
    assert "\\ufffe\\U0001fffe<&>" in case[0].attrib["message"]


def test_of_values_nested_deeply_the_beginning_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deep = "[" + "{a.a.a.a = " * 390 + "1" + "}" * 390 + "]"
    (tmp_path / "deep.toml").write_text(GOOD.replace('seed = "42"', f"seed = {deep}"))
    (tmp_path / "good.toml").write_text(GOOD)
    status, found = verdicts(capsys, tmp_path)
    assert (status, [v["status"] for v in found]) == (1, ["malformed", "verified"])
    assert (found[0]["where"], found[0]["message"]) == ("seed", "expected a text, found [{…}]")


def test_progress_is_shown_on_a_terminal_and_taken_away_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    clock = iter(range(0, 1000, 2))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    run(["verify-score", "--jobs", "1", str(folder)])
    err = capsys.readouterr().err
    assert "1 replay" in err
    assert err.endswith("\r\x1b[K")
    run(["--plain", "verify-score", "--jobs", "1", str(folder)])
    assert capsys.readouterr().err == ""


# Several processes


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of 400 files, every third of them bad."""
    folder = tmp_path_factory.mktemp("many")
    for n in range(400):
        (folder / f"{n:03}.toml").write_text(BAD_DICE if n % 3 == 0 else GOOD)
    return folder


def test_several_processes_say_the_same_as_one(many: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("jsonl", "text", "github"):
        answers = []
        for jobs in ("1", "3"):
            assert run(["verify-score", "--jobs", jobs, "--format", form, str(many)]) == 1
            answers.append(capsys.readouterr().out)
        assert answers[0] == answers[1]
        assert "turn 1, entry 1" in answers[0]


def test_a_reader_that_leaves_ends_it_quietly(many: Path) -> None:
    with subprocess.Popen(
        [*CUBIRI, "verify-score", "--jobs", "2", "--format", "jsonl", *[str(many)] * 20],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert said_until_all_have_ended(process) == b""
        assert process.returncode == 141


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_what_ends_it_ends_its_processes_too(many: Path, sent: signal.Signals, status: int) -> None:
    with subprocess.Popen(
        [*CUBIRI, "verify-score", "--jobs", "2", "--format", "jsonl", *[str(many)] * 400],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        for _ in range(200):
            process.stdout.readline()
        process.send_signal(sent)  # to the parent alone
        process.stdout.close()
        assert said_until_all_have_ended(process) == b""
        assert process.returncode == status


def said_until_all_have_ended(process: subprocess.Popen[bytes]) -> bytes:
    """Return what a process and those it started said on standard error: each of them holds it open until it ends."""
    try:
        return process.communicate(timeout=30)[1]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise


def test_tasks_are_found_while_answers_are_given(
    many: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Memory does not grow with the number of files: never many more are known than are being judged."""
    found = 0
    listed = replays_in

    def counted(folder: str) -> Iterator[str]:
        nonlocal found
        for path in listed(folder):
            found += 1
            yield path

    monkeypatch.setattr(folders, "replays_in", counted)
    for jobs, most in ((1, 1), (2, judging.FEW + 2 * processes.AHEAD + processes.CHUNK)):
        found = answered = 0
        for answer in judging._answers(judging._tasks([str(many)] * 5), judging.Criteria(), jobs):
            assert found - answered <= most
            answered += answer.counts.total()
        assert answered == 2000


# Hostile folders


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_a_folder_that_becomes_a_link_while_it_is_read_leads_nowhere(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "replays"
    for folder in (outside, inside / "sub"):
        folder.mkdir(parents=True)
        (folder / "a.toml").write_text(GOOD)
    [task] = judging._tasks([str(inside)])
    assert judging.judge(task, judging.Criteria())[0] == "verified"
    (inside / "sub" / "a.toml").unlink()
    (inside / "sub").rmdir()
    (inside / "sub").symlink_to(outside)
    assert judging.judge(task, judging.Criteria())[0] == "unreadable"


@pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and such names")
def test_a_folder_full_of_traps(tmp_path: Path) -> None:
    folder, outside = tmp_path / "replays", tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.toml").write_text(GOOD)
    folder.mkdir()
    (folder / "good.toml").write_text(GOOD)
    (folder / "loop").symlink_to(folder)
    (folder / "up").symlink_to("..")
    (folder / "loop.toml").symlink_to("loop.toml")
    (folder / "out.toml").symlink_to(outside / "secret.toml")
    (folder / "outdir").symlink_to(outside)
    (folder / "chain.toml").symlink_to("out.toml")
    (folder / "inside.toml").symlink_to("good.toml")
    (folder / "dangling.toml").symlink_to("nothing.toml")
    (folder / "device.toml").symlink_to("/dev/zero")
    (folder / "folder.toml").mkdir()
    (folder / "folder.toml" / "x.toml").write_text(SOLO)
    os.mkfifo(folder / "pipe.toml")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(folder)
        server.bind("socket.toml")
        os.chdir(here)
    (folder / "new\nline\x1b[31m.toml").write_text(GOOD)
    with open(os.fsencode(folder) + b"/\xff\xfe.toml", "w") as file:  # noqa: PTH123 - a name that is not UTF-8
        file.write(BAD_DICE)
    with (folder / "huge.toml").open("wb") as file2:
        file2.truncate(1 << 40)
    call = subprocess.run([*CUBIRI, "verify-score", "--format", "jsonl", str(folder)], capture_output=True, timeout=60)
    assert call.stderr == b""
    assert call.returncode == 1
    found = [json.loads(line) for line in call.stdout.splitlines()]
    got = {v["path"].removeprefix(f"{folder}/"): v["status"] for v in found}
    assert len(found) == len(got)
    assert got == {
        "good.toml": "verified",
        "inside.toml": "verified",
        "folder.toml/x.toml": "verified",
        "new\nline\x1b[31m.toml": "verified",
        "\udcff\udcfe.toml": "dice",
        "chain.toml": "unreadable",
        "dangling.toml": "unreadable",
        "device.toml": "unreadable",
        "huge.toml": "unreadable",
        "loop.toml": "unreadable",
        "out.toml": "unreadable",
        "pipe.toml": "unreadable",
        "socket.toml": "unreadable",
    }
    messages = {v["path"].removeprefix(f"{folder}/"): v["message"] for v in found}
    for name in ("out.toml", "chain.toml", "device.toml"):
        assert "out of the folder" in messages[name]
    for form in ("text", "github", "junit"):
        call = subprocess.run([*CUBIRI, "verify-score", "--format", form, str(folder)], capture_output=True, timeout=60)
        assert (call.returncode, call.stderr) == (1, b"")
        assert b"\x1b" not in call.stdout
        call.stdout.decode("utf-8")
        if form == "junit":
            ET.fromstring(call.stdout)


def test_a_link_named_on_the_command_line_is_followed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = folder.parent / "link.toml"
    link.symlink_to(folder / "b.toml")
    to_folder = folder.parent / "link"
    to_folder.symlink_to(folder / "a")
    status, found = verdicts(capsys, link, to_folder)
    assert (status, [v["status"] for v in found]) == (0, ["verified", "verified"])


def test_files_that_vanish_meanwhile_get_their_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = judging._tasks([str(folder)])
    first = next(tasks)
    for file in folder.rglob("*.toml"):
        file.unlink()
    (folder / "a").rmdir()
    statuses = [judging.judge(task, judging.Criteria())[0] for task in (first, *tasks)]
    assert statuses == ["unreadable"] * 4


def test_a_folder_too_deep_to_list_gets_its_line(tmp_path: Path) -> None:
    handle = os.open(tmp_path, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=handle)
        below = os.open("d" * 250, os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = below
    os.close(handle)
    found = list(replays_in(str(tmp_path)))
    assert len(found) == 1
    assert judging.judge(judging.Task(found[0], str(tmp_path)), judging.Criteria())[0] == "unreadable"


def test_folders_nested_deeper_than_calls_can_be(tmp_path: Path) -> None:
    deep = str(tmp_path)
    folders: list[str] = []
    while len(folders) < 1900 and len(deep) < 3950:
        deep += "/d"
        os.mkdir(deep)  # noqa: PTH102
        folders.append(deep)
    file = f"{deep}/x.toml"
    with open(file, "w"):  # noqa: PTH123
        pass
    try:
        assert len(folders) > sys.getrecursionlimit()
        assert list(replays_in(str(tmp_path))) == [file]
    finally:
        os.unlink(file)  # noqa: PTH108
        for folder in reversed(folders):  # pytest would fail to
            os.rmdir(folder)  # noqa: PTH106


def test_thousands_of_entries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for n in range(3000):
        (tmp_path / f"{n:04}.toml").touch()
    status, found = verdicts(capsys, tmp_path)
    assert status == 1
    assert [Path(str(v["path"])).name for v in found] == [f"{n:04}.toml" for n in range(3000)]
    assert {v["status"] for v in found} == {"malformed"}
