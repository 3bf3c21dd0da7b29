"""The action and the league: every step is run from a package built here, on honest requests and on hostile ones."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.documents import ROOT
from tests.support.pages import check_page
from tests.support.runner import Runner, load, needed

if TYPE_CHECKING:
    from collections.abc import Callable

LEAGUE = ROOT / "docs" / "league"
WORKFLOWS = LEAGUE / ".github" / "workflows"
FORGED = "magdagdon-survival-power-kills-roll.toml"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the steps are for bash")


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a wheel that was built from this repository."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the programs of a Python of its own, with all that cubiri needs to be built and to run."""
    folder = tmp_path_factory.mktemp("python")
    venv.create(folder, with_pip=True, symlinks=True)
    [site] = folder.glob("lib/python*/site-packages")
    names = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for path in needed(*names["project"]["dependencies"], *names["build-system"]["requires"]):
        if not (site / path.name).exists():
            (site / path.name).symlink_to(path)
    return folder / "bin"


@pytest.fixture
def runner(dist: Path, python: Path, tmp_path: Path) -> Runner:
    """Return a runner in whose Python pip takes all it needs from here, and nothing from the net."""
    workspace, temp = tmp_path / "workspace", tmp_path / "temp"
    temp.mkdir()
    shutil.copytree(LEAGUE, workspace)
    for replay in (*sorted((ROOT / "replays").glob("*.toml"))[:6], ROOT / "replays" / FORGED):
        shutil.copy(replay, workspace / "replays")
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(dist), "PIP_NO_BUILD_ISOLATION": "0"}
    path = os.pathsep.join([str(python), os.environ["PATH"]])
    return Runner(workspace, temp, path, {**offline, "CUBIRI_HOME": str(tmp_path / "home")})


def forge(runner: Runner) -> Path:
    path = runner.workspace / "replays" / FORGED
    path.write_text(re.sub(r"^score = .*", "score = 544", path.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    return path


def verify(runner: Runner) -> bool:
    return runner.job(load(WORKFLOWS / "verify.yml")["jobs"]["verify"])


def publish(runner: Runner) -> bool:
    return runner.job(load(WORKFLOWS / "site.yml")["jobs"]["make"])


def gitlab(runner: Runner, job: str) -> bool:
    return runner.script("\n".join(load(LEAGUE / ".gitlab-ci.yml")[job]["script"]), "bash -eo pipefail")


# The action


def test_the_action_verifies_and_shows_the_leaderboard(runner: Runner) -> None:
    assert runner.action({}), runner.log
    assert "7 of 7 replays verified" in runner.log
    assert "## MAGDAGDON · survival" in runner.summary
    assert "::" not in runner.log


def test_the_action_annotates_what_is_wrong_and_shows_the_rest(runner: Runner) -> None:
    forge(runner)
    assert not runner.action({})
    assert f"::error file=replays/{FORGED},line=85,title=replay mismatch::result.score: 544 is claimed" in runner.log
    assert "6 of 7 replays verified" in runner.log
    assert "## MAGDAGDON · nightmare" in runner.summary


def test_the_action_takes_every_requirement(runner: Runner) -> None:
    one = {"path": f"replays/{FORGED}", "game": "magdagdon", "difficulty": "survival", "seed": "killed-survival-61"}
    assert runner.action({**one, "min-score": "389"}), runner.log
    assert not runner.action({**one, "min-score": "390"})
    assert "replay unwanted" in runner.log
    assert not runner.action({**one, "difficulty": "peaceful"})
    assert not runner.action({"path": f"replays/{FORGED}", "target": "1000"})
    (runner.workspace / "begun.toml").write_text(
        'format = "cubiri-replay"\nversion = 1\ngame = "mishimash"\nrules = 1\ndice = "sha256-d6/1"\nseed = "42"\n'
        'players = [{name = "Ada"}]\n[options]\ntarget = 20\n[[turns]]\nplayer = 1\nlog = ["roll -> 2 1 3 5 3 4"]\n'
    )
    log = len(runner.log)
    good = runner.action({"path": "begun.toml", "allow-unfinished": "true"})
    assert good or "the dice are" in runner.log[log:], runner.log[log:]
    assert not runner.action({"path": "begun.toml"})


@pytest.mark.parametrize("value", ["$(touch hacked)", '"; touch hacked; `touch hacked`; "', "--help"])
def test_what_the_action_is_given_is_never_a_command(runner: Runner, value: str) -> None:
    names = ("game", "difficulty", "target", "seed", "min-score", "allow-unfinished")
    runner.action({"path": value})
    assert not runner.action(dict.fromkeys(names, value))
    assert not list(runner.workspace.parent.rglob("hacked"))


# The league


def test_a_request_is_verified_with_the_least_rights() -> None:
    workflow = load(WORKFLOWS / "verify.yml")
    assert workflow["on"] == "pull_request"
    assert workflow["permissions"] == {"contents": "read"}
    text = (WORKFLOWS / "verify.yml").read_text("utf-8")
    assert "secrets" not in text.split("\nname:")[1]
    assert "pull_request_target" not in text
    for path in WORKFLOWS.iterdir():
        for job in load(path)["jobs"].values():
            for step in job["steps"]:
                if step.get("uses", "").startswith("actions/checkout@"):
                    assert step["with"] == {"persist-credentials": False}
                assert "-I" in step.get("run", "-I") or step["run"].startswith("cubiri ")
    jobs = load(WORKFLOWS / "site.yml")["jobs"]
    assert load(WORKFLOWS / "site.yml")["permissions"] == {}
    assert jobs["make"]["permissions"] == {"contents": "read"}
    assert jobs["publish"]["permissions"] == {"pages": "write", "id-token": "write"}
    assert all("run" not in step for step in jobs["publish"]["steps"])


def test_honest_requests_pass_and_dishonest_ones_do_not(runner: Runner) -> None:
    assert verify(runner), runner.log
    forge(runner)
    assert not verify(runner)


def test_what_is_merged_is_published(runner: Runner) -> None:
    forge(runner)
    assert publish(runner), runner.log
    site = runner.temp / "site"
    index = check_page((site / "index.html").read_text("utf-8"))
    assert "MAGDAGDON · nightmare" in index.text
    assert "mismatch" in index.text
    assert len(list((site / "games").iterdir())) == 6


def test_gitlab_does_the_same(runner: Runner) -> None:
    assert gitlab(runner, "verify"), runner.log
    assert 'failures="0"' in (runner.workspace / "junit.xml").read_text("utf-8")
    assert gitlab(runner, "pages"), runner.log
    check_page((runner.workspace / "public" / "index.html").read_text("utf-8"))
    forge(runner)
    assert not gitlab(runner, "verify")
    assert 'failures="1"' in (runner.workspace / "junit.xml").read_text("utf-8")


MODULES = ("pip", "venv", "cubiri_cli", "sitecustomize", "usercustomize", "typer", "tomli", "encodings", "json")


def bring_modules(workspace: Path) -> None:
    """Let a request bring modules, settings and programs that would do something if they were ever taken."""
    trap = f"import pathlib\npathlib.Path({str(workspace / 'hacked')!r}).write_text('')\n"
    for name in MODULES:
        (workspace / f"{name}.py").write_text(trap)
        (workspace / "replays" / f"{name}.py").write_text(trap)
    (workspace / "pyproject.toml").write_text('[build-system]\nrequires = []\nbuild-backend = "typer"\n')
    for name in ("pip.conf", "pip.ini", "requirements.txt", ".pip/pip.conf"):
        (workspace / name).parent.mkdir(exist_ok=True)
        (workspace / name).write_text("[global]\nindex-url = http://x.invalid\n")
    for name in ("cubiri", "python", "bash", ".bashrc", ".profile", ".bash_profile"):
        (workspace / name).write_text(f"#!/bin/sh\ntouch {workspace / 'hacked'}\n")
        (workspace / name).chmod(0o755)


def bring_links(workspace: Path) -> None:
    secret = workspace.parent / "secret.toml"
    secret.write_text("secret = 42\n")
    replays = workspace / "replays"
    (replays / "out.toml").symlink_to(secret)
    (replays / "dev.toml").symlink_to("/dev/zero")
    (replays / "round").symlink_to(replays)
    (replays / "up").symlink_to(workspace.parent)
    os.mkfifo(replays / "pipe.toml")


def bring_names(workspace: Path) -> None:
    replays = workspace / "replays"
    for name in ("::error::x", "##[group]x", "$(touch hacked)", "`touch hacked`", "; touch hacked", "-rf", "--help"):
        (replays / f"{name}.toml").write_text("x =")
        (replays / f"{name} ").mkdir()
        (replays / f"{name} " / "::set-output name=a::b.toml").write_text("x =")


def bring_much(workspace: Path) -> None:
    deep = workspace / "replays"
    for level in range(40):
        deep = deep / f"level-{level}"
    deep.mkdir(parents=True)
    (deep / "deep.toml").write_text("x =")
    for number in range(300):
        (workspace / "replays" / f"{number}.toml").write_text("x = " + "[" * number)
    (workspace / "replays" / "large.toml").write_bytes(b"#" * (1 << 21))


@pytest.mark.parametrize("bring", [bring_modules, bring_links, bring_names, bring_much])
def test_a_hostile_request_does_nothing(runner: Runner, bring: Callable[[Path], None]) -> None:
    bring(runner.workspace)
    is_good = verify(runner)
    assert is_good == (bring is bring_modules), runner.log
    assert publish(runner), runner.log
    assert gitlab(runner, "pages"), runner.log
    assert not list(runner.workspace.parent.rglob("hacked"))
    commands = [line for line in runner.log.splitlines() if re.match(r"\s*::|.*##\[", line)]
    assert all(re.match(r"::error file=[^:]*,title=replay [a-z]+::", line) for line in commands)
    made = [runner.temp / "site", runner.workspace / "public"]
    for path in (file for folder in made for file in folder.rglob("*") if file.is_file()):
        assert re.fullmatch(r"index\.html|feed\.xml|[0-9a-f]{32}\.html", path.name)
        assert b"secret = 42" not in path.read_bytes()
    assert len(list((runner.temp / "site" / "games").iterdir())) == 7


def test_every_attempt_that_is_listed_has_its_answer() -> None:
    rows = [line for line in (LEAGUE / "SECURITY.md").read_text("utf-8").splitlines() if line.startswith("| ")]
    assert len(rows) > 10
    assert all(len(row.split(" | ")) == 2 for row in rows)
