"""The program under an interpreter for Windows, where one can be had from here.

`CUBIRI_WINDOWS_PYTHON` is the command that runs it, such as `wine python.exe`, with the dependencies beside it or in
the folder `CUBIRI_WINDOWS_PATH`. Drawing and Ctrl-C of such a console are not to be trusted: all is redirected.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

WINDOWS = shlex.split(os.environ.get("CUBIRI_WINDOWS_PYTHON", ""))
ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(not WINDOWS, reason="CUBIRI_WINDOWS_PYTHON names no interpreter for Windows")


def run(
    *arguments: str, cwd: Path = ROOT, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run `python -m cubiri_cli` of this checkout there; its dependencies may lie in a folder of their own."""
    here = "Z:" + str(ROOT).replace("/", "\\")
    path = ";".join([here, *filter(None, [os.environ.get("CUBIRI_WINDOWS_PATH")])])
    command = [*WINDOWS, "-m", "cubiri_cli", *arguments]
    given = {**os.environ, "PYTHONPATH": path, **environment}
    return subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, timeout=120, check=False, env=given)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUBIRI_HOME", "Z:" + str(tmp_path / "home").replace("/", "\\"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")


def test_every_recorded_game_verifies() -> None:
    ran = run("verify-score", "--format", "jsonl", "replays")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count(b'"status": "verified"') == len(list((ROOT / "replays").glob("*.toml")))
    assert b"\r" not in ran.stdout


def test_bytes_are_judged_and_not_text(tmp_path: Path) -> None:
    good = (ROOT / "replays" / "mishimash-solo-straight.toml").read_bytes()
    (tmp_path / "ctrlz.toml").write_bytes(good + b"\x1agarbage")
    (tmp_path / "crcrlf.toml").write_bytes(good.replace(b"\n", b"\r\r\n"))
    (tmp_path / "crlf.toml").write_bytes(good.replace(b"\n", b"\r\n"))
    ran = run("verify-score", "--format", "jsonl", ".", cwd=tmp_path)
    statuses = [line.split(b'"status": "')[1].split(b'"')[0] for line in ran.stdout.splitlines()]
    assert statuses == [b"malformed", b"verified", b"malformed"]


def test_a_script_writes_the_same_bytes_again(tmp_path: Path) -> None:
    for name in ("magdagdon-peaceful-six-straights", "mishimash-three-players-sudden-death"):
        script = ROOT / "replays" / f"{name}.toml"
        ran = run("play", "--script", "-", "--output", "again.toml", cwd=tmp_path, stdin=script.read_bytes())
        assert ran.returncode == 0, ran.stderr
        assert (tmp_path / "again.toml").read_bytes() == script.read_bytes()


def test_games_are_kept_ranked_and_counted(tmp_path: Path) -> None:
    script = (ROOT / "replays" / "mishimash-solo-straight.toml").read_bytes()
    assert run("play", "--script", "-", stdin=script).returncode == 0
    assert b"mishimash" in run("leaderboard", "--format", "json").stdout
    assert run("leaderboard", "--rebuild").returncode == 0
    assert run("stats", "--format", "json").returncode == 0
    assert len(list((tmp_path / "home" / "replays").glob("*.toml"))) == 1


def test_a_damaged_table_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "leaderboard.sqlite3").write_bytes(os.urandom(5000))
    ran = run("leaderboard", "--rebuild")
    assert ran.returncode == 0, ran.stderr
    assert run("leaderboard", "--format", "json").stdout.strip() == b"[]"


@pytest.mark.parametrize("format", ["json", "svg", "cast", "text"])
def test_what_programs_read_is_utf_8_with_line_feeds(format: str) -> None:
    ran = run("replay", "replays/mishimash-two-players-final-round.toml", "--format", format, PYTHONUTF8="0")
    assert ran.returncode == 0, ran.stderr
    if format != "text":
        assert b"\r" not in ran.stdout
        ran.stdout.decode("utf-8")


def test_no_traceback_for_anything_wrong(tmp_path: Path) -> None:
    for arguments in (["replay", "no-such-file"], ["verify-score", "CON"], ["resume"], ["play", "chess"], ["daily"]):
        ran = run(*arguments, cwd=tmp_path)
        assert ran.returncode in (1, 2), (arguments, ran.stdout)
        assert b"Traceback" not in ran.stderr
        assert b"unexpected" not in ran.stderr
