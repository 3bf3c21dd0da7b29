"""What new players stumble over at prompts: nothing is cut, what is offered helps, defaults are taken or replaced."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from cubiri_cli.replays.reading import read_file
from cubiri_cli.store.home import recent
from cubiri_cli.table import mishimash
from cubiri_cli.table.drawing import line_width, to_text
from cubiri_cli.table.language import LANGUAGES, speak
from cubiri_cli.table.naming import names_shown
from cubiri_cli.table.protocol import Choice, Moment
from cubiri_cli.terminal.listing import arrange, list_lines, move_pointer
from tests.support.positions import after, positions
from tests.support.running import process
from tests.support.terminal import Terminal

MAGDAGDON = ("play", "magdagdon", "--difficulty", "survival", "--seed", "42", "--player", "Ada")
MISHIMASH = ("play", "mishimash", "--target", "60", "--seed", "abc", "--player", "Ada", "--player", "Väinö")


@pytest.fixture(autouse=True)
def _no_animation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "settings.toml").write_text('animation = false\nname = "Ada"\n')
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path))


# How choices are listed


def listed(choices: list[Choice], pointed: int, columns: int, room: int) -> list[str]:
    return [to_text(one).rstrip() for one in list_lines(choices, pointed, columns, room)]


CELLS = [Choice(key, f"{key}1") for key in "abcdefghijklmnop"] + [Choice("2", "place the 2")]


def test_a_long_label_goes_on_in_the_next_line() -> None:
    choices = [Choice("r", "MISHIMASH +10, roll 6 dice ×3 (bust 2.3 %)"), Choice("b", "bank 19, 19 in all")]
    assert listed(choices, 0, 40, 5) == [
        " ▶ [r] MISHIMASH +10, roll 6 dice ×3",
        "       (bust 2.3 %)",
        "   [b] bank 19, 19 in all",
    ]
    assert listed(choices, 1, 80, 5)[0] == "   [r] MISHIMASH +10, roll 6 dice ×3 (bust 2.3 %)"


def test_many_short_choices_stand_side_by_side() -> None:
    lines = listed(CELLS, 5, 40, 8)
    assert lines[:2] == ["   [a] a1   [b] b1   [c] c1   [d] d1", "   [e] e1 ▶ [f] f1   [g] g1   [h] h1"]
    assert lines[4:] == ["   [2] place the 2"]
    assert len(listed(CELLS, 0, 40, 17)) == 17  # each in a line of its own, where there is room
    rows = arrange(CELLS, 40, 8)
    assert [
        move_pointer(rows, 5, 1),
        move_pointer(rows, 5, -1),
        move_pointer(rows, 13, 1),
        move_pointer(rows, 16, 1),
    ] == [9, 1, 16, 0]


def test_arrows_tell_that_there_is_more() -> None:
    choices = [Choice(str(number), f"choice number {number}") for number in range(9)]
    first, middle, last = (listed(choices, pointed, 40, 4) for pointed in (0, 4, 8))
    assert first[0] == " ▶ [0] choice number 0"
    assert first[-1] == "↓  [3] choice number 3            more ↓"
    assert middle[0].startswith("↑  [")
    assert middle[-1].startswith("↓  [")
    assert any(one.startswith(" ▶ [4]") for one in middle)
    assert last[0].endswith("more ↑")
    assert last[-1] == " ▶ [8] choice number 8"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_choice_of_any_position_is_cut(language: str) -> None:
    speak(language)
    try:
        for game, table, names, _action in positions(2, 120):
            waiting: list[Any] = [] if game.over else [None]
            while waiting:
                choices = table.ask(game, [name[:9] for name in names], waiting.pop()).choices
                shown = list_lines(choices, 0, 36, 99)
                assert all(line_width(one) <= 36 for one in shown)
                text = " ".join(" ".join(to_text(one).split()) for one in shown)
                assert all(" ".join(choice.label.split()) in text for choice in choices), text
                waiting += [choice.step for choice in choices if choice.step is not None and not choice.ticks]
    finally:
        speak("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_single_die_lost_is_not_cut(language: str) -> None:
    game = after("mishimash", {"target": 1000}, "roll", seed="9")
    take = str(mishimash.TABLE.shorthand(game, ["all"]))
    game = after("mishimash", {"target": 1000}, "roll", take, "roll", seed="9")
    assert not game.in_turn
    speak(language)
    try:
        text = "\n".join(map(to_text, mishimash.TABLE.picture(game, ["Ada"], 40, 16, Moment(thrown=(2,)))))
    finally:
        speak("en")
    assert "│ 2 │" in text
    assert "…" not in text


# On a terminal


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [36, 40, 80])
def test_the_line_of_keys_is_whole(language: str, columns: int) -> None:
    with Terminal("--lang", language, *MAGDAGDON, columns=columns) as terminal:
        terminal.see("[r]")
        terminal.type("r")
        terminal.see("[p]")
        terminal.type("3")
        terminal.see("[e]", "[y]", "[Esc]")
        keys = "\n".join(terminal.lines[-2:])
        assert "…" not in keys
        assert [key in keys for key in ("[:]", "[?]", "[q]", "[Esc]")] == [True] * 4
        assert columns < 80 or re.search(r"\[.\] \w{3}", keys)  # with what it does
        terminal.type("q")
        assert terminal.end() == 0


def test_labels_are_laid_out_anew_in_another_size() -> None:
    with Terminal(*MISHIMASH, columns=40) as terminal:
        terminal.see("roll the six dice")
        terminal.type("r")
        terminal.see("[b] bank")
        terminal.type("1", "r")
        terminal.see("[r] MISHIMASH +10, roll 6 dice ×3\n       (bust 2.3%)")
        terminal.resize(80, 24)
        terminal.see("[r] MISHIMASH +10, roll 6 dice ×3 (bust 2.3%)", "[:] type")
        terminal.type("q")
        assert terminal.end() == 0


def test_arrow_keys_move_among_cells_as_they_stand() -> None:
    with Terminal(*MAGDAGDON, columns=40) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r", "3")
        terminal.see("▶ [e] a1   [f] b1   [g] c1   [z] d1", "[t] a4", "[4] place the 4")
        terminal.type("Down")
        terminal.see("▶ [i] a2")
        terminal.type("Right")
        terminal.see("▶ [j] b2")
        terminal.type("Left", "Up", "Enter")
        terminal.see("│(3)│", "1 staged")
        terminal.type("q")
        assert terminal.end() == 0


def test_enter_takes_what_is_in_brackets_and_typing_replaces_it() -> None:
    with Terminal("play", columns=40) as terminal:
        terminal.see("Which game?")
        terminal.type("2")
        terminal.see("target (10 to 1000000) [1000]:")
        terminal.type("Enter")
        terminal.see(" Who plays?\n ▶ [1] Ada alone\n", "[4] Ada against master")
        terminal.type("5")
        terminal.see(" Names with commas between them, at\n most 8; casual, steady, master are\n bots [Ada]:\n ▶")
        terminal.type("Enter")
        terminal.see("· to 1000", "▶ Ada")
        terminal.type("q")
        assert terminal.end() == 0
    with Terminal("play") as terminal:
        terminal.see("Which game?")
        terminal.type("2")
        terminal.see("[1000]:")
        terminal.type("50", "Enter")
        terminal.see("Who plays?")
        terminal.type("5")
        terminal.see("[Ada]:")
        terminal.type("Väinö", "Enter")
        terminal.see("· to 50", "▶ Väinö")
        assert "Ada" not in terminal.text
        terminal.type("q")
        assert terminal.end() == 0


def test_plain_mode_takes_defaults_too() -> None:
    with Terminal("play", "--plain", columns=120, rows=60) as terminal:
        terminal.line_wanted(1)
        terminal.type("2", "Enter")
        terminal.see("[1000]: (an empty line takes what is in brackets, 0 goes back)", "  ? rules")
        terminal.type("0", "Enter")
        terminal.line_wanted(3)
        terminal.type("2", "Enter")
        terminal.line_wanted(4)
        terminal.type("Enter")
        terminal.see("Who plays?")
        terminal.type("5", "Enter")
        terminal.see("[Ada]:")
        terminal.type("Enter")
        terminal.see("Target 1000.", "Ada: 0 points")
        terminal.type("q", "Enter")
        assert terminal.end() == 0


@pytest.mark.parametrize("plain", [(), ("--plain",)])
def test_a_name_with_a_comma_is_one_name_where_it_is_the_default(tmp_path: Path, plain: tuple[str, ...]) -> None:
    (tmp_path / "settings.toml").write_text('animation = false\nname = "Väinö, Ada"\n', encoding="utf-8")
    with Terminal("play", *plain, columns=120, rows=60) as terminal:
        terminal.see("Which game?")
        terminal.type("2", *(("Enter",) if plain else ()))
        terminal.see("[1000]:")
        terminal.type("Enter")
        terminal.see("Who plays?", "Vaino, Ada alone" if plain else "Väinö, Ada alone")
        terminal.type("5", *(("Enter",) if plain else ()))
        terminal.see(", Ada]:")
        terminal.type("Enter")
        terminal.see("1000", "roll the six dice")
        terminal.type("r", *(("Enter",) if plain else ()))
        terminal.see("take" if plain else "[1]")
        terminal.type("q", *(("Enter",) if plain else ()))
        assert terminal.end() == 0
    (path,) = recent()
    assert [player.name for player in read_file(path).players] == ["Väinö, Ada"]


def test_what_is_offered_in_plain_mode_makes_no_face_and_nothing_ends_in_a_lone_dot() -> None:
    with Terminal("--plain", *MAGDAGDON, columns=80, rows=60) as terminal:
        terminal.line_wanted(1)
        terminal.see("\n  : type actions   ? keys and rules   n new game   q save and quit")
        terminal.type("r", "Enter")
        terminal.line_wanted(2)
        terminal.type("p", "Enter")
        terminal.see(") reroll dice ...\n", "  0 back\n")
        assert ":)" not in terminal.printed
        terminal.type("q", "Enter")
        assert terminal.end() == 0


def test_what_is_offered_in_plain_mode_is_broken_between_offers_only() -> None:
    with Terminal("--plain", *MAGDAGDON, columns=40, rows=60) as terminal:
        terminal.see("\n  : type actions   ? keys and rules\n  n new game   q save and quit\n")
        terminal.type("q", "Enter")
        assert terminal.end() == 0


RULES = "This page holds all of its rules"


def test_help_is_there_before_a_game_and_comes_back_to_the_same_question() -> None:
    with Terminal() as terminal:
        terminal.see("What would you like to do?", "[?] what the games are")
        for keys, question, page in (
            ((), "What would you like to do?", "Fill a board of 4×4 cells"),
            (("n",), "Which game?", "Fill a board of 4×4 cells"),
            (("1",), "Which difficulty?", RULES),
            (("Esc", "2"), "target (10 to 1000000)", RULES),
            (("Enter",), "Who plays?", RULES),
        ):
            terminal.type(*keys)
            terminal.see(question)
            terminal.type("?")
            terminal.see(page)
            terminal.type("Esc")
            terminal.see(question)
        terminal.type("5")
        terminal.see("Names with commas")
        terminal.type("A?", "Enter")  # a name may hold one
        terminal.see("▶ A?", "roll the six dice")
        terminal.type("r", ":")
        terminal.see("Actions:", "? keys and rules")
        terminal.type("?")
        terminal.see("Keys and rules")
        terminal.type("Esc")
        terminal.see("Actions:")
        terminal.type("Ctrl-C")
        assert terminal.end() == 130


def test_help_is_there_before_a_game_in_plain_mode() -> None:
    with Terminal("play", "--plain", columns=100, rows=100) as terminal:
        for lines, seen in (
            (("?",), "Once a game is chosen, ? shows its rules in full."),
            (("2",), "  ? rules"),
            (("?", "0"), RULES),
            (("0",), "Which game?"),
        ):
            for text in lines:
                terminal.type(text, "Enter")
            terminal.see(seen)
        terminal.type("Ctrl-D")
        assert terminal.end() == 130


# Names


def test_players_whose_letters_cannot_be_shown_are_told_apart_by_their_seats() -> None:
    assert names_shown(["数独", "Väinö", "Мария"], "utf-8") == ["数独", "Väinö", "Мария"]
    assert names_shown(["数独", "Väinö", "Мария"], "ascii") == ["player 1 (????)", "Vaino", "player 3 (?????)"]
    assert names_shown(["Väinö", "Vaino", "Who?"], "ascii") == ["player 1 (Vaino)", "player 2 (Vaino)", "Who?"]
    assert names_shown(["数" * 32], "ascii") == ["player 1 (???????????…)"]
    with Terminal("play", "mishimash", "--plain", "--seed", "abc", "--player", "数独", "--player", "独数") as terminal:
        terminal.see("On turn: player 1 (????).", "player 2 (????): 0 points")
        terminal.type("r", "Enter")
        terminal.line_wanted(2)
        terminal.type("b", "Enter")
        terminal.see("player 1 (????) banks 7", "On turn: player 2 (????).")
        terminal.type("q", "Enter")
        assert terminal.end() == 0
        assert "player 2 (????)" in terminal.printed.rpartition("MISHIMASH")[2]


def test_a_name_is_taken_where_the_locale_knows_only_ascii(tmp_path: Path) -> None:
    script = tmp_path / "script.toml"
    script.write_text(
        'format = "cubiri-replay"\ngame = "mishimash"\nseed = "42"\n[options]\ntarget = 10\n'
        '[[turns]]\nlog = ["roll", "take 1 1", "bank"]\n'
    )
    out = tmp_path / "out.toml"
    ran = process(
        "play", "--script", script, "--output", out, "--player", "Väinö", PYTHONUTF8="0", LC_ALL="C", LANG="C"
    )
    assert (ran.status, ran.err) == (0, "")
    assert [player.name for player in read_file(out).players] == ["Väinö"]
    ran = process("settings", "name", "Мария", PYTHONUTF8="0", LC_ALL="C")
    assert ran.status == 0
    assert process("settings", "name", PYTHONUTF8="1").out == "name = Мария\n"
    # What is no UTF-8 is no name, as everywhere.
    bad = os.fsdecode(b"\xff\xfe")
    ran = process("play", "--script", script, "--player", bad, PYTHONUTF8="0", LC_ALL="C")
    assert ran.status == 2
    assert "is not a name" in ran.message


# Stopped and gone on with


@pytest.mark.parametrize("way", [signal.SIGSTOP, signal.SIGTSTP])
def test_the_screen_is_drawn_anew_when_the_program_goes_on(way: signal.Signals) -> None:
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r", "3")
        terminal.see("Where does the 3 go?", "·f·")
        entered = terminal.raw.count(b"\x1b[?1049h")
        terminal.signal(way)
        terminal.screen.erase_in_display(2)
        terminal.signal(signal.SIGCONT)
        terminal._wait(lambda: terminal.raw.count(b"\x1b[?1049h") > entered, "come back")
        terminal.see("MAGDAGDON · survival", "·f·", "Where does the 3 go?", "Enter] ▶")
        terminal.type("f")
        terminal.see("1 staged")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane
