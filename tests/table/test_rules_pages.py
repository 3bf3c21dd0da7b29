"""The rules pages say what the screen says, in its words, and their short forms are the ones that can be typed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.games.magdagdon import DIFFICULTIES, RUIN, score_board
from cubiri_cli.table.language import LANGUAGES, _, decimal, ngettext, speak
from cubiri_cli.table.messages import folder_of, table_of
from cubiri_cli.table.rulebook import rules_text
from cubiri_cli.table.typed import read_next, words_of


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    speak(request.param)
    yield request.param
    speak("en")


@pytest.mark.parametrize("name", games.names())
def test_every_language_has_the_rules_of_every_game(name: str) -> None:
    folder = folder_of(name) / "rules"
    lacking = [code for code in LANGUAGES if not (folder / f"{name}.{code}.md").exists()]
    assert not lacking, f"{name}: no rules page in {lacking}"


def test_the_words_that_are_explained_are_those_of_the_screen(language: str) -> None:
    column = _("column {name}").format(name="b")
    hope = _("{line}: {numbers} + {die} on {cell}: {bonus} +{points}")
    powers = ngettext("{count} Power left, it costs {price}", "{count} Powers left, the next costs {price}", 2)
    page = rules_text("magdagdon")
    for text in (
        _("score {score} → {then} if confirmed").format(score=12, then=27),
        _("{staged} staged, {required} needed").format(staged=1, required=2),
        powers.format(count=2, price=20),
        hope.format(line=column, numbers="?-2-3-4", die=1, cell="b1", bonus=_("STRAIGHT"), points=60),
    ):
        assert f"- {text}: " in page
    page = rules_text("mishimash")
    for text in (
        _("to {target}").format(target=1000),
        f"(x) {_('four {face}s').format(face=3)}: 6 × 3 = 18",
        _("roll {roll}, ×{multiplier}").format(roll=3, multiplier=3),
        _("at risk {points}").format(points=12),
        _("this roll {product}").format(product="6 × 3 = 18"),
        _("turn would be {points}").format(points=30),
        _("bank {points}, {total} in all").format(points=30, total=85),
        _("(bust {percent})").format(percent=_("{number}%").format(number=decimal(44.4))).strip("()"),
        _("final round"),
    ):
        assert f"- {text}: " in page
    assert f" {_('sudden death')}: " in page
    assert f" {_('nothing')} " in page


def test_the_difficulties_and_the_board_shown_are_those_of_the_game(language: str) -> None:
    page = rules_text("magdagdon")
    for name, difficulty in DIFFICULTIES.items():
        assert f"\n| {name} | {difficulty.minimum} | {len(difficulty.prices)} |\n" in page
        said = [int(number) for number in re.findall(r"\d+", page.partition(f"\n- {name}: ")[2].partition("\n")[0])]
        assert said[: len(difficulty.prices)] == list(difficulty.prices)
    *_others, example = page.split("        a b c d\n")
    rows = [row.split()[1:] for row in example.split("\n")[:4]]
    board = [RUIN if cell == "X" else int(cell) for row in rows for cell in row]
    score = score_board(board, DIFFICULTIES["peaceful"].prices[:2])
    last = [line for line in example.split("\n\n")[2].split("\n") if line.startswith("- ")][-1]
    numbers = [int(number) for number in re.findall(r"\d+", last)]
    assert numbers == [score.base, score.bonuses, score.ruin_penalty, score.power_penalty, score.total]


@pytest.mark.parametrize(
    ("name", "options"), [("magdagdon", {"difficulty": "survival"}), ("mishimash", {"target": 10})]
)
def test_each_short_form_is_that_of_the_action_beside_it(language: str, name: str, options: dict[str, object]) -> None:
    game = games.load(name).start(options)
    game.apply("roll", lambda roll, count: dice.throw("abc", roll, count))

    def read(text: str) -> str:
        return read_next(game, table_of(name), text, words_of(text)).action

    rows = re.findall(r"^\| ([a-z][^|]*) \| ([^ |]+)(?: \S+ (\S+))? \|$", rules_text(name), re.MULTILINE)
    pairs = [(action, short) for action, *shorts in rows for short in shorts if short and action in game.moves()]
    assert len(pairs) == (9 if name == "magdagdon" else 3)
    assert [read(short) for _action, short in pairs] == [action for action, _short in pairs]
    assert [read(action.upper()) for action, _short in pairs] == [action for action, _short in pairs]
    assert name == "magdagdon" or read("all") == read("take all")


@pytest.mark.parametrize(
    ("code", "name", "wish"),
    [
        ("en", "magdagdon", "Happy 20th birthday! ❤️"),
        ("fi", "magdagdon", "Hyvää 20-vuotissyntymäpäivää! ❤️"),
        ("sk", "magdagdon", "Všetko najlepšie k 20. narodeninám! ❤️"),
        ("en", "mishimash", "Happy name day!"),
        ("fi", "mishimash", "Hyvää nimipäivää!"),
        ("sk", "mishimash", "Všetko najlepšie k meninám!"),
    ],
)
def test_each_game_is_dedicated_with_its_wish(code: str, name: str, wish: str) -> None:
    speak(code)
    assert wish in rules_text(name)
    speak("en")


def test_the_powers_are_called_on_the_screen_as_in_the_rules(language: str) -> None:
    for text in (_("−1: the {die} becomes a {new}"), _("+1: the {die} becomes a {new}")):
        assert text.partition(":")[0] in rules_text("magdagdon")
