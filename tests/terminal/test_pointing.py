"""Arrows over the board and along the dice, what is lit, where the pointer stays, and keys that do nothing."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from cubiri_cli.table import magdagdon, mishimash
from cubiri_cli.table.drawing import degrade, to_text
from cubiri_cli.table.language import LANGUAGES
from cubiri_cli.table.magdagdon_picture import Intent
from cubiri_cli.table.protocol import Choice, Moment
from cubiri_cli.terminal.listing import arrange
from cubiri_cli.terminal.pointing import Pointer
from tests.support.positions import after, positions
from tests.support.terminal import Terminal
from tests.support.words import said

MAGDAGDON = ("play", "magdagdon", "--difficulty", "survival", "--seed", "42", "--player", "Ada")
MISHIMASH = ("play", "mishimash", "--target", "60", "--seed", "abc", "--player", "Ada", "--player", "Väinö")

ARROWS = {"Right": (1, 0), "Left": (-1, 0), "Down": (0, 1), "Up": (0, -1)}


@pytest.fixture(autouse=True)
def _no_animation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "settings.toml").write_text('animation = false\nname = "Ada"\n')
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path))


# Where the arrows lead


def walk(choices: list[Choice], start: str, arrows: str) -> str:
    """Return the keys pointed at one after the other, by the initials of the arrows; `n` is the next one (Tab)."""
    pointer = Pointer(choices, next(index for index, one in enumerate(choices) if one.key == start))
    keys = ""
    for initial in arrows:
        if initial in "nN":
            pointer.step(1 if initial == "n" else -1)
        else:
            (step,) = (step for name, step in ARROWS.items() if name[0] == initial)
            pointer.move(*step, arrange(choices, 40, 8))
        keys += pointer.choice.key
    return keys


AROUND = [
    *(Choice(key, key * 2, at=at) for key, at in (("f", (1, 0)), ("i", (0, 1)), ("k", (2, 1)), ("n", (1, 2)))),
    *(Choice(key, "something else") for key in "2u"),
]
"""Cells around one that is taken, and two choices that are only listed."""

ROW = [
    *(Choice(key, "a long label", at=at) for key, at in (("1", (0, 0)), ("2", (3, 0)), ("3", (1, 0)))),
    Choice("r", "roll"),
]
"""Dice in a row, in another order than they are listed in."""


def test_arrows_lead_where_cells_lie_and_never_around() -> None:
    assert walk(AROUND, "f", "DUL") == "nfi"
    assert walk(AROUND, "i", "RLUR") == "kifk"
    assert walk(AROUND, "f", "UUU") == "fff"
    assert walk(AROUND, "k", "RR") == "kk"


def test_below_a_board_is_the_list_and_above_the_list_the_cell_one_came_from() -> None:
    assert walk(AROUND, "k", "DDDDUUU") == "n2uu2nf"
    assert walk(AROUND, "2", "U") == "f"
    assert walk(AROUND, "n", "DU") == "2n"


def test_along_a_row_arrows_lead_sideways_and_the_list_is_up_and_down() -> None:
    assert walk(ROW, "1", "RRRLL") == "32231"
    assert walk(ROW, "1", "DDDD") == "23r1"
    assert walk(ROW, "r", "LL") == "31"


def test_tab_leads_through_all_choices() -> None:
    assert walk(AROUND, "f", "nnnnnnN") == "ikn2ufu"


def test_a_single_choice_on_the_picture_is_one_of_the_list() -> None:
    choices = [Choice("c", "confirm it"), Choice("2", "place it", at=(1, 0)), Choice("p", "power")]
    assert walk(choices, "c", "RRRL") == "2pcp"
    assert walk(choices, "c", "DDDU") == "2pcp"


def test_every_cell_of_every_position_is_reached_by_arrows() -> None:
    seen = set()
    for game, table, names, _action in positions(3, 200):
        if game.NAME != "magdagdon" or game.over or not game.in_turn:
            continue
        for step in [Intent("die", value) for value in set(game.available) if game.legal_cells(value)]:
            choices = table.ask(game, names, step).choices
            seen.add(tuple(one.at for one in choices if one.at is not None))
    assert len(seen) > 100
    for places in seen:
        choices = [Choice(f"{at}", "x", at=at) for at in places]
        reached, waiting = {0}, [0]
        while waiting:
            at = waiting.pop()
            for right, down in ARROWS.values():
                pointer = Pointer(choices, at)
                pointer.move(right, down, arrange(choices, 80, 8))
                if pointer.at not in reached:
                    reached.add(pointer.at)
                    waiting.append(pointer.at)
        assert len(reached) == len(choices), places


# What is lit


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_the_cell_pointed_at_is_lit_by_its_shape(columns: int, encoding: str) -> None:
    game = after("magdagdon", {"difficulty": "survival"}, "roll", seed="42")
    step = Intent("die", 3)
    pictures = []
    for choice in magdagdon.TABLE.ask(game, ["Ada"], step).choices:
        picture = magdagdon.TABLE.picture(game, ["Ada"], columns, 16, Moment(step, choice))
        pictures.append("\n".join(degrade(to_text(one), encoding) for one in picture))
        column, row = choice.at or (0, -1)
        board = [one for one in pictures[-1].splitlines() if one[:3] in (" 1 ", " 2 ", " 3 ", " 4 ")]
        lit = {True: ("▐ 3 ▌", "[ 3 ]"), False: ("▐3▌", "[3]")}[columns == 80][encoding == "ascii"]
        width = len(lit)
        shown = {(y, x): one[4 + x * (width + 1) :][:width] for y, one in enumerate(board) for x in range(4)}
        assert [place for place, text in shown.items() if text == lit] == ([(row, column)] if choice.at else [])
    assert len(set(pictures[:16])) == 16


@pytest.mark.parametrize(("columns", "lit", "slim"), [(80, "└─▲─┘", False), (36, "▶", True)])
def test_the_combination_pointed_at_is_marked(columns: int, lit: str, slim: bool) -> None:
    game = after("mishimash", {"target": 60}, "roll", seed="abc")
    choices = mishimash.TABLE.ask(game, ["Ada"], None).choices
    texts = [
        "\n".join(map(to_text, mishimash.TABLE.picture(game, ["Ada"], columns, 6 if slim else 16, Moment(None, one))))
        for one in choices
    ]
    dice = [sum(one.count(lit) for one in text.splitlines() if "Ada" not in one) for text in texts]
    assert dice == ([1, 1, 0, 0] if slim else [1, 4, 0, 0])
    assert slim == all("┌───┐" not in text for text in texts)


# On a terminal


def test_arrows_and_enter_play_on_the_board() -> None:
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r")
        terminal.see("▶ [2]", "▐ 2 ▌ │ 2 │ │ 4 │ │ 3 │")
        terminal.type("Right")  # the dice lie in this order, the list is in another
        terminal.see("▶ [4]", "│ 2 │ │ 2 │ ▐ 4 ▌ │ 3 │")
        terminal.type("Right")
        terminal.see("▶ [3]", "│ 2 │ │ 2 │ │ 4 │ ▐ 3 ▌")
        terminal.type("Right", "Enter")
        terminal.see("Where does the 3 go?", "▶ [e] a1", " 1 │▐ 3 ▌│ ·f· │")
        terminal.type("Right", "Down", "Up", "Down")
        terminal.see("▶ [j] b2", " 2 │ ·i· │▐ 3 ▌│ ·k· │ ·l· │")
        terminal.type("Left", "Left", "Left")
        terminal.see("▶ [i] a2", " 2 │▐ 3 ▌│ ·j· │ ·k· │ ·l· │")
        terminal.type("Right", "Enter")
        terminal.see("│ (3) │", "1 staged")
        terminal.type("u", "q")
        assert terminal.end() == 0


def test_after_escape_the_pointer_is_where_it_was() -> None:
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r", "Right")
        terminal.see("▶ [4]")
        terminal.type("Enter")
        terminal.see("Where does the 4 go?")
        terminal.type("Right", "Down")
        for there, text in (("?", "Keys and rules"), (":", "Actions:")):
            terminal.see("▶ [j] b2")
            terminal.type(there)
            terminal.see(text)
            terminal.type("Esc")
        terminal.see("▶ [j] b2")
        terminal.type("Esc")
        terminal.see("Which die will you place?", "▶ [4]")
        terminal.type("Down", "Enter")
        terminal.see("Which Power")
        terminal.type("r")
        terminal.see("Which dice do you reroll?")
        terminal.type("Esc")
        terminal.see("▶ [r] reroll")
        terminal.type("Esc")
        terminal.see("▶ [p]")
        terminal.type("4")  # by its key, it is still where one comes back to
        terminal.see("Where does the 4 go?")
        terminal.type("Esc")
        terminal.see("▶ [4]")
        terminal.type("q")
        assert terminal.end() == 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [36, 80])
def test_a_key_that_does_nothing_is_answered_with_those_that_do(language: str, columns: int) -> None:
    text = said("[{key}] does nothing here. Keys: {keys} and those below", language)
    nothing = text.partition("{key}] ")[2].partition(".")[0]
    with Terminal("--lang", language, *MAGDAGDON, columns=columns) as terminal:
        terminal.see("[r]")
        terminal.type("z")
        terminal.see(f"[z] {nothing}")
        assert ": r " in terminal.text.replace("\n", " ")
        terminal.type("Esc")  # there is no way back from here
        terminal.see(f"[Esc] {nothing}")
        terminal.type("\x14", "\x1bOP")
        terminal.see(f"[F1] {nothing}")
        terminal.type("Down")
        terminal.miss(nothing)
        terminal.type("r", "4")
        terminal.see("[e] a1")
        terminal.type("é")
        terminal.see(f"[é] {nothing}", "e f", "[q]", "[?]", "[Esc]")
        terminal.type("j")
        terminal.see("(4)")
        assert nothing not in terminal.text
        terminal.type("q")
        assert terminal.end() == 0


def test_help_in_plain_mode_describes_plain_mode() -> None:
    with Terminal("--plain", *MAGDAGDON, columns=100, rows=60) as terminal:
        terminal.line_wanted(1)
        terminal.type("?", "Enter")
        terminal.line_wanted(2)
        keys = (
            terminal.printed.partition("Keys and rules")[2].partition("MAGDAGDON, rules")[0].split("\nMAGDAGDON\n")[0]
        )
        assert "press Enter" in keys
        assert "0 goes back" in keys
        assert "3b2 places" in keys
        for strange in ("rrows", "Tab", "Esc", "brackets", "On the board", "Below a die", "press e"):
            assert strange not in keys
        terminal.type("0", "Enter", "q", "Enter")
        assert terminal.end() == 0
    with Terminal(*MAGDAGDON, rows=60) as terminal:
        terminal.see("roll the four dice")
        terminal.type("?")
        terminal.see(
            "Arrows move over the board",
            "Arrows move among the choices",
            "Esc goes back",
            "On the board: 3 is permanent",
            "3b2 places",
        )
        terminal.type("Esc", "q")
        assert terminal.end() == 0


def test_arrows_along_the_dice_of_mishimash() -> None:
    with Terminal(*MISHIMASH) as terminal:
        terminal.see("Ada, turn 1")
        terminal.type("r")
        terminal.see("▶ [r]")
        terminal.type("Up")
        terminal.see("▶ [2]", "└───┘  └─▲─┘└─▲─┘└─▲─┘└─▲─┘  └───┘")
        terminal.type("Left", "Left")
        terminal.see("▶ [1]", "└─▲─┘  └───┘└───┘└───┘└───┘  └───┘")
        terminal.type("Space")
        terminal.see("▶ [1] ( ) a single 1", "│ 1 │  ▐ 3 ▌")
        terminal.type("Right", "Space")
        terminal.see("▶ [2] ( ) four 3s", "Keep at least one")
        terminal.type("q")
        assert terminal.end() == 0


def test_lines_of_the_list_share_what_lies_on_the_picture_only() -> None:
    rows = arrange(AROUND, 80, 20)
    assert rows == [[0, 1, 2, 3], [4], [5]]
    assert all(before[-1] + 1 == row[0] for before, row in pairwise(rows))


def test_what_else_can_be_done_is_a_choice_while_a_die_is_placed() -> None:
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r", "3")
        terminal.see("[p] use a Majda Power (−70)", "(3) staged · ·e· possible · ▒ ruin")
        assert "[u]" not in terminal.text
        terminal.type("j", "4", "k", "2")
        terminal.see(
            "Where does the 2 go?", "[c] confirm (+14 points)", "[u] take a die back", "score 0 → 14 if confirmed"
        )
        terminal.type("p")
        terminal.see("Which Power")
        terminal.type("Esc")
        terminal.see("Where does the 2 go?", "▶ [p]")
        terminal.type("c")
        terminal.see("turn 2")
        terminal.type("q")
        assert terminal.end() == 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("arguments", [MAGDAGDON, MISHIMASH], ids=["magdagdon", "mishimash"])
def test_every_key_is_on_the_narrowest_screen(language: str, arguments: tuple[str, ...]) -> None:
    with Terminal("--lang", language, *arguments, columns=36, rows=18) as terminal:
        for keys in ("", "r"):
            terminal.type(*keys)
            terminal.see("[:]", "[?]", "[n]", "[q]")
            assert "…" not in terminal.text
        terminal.type("q")
        assert terminal.end() == 0


def test_cells_stand_in_one_line_in_plain_mode() -> None:
    with Terminal("--plain", *MAGDAGDON, columns=100, rows=60) as terminal:
        terminal.line_wanted(1)
        terminal.type("r", "Enter")
        terminal.line_wanted(2)
        terminal.type("3b2", "Enter")
        terminal.line_wanted(3)
        terminal.type("4", "Enter")
        terminal.see("\n  f) b1   i) a2   k) c2   n) b3\n  2) place the 2\n")
        terminal.type("q", "Enter")
        assert terminal.end() == 0
