"""`cubiri(6)` in every language, and `cubiri help`: the page names all there is, and nothing that is not."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import cubiri_cli
from cubiri_cli.cli.parsing import build
from cubiri_cli.commands import COMMANDS, output
from cubiri_cli.store import home, settings
from cubiri_cli.table import manual
from cubiri_cli.table.language import LANGUAGES, _
from cubiri_cli.terminal import watching
from cubiri_cli.terminal.prompter import HELP, QUIT, TYPE
from man import roff
from tests.support.manual_pages import (
    CHECKS,
    as_roff,
    every_page,
    examples,
    layout,
    literals,
    man_path,
    page,
    parts,
    tags,
    terms,
)
from tests.support.running import cubiri
from tests.support.terminal import Terminal
from tests.support.words import speaking

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.smoke

PACKAGE = Path(cubiri_cli.__file__).parent
REPLAY = PACKAGE.parent / "replays" / "magdagdon-survival-highest-score.toml"

CHAPTERS = (
    *("name", "synopsis", "description", "global options", "commands", "keys", "settings", "environment"),
    *("files", "exit status", "examples", "caveats", "see also"),
)

FROM_LIBRARIES = {"COLUMNS", "LINES", "XDG_DATA_HOME"}
"""Variables that are read by libraries on the program's behalf: the terminal's size, the folder for user data."""


def chapters(language: str) -> dict[str, str]:
    """Return the chapters of a page under their names in English, which stand in the same order."""
    found: dict[str, str] = dict.fromkeys(CHAPTERS, "")
    for part in parts(page(language, "cubiri")):
        found[CHAPTERS[part.chapter]] += part.text
    return found


def parts_of(language: str, chapter: str) -> dict[str, str]:
    """Return the parts of a chapter under their headings."""
    number = CHAPTERS.index(chapter)
    _all, *found = [part for part in parts(page(language, "cubiri")) if part.chapter == number]
    return {part.heading: part.text for part in found}


def word_shown(metavar: str) -> str:
    """Return the word that stands for a value, as the screen says it in the language spoken now."""
    return re.sub(r"[A-Z]{2,}", lambda found: _(found[0]), metavar)


def options(command: Any) -> dict[str, str]:
    """Return the options of a command with what they take (nothing: a switch)."""
    return {
        option: "" if one.is_flag else word_shown(one.metavar)
        for one in command.params
        if one.param_type_name == "option"
        for option in one.opts
    }


def arguments(name: str, command: Any) -> str:
    """Return how a command is called, as the headings of the page say it."""
    words = [word_shown(one.metavar) for one in command.params if one.param_type_name == "argument"]
    return " ".join(["cubiri", name, *(word.strip("{}") for word in words)])


@every_page
def test_every_command_is_described_and_no_other(language: str) -> None:
    commands = build().commands
    assert list(commands) == list(COMMANDS)
    with speaking(language):
        headings = [arguments(name, command) for name, command in commands.items()]
    assert list(parts_of(language, "commands")) == headings


@every_page
def test_every_option_is_described_where_it_belongs_with_its_values_and_no_other(language: str) -> None:
    group = build()
    described = parts_of(language, "commands")
    for name, command in group.commands.items():
        with speaking(language):
            heading, known = arguments(name, command), options(command)
        there = {
            option: value
            for tag in tags(described[heading])
            for option, value in re.findall(r"`(.*?)`(?: \*(.*)\*)?$", tag)
        }
        assert there == known, name
    assert set(terms(chapters(language)["global options"])) == {*options(group), "--help", "-h"}


@every_page
def test_every_setting_is_described_with_its_values_and_no_other(language: str) -> None:
    said = {literals(tag)[0]: tag for tag in tags(chapters(language)["settings"])}
    assert list(said) == list(settings.known())
    for name, one in settings.known().items():
        for value in getattr(one, "values", None) or ():
            assert value in said[name]


def variables() -> set[str]:
    """Return the names of the variables that the program reads from its environment, found in its source."""
    return {name for path in PACKAGE.rglob("*.py") for name in _variables(path)}


def _variables(path: Path) -> Iterator[str]:
    """Yield the words in capitals of each simple statement or condition that mentions the environment."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        part: ast.AST = node.test if isinstance(node, ast.If) else node
        if not isinstance(node, ast.stmt) or hasattr(part, "body"):
            continue
        leaves = list(ast.walk(part))
        mentioned = {getattr(leaf, "attr", getattr(leaf, "id", "")) for leaf in leaves}
        if mentioned & {"environ", "environment", "_folder"}:
            texts = [leaf.value for leaf in leaves if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str)]
            yield from (text for text in texts if re.fullmatch(r"[A-Z][A-Z_]*[A-Z]", text))


@every_page
def test_every_variable_of_the_environment_is_described_and_no_other(language: str) -> None:
    read = variables()
    assert {"CUBIRI_HOME", "NO_COLOR", "LANG", "SOURCE_DATE_EPOCH", "SHELL", "ZDOTDIR"} <= read
    assert set(terms(chapters(language)["environment"])) == read | FROM_LIBRARIES


@every_page
def test_every_exit_status_is_described_and_no_other(language: str) -> None:
    statuses = [output.DONE, output.NO, output.USAGE, output.INTERRUPTED, output.UNANSWERED]
    assert terms(chapters(language)["exit status"]) == [str(status) for status in statuses]


@every_page
def test_every_file_of_the_home_folder_is_described_and_no_other(language: str, tmp_path: Path) -> None:
    settings.change("language", "en")
    assert cubiri("play", "--script", REPLAY).status == 0  # which is kept, and ranked
    assert cubiri("stats").status == 0
    assert cubiri("leaderboard", "--site", tmp_path / "site").status == 0
    files = [path.relative_to(home.home()).as_posix() for path in home.home().rglob("*") if path.is_file()]
    found = {re.sub(r"[^/]+-magdagdon-[^/]+(?=\.toml)|[0-9a-f]{32}(?=\.txt)", "*", path) for path in files}
    assert set(terms(chapters(language)["files"])) == found


ARROWS = {"→": "Right", "↓": "Down", "←": "Left", "↑": "Up", "−": "-"}


@every_page
def test_the_keys_of_watching_and_of_the_table_are_described(language: str) -> None:
    table, *_games, watch = parts_of(language, "keys").values()
    keys = [ARROWS.get(key, key) for line, _label in watching.HELP for key in line.split()]
    assert terms(watch) == keys
    assert {TYPE, HELP, QUIT, "Enter", "Esc", "Ctrl-C"} <= set(terms(table))


@every_page
def test_the_examples_are_command_lines_that_are_understood(language: str) -> None:
    group = build()
    lines = re.findall(r"^cubiri (.*)$", "".join(examples(chapters(language)["examples"])), re.MULTILINE)
    assert len(lines) >= 8
    for text in lines:
        name, *rest = shlex.split(text.partition(" > ")[0])
        group.commands[name].make_context(name, rest)


@pytest.mark.parametrize("name", manual.PAGES)
def test_every_language_has_every_page(name: str) -> None:
    lacking = [code for code in LANGUAGES if not (manual.FOLDER / f"{name}.{code}.md").exists()]
    assert not lacking, f"{name}: no page in {lacking}"


@every_page
def test_translations_hold_what_the_english_page_holds(language: str) -> None:
    assert layout(page(language, "cubiri")) == layout(page("en", "cubiri"))
    for name, text in chapters("en").items():
        assert terms(chapters(language)[name]) == terms(text)


@every_page
@CHECKS
@pytest.mark.parametrize("name", manual.PAGES)
def test_the_page_is_clean(name: str, language: str, command: list[str], tmp_path: Path) -> None:
    if not shutil.which(command[0]):
        pytest.skip(f"no {command[0]} here")
    file = tmp_path / man_path(language, name).rpartition("/")[2]
    file.write_text(as_roff(language, name), "ascii")
    done = subprocess.run([*command, file], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout + done.stderr).strip() == ""
    assert done.returncode == 0


@every_page
@pytest.mark.parametrize("name", manual.PAGES)
@pytest.mark.skipif(not shutil.which("lexgrog"), reason="no man-db here")
def test_apropos_finds_the_name_and_what_it_is(name: str, language: str, tmp_path: Path) -> None:
    file = tmp_path / "page"
    file.write_text(as_roff(language, name), "ascii")
    done = subprocess.run(["lexgrog", file], capture_output=True, text=True, timeout=60, check=False)
    assert re.search(rf'"{name} - [^\\\[]*MAGDAGDON[^\\\[]*MISHIMASH[^\\\[]*"', done.stdout)


def test_what_a_manual_page_cannot_hold_is_refused_when_it_is_made() -> None:
    for text in ("> quoted", "[a](b)", "![a](b)", "```\na\n```", "<b>"):
        with pytest.raises(ValueError, match="manual page has no"):
            roff.roff(text, "")


# cubiri help


@every_page
@pytest.mark.parametrize("topic", manual.PAGES)
def test_help_shows_a_page_as_man_does(language: str, topic: str, tmp_path: Path) -> None:
    shown = cubiri("help", topic, "--lang", language)
    assert shown.status == 0
    assert max(map(len, shown.out.splitlines())) <= 90  # examples are kept as they are
    if not shutil.which("mandoc"):
        return
    file = tmp_path / "page"
    file.write_text(as_roff(language, topic), "ascii")
    command = ["mandoc", "-T", "utf8", "-O", "width=78", str(file)]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, encoding="utf-8").stdout
    printed = re.sub(".\b", "", printed)
    words = [
        re.findall(r"\w+", "\n".join(text.splitlines()[1:])) for text in (shown.out, printed.rpartition("\n\n")[0])
    ]
    assert words[0] == words[1]


def test_help_without_a_topic_is_the_page_of_the_program() -> None:
    assert cubiri("help").out == cubiri("help", "cubiri").out
    assert cubiri("help").out.startswith("cubiri(6) Games\n\nNAME\n\ncubiri - CUBIRI dice games")


@every_page
@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_what_the_page_says_about_a_command(language: str, command: str) -> None:
    shown = cubiri("help", command, "--lang", language)
    assert shown.status == 0
    assert shown.out.startswith(f"cubiri {command}")
    assert not [one.heading for one in parts(page(language, "cubiri")) if f"\n{one.heading}\n" in shown.out]
    assert shown.out in cubiri("help", "--lang", language).out


def test_help_says_which_topics_there_are() -> None:
    shown = cubiri("help", "nonsense")
    assert shown.status == 2
    assert "cubiri-replay" in shown.message


@pytest.mark.parametrize(
    ("command", "first", "last"),
    [
        (["help"], "SYNOPSIS", "cubiri-replay(5)"),
        (["help", "leaderboard"], "cubiri leaderboard [GAME]", "--target"),
        (["rules", "magdagdon"], "MAGDAGDON", "Majduška"),
    ],
    ids=["help", "of a command", "rules"],
)
def test_on_a_terminal_a_long_text_is_turned_page_by_page(command: list[str], first: str, last: str) -> None:
    with Terminal(*command, rows=16) as screen:
        screen.see(first, "[Space]")
        screen.type("End")
        screen.see(last)
        screen.type("q")
        assert screen.end() == 0
        assert screen.is_sane


def test_on_a_terminal_a_short_text_is_printed() -> None:
    with Terminal("help", "share") as screen:
        assert screen.end() == 0
        assert "cubiri share [FILE]" in screen.text


def test_in_plain_mode_a_long_text_is_read_a_screenful_at_a_time() -> None:
    with Terminal("rules", "mishimash", "--plain") as screen:
        screen.see("-- Enter: next page, 0: back")
        screen.type("0", "Enter")
        assert screen.end() == 0


def test_which_rules_is_asked_on_a_terminal() -> None:
    with Terminal("rules") as screen:
        screen.see("MAGDAGDON", "MISHIMASH")
        screen.type("2")
        screen.see("A dice game for one to eight players", "[Space]")
        screen.type("q")
        assert screen.end() == 0
