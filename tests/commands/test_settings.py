"""Settings: what was chosen holds, what was mistyped is refused, and no file can stop a game."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import tomli

from cubiri_cli import games
from cubiri_cli.cli.global_options import take_global_options
from cubiri_cli.store import settings as store
from cubiri_cli.store.settings import settings_path
from cubiri_cli.table.language import LANGUAGES
from cubiri_cli.table.style import STYLE
from tests.support.running import cubiri
from tests.support.strategies import magdagdon, play, to_bytes
from tests.support.terminal import Terminal, key_of_setting

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.smoke

OPTIONS = list(dict.fromkeys(option.name for game in games.names() for option in games.load(game).OPTIONS))
NAMES = ["language", "name", "game", *OPTIONS, "color", "symbols", "animation", "plain"]


@pytest.fixture(autouse=True)
def _as_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the style of this process as it was."""
    for name in vars(STYLE):
        monkeypatch.setattr(STYLE, name, getattr(STYLE, name))


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.toml"
    path.write_bytes(
        to_bytes({"format": "cubiri-replay", "game": "magdagdon", "seed": "42", "turns": [{"log": ["roll"]}]})
    )
    return path


def write(text: str) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text(text, encoding="utf-8")


def kept() -> dict[str, object]:
    return tomli.loads(settings_path().read_text(encoding="utf-8"))


def test_all_are_shown_with_what_holds_and_where_they_are_kept() -> None:
    ran = cubiri("settings")
    assert (ran.status, ran.err) == (0, "")
    *rows, empty, where = ran.out.splitlines()
    assert [row.split()[0] for row in rows] == NAMES
    assert all("default" in row for row in rows)
    assert empty == ""
    assert str(settings_path()) in where
    assert not settings_path().exists(), "showing writes nothing"


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("language", "FI", "fi"),
        ("name", " Väinö ", "Väinö"),
        ("game", "Mishimash", "mishimash"),
        ("difficulty", "nightmare", "nightmare"),
        ("target", "300", 300),
        ("color", "off", False),
        ("symbols", "ascii", "ascii"),
        ("animation", "no", False),
        ("plain", "yes", True),
    ],
)
def test_one_is_changed_shown_and_put_back(name: str, typed: str, value: object) -> None:
    assert cubiri("settings", name, typed).status == 0
    assert kept() == {name: value}
    assert cubiri("settings", name).out.startswith(f"{name} = ")
    assert "default" not in next(
        row for row in cubiri("--lang", "en", "settings").out.splitlines() if row.startswith(name)
    )
    assert cubiri("settings", name, "--reset").status == 0
    assert kept() == {}


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["sound", "on"], "language, name, game"),
        (["sound"], "language, name, game"),
        (["language", "de"], ", ".join(LANGUAGES)),
        (["name", "a\x1b[31m"], "not a name"),
        (["name", ""], "not a name"),
        (["game", "chess"], ", ".join(games.names())),
        (["difficulty", "easy"], "peaceful, survival, nightmare"),
        (["target", "9"], "from 10 to 1000000"),
        (["target", "1.5"], "from 10 to 1000000"),
        (["color", "maybe"], "on, off"),
        (["color", "on", "--reset"], "--reset"),
    ],
    ids=str,
)
def test_what_is_wrong_is_refused_in_one_line(arguments: list[str], part: str) -> None:
    ran = cubiri("settings", *arguments)
    assert ran.status == 2
    assert part in ran.message
    assert not settings_path().exists()


def test_keys_that_are_not_known_are_kept() -> None:
    write('color = false\nsound = "loud"\n\n[future]\nlist = [1, 2.5]\n')
    assert cubiri("settings", "target", "50").err == ""
    assert kept() == {"color": False, "sound": "loud", "target": 50, "future": {"list": [1, 2.5]}}
    cubiri("settings", "--reset")
    assert kept() == {"sound": "loud", "future": {"list": [1, 2.5]}}


def test_a_half_written_file_stops_no_game_and_is_set_aside_when_one_is_changed(script: Path) -> None:
    half = 'language = "fi"\nname = "Vä'
    write(half)
    ran = cubiri("play", "--script", script, "--difficulty", "survival", "magdagdon")
    assert ran.status == 0
    assert "Score so far" in ran.out, "in the language of the locale"
    assert str(settings_path()) in ran.message
    assert "not TOML" in ran.message
    changed = cubiri("settings", "target", "50")
    assert changed.status == 0
    aside = settings_path().with_name("settings.aside-1.toml")
    assert str(aside) in changed.err
    assert aside.read_text(encoding="utf-8") == half
    assert kept() == {"target": 50}
    assert cubiri("settings").err == ""


@pytest.mark.parametrize("spoilt", [b"\xff\xfe\x00", b"[" * 200_000, b"x = 1e999999\n" * 9, b"\x00" * 2_000_000])
def test_whatever_the_file_holds_commands_work(spoilt: bytes) -> None:
    write("")
    settings_path().write_bytes(spoilt)
    ran = cubiri("rules", "magdagdon")
    assert ran.status == 0
    assert "MAGDAGDON" in ran.out
    assert ran.err.count("\n") == 1


def test_a_folder_in_its_place_stops_nothing_and_is_set_aside() -> None:
    settings_path().mkdir(parents=True)
    assert cubiri("rules", "magdagdon").status == 0
    ran = cubiri("settings", "color", "off")
    assert (ran.status, ran.out) == (0, "color = off\n")
    aside = settings_path().with_name("settings.aside-1.toml")
    assert str(aside) in ran.err
    assert aside.is_dir()
    assert kept() == {"color": False}


def test_one_wrong_value_is_told_and_the_others_hold() -> None:
    write('language = "xx"\nname = "Ada"\ncolor = 1\n')
    ran = cubiri("settings")
    assert [line.split(": ")[2] for line in ran.err.splitlines()] == ["language", "color"]
    assert "Ada" in ran.out


def test_a_wrong_default_of_a_game_is_told_where_it_would_hold(script: Path) -> None:
    write('difficulty = "easy"\n')
    assert cubiri("rules", "magdagdon").err == ""
    ran = cubiri("play", "magdagdon", "--difficulty", "survival", "--script", script)
    assert ran.status == 0
    assert "difficulty: expected one of peaceful, survival, nightmare" in ran.message


def test_two_changes_at_once_are_both_kept() -> None:
    command = [sys.executable, "-m", "cubiri_cli", "settings"]
    changes = [("color", "off"), ("target", "70"), ("symbols", "ascii"), ("name", "Ada"), ("game", "mishimash")]
    running = [subprocess.Popen([*command, *change], stdout=subprocess.DEVNULL, env=os.environ) for change in changes]
    assert [one.wait(60) for one in running] == [0] * len(changes)
    assert kept() == {"color": False, "target": 70, "symbols": "ascii", "name": "Ada", "game": "mishimash"}
    assert [path.name for path in settings_path().parent.iterdir() if path.name.startswith(".")] == []


# What they do


def test_language_name_and_looks_hold_unless_something_else_is_said(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write('language = "fi"\nname = "Aino"\ncolor = false\nsymbols = "ascii"\nanimation = false\nplain = false\n')
    monkeypatch.setenv("LANG", "sk_SK.UTF-8")
    take_global_options([])
    assert (STYLE.color, STYLE.ascii, STYLE.animation, STYLE.plain) == (False, True, False, False)
    assert "language = fi" in cubiri("settings", "language").out
    assert cubiri("rules", "magdagdon").out == cubiri("--lang", "fi", "rules", "magdagdon").out
    assert cubiri("--lang", "sk", "rules", "magdagdon").out != cubiri("rules", "magdagdon").out
    assert "Aino" in cubiri("play", "magdagdon", "--difficulty", "survival", "--script", script).out
    bo = cubiri("play", "magdagdon", "--difficulty", "survival", "--script", script, "--player", "Bo")
    assert "Bo" in bo.out
    assert "Aino" not in bo.out


def test_what_stands_above_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    take_global_options([])
    assert (STYLE.color, STYLE.ascii, STYLE.animation, STYLE.plain) == (True, False, True, False)
    monkeypatch.setenv("NO_COLOR", "1")
    take_global_options(["--plain"])
    assert (STYLE.color, STYLE.ascii, STYLE.animation, STYLE.plain) == (False, True, False, True)


def test_the_defaults_of_games() -> None:
    write('difficulty = "nightmare"\ntarget = 70\ngame = "mishimash"\n')
    assert store.default_options(games.load("magdagdon")) == {"difficulty": "nightmare"}
    assert store.default_options(games.load("mishimash")) == {"target": 70}
    assert store.default_game() == "mishimash"


def test_like_takes_the_options_of_the_game_before_those_of_the_settings(script: Path, tmp_path: Path) -> None:
    write('difficulty = "nightmare"\n')
    like = tmp_path / "like.toml"
    like.write_text(play(magdagdon("survival", "fair"), random.Random(1)).text(), encoding="utf-8")
    script.write_text(script.read_text(encoding="utf-8").replace('seed = "42"\n', ""), encoding="utf-8")
    output = tmp_path / "out.toml"
    assert cubiri("play", "--like", like, "--script", script, "--output", output).status == 0
    written = tomli.loads(output.read_text(encoding="utf-8"))
    assert (written["seed"], written["options"]) == ("fair", {"difficulty": "survival"})
    assert cubiri("play", "--like", like, "--seed", "x", "--script", script).status == 2
    assert "mishimash" in cubiri("play", "mishimash", "--like", like, "--script", script).message


# On a terminal


@pytest.mark.parametrize("options", [[], ["--plain"]], ids=["screen", "plain"])
def test_the_menu_changes_one_and_every_question_has_a_way_back(options: list[str]) -> None:
    back, go = ("Esc",), ()
    if options:
        back, go = ("0", "Enter"), ("Enter",)  # type: ignore[assignment]
    with Terminal(*options, "settings") as terminal:
        terminal.see("Which setting?")
        terminal.type(key_of_setting("difficulty"), *go)
        terminal.see("difficulty:")
        terminal.type(*back)
        terminal.see("Which setting?")
        terminal.type(key_of_setting("difficulty"), *go)
        terminal.see("difficulty:")
        terminal.type("3", *go)
        terminal.see("Which setting?", "difficulty  nightmare")
        terminal.type(key_of_setting("target"), *go)
        default = ", ".join(str(option.default) for option in games.options()["target"].values())
        terminal.see(f"target [{default}] (- is the default: {default}):")
        terminal.type("5", "Enter")
        terminal.see("10 to 1000000")
        if options:
            terminal.type("50", "Enter")
        else:
            terminal.type("0", "Enter")
        terminal.see("target      50")
        terminal.type(*back)
        assert terminal.end() == 0
        assert terminal.is_sane
    assert kept() == {"difficulty": "nightmare", "target": 50}


@pytest.mark.parametrize("options", [[], ["--plain"]], ids=["screen", "plain"])
def test_a_name_may_begin_with_the_letter_of_any_key(options: list[str]) -> None:
    back = ("0", "Enter") if options else ("Esc",)
    go = ("Enter",) if options else ()
    with Terminal(*options, "settings") as terminal:
        for name in ("Tove", "dagmar", "Quentin", "2Pac"):
            terminal.see("Which setting?")
            terminal.type(key_of_setting("name"), *go)
            terminal.see("(- is the default: ")
            terminal.type(name, "Enter")
            terminal.see(f"name        {name}")
            assert kept() == {"name": name}
        terminal.type(key_of_setting("name"), *go)
        terminal.see("name [2Pac] (")
        terminal.type("Enter")  # nothing typed: nothing changed
        terminal.see("name        2Pac")
        terminal.type(key_of_setting("name"), *go)
        terminal.see("name [2Pac] (")
        terminal.type("-", "Enter")
        terminal.miss("[2Pac]") if not options else None
        terminal.see("Which setting?")
        terminal.type(*back)
        assert terminal.end() == 0
    assert kept() == {}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("columns", "name"), [(80, "W" * 32), (40, "Ada")])
def test_each_setting_has_one_line(language: str, columns: int, name: str) -> None:
    cubiri("settings", "name", name)
    with Terminal("--lang", language, "settings", columns=columns) as terminal:
        terminal.see("[1]", f"[{key_of_setting(NAMES[-1])}]")
        rows = [line for line in terminal.lines if line[3:4] == "["]
        assert len(rows) == len(NAMES)
        listed = [number for number, line in enumerate(terminal.lines) if line[3:4] == "["]
        assert listed == list(range(listed[0], listed[0] + len(NAMES)))
        terminal.type("Esc")
        assert terminal.end() == 0


def test_ctrl_c_in_the_menu_leaves_it(tmp_path: Path) -> None:
    with Terminal("settings") as terminal:
        terminal.see("Which setting?")
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
        assert terminal.is_sane
