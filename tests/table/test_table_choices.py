"""What can be chosen and typed at the table: all that is legal, nothing else; and that every picture fits."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from cubiri_cli.games import dice
from cubiri_cli.games.game import Game
from cubiri_cli.table import magdagdon, mishimash
from cubiri_cli.table.drawing import Span, cut, degrade, ends, line, line_width, pad, to_text, width, wrap
from cubiri_cli.table.language import LANGUAGES, speak
from cubiri_cli.table.magdagdon_lines import prospects
from cubiri_cli.table.magdagdon_picture import Intent
from cubiri_cli.table.messages import table_of
from cubiri_cli.table.mishimash import bust_chance
from cubiri_cli.table.protocol import Moment
from cubiri_cli.table.typed import MistypedError, complete, read_next, read_part, words_of
from tests.support.positions import after, likely, positions


def offered(game: Any, table: Any, names: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the actions of every choice that can be reached from here."""
    waiting: list[Any] = [None]
    seen: set[Any] = set()
    while waiting:
        step = waiting.pop()
        if step in seen:
            continue
        seen.add(step)
        question = table.ask(game, names, step)
        keys = [choice.key for choice in question.choices]
        assert len(set(keys)) == len(keys) > 0
        assert not set(keys) & set(":?q0")
        assert all(len(key) == 1 for key in keys)
        assert not question.default or question.default in keys
        for choice in question.choices:
            assert bool(choice.actions) != (choice.step is not None)
            if choice.actions:
                yield choice.actions
            else:
                waiting.append(choice.step)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_legal_action_is_offered_and_nothing_else(language: str) -> None:
    speak(language)
    try:
        for game, table, names, _action in positions(2):
            if game.over:
                continue
            firsts = set()
            for actions in offered(game, table, names):
                firsts.add(actions[0])
                copy = game.copy()
                for action in actions:
                    copy.apply(action, partial(dice.throw, "0"))  # raises where the rules refuse it
            assert firsts == set(game.legal_actions())
    finally:
        speak("en")


SIZES = [(80, 16), (80, 30), (79, 13), (72, 10), (40, 16), (40, 12), (36, 10), (120, 40)]


TRIED = [("en", size) for size in SIZES]
TRIED += [(language, size) for language in LANGUAGES if language != "en" for size in ((80, 16), (40, 16), (36, 10))]


@pytest.mark.parametrize(("language", "size"), TRIED)
def test_every_picture_fits(size: tuple[int, int], language: str) -> None:
    columns, height = size
    speak(language)
    try:
        for number, (game, table, names, action) in enumerate(positions(2)):
            if number % 5:
                continue
            news = [line(Span(" STRAIGHT ", "cheer"), " " + action * 9), line("x" * 200)]
            steps = [None, *(choice.step for choice in table.ask(game, names, None).choices if not game.over)]
            for step in steps:
                pointed = None if game.over else table.ask(game, names, step).choices[0]
                for view in (
                    Moment(),
                    Moment(step, pointed, news, (1, 2, 3)),
                    Moment(rolling=(1, 2, 3, 4, 5, 6)[: len(action) % 5]),
                ):
                    picture = table.picture(game, names, columns, height, view)
                    assert len(picture) <= height
                    for one in picture:
                        assert line_width(one) <= columns, to_text(one)
    finally:
        speak("en")


def test_pictures_in_ascii_keep_their_width() -> None:
    for game, table, names, _action in positions(1, 60):
        for one in table.picture(game, names, 80, 16, Moment()):
            text = to_text(one)
            assert degrade(text, "ascii").isascii()
            assert width(degrade(text, "ascii")) == width(text)


def test_events_are_told_and_breakdowns_add_up() -> None:
    for game, table, names, _action in positions(1):
        lines = [to_text(one) for one in table.breakdown(game, names)]
        assert any(one.startswith(("Final score: ", "Result: ")) for one in lines) == game.over
        if game.over:
            continue
        for action in game.legal_actions()[:6]:
            after = game.copy()
            outcome = after.apply(action, partial(dice.throw, "0"))
            for one in table.tell(game, action, outcome, after, names):
                assert to_text(one)


def survival(*actions: str) -> Any:
    return after("magdagdon", {"difficulty": "survival"}, *actions)


def test_a_game_that_was_just_begun_is_no_page_of_zeros() -> None:
    game = survival("roll")
    assert [to_text(one) for one in magdagdon.TABLE.breakdown(game, ["Ada"])] == [
        "MAGDAGDON · survival · Ada",
        "",
        "The board is empty.",
        "Turn 1. Dice: 2, 2, 4, 3.",
        "Score so far: 0",
    ]
    assert magdagdon.TABLE.breakdown_words(game, ["Ada"])[1:] == [
        "The board is empty.",
        "Turn 1. Dice: 2, 2, 4, 3.",
        "Score so far: 0",
    ]
    game = survival("roll", "place 3 b2", "place 2 b1", "confirm", "roll")
    assert [to_text(one) for one in magdagdon.TABLE.breakdown(game, ["Ada"])][2:-2] == [
        "row 1     . 2 . .   2",
        "row 2     . 3 . .   3",
        "column b  2 3 . .   5",
        "",
        "rows and columns     10",
    ]
    rolled = after("mishimash", {"target": 200}, "roll")
    assert mishimash.TABLE.breakdown_words(rolled, ["Ada"]) == [
        "MISHIMASH · to 200",
        "Ada: 0 points in 1 turn.",
        "Roll 1, multiplier 1. At risk: 0.",
        "Dice: " + ", ".join(map(str, rolled.roll)) + ".",
    ]


def labels(question: Any) -> list[str]:
    return [f"{choice.key} {choice.label}" for choice in question.choices]


def test_equal_dice_are_offered_once_and_cells_keep_their_keys() -> None:
    game = survival("roll")  # 2 2 4 3
    assert [choice.key for choice in magdagdon.TABLE.ask(game, ["Ada"], None).choices] == ["2", "3", "4", "p"]
    cells = magdagdon.TABLE.ask(game, ["Ada"], Intent("die", 3)).choices
    assert [choice.key for choice in cells] == [*"efgzijklmnostvwy", "2", "4", "p"]
    # Another die can be chosen instead; Escape then leads back to the first question, not to the die before.
    assert [(choice.step, choice.ticks) for choice in cells[16:18]] == [
        (Intent("die", 2), True),
        (Intent("die", 4), True),
    ]
    game.apply("place 3 b2", partial(dice.throw, "42"))
    assert labels(magdagdon.TABLE.ask(game, ["Ada"], Intent("die", 2))) == [
        "f b1",
        "i a2",
        "k c2",
        "n b3",
        "4 place the 4",
        "u take back the 3 on b2",
        "p use a Majda Power (−70)",
    ]


def test_confirming_comes_first_once_enough_is_staged() -> None:
    game = survival("roll", "place 3 b2", "place 4 c2")
    question = magdagdon.TABLE.ask(game, ["Ada"], None)
    assert labels(question) == [
        "c confirm (+14 points)",
        "2 place the 2",
        "u take a die back",
        "p use a Majda Power (−70)",
    ]
    back = magdagdon.TABLE.ask(game, ["Ada"], Intent("back"))
    assert labels(back) == ["k the 4 on c2", "j the 3 on b2"]


def test_the_picture_tells_permanent_staged_ruin_and_possible_apart_without_colour() -> None:
    game = survival("roll", "place 3 b2", "place 4 c2", "confirm", "roll", "place 3 b1")
    text = "\n".join(map(to_text, magdagdon.TABLE.picture(game, ["Ada"], 80, 16, Moment(Intent("die", 2)))))
    assert " 2 │ ·i· │  3  │  4  │     │" in text
    assert " 1 │ ·e· │ (3) │ ·g· │     │" not in text  # c1 touches the 4
    assert " 1 │ ·e· │ (3) │     │     │" in text
    assert "▐ 2 ▌" in text
    assert "│(3)│" in text
    assert "1 staged, 2 needed" in text


def test_magdagdon_says_why_and_goes_straight_to_the_ruin_where_no_power_is_left() -> None:
    nightmare = {"difficulty": "nightmare"}
    seed = next(str(n) for n in range(99) if after("magdagdon", nightmare, "roll", seed=str(n)).is_magdagdon)
    game = after("magdagdon", nightmare, "roll", seed=seed)
    question = magdagdon.TABLE.ask(game, ["Ada"], None)
    assert "MAGDAGDON" in question.text
    assert [choice.actions for choice in question.choices][:2] == [("ruin a1",), ("ruin b1",)]
    text = "\n".join(map(to_text, magdagdon.TABLE.picture(game, ["Ada"], 80, 16, Moment())))
    assert "the 3 dice needed cannot be placed" in text
    assert " 1 │ ·e· │ ·f· │" in text
    words = magdagdon.TABLE.describe(game, ["Ada"], Moment())
    assert words[-1] == "MAGDAGDON: the 3 dice needed cannot be placed."


@pytest.mark.parametrize(
    ("board", "line_index", "bonus", "reachable"),
    [
        ("234.............", 0, 0, 60),
        ("2345............", 0, 60, 0),
        ("234....3........", 0, 0, 0),  # a 5 at d1 would touch the 3 below
        ("23.X............", 0, 0, 0),
        ("24..............", 0, 0, 0),  # does not happen; a gap of two earns nothing
        ("33..............", 0, 0, 40),
        ("334.............", 0, 0, 20),
        ("335.............", 0, 0, 0),
        ("................", 7, 0, 60),
        ("11X.XX..........", 3, 0, 0),  # walled in by ruins: cut off from the numbers
        ("111.XX..........", 3, 0, 60),
        ("3...............", 3, 0, 60),
    ],
)
def test_what_a_line_can_still_earn(board: str, line_index: int, bonus: int, reachable: int) -> None:
    cells = tuple(0 if cell == "." else 7 if cell == "X" else int(cell) for cell in board)
    found = prospects(cells)[line_index]
    assert (found.bonus, found.reachable) == (bonus, reachable)


def test_a_bonus_called_lost_is_never_earned() -> None:
    for game, table, _names, _action in positions(6):
        if table is not magdagdon or game.in_turn:
            continue
        throw = partial(dice.throw, "later")
        possible = prospects(game.board)
        later = game.copy()
        chance = random.Random(str(game.board))
        for _step in range(200):
            if later.over:
                break
            later.apply(likely(chance, later.legal_actions()), throw)
        for before, now in zip(possible, prospects(later.board), strict=True):
            assert now.bonus in (0, before.bonus) or now.bonus <= before.reachable


def test_bust_chances_are_counted() -> None:
    counted = [bust_chance(dice_left) for dice_left in range(1, 7)]
    assert counted == [(4, 6), (16, 36), (60, 216), (204, 1296), (600, 7776), (1080, 46656)]


def mishimash_game(*actions: str, seed: str = "abc", seats: int = 1, target: int = 1000) -> Any:
    return after("mishimash", {"target": target}, *actions, seed=seed, seats=seats)


def test_everything_that_scores_is_ticked_and_bank_takes_it() -> None:
    game = mishimash_game("roll")  # 3 6 3 3 3 1
    question = mishimash.TABLE.ask(game, ["Ada"], None)
    assert labels(question) == [
        "1 (x) a single 1: 1 × 1 = 1",
        "2 (x) four 3s: 6 × 1 = 6",
        "r roll 1 die ×2 (bust 66.7%)",
        "b bank 7, 7 in all",
    ]
    assert question.choices[-1].actions == ("take 1 3 3 3 3", "bank")
    without = mishimash.TABLE.ask(game, ["Ada"], question.choices[0].step)
    assert labels(without)[2:] == ["r roll 2 dice ×2 (bust 44.4%)", "b bank 6, 6 in all"]
    nothing = mishimash.TABLE.ask(game, ["Ada"], without.choices[1].step)
    assert [choice.key for choice in nothing.choices] == ["1", "2"]


def test_mishimash_and_bust_cannot_be_missed() -> None:
    before = mishimash_game("roll", "take 3 3 3 3", "roll")  # 5 1
    game = before.copy()
    outcome = game.apply("take 1 5", partial(dice.throw, "abc"))
    [told] = mishimash.TABLE.tell(before, "take 1 5", outcome, game, ["Ada"])
    assert to_text(told) == " MISHIMASH! +10  six dice again, next roll ×3"
    assert told[0].style == "cheer"
    seed = next(str(n) for n in range(99) if not mishimash_game("roll", seed=str(n)).in_turn)
    before = mishimash_game(seed=seed)
    game = before.copy()
    outcome = game.apply("roll", partial(dice.throw, seed))
    told, detail = mishimash.TABLE.tell(before, "roll", outcome, game, ["Ada"])
    assert to_text(told) == " BUST  Ada loses 0 points"
    assert to_text(detail) == f"roll 1: {' '.join(map(str, outcome.dice))} scores nothing"
    picture = mishimash.TABLE.picture(game, ["Ada"], 80, 16, Moment(thrown=outcome.dice))
    assert any("nothing" in to_text(one) for one in picture)


# Typed actions


def read(game: Game, text: str) -> list[str]:
    """Return the actions of a text, none of them executed."""
    found, rest = [], words_of(text)
    while rest:
        typed = read_next(game, table_of(game.NAME), text, rest)
        found.append(typed.action)
        rest = rest[len(typed.words) :]
    return found


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("place 3 b2; place 4 b3; confirm", ["place 3 b2", "place 4 b3", "confirm"]),
        ("3b2 4b3 ok", ["place 3 b2", "place 4 b3", "confirm"]),
        ("Place 3 B2 place 4 b3 CONFIRM", ["place 3 b2", "place 4 b3", "confirm"]),
        ("3b2,4b3\nok", ["place 3 b2", "place 4 b3", "confirm"]),
        ("-b2 xd4 +3 -3 −3", ["return b2", "ruin d4", "power +1 3", "power -1 3", "power -1 3"]),
        ("r61 power reroll 6 1", ["power reroll 1 6", "power reroll 1 6"]),
        ("  ;; roll ;", ["roll"]),
        ("", []),
    ],
)
def test_typed_actions_of_magdagdon(text: str, actions: list[str]) -> None:
    assert read(survival("roll"), text) == actions


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("take 1 3 3 3 3; bank", ["take 1 3 3 3 3", "bank"]),
        ("take 3 1 3 3 3 bank", ["take 1 3 3 3 3", "bank"]),
        ("33313 b", ["take 1 3 3 3 3", "bank"]),
        ("all r", ["take 1 3 3 3 3", "roll"]),
        ("take all", ["take 1 3 3 3 3"]),
        ("1 3 3 3 3", ["take 1 3 3 3 3"]),
        ("3,3,1,3,3; b", ["take 1 3 3 3 3", "bank"]),
        ("3; 3; 3; 3", ["take 3 3 3 3"]),
        ("33 33 1 bank", ["take 1 3 3 3 3", "bank"]),
        ("take 1, 3333", ["take 1 3 3 3 3"]),
        ("1 roll 3", ["take 1", "roll", "take 3"]),
    ],
)
def test_typed_actions_of_mishimash(text: str, actions: list[str]) -> None:
    assert read(mishimash_game("roll"), text) == actions


@pytest.mark.parametrize(
    ("text", "wrong", "says"),
    [
        ("place 3 b9", "b9", "possible: a1, b1"),
        ("plaice 3 b2", "plaice", "possible: place, power"),
        ("place 1 b2", "1", "no available die shows 1"),
        ("confirm", "confirm", "0 staged, 2 needed"),
        ("1b2", "1b2", "no available die shows 1"),
        ("roll", "roll", "rolled"),
        ("\x1b[31m", "\x1b[31m", r"\x1b[31m"),
        ("3b2 4c9 ok", "4c9", "possible: place"),
        ("3b2; 4b3; dance", "dance", "possible: place"),
        ("3b2 4b3 ok 2b1", "2b1", "rolled first"),
        ("3b2 ok", "ok", "1 staged, 2 needed"),
        ("3b2 4b3 ok roll; 3b1 dance ok", "dance", "is not an action of this game"),
        ("power reroll 2, 4c9", "4c9", "is not an action of this game"),
        ("3b2 hint", "hint", "a hint is asked for by itself"),
    ],
)
def test_a_mistake_points_at_the_wrong_word(text: str, wrong: str, says: str) -> None:
    game = survival("roll")
    with pytest.raises(MistypedError) as caught:
        read_part(game, magdagdon.TABLE, text, words_of(text))
    mistake = caught.value
    assert text[mistake.start : mistake.end] == wrong
    assert says in mistake.reason
    assert "\x1b" not in mistake.reason
    assert game.legal_actions() == survival("roll").legal_actions()


@pytest.mark.parametrize(
    ("text", "start", "end", "columns", "shown"),
    [
        ("3b2 4c9", 4, 7, 80, ["3b2 4c9", "    ^^^"]),
        ("3b2\n4c9 ok", 4, 7, 80, ["3b2 4c9 ok", "    ^^^"]),
        ("数 4c9 ok", 2, 5, 80, ["数 4c9 ok", "   ^^^"]),
        ("数 4c9 ok", 0, 1, 80, ["数 4c9 ok", "^^"]),
        ("place 3 b2; place 4 c9; confirm", 20, 22, 12, ["… place 4 c9", "          ^^"]),
        ("3b2 4c9 " * 9, 4, 7, 12, ["3b2 4c9 3b2 ", "    ^^^"]),
    ],
)
def test_what_points_at_a_word_stands_below_it(text: str, start: int, end: int, columns: int, shown: list[str]) -> None:
    line_shown, pointer, reason = MistypedError(text, start, end, "why").shown(columns)
    assert reason == "why"
    assert width(line_shown) <= columns
    assert width(pointer) <= columns
    assert [line_shown, pointer] == shown


@pytest.mark.parametrize(
    ("text", "replaced", "words"),
    [
        ("", 0, ["place", "power"]),
        ("pl", 2, ["place"]),
        ("place ", 0, ["2", "3", "4"]),
        ("place 3 b", 1, ["b1", "b2", "b3", "b4"]),
        ("place 3 b2; place 4 ", 0, ["b1", "a2", "c2", "b3"]),
        ("3b2 place 4 c", 1, ["c2"]),
        ("power reroll 2; ", 0, []),  # nobody knows the dice yet
        ("nonsense ", 0, []),
    ],
)
def test_completion_offers_what_is_legal(text: str, replaced: int, words: list[str]) -> None:
    game = survival("roll")
    assert complete(game, magdagdon.TABLE, text) == (replaced, words)
    assert game.legal_actions() == survival("roll").legal_actions()


def test_completion_of_dice_to_take() -> None:
    game = mishimash_game("roll")
    assert complete(game, mishimash.TABLE, "take ") == (0, ["1", "3"])
    assert complete(game, mishimash.TABLE, "take 1 ") == (0, ["3"])
    assert complete(game, mishimash.TABLE, "all; ") == (0, ["roll", "bank"])
    assert complete(game, mishimash.TABLE, "1 3 3 3 3 b") == (1, ["bank"])
    assert complete(game, mishimash.TABLE, "1,3333 ") == (0, ["roll", "bank"])
    assert complete(game, mishimash.TABLE, "1 2 ") == (0, [])


def test_a_line_is_read_as_a_whole_or_not_at_all() -> None:
    """Whatever a line holds, its actions are legal one after the other, and the game that is asked does not move."""
    whole = broken = 0
    for number, (game, table, _names, _action) in enumerate(positions(4, 120)):
        if game.over:
            continue
        chance = random.Random(number)
        words = chance.choices(game.legal_actions(), k=chance.randint(1, 2))
        if chance.random() < 0.5:
            wrong = chance.choice([*game.moves(), "all", "ok", "b", "3b2", "dance", "9"])
            words.insert(chance.randrange(len(words) + 1), wrong)
        text = chance.choice((" ", ", ", "; ", "\n")).join(words)
        before = {name: getattr(game, name) for name in game._attributes()}
        trial = game.copy()
        try:
            read, at = read_part(game, table, text, words_of(text))
        except MistypedError:
            broken += 1
        else:
            outcomes = [trial.apply(one.action, partial(dice.throw, "0")) for one in read]
            assert not any(outcome.dice for outcome in outcomes[:-1])
            assert outcomes[-1].dice or at == len(words_of(text))
            whole += 1
        assert {name: getattr(game, name) for name in game._attributes()} == before
    assert whole > 100
    assert broken > 100


# Drawing


def test_texts_are_measured_in_columns() -> None:
    assert pad("数独", 6, ">") == "  数独"
    assert cut("数独数独", 5) == "数独…"
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert to_text(ends(line("left"), line("right"), 12)) == "left   right"
    assert to_text(ends(line("a long left"), line("right"), 12)) == "a lon… right"
