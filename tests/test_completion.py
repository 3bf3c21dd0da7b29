"""Completion: what is offered at a tab, in bash, zsh and fish as they are, and how it gets there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

import cubiri_cli.cli.option_table
from cubiri_cli import games
from cubiri_cli.cli.completing import PAGES, complete
from cubiri_cli.commands import COMMANDS, SHELLS
from cubiri_cli.commands.completion import SCRIPTS
from cubiri_cli.games.game import WordOption
from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import Session
from cubiri_cli.store.settings import known
from cubiri_cli.table.language import LANGUAGES
from tests import option_table
from tests.running import cubiri, process

NOON = "1796040000"  # 2026-11-30 12:00:00 UTC
ROOT = Path(__file__).parent.parent


def words(line: str) -> list[str]:
    """Return what is offered for the last word of a line."""
    *before, word = line.split(" ")
    return complete(before, word).words


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a game in the home folder; the current folder holds a replay, a folder and a text."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", NOON)
    replays = tmp_path / "cubiri-home" / "replays"
    replays.mkdir(parents=True)
    session = Session.begin("mishimash", {"target": 10}, [Player("Ada")], "forty-two")
    session.do("roll")
    path = replays / "20261130-120000-mishimash-10.toml"
    path.write_text(session.text(), "utf-8")
    here = tmp_path / "here"
    (here / "games").mkdir(parents=True)
    (here / "my game.toml").write_text(session.text(), "utf-8")
    (here / "games" / "other.toml").write_text(session.text(), "utf-8")
    (here / "notes.txt").write_text("", "utf-8")
    monkeypatch.chdir(here)
    return path


def test_what_completion_knows_of_the_options_is_what_they_are() -> None:
    """Where this fails: `python -m tests.option_table`."""
    made: dict[str, object] = {}
    exec(option_table.source(), made)
    for name in ("OPTIONS", "ARGUMENTS", "OF_GAMES"):
        assert getattr(cubiri_cli.cli.option_table, name) == made[name]


def test_commands_are_offered() -> None:
    assert words("") == list(COMMANDS)
    assert words("re") == ["resume", "replay"]
    assert words("--lang fi --plain ver") == ["verify-score"]
    assert words("nonsense ") == []


def test_options_are_offered_those_of_games_and_global_ones_included() -> None:
    assert {"--seed", "--daily", "--plain", "--lang", "--help"} <= set(words("play --"))
    assert {f"--{option.name}" for name in games.names() for option in games.load(name).OPTIONS} <= set(words("play -"))
    assert not set(words("rules --")) & {"--seed", "--target"}
    assert words("--v") == ["--version"]
    assert words("play --player --") == []


def test_values_are_offered() -> None:
    choices = {o.name: o for name in games.names() for o in games.load(name).OPTIONS if isinstance(o, WordOption)}
    for name, option in choices.items():
        assert words(f"play --{name} ") == list(option.values)
        assert words(f"leaderboard --{name}=") == [f"--{name}={value}" for value in option.values]
    assert words("--lang ") == words("rules --lang ") == list(LANGUAGES)
    assert words("verify-score --format j") == ["jsonl", "junit"]
    assert words("replay game.toml --format ") == ["text", "json", "svg", "cast"]
    assert words("play --target ") == words("play --player A") == []


def test_a_value_after_an_equals_sign_is_offered_as_each_shell_splits_it() -> None:
    assert complete(["verify-score"], "--format=ju").words == ["--format=junit"]
    assert complete(["verify-score", "--format"], "=").words == ["text", "jsonl", "junit", "github"]  # bash
    assert complete(["verify-score", "--format", "="], "ju").words == ["junit"]
    letter = games.names()[0][0]
    found = [name for name in games.names() if name.startswith(letter)]
    assert complete(["play", "--seed=1"], letter).words == complete(["play"], letter).words == found


def test_arguments_are_offered() -> None:
    assert words("play ") == words("rules ") == words("verify-score --game ") == games.names()
    assert words("settings ") == list(known())
    assert words("settings plain ") == ["on", "off"]
    assert words("settings name ") == words("settings nonsense ") == []
    assert words("help ") == [*PAGES, *COMMANDS]
    assert words("completion ") == list(SHELLS)
    assert "--daily" in words("play magdagdon ")


def test_replays_of_the_folder_at_hand_and_of_the_home_folder_are_offered(kept: Path) -> None:
    for line in ("replay ", "resume ", "verify-score ", "verify-score x.toml ", "play --script ", "play --like "):
        assert words(line) == ["games/", "my game.toml", str(kept)], line
    assert words("replay games/") == ["games/other.toml"]
    assert words("replay 2026") == words(f"replay {kept.parent}/") == [str(kept)]
    assert words("replay ./my") == ["./my game.toml"]
    assert complete(["leaderboard", "--add", "x.toml"], "").words[-3:] == ["games/", "my game.toml", str(kept)]
    assert words("rules ") == games.names()


def test_seeds_of_the_day_and_of_kept_games_are_offered(kept: Path) -> None:
    for command in ("play", "leaderboard", "verify-score"):
        assert words(f"{command} --seed ") == ["daily-2026-11-30", "forty-two"]
    assert words("play --seed F") == ["forty-two"]


def test_without_a_home_folder_and_with_a_wrong_clock_there_is_still_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUBIRI_HOME", "/nonexistent")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "noon")
    assert words("play --seed ") == []
    assert process("--complete", "play", "--seed", "").out == "words\n"
    assert process("--complete").out.split() == ["words", *COMMANDS]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
def test_where_nothing_can_be_written_the_prompt_is_left_alone() -> None:
    ended = process("--complete", "pl", shell=">/dev/full")
    assert (ended.status, ended.out, ended.err) == (0, "", "")


def test_a_third_game_and_its_options_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.MODULES, "pig", "tests.third_game")
    assert words("play p") == ["pig"]
    assert words("play --di") == ["--difficulty", "--dice"]
    assert words("play --dice ") == ["one", "two"]
    assert words("settings di") == ["difficulty", "dice"]


def test_neither_typer_nor_a_command_is_loaded_for_it() -> None:
    code = (
        "import sys; from cubiri_cli.__main__ import main; main(); "
        "print([name for name in sys.modules if name.startswith(('typer', 'rich', 'questionary', 'inspect', 'tomli',"
        " 'cubiri_cli.commands.', 'cubiri_cli.cli.'))])"
    )
    loaded = process("--complete", "play", "--", program=("-c", code)).out.splitlines()[-1]
    assert set(re.findall(r"'([\w.]+)'", loaded)) == {
        "cubiri_cli.cli.completing",
        "cubiri_cli.cli.option_table",
    }


# The scripts


def test_the_script_is_shown_for_the_shell_that_is_named_or_one_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for shell in SHELLS:
        assert cubiri("completion", shell).out == SCRIPTS[shell]
    monkeypatch.setenv("SHELL", "/usr/bin/zsh")
    assert cubiri("completion").out == SCRIPTS["zsh"]
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert cubiri("completion").message == "cubiri: name your shell: bash, fish, zsh"


PLACES = {
    "bash": (".local/share/bash-completion/completions/cubiri", ".bashrc"),
    "zsh": (".local/share/zsh/site-functions/_cubiri", ".zshrc"),
    "fish": (".config/fish/completions/cubiri.fish", None),
}


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of somebody who has nothing yet."""
    folder = tmp_path / "person"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR", "ENV", "BASH_ENV"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.mark.parametrize("shell", SHELLS)
def test_installing_it_twice_is_installing_it_once(person: Path, shell: str) -> None:
    script, startup = PLACES[shell]
    if startup:
        (person / startup).write_text("alias ll='ls -l'", "utf-8")  # without an end of line
    for _time in range(2):
        assert cubiri("completion", shell, "--install").status == 0
    assert (person / script).read_text("utf-8") == SCRIPTS[shell]
    if startup:
        line = f"[ -r {person / script} ] && . {person / script}  # cubiri completion"
        assert (person / startup).read_text("utf-8").splitlines() == ["alias ll='ls -l'", line]


PROGRAM = """#!/bin/sh
case $1 in
    --complete) exec {python} -m cubiri_cli "$@" ;;
    *) printf 'was given <%s>\\n' "$@" ;;
esac
"""
"""Answers at a tab as cubiri does, and is otherwise content to say what it was given."""


def given_after_tab(shell: str, person: Path, line: str, wanted: str) -> None:
    """Type a line, Tab and Enter in an interactive shell in which completion was installed; see what was run."""
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    bin_folder = person / "bin"
    bin_folder.mkdir()
    program = bin_folder / "cubiri"
    program.write_text(PROGRAM.format(python=sys.executable), "utf-8")
    program.chmod(0o755)
    assert cubiri("completion", shell, "--install").status == 0
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm",
        "PS1": "$ ",
        "LC_ALL": "C.UTF-8",
    }
    flags = {"bash": ["--noprofile", "-i"], "zsh": ["-i"], "fish": ["-i"]}[shell]
    if shell == "zsh":  # where folders of the system are writable, compinit would ask
        rc = person / ".zshrc"
        rc.write_text("autoload -Uz compinit && compinit -u -D\n" + rc.read_text("utf-8"), "utf-8")
    child = pexpect.spawn(shell, flags, env=environment, dimensions=(40, 200), encoding="utf-8", timeout=20)
    child.delaybeforesend = None
    try:
        child.sendline("echo rea''dy")
        child.expect("ready\r")
        child.send(f"{line}\t\r")
        child.expect_exact(f"was given <{wanted}>")
    except (pexpect.TIMEOUT, pexpect.EOF):
        raise AssertionError(f"{wanted!r} was not given: {child.before!r}") from None
    finally:
        child.close(force=True)


TABBED = {
    "a command": ("cubiri verif", "verify-score"),
    "an option": ("cubiri play --dail", "--daily"),
    "a difficulty": ("cubiri play --difficulty n", "nightmare"),
    "a game": ("cubiri rules mi", "mishimash"),
    "a value after =": ("cubiri verify-score --format=g", "--format=github"),
    "a language": ("cubiri --lang f", "fi"),
    "a seed": ("cubiri play --seed f", "forty-two"),
    "a file with a blank": ("cubiri replay my", "my game.toml"),
    "a file below": ("cubiri replay games/", "games/other.toml"),
    "nothing that is no game": ("cubiri rules wor", "wor"),
    "the second file": ("cubiri verify-score games/other.toml m", "my game.toml"),
}


@pytest.mark.parametrize("what", TABBED)
@pytest.mark.parametrize("shell", SHELLS)
def test_a_tab_completes(shell: str, what: str, person: Path, kept: Path) -> None:
    line, wanted = TABBED[what]
    given_after_tab(shell, person, line, wanted)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_game_of_the_home_folder_is_completed_from_its_name(shell: str, person: Path, kept: Path) -> None:
    given_after_tab(shell, person, f"cubiri resume {kept.name[:10]}", str(kept))


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_one_that_the_shell_understands(shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    done = subprocess.run([shell, "-n"], input=SCRIPTS[shell], capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (0, "")
