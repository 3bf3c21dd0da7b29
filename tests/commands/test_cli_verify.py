"""`cubiri verify-score`: one JSON object a file for machines, and what people read."""

from __future__ import annotations

import importlib
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cubiri_cli.replays import reading
from tests.support.running import Ran, cubiri, process
from tests.support.statuses import DOCUMENT, one_of_each
from tests.support.strategies import STARTED, mishimash, play, to_bytes

KEYS = ["path", "status", "game", "options", "seed", "players", "result", "where", "message"]

GOOD = to_bytes(DOCUMENT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, (data, _, _) in one_of_each().items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def objects(ran: Ran) -> list[dict[str, Any]]:
    assert ran.out == "" or ran.out.endswith("\n")
    return [json.loads(line) for line in ran.out.splitlines()]


def test_every_status_as_json(folder: Path) -> None:
    ran = cubiri("verify-score", "--format", "jsonl", folder)
    assert (ran.status, ran.err) == (1, "")
    found = objects(ran)
    expected = one_of_each()
    assert [Path(one["path"]).name for one in found] == list(expected)
    for one, (name, (_, status, where)) in zip(found, expected.items(), strict=True):
        assert list(one) == KEYS
        assert one["path"] == str(folder / name)
        assert (one["status"], one["where"]) == (status, where)
        assert (one["message"] is None) == (status == "verified")
        assert one["message"] is None or one["message"].isprintable()
        judged = status not in ("unsupported", "malformed", "unreadable")
        for key, value in (
            ("game", "magdagdon"),
            ("options", {"difficulty": "survival"}),
            ("seed", "verify"),
            ("players", ["Ada"]),
        ):
            assert one[key] == (value if judged else None)
    # `result` is always the recomputed one, never the claim.
    right = {name: value for name, value in DOCUMENT["result"].items() if name != "finished"}
    assert found[0]["result"] == found[1]["result"] == right
    assert all(one["result"] is None for one in found[2:])


def test_points_are_floats_and_players_are_names(tmp_path: Path) -> None:
    session = play(mishimash(3, 10, "verify"), random.Random(1), started=STARTED)
    (tmp_path / "a.toml").write_text(session.text(), "utf-8")
    ran = cubiri("verify-score", "--format", "jsonl", tmp_path / "a.toml")
    (one,) = objects(ran)
    assert (ran.status, ran.err, one["status"]) == (0, "", "verified")
    assert one["players"] == ["Ada", "Väinö", "Ľudmila"]
    assert one["options"] == {"target": 10}
    assert all(type(points) is float for points in one["result"]["scores"])
    assert one["result"] == session.game.result()


@pytest.mark.parametrize(
    ("names", "flags", "status"),
    [
        ("a", [], 0),
        ("aa", [], 0),
        ("ab", [], 1),
        ("e", [], 1),
        ("e", ["--allow-unfinished"], 0),
        ("ae", ["--allow-unfinished"], 0),
        ("ag", ["--allow-unfinished"], 1),
        ("i", [], 1),
    ],
)
def test_exit_status(folder: Path, names: str, flags: list[str], status: int) -> None:
    for form in ("text", "jsonl"):
        ran = cubiri("verify-score", "--format", form, *flags, *(folder / f"{name}.toml" for name in names))
        assert (ran.status, ran.err) == (status, "")


def test_in_the_order_of_the_paths_and_a_folder_s_sorted(folder: Path) -> None:
    deep = folder / "z" / "y"
    deep.mkdir(parents=True)
    (deep / "b.toml").write_bytes(to_bytes(DOCUMENT))
    (deep / "a.toml").write_bytes(to_bytes(DOCUMENT))
    (deep / "c.txt").write_bytes(b"no replay, and not asked for")
    ran = cubiri(
        "verify-score", "--format", "jsonl", folder / "c.toml", folder / "z", folder / "a.toml", folder / "c.toml"
    )
    names = [os.path.relpath(one["path"], folder) for one in objects(ran)]
    assert names == ["c.toml", "z/y/a.toml", "z/y/b.toml", "a.toml", "c.toml"]
    (deep / "named-otherwise").write_bytes(to_bytes(DOCUMENT))
    assert cubiri("verify-score", deep / "named-otherwise").status == 0


def test_endless_standard_input_is_too_large_not_swallowed() -> None:
    with Path("/dev/zero").open("rb") as endless:
        ran = process("verify-score", "--format", "jsonl", "-", stdin=endless)
    assert (ran.status, objects(ran)[0]["status"]) == (1, "unreadable")


@pytest.mark.parametrize("name", ["missing.toml", "a.toml/below", "n" * 300, "a\x1b[2J.toml", "", "\udce4.toml"])
def test_a_path_that_is_not_there_is_a_wrong_call_and_the_others_are_judged(folder: Path, name: str) -> None:
    missing = str(folder / name) if name else ""
    ran = cubiri("verify-score", "--format", "jsonl", folder / "a.toml", missing, folder / "a.toml")
    assert ran.status == 2
    assert "there is no such file or folder" in ran.message
    assert [one["status"] for one in objects(ran)] == ["verified", "unreadable", "verified"]


def test_what_is_no_regular_file_is_unreadable(tmp_path: Path) -> None:
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "a.toml")
    (tmp_path / "b.toml").symlink_to("nowhere.toml")
    (tmp_path / "c.toml").symlink_to("c.toml")
    ran = cubiri("verify-score", "--format", "jsonl", tmp_path)
    assert ran.status == 1
    assert {one["status"] for one in objects(ran)} == {"unreadable"}
    ran = cubiri("verify-score", "--format", "jsonl", "/dev/null")
    assert objects(ran)[0]["status"] == "unreadable"


def test_people_are_told_which_file_what_and_where(folder: Path) -> None:
    ran = cubiri("verify-score", folder)
    assert ran.status == 1
    assert all(line.isprintable() for line in ran.out.splitlines())
    for name, (_, status, where) in one_of_each().items():
        lines = [line for line in ran.out.splitlines() if str(folder / name) in line]
        assert status == "verified" or len(lines) == 1, name
        if status != "verified":
            assert status in lines[0]
            assert where is None or where in lines[0]
    line = next(line for line in ran.out.splitlines() if "b.toml" in line)
    assert "999" in line
    assert str(DOCUMENT["result"]["score"]) in line


def test_a_hostile_name_of_a_file_is_shown_harmlessly(tmp_path: Path) -> None:
    (tmp_path / "a\x1b[2J\nb.toml").write_bytes(b"no")
    ran = cubiri("verify-score", tmp_path)
    assert ran.status == 1
    assert "\x1b" not in ran.out
    assert all(line.isprintable() for line in ran.out.splitlines())
    ran = cubiri("verify-score", "--format", "jsonl", tmp_path)
    assert objects(ran)[0]["path"] == str(tmp_path / "a\x1b[2J\nb.toml")


def test_verifying_writes_nothing(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    cubiri("verify-score", folder)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_files_are_bytes_on_every_system(tmp_path: Path) -> None:
    """Where a system reads text unless told otherwise (Windows), it is told."""
    binary = 0x8000
    opened: list[int] = []
    really_open = os.open

    def note(path: Any, flags: int, *arguments: Any, **options: Any) -> int:
        opened.append(flags)
        return really_open(path, flags, *arguments, **options)

    (tmp_path / "good.toml").write_bytes(GOOD)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "O_BINARY", binary, raising=False)
        importlib.reload(reading)
        patch.setattr(os, "open", note)
        assert reading.read_bytes(tmp_path / "good.toml") == GOOD
        assert opened
        assert all(flags & binary for flags in opened)
    importlib.reload(reading)


@pytest.mark.parametrize("damage", [lambda text: text + b"\x1agarbage", lambda text: text.replace(b"\n", b"\r\r\n")])
def test_what_a_text_mode_would_hide_is_judged(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(damage(GOOD))
    ran = cubiri("verify-score", tmp_path)
    assert (ran.status, "malformed" in ran.out) == (1, True)


def test_an_ending_in_capitals_hides_no_replay(tmp_path: Path) -> None:
    (tmp_path / "CHEAT.TOML").write_bytes(b"no replay")
    (tmp_path / "b.Toml").write_bytes(b"no replay")
    (tmp_path / "c.toml.txt").write_bytes(b"no replay")
    ran = cubiri("verify-score", tmp_path)
    assert ran.status == 1
    assert [line.partition(": ")[0] for line in ran.out.splitlines()[:-1]] == [
        str(tmp_path / name) for name in ("CHEAT.TOML", "b.Toml")
    ]
