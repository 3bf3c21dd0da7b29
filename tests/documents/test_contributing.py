"""CONTRIBUTING.md says the truth: its commands run as they are written, and what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cubiri_cli.table.language import LANGUAGES
from tests.support.documents import PATH, ROOT, blocks, consoles, copy_of, shell

GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder with what the commands of CONTRIBUTING.md work on."""
    names = ("cubiri_cli", "pyproject.toml", "replays")
    of_pig = ("tests/rules", "tests/locale", "tests/__init__.py", "tests/third_game.py")
    return copy_of(tmp_path / "clone", *names, *of_pig)


def printed(command: str, folder: Path) -> str:
    """Run a command as it is written, which has to go well, and return what it printed."""
    ran = shell(f"set -e\n{command}", folder, PATH=PATH, SOURCE_DATE_EPOCH="1796040000")  # 2026-11-30 12:00:00 UTC
    assert ran.returncode == 0, ran.stdout
    return ran.stdout


def test_contributing_shows_what_the_third_game_prints(clone: Path) -> None:
    for block in (*blocks(GUIDE, "python"), *blocks(GUIDE, "toml")):
        name = re.match(r"# (\S+)\n", block)
        assert name is not None
        (clone / name[1]).write_text(block, "utf-8")
    assert len(consoles(GUIDE)) == 4
    for command, shown in consoles(GUIDE):
        assert printed(command, clone) == shown, command


def test_contributing_names_the_commands_that_ci_runs() -> None:
    install, checks, *_ = blocks(GUIDE, "sh")
    ci = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert checks.splitlines() == [line for line in ci if re.match(r"ruff |mypy|pytest", line)]
    assert "--group dev" in install
    assert any("--group dev" in line for line in ci)


def test_contributing_says_how_words_are_translated(clone: Path) -> None:
    update, new_language = [block for block in blocks(GUIDE, "sh") if "pybabel" in block]
    locale = clone / "cubiri_cli" / "table" / "locale"
    source = clone / "cubiri_cli" / "terminal" / "ending.py"
    source.write_text(source.read_text("utf-8") + 'NEW = _("a text nobody knows yet")\n', "utf-8")
    printed(update, clone)
    for language in [code for code in LANGUAGES if code != "en"]:
        assert "a text nobody knows yet" in (locale / language / "LC_MESSAGES" / "cubiri.po").read_text("utf-8")
        assert (locale / language / "LC_MESSAGES" / "cubiri.mo").is_file()
    printed(new_language, clone)
    assert "a text nobody knows yet" in (locale / "cs" / "LC_MESSAGES" / "cubiri.po").read_text("utf-8")


def test_contributing_draws_the_pictures_of_the_readme(clone: Path) -> None:
    [commands] = [block for block in blocks(GUIDE, "sh") if "--format svg" in block]
    (clone / ".github").mkdir()
    assert printed(commands, clone) == ""
    shown = re.findall(r"^!\[.*\]\((.*)\)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert shown == re.findall(r"> (.*)$", commands, re.MULTILINE)
    for picture in shown:
        assert (clone / picture).read_bytes() == (ROOT / picture).read_bytes(), picture


def test_contributing_names_what_there_is() -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", GUIDE)
    assert links
    for name in [*links, *re.findall(r"`((?:cubiri_cli|tests|replays|\.ci)/[\w./-]*)`", GUIDE)]:
        if "NAME" not in name and "LANGUAGE" not in name:
            assert (ROOT / name).exists(), name
    [name] = re.findall(r"`(test_\w+_version_1)`", GUIDE)
    assert f"def {name}(" in (ROOT / "tests" / "test_third_game.py").read_text("utf-8")
