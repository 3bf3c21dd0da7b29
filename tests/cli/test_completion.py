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
from hypothesis import given
from hypothesis import strategies as st

from cubiri_cli import games
from cubiri_cli.cli.completing import complete, for_bash, quoted, read_words
from cubiri_cli.cli.parsing import build
from cubiri_cli.commands import COMMANDS, SHELLS
from cubiri_cli.commands.completion import SCRIPTS
from cubiri_cli.games.game import WordOption
from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import Session
from cubiri_cli.store.settings import known
from cubiri_cli.table.language import LANGUAGES
from cubiri_cli.table.manual import PAGES
from tests.support.running import cubiri, process

pytestmark = pytest.mark.smoke

NOON = "1796040000"  # 2026-11-30 12:00:00 UTC
ROOT = Path(__file__).parents[2]
FINISHED = ROOT / "replays" / "magdagdon-survival-highest-score.toml"
REGISTERED = (
    "from cubiri_cli import games; from cubiri_cli.__main__ import main;"
    "games.MODULES['pig'] = 'tests.third_game'; main()"
)


def words(line: str) -> list[str]:
    """Return what is offered for the last word of a line."""
    *before, word = line.split(" ")
    return complete(before, word)


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


def test_commands_are_offered() -> None:
    assert words("") == list(COMMANDS)
    assert words("re") == ["resume", "replay"]
    assert words("--lang fi --plain ver") == ["verify-score"]
    assert words("nonsense ") == []


def test_options_are_offered_those_of_games_and_global_ones_included() -> None:
    assert {"--seed", "--daily", "--plain", "--lang", "--help"} <= set(words("play --"))
    assert {f"--{option.name}" for name in games.names() for option in games.load(name).OPTIONS} <= set(words("play -"))
    assert not set(words("rules --")) & {"--seed", "--target", "--version"}
    assert words("--v") == ["--version"]
    assert "--daily" not in words("play --daily --")  # it is there already
    assert "--player" in words("play --player Ada --")  # it may be repeated


def test_every_option_of_every_command_is_offered() -> None:
    """Also those that come later: nothing here lists them."""
    for name, command in build().commands.items():
        options = {option for one in command.params if one.param_type_name == "option" for option in one.opts}
        assert options <= set(words(f"{name} -")), name


def test_every_choice_that_the_help_shows_is_offered() -> None:
    for name, command in build().commands.items():
        for one in command.params:
            if one.param_type_name == "option" and "|" in (one.metavar or ""):
                assert words(f"{name} {one.opts[0]} ") == one.metavar.split("|"), (name, one.opts)


def test_values_are_offered() -> None:
    choices = {o.name: o for name in games.names() for o in games.load(name).OPTIONS if isinstance(o, WordOption)}
    for name, option in choices.items():
        assert words(f"play --{name} ") == list(option.values)
        assert words(f"leaderboard --{name}=") == [f"--{name}={value}" for value in option.values]
    assert words("--lang ") == words("rules --lang ") == list(LANGUAGES)
    assert words("verify-score --format j") == ["jsonl", "junit"]
    assert words("replay game.toml --format ") == ["text", "json", "svg", "cast", "html"]
    assert words("play --target ") == words("play --player A") == []


def test_a_value_after_an_equals_sign_is_offered() -> None:
    assert words("verify-score --format=ju") == ["--format=junit"]
    assert words("verify-score --format=") == [f"--format={one}" for one in ("text", "jsonl", "junit", "github")]
    letter = games.names()[0][0]
    found = [name for name in games.names() if name.startswith(letter)]
    assert words(f"play --seed=1 {letter}") == words(f"play {letter}") == found


def test_arguments_are_offered() -> None:
    assert words("play ") == words("rules ") == words("verify-score --game ") == games.names()
    assert words("settings ") == list(known())
    assert words("settings plain ") == ["on", "off"]
    assert words("settings name ") == words("settings nonsense ") == []
    assert words("help ") == [*PAGES, *COMMANDS]
    assert words("completion ") == list(SHELLS)
    assert "--daily" in words("play magdagdon -")


def test_replays_of_the_folder_at_hand_and_of_the_home_folder_are_offered(kept: Path) -> None:
    for line in ("verify-score ", "verify-score x.toml ", "play --like ", "play --script "):
        assert words(line) == ["games/", "my game.toml", str(kept)], line
    for line in ("replay ", "resume "):
        assert words(line) == ["games/", "my game.toml", kept.name], line
    assert words("replay games/") == ["games/other.toml"]
    assert words("replay 2026") == [kept.name]
    assert words(f"replay {kept.parent}/") == [str(kept)]
    assert words("replay ./my") == ["./my game.toml"]
    assert {"games/", "my game.toml", str(kept)} <= set(words("leaderboard --add x.toml "))
    assert words("rules ") == games.names()


def test_where_an_unfinished_game_is_wanted_no_other_is_offered(kept: Path) -> None:
    shutil.copy(FINISHED, "ended.toml")
    shutil.copy(FINISHED, kept.parent / "20261130-110000-magdagdon-survival.toml")
    Path("settings.toml").write_text('language = "fi"\n', "utf-8")
    assert words("resume ") == ["games/", "my game.toml", kept.name]
    assert words("share ") == ["ended.toml", "games/", "20261130-110000-magdagdon-survival.toml"]
    assert {"ended.toml", "my game.toml"} <= set(words("replay "))


def test_seeds_of_the_day_and_of_kept_games_are_offered(kept: Path) -> None:
    for command in ("play", "leaderboard", "verify-score"):
        assert words(f"{command} --seed ") == ["daily-2026-11-30", "forty-two"]
    assert words("play --seed F") == ["Forty-two"]  # which is the same


def test_without_a_home_folder_and_with_a_wrong_clock_there_is_still_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUBIRI_HOME", "/nonexistent")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "noon")
    assert words("play --seed ") == []
    assert process("--complete", "fish", "play", "--seed", "").out == ""
    assert process("--complete", "fish").out.split() == list(COMMANDS)
    for nonsense in ([], ["tcsh"], ["bash"], ["bash", "cubiri 'a", "x", "y"], ["fish", "\udcff"]):
        ended = process("--complete", *nonsense)
        assert (ended.status, ended.err) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
def test_where_nothing_can_be_written_the_prompt_is_left_alone() -> None:
    ended = process("--complete", "zsh", "pl", shell=">/dev/full")
    assert (ended.status, ended.out, ended.err) == (0, "", "")


def test_a_third_game_and_its_options_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.MODULES, "pig", "tests.third_game")
    assert words("play p") == ["pig"]
    assert words("settings di") == ["difficulty", "dice"]
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for line, found in (("--di", ["--difficulty", "--dice"]), ("--dice ", ["one", "two"])):
        typed = ["--complete", "zsh", "play", *line.split(" ")]
        assert process(*typed, program=("-c", REGISTERED)).out.split() == found


def test_no_command_but_the_one_that_is_typed_is_loaded_for_it() -> None:
    code = (
        "import sys; from cubiri_cli.__main__ import main; main(); "
        "print([name for name in sys.modules if name.startswith(('rich', 'questionary', 'prompt_toolkit', 'tomli',"
        " 'cubiri_cli.commands.'))])"
    )
    for word, wanted in (("pl", set()), ("rules ", {"cubiri_cli.commands.rules"})):
        out = process("--complete", "zsh", *word.split(" "), program=("-c", code)).out
        loaded = set(re.findall(r"'([\w.]+)'", out.splitlines()[-1]))
        shared = {f"cubiri_cli.commands.{name}" for name in ("output", "options", "parameters")}
        assert loaded - shared == wanted


# Lines of bash


@pytest.mark.parametrize(
    ("line", "replaced", "found"),
    [
        ("cubiri verify-score --format=ju", "ju", ["junit"]),
        ("cubiri verify-score --format=", "", ["text", "jsonl", "junit", "github"]),
        ("cubiri --lang fi rules mi", "mi", ["mishimash"]),
        ("cubiri replay my", "my", [r"my\ game.toml"]),
        (r"cubiri replay my\ g", r"my\ g", [r"my\ game.toml"]),
        ('cubiri replay "my g', "my g", ["my game.toml"]),
        ("cubiri replay 'my g", "my g", ["my game.toml"]),
        ("cubiri replay it", "it", [r"it\'s\ 12:30\ \"o\ clock\".toml"]),
        ("cubiri replay it\\'s\\ 12:3", "3", [r"30\ \"o\ clock\".toml"]),
        ("cubiri replay \"it's 12:3", "it's 12:3", [r"it's 12:30 \"o clock\".toml"]),
        ("cubiri replay 'it", "it", [r"it'\''s 12:30 " + '"o clock".toml']),
        ('cubiri replay "games/"', "", ["other.toml"]),
        ("cubiri replay ga", "ga", ["games/"]),
    ],
)
def test_what_is_offered_stands_in_a_line_of_bash_as_it_has_to(
    kept: Path, line: str, replaced: str, found: list[str]
) -> None:
    shutil.copy("my game.toml", 'it\'s 12:30 "o clock".toml')
    assert for_bash(line, replaced) == found


# The scripts


def test_the_script_is_shown_for_the_shell_that_is_named_or_one_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for shell in SHELLS:
        assert cubiri("completion", shell).out == SCRIPTS[shell]
    monkeypatch.setenv("SHELL", "/usr/bin/zsh")
    assert cubiri("completion").out == SCRIPTS["zsh"]
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert cubiri("completion").message == "cubiri: name your shell: bash, fish, powershell, zsh"


PLACES = {
    "bash": (".local/share/bash-completion/completions/cubiri", ".bashrc"),
    "zsh": (".local/share/zsh/site-functions/_cubiri", ".zshrc"),
    "fish": (".config/fish/completions/cubiri.fish", None),
    "powershell": (".local/share/cubiri/completion.ps1", "profile.ps1"),
}


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of somebody who has nothing yet."""
    folder = tmp_path / "person"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR", "ENV", "BASH_ENV"):
        monkeypatch.delenv(name, raising=False)
    powershell = folder / "bin" / "pwsh"  # one that can say where its profile is
    powershell.parent.mkdir()
    powershell.write_text(f"#!/bin/sh\necho '{folder}/profile.ps1'\n", "utf-8")
    powershell.chmod(0o755)
    monkeypatch.setenv("PATH", f"{powershell.parent}{os.pathsep}{os.environ['PATH']}")
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
        if shell == "powershell":
            line = f"if (Test-Path '{person / script}') {{ . '{person / script}' }}  # cubiri completion"
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
        for part in line.split("\t"):  # each is completed before the next is typed: shells wait
            child.send(f"{part}\t")
        child.send("\r")
        child.expect_exact(f"was given <{wanted}>")
    except (pexpect.TIMEOUT, pexpect.EOF):
        raise AssertionError(f"{wanted!r} was not given: {child.before!r}") from None
    finally:
        child.close(force=True)


@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1), quote=st.sampled_from(["", "'", '"']))
def test_whatever_a_name_holds_bash_reads_it_as_it_was(text: str, quote: str) -> None:
    assert read_words(f"cubiri {quote}{quoted(text, quote)}")[0] == ["cubiri", text]


TABBED = {
    "a command": ("cubiri verif", "verify-score"),
    "an option": ("cubiri play --dail", "--daily"),
    "a difficulty": ("cubiri play --difficulty n", "nightmare"),
    "a game": ("cubiri rules mi", "mishimash"),
    "a value after =": ("cubiri verify-score --format=g", "--format=github"),
    "a language": ("cubiri --lang f", "fi"),
    "a seed": ("cubiri play --seed f", "forty-two"),
    "a file with a blank": ("cubiri replay my", "my game.toml"),
    "a file after a blank": (r"cubiri replay my\ g", "my game.toml"),
    "a file in double quotes": ('cubiri replay "my g', "my game.toml"),
    "a file in single quotes": ("cubiri replay 'my g", "my game.toml"),
    "a file with all kinds": ("cubiri replay it", 'it\'s 12:30 "o clock" $1.toml'),
    "a file after a colon": (r"cubiri replay it\'s\ 12:3", 'it\'s 12:30 "o clock" $1.toml'),
    "a file after an = of its own": ("cubiri replay a=", "a=b:c.toml"),
    "a file after = and :": ("cubiri replay a=b:", "a=b:c.toml"),
    "a folder": ("cubiri replay ga", "games/"),
    "a file below": ("cubiri replay games/", "games/other.toml"),
    "a file after two tabs": ("cubiri replay ga\t", "games/other.toml"),
    "a file below a folder with a blank": ("cubiri replay ol\t", "old games/x.toml"),
    "nothing that is no game": ("cubiri rules wor", "wor"),
    "the second file": ("cubiri verify-score games/other.toml m", "my game.toml"),
    "an unfinished game": ("cubiri resume 2026", "20261130-120000-mishimash-10.toml"),
}


@pytest.fixture
def hard(kept: Path) -> Path:
    """Return the game in the home folder; the current folder also holds names that shells have trouble with."""
    text = Path("my game.toml").read_bytes()
    for name in ('it\'s 12:30 "o clock" $1.toml', "a=b:c.toml", "old games/x.toml"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(text)
    shutil.copy(FINISHED, kept.parent / "20261130-110000-magdagdon-survival.toml")
    return kept


@pytest.mark.parametrize("what", TABBED)
@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_a_tab_completes(shell: str, what: str, person: Path, hard: Path) -> None:
    line, wanted = TABBED[what]
    given_after_tab(shell, person, line, wanted)


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_the_script_is_one_that_the_shell_understands(shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    done = subprocess.run([shell, "-n"], input=SCRIPTS[shell], capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# PowerShell


def test_powershell_gets_its_words_in_the_environment_because_it_loses_empty_arguments(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("väinö's.toml").write_text("", "utf-8")
    for typed, found in (
        ("play\n--difficulty\nn", "nightmare\n"),
        ("replay\nmy", "my game.toml\n"),
        ("replay\nv", "väinö's.toml\n"),
        ("completion\n", "bash\nfish\npowershell\nzsh\n"),
    ):
        monkeypatch.setenv("_CUBIRI_WORDS", typed)
        assert process("--complete", "powershell").out == found


def test_without_powershell_it_cannot_be_installed_and_the_script_can_be_had(
    person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(person / "nowhere"))
    ended = cubiri("completion", "powershell", "--install")
    assert ended.status == 2
    assert "$PROFILE" in ended.message
    assert "Register-ArgumentCompleter -Native -CommandName cubiri" in cubiri("completion", "PowerShell").out


@pytest.mark.skipif(not shutil.which("pwsh"), reason="no PowerShell here")
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("cubiri verif", "verify-score"),
        ("cubiri replay my", "'my game.toml'"),
        ("cubiri play --difficulty n", "nightmare"),
    ],
)
def test_powershell_completes(line: str, found: str, kept: Path, tmp_path: Path) -> None:
    program = tmp_path / "cubiri"
    program.write_text(PROGRAM.format(python=sys.executable), "utf-8")
    program.chmod(0o755)
    ask = f"(TabExpansion2 '{line}' {len(line)}).CompletionMatches[0].CompletionText"
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    command = ["pwsh", "-NoProfile", "-NonInteractive", "-Command", SCRIPTS["powershell"] + ask]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environment)
    assert done.stdout.strip() == found, done.stderr
