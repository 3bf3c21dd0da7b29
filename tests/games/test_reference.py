"""The reference itself, held against the vectors, the counts, and games with known answers."""

import copy
import datetime
import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.support import reference
from tests.support.reference import Board, Magdagdon, Mishimash, Refused, Staged, Verdict, WrongDice, judge, judge_bytes

VECTORS = Path(__file__).parents[1] / "vectors"


def vectors(name: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    assert loaded
    return loaded


def read_board(rows: list[str]) -> Board:
    board: Board = {}
    for row, text in zip("1234", rows, strict=True):
        for column, mark in zip("abcd", text.split(" "), strict=True):
            if mark == "X":
                board[column + row] = "X"
            elif mark != ".":
                board[column + row] = int(mark)
    return board


def read_staged(texts: list[str]) -> Staged:
    return [(int(text[0]), text[2:]) for text in texts]


# --- Vectors ----------------------------------------------------------------------------------------------------------


def test_dice_vectors() -> None:
    for case in vectors("dice"):
        assert reference.dice(case["seed"], case["roll"], len(case["dice"])) == case["dice"], case


def test_dice_is_a_prefix_of_more_dice() -> None:
    many = reference.dice("42", "magdagdon/1/0", 1000)
    assert set(many) == {1, 2, 3, 4, 5, 6}
    for n in range(100):
        assert reference.dice("42", "magdagdon/1/0", n) == many[:n]


def test_placement_vectors() -> None:
    for case in vectors("magdagdon-placement"):
        board = read_board(case["board"])
        staged = read_staged(case["staged"])
        assert reference.required(board, case["difficulty"]) == case["required"], case
        assert reference.can_place(board, case["dice"], case["required"]) != case["magdagdon"], case
        for value, cells in case["legal"].items():
            assert reference.legal_cells(board, staged, int(value)) == cells, case


def test_return_vectors() -> None:
    for case in vectors("magdagdon-return"):
        board = read_board(case["board"])
        staying = reference.after_return(board, read_staged(case["staged"]), case["return"])
        assert staying == read_staged(case["still_staged"]), case


def test_score_vectors() -> None:
    for case in vectors("magdagdon-score"):
        expected = {key: case[key] for key in case if key not in ("board", "difficulty", "powers")}
        assert reference.score(read_board(case["board"]), case["difficulty"], case["powers"]) == expected, case


def test_selection_vectors() -> None:
    for case in vectors("mishimash-selections"):
        found = reference.selections(case["roll"])
        written = {" ".join(str(die) for die in taken): half / 2 for taken, half in found.items()}
        assert written == case["selections"], case


# --- Counts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "busts"), [(1, 4), (2, 16), (3, 60), (4, 204), (5, 600), (6, 1080)])
def test_rolls_without_a_combination(n: int, busts: int) -> None:
    rolls = list(itertools.product(range(1, 7), repeat=n))
    assert len(rolls) == 6**n
    assert sum(1 for roll in rolls if not reference.combinations(list(roll))) == busts


def test_nightmare_openings_that_are_magdagdon() -> None:
    count = 0
    for roll in itertools.combinations_with_replacement(range(1, 7), 4):
        if not reference.can_place({}, list(roll), 3):
            count += len(set(itertools.permutations(roll)))
    assert count == 492


# --- The rules, by hand -----------------------------------------------------------------------------------------------


def test_neighbours() -> None:
    assert sorted(reference.neighbours("a1")) == ["a2", "b1"]
    assert sorted(reference.neighbours("d3")) == ["c3", "d2", "d4"]
    assert sorted(reference.neighbours("b2")) == ["a2", "b1", "b3", "c2"]


@pytest.mark.parametrize(
    ("line", "bonus"),
    [
        ([1, 2, 3, 4], 60),
        ([6, 5, 4, 3], 60),
        ([1, 2, 4, 3], 0),
        ([5, 5, 5, 5], 40),
        ([2, 3, 3, 2], 20),
        ([2, 3, 2, 3], 20),
        ([2, 2, 2, 3], 0),
        ([2, 2, 3, 4], 0),
        ([1, 2, 3, "X"], 0),
        ([2, 2, None, None], 0),
    ],
)
def test_line_bonus(line: list[Any], bonus: int) -> None:
    assert reference.line_bonus(line) == bonus


def test_only_ruins_leave_the_first_number_free() -> None:
    assert reference.legal_cells({"a1": "X"}, [], 6) == [cell for cell in reference.CELLS if cell != "a1"]
    assert reference.legal_cells({"a1": "X"}, [(3, "c3")], 6) == []
    assert reference.legal_cells({"a1": "X"}, [(3, "c3")], 4) == ["b3", "c2", "c4", "d3"]


def test_the_first_of_the_remaining_staged_dice_is_free_again() -> None:
    staged: Staged = [(3, "b2"), (3, "a2"), (3, "c2"), (3, "d2")]
    assert reference.after_return({}, staged, "b2") == [(3, "a2")]
    assert reference.after_return({"b3": 4}, staged, "b2") == []
    assert reference.after_return({}, staged, "a2") == [(3, "b2"), (3, "c2"), (3, "d2")]


def test_combinations_cannot_be_divided() -> None:
    assert reference.combinations([1, 1, 1, 1, 5, 2]) == [((1, 1, 1, 1), 40), ((5,), 1)]
    assert reference.combinations([2, 2, 2, 2, 5, 5]) == [((2, 2, 2, 2), 8), ((5,), 1), ((5,), 1)]
    assert reference.combinations([1, 5, 1, 5, 3, 3]) == [((1, 1, 3, 3, 5, 5), 20)]
    assert reference.combinations([6, 5, 4, 3, 2, 1]) == [((1, 2, 3, 4, 5, 6), 30)]


def first_roll(seed: str, game: str) -> str:
    name, n = ("magdagdon/1/0", 4) if game == "magdagdon" else ("mishimash/1/1/1", 6)
    return "roll -> " + " ".join(str(die) for die in reference.dice(seed, name, n))


def refused(game: reference.Game, action: str, answer: list[int] | None = None) -> bool:
    before = copy.deepcopy(vars(game))
    try:
        game.do(action, answer)
    except Refused:
        assert vars(game) == before
        return True
    return False


def test_magdagdon_actions() -> None:
    game = Magdagdon("42", "survival")
    for action in ("hint", "place 2 a1", "return a1", "power +1 2", "power reroll 2", "confirm", "ruin a1"):
        assert refused(game, action)
    with pytest.raises(WrongDice):
        game.do("roll", [2, 2, 3, 4])
    assert game.do("roll", [2, 2, 4, 3]) == [2, 2, 4, 3]
    assert refused(game, "roll")
    assert refused(game, "ruin a1")
    assert refused(game, "place 5 a1")
    game.do("place 2 a1")
    assert refused(game, "place 2 a1")
    assert refused(game, "place 4 a2")
    assert refused(game, "confirm")
    game.do("place 3 a2")
    assert refused(game, "power -1 3"), "it is staged"
    assert refused(game, "power reroll 2 2 4")
    game.do("hint")
    game.do("power +1 4")
    assert refused(game, "power +1 5"), "none is left"
    game.do("return a1")
    assert game.staged == [(3, "a2")]
    game.do("place 2 a3")
    game.do("confirm")
    assert game.board == {"a2": 3, "a3": 2}
    assert (game.turns_ended, game.powers, game.in_turn, game.over) == (1, 1, False, False)


def test_a_power_that_kills_the_roll_brings_staged_dice_back() -> None:
    game = Magdagdon("42", "peaceful")
    game.do("roll")
    # One cell can be reached, and needs a 1 or a 2; a wall of ruins keeps the others empty.
    game.board = {cell: "X" for cell in reference.CELLS if cell not in ("a1", "a2", "d4")}
    game.board["a1"] = 1
    game.required = 1
    game.available = [6, 6, 2]
    game.staged = [(5, "d4")]  # never legal, only to see it come back
    game.do("power +1 2")
    assert game.magdagdon
    assert game.staged == []
    assert sorted(game.available) == [3, 5, 6, 6]
    assert refused(game, "place 3 a2")
    assert refused(game, "confirm")
    assert refused(game, "power +1 6"), "not above 6"
    assert game.powers == 1
    game.do("power -1 3")
    assert not game.magdagdon
    assert refused(game, "ruin a2")
    game.do("power +1 2")
    assert refused(game, "power -1 3"), "all three are used"
    assert refused(game, "ruin a1")
    game.do("ruin a2")
    assert (game.ruins, game.turns_ended, game.over) == (1, 1, False)


def test_mishimash_points() -> None:
    game = Mishimash("42", 1, 1000)
    game.must_take, game.in_turn, game.rolls, game.rolled = True, True, 1, [1, 5, 2, 2, 2, 6]
    assert refused(game, "bank")
    assert refused(game, "roll")
    for action in ("take 2", "take 6", "take 1 1", "take 1 5 6"):
        assert refused(game, action)
    game.do("take 1 2 2 2 5")
    assert (game.points, game.to_roll) == (7, 1)
    assert refused(game, "take 1")
    game.must_take, game.rolls, game.rolled = True, 2, [5]
    game.do("take 5")
    assert (game.points, game.to_roll) == (7 + 2 + 20, 6)
    game.must_take, game.rolls, game.rolled = True, 3, [1, 2, 3, 4, 5, 6]
    game.do("take 1 2 3 4 5 6")
    assert (game.points, game.to_roll) == (29 + 90 + 40, 6)
    game.do("hint")
    game.do("bank")
    assert (game.totals, game.turns, game.over) == ([159], [1], False)


def test_final_round_and_sudden_death() -> None:
    game = Mishimash("42", 4, 10)
    for banked in (0, 19, 20):
        game.end_turn(banked)
    assert (game.target_reached, game.over, game.player) == (True, False, 4)
    game.end_turn(19)
    assert game.over
    assert game.result() == {"winner": 3, "scores": [0.0, 9.5, 10.0, 9.5], "turns": [1, 1, 1, 1]}

    game = Mishimash("42", 4, 10)
    for banked in (20, 3, 20, 20):
        game.end_turn(banked)
    assert (game.over, game.in_round, game.player) == (False, [1, 3, 4], 1)
    for banked in (0, 4, 4):
        game.end_turn(banked)
    assert (game.over, game.in_round, game.player) == (False, [3, 4], 3)
    for banked in (0, 0):
        game.end_turn(banked)
    assert (game.over, game.in_round, game.player) == (False, [3, 4], 3)
    for banked in (0, 1):
        game.end_turn(banked)
    assert game.over
    assert game.result() == {"winner": 4, "scores": [10.0, 1.5, 12.0, 12.5], "turns": [2, 1, 4, 4]}


# --- Whole replays ----------------------------------------------------------------------------------------------------

MOMENT = datetime.datetime(2026, 11, 30, 18, 2, 11, tzinfo=datetime.UTC)


def header(game: str, seed: str, players: int, options: dict[str, Any]) -> dict[str, Any]:
    return {
        "format": "cubiri-replay",
        "version": 1,
        "game": game,
        "rules": 1,
        "dice": "sha256-d6/1",
        "seed": seed,
        "started": MOMENT,
        "players": [{"name": f"Player {seat}"} for seat in range(1, players + 1)],
        "options": options,
        "turns": [],
    }


def random_game(doc: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Fill in the turns and the result of a game played by trying out what is legal."""
    game = reference.new_game(doc)
    ended = -1
    while not game.over:
        if game.turns_ended != ended:
            ended = game.turns_ended
            doc["turns"].append({"player": game.player, "log": []})
        actions = [action for action in reference.legal_actions(game) if action != "hint" or chance.random() < 0.3]
        if not actions:
            actions = ["hint"]
        kinds = sorted({action.split(" ")[0] for action in actions})
        kind = chance.choice(kinds)
        action = chance.choice([action for action in actions if action.split(" ")[0] == kind])
        thrown = game.do(action)
        answer = "" if thrown is None else " -> " + " ".join(str(die) for die in thrown)
        doc["turns"][-1]["log"].append(action + answer)
    doc["result"] = {"finished": MOMENT, **game.result()}
    return doc


@pytest.fixture(scope="module")
def solo() -> dict[str, Any]:
    return random_game(header("magdagdon", "ref-1", 1, {"difficulty": "peaceful"}), random.Random(1))


@pytest.fixture(scope="module")
def party() -> dict[str, Any]:
    return random_game(header("mishimash", "ref-2", 3, {"target": 10}), random.Random(2))


def test_what_is_played_verifies(solo: dict[str, Any], party: dict[str, Any]) -> None:
    for doc in (solo, party):
        claims = {key: value for key, value in doc["result"].items() if key != "finished"}
        assert judge(doc) == Verdict("verified", None, claims)


def test_every_cut_is_unfinished_and_every_claim_counts(solo: dict[str, Any], party: dict[str, Any]) -> None:
    for whole in (solo, party):
        doc = copy.deepcopy(whole)
        assert judge({**doc, "result": {**doc["result"], "finished": "now"}}).where == "result.finished"
        for key in reference.GAMES[doc["game"]].CLAIMS:
            value = doc["result"][key]
            wrong: Any = value % len(doc["players"]) + 1 if key == "winner" else None
            if isinstance(value, list):
                wrong = [value[0] + 1, *value[1:]]
            elif wrong is None:
                wrong = value + 1
            verdict = judge({**doc, "result": {**doc["result"], key: wrong}})
            assert (verdict.status, verdict.where) == ("mismatch", f"result.{key}")
        result = doc.pop("result")
        assert judge(doc).status == "mismatch"
        assert judge(doc).where == "result"
        while True:
            doc["turns"][-1]["log"].pop()
            if not doc["turns"][-1]["log"]:
                doc["turns"].pop()
            if not doc["turns"]:
                break
            assert judge(doc) == Verdict("unfinished")
            assert judge({**doc, "result": result}) == Verdict("mismatch", "result")


def test_turn_boundaries(solo: dict[str, Any], party: dict[str, Any]) -> None:
    for whole in (solo, party):
        last = len(whole["turns"])
        doc = copy.deepcopy(whole)
        doc["turns"].append({"player": len(doc["players"]), "log": ["hint"]})
        assert judge(doc) == Verdict("illegal", f"turn {last + 1}, entry 1")
        doc = copy.deepcopy(whole)
        doc["turns"][-1]["log"].append("hint")
        assert judge(doc) == Verdict("illegal", f"turn {last}, entry {len(doc['turns'][-1]['log'])}")
        doc = copy.deepcopy(whole)
        log = doc["turns"][0]["log"]
        doc["turns"][:1] = [{"player": 1, "log": log[:1]}, {"player": 1, "log": log[1:]}]
        assert judge(doc) == Verdict("illegal", "turn 2, entry 1")
        for player in range(1, len(doc["players"]) + 1):
            doc["turns"][1]["player"] = player
            assert judge(doc) == Verdict("illegal", "turn 2, entry 1"), "an open turn comes before a wrong player"
    doc = copy.deepcopy(party)
    doc["turns"][0]["player"] = 2
    assert judge(doc) == Verdict("illegal", "turn 1")
    doc = copy.deepcopy(party)
    doc["turns"].pop(0)
    assert judge(doc) == Verdict("illegal", "turn 1")


@pytest.mark.parametrize("roll", ["roll -> 1", "roll -> 1 1 1 1", "roll -> 1 1 1 1 1 1 1 1 1"])
@pytest.mark.parametrize("game", ["magdagdon", "mishimash"])
def test_wrong_dice(game: str, roll: str) -> None:
    doc = header(game, "42", 1, {"difficulty": "survival"} if game == "magdagdon" else {"target": 10})
    doc["turns"] = [{"player": 1, "log": [roll]}]
    assert judge(doc) == Verdict("dice", "turn 1, entry 1")
    doc["turns"] = [{"player": 1, "log": [first_roll("42", game), roll]}]
    assert judge(doc) == Verdict("illegal", "turn 1, entry 2"), "illegal before the dice"


@pytest.mark.parametrize(
    ("game", "entry"),
    [
        *[(game, entry) for game in ("magdagdon", "mishimash") for entry in (
            "", "roll", "roll ->", "roll -> ", "roll -> 0", "roll -> 7", "roll -> 1  2", "roll -> 1 2 ", " roll -> 1",
            "roll  -> 1", "roll->1", "roll -> ١", "roll -> 12", "Roll -> 1", "roll -> 1\n", "roll\t-> 1", "hint -> 3",
            "hint ", "HINT", "undo", "roll 1 -> 1", "roll -> -1", "roll -> +1", "roll -> 1 -> 1",
        )],
        *[("magdagdon", entry) for entry in (
            "place 0 a1", "place 7 a1", "place 1 e1", "place 1 a0", "place 1 a5", "place 1 A1", "place 1", "place a1",
            "place 1 a1 a2", "place 1 a1 -> 1", "return", "return 1", "return e1", "power", "power 1", "power 1 1",
            "power -2 1", "power +1 7", "power −1 1", "power +1", "power reroll", "power reroll 1", "power reroll -> 1",
            "power reroll 2 1 -> 1 1", "power reroll 1 1 1 1 1 -> 1 1 1 1 1", "power reroll 1 -> 0", "power +1 1 -> 2",
            "confirm ", "confirm 1", "ruin", "ruin e1", "ruin 1a", "take 1", "bank",
        )],
        *[("mishimash", entry) for entry in (
            "take", "take ", "take 0", "take 7", "take 2 1", "take 1 1 1 1 1 1 1", "take 1 -> 1", "take 1,5", "take 15",
            "bank 1", "bank -> 1", "place 1 a1", "confirm", "ruin a1", "power +1 1", "return a1",
        )],
    ],
)  # fmt: skip
def test_spelling(game: str, entry: str) -> None:
    doc = header(game, "42", 1, {"difficulty": "survival"} if game == "magdagdon" else {"target": 10})
    doc["turns"] = [{"player": 1, "log": ["hint", entry]}]
    assert judge(doc) == Verdict("malformed", "turn 1, entry 2")


@pytest.mark.parametrize(
    "entry", ["power reroll 1 1 1 1 -> 1", "power reroll 6 -> 1 1 1 1 1", "power -1 1", "power +1 6", "ruin d4"]
)
def test_spelling_is_not_legality(entry: str) -> None:
    doc = header("magdagdon", "42", 1, {"difficulty": "peaceful"})
    doc["turns"] = [{"player": 1, "log": [first_roll("42", "magdagdon"), entry]}]
    assert judge(doc) == Verdict("illegal", "turn 1, entry 2")


NAMES = ["Ada", "x" * 32, "Ľubica Ž.", "O'Neil", "李", "🎲", "a  b", "e\u0301", "\u0378"]
NO_NAMES: list[Any] = [
    *("", " ", " a", "a ", "x" * 33, "a\tb", "a\nb", "\x1b[1m", "\x7f", "a\u00a0", "\u3000b", "\u202eab"),
    *("a\u200bb", "a\u00ad", "\ufeff", "\u2028", "\u2029", "\ue000", "a\u034f", "\u3164", "\uffa0", "\u115f"),
    *(
        "\ufe0f",
        "\u0301",
        "a\u200d",
        "\u2800",
        "\uffff",
        "\U000e0001",
        "\u17b4",
        "\u180b",
        "\u2065",
        "\ufff0",
        "\U000e0fff",
        1,
        True,
        None,
        ["a"],
        {},
    ),
]


def with_header(**changes: Any) -> dict[str, Any]:
    doc = header("mishimash", "42", 1, {"target": 10})
    doc["turns"] = [{"player": 1, "log": [first_roll("42", "mishimash")]}]
    doc.update(changes)
    return doc


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str) -> None:
    assert judge(with_header(players=[{"name": name, "bot": name}], comment=name)).status == "unfinished"


@pytest.mark.parametrize("name", NO_NAMES)
def test_bad_names(name: Any) -> None:
    assert judge(with_header(players=[{"name": name}])).status == "malformed"
    assert judge(with_header(players=[{"name": "Ada", "bot": name}])).status == "malformed"
    # A comment may be empty, long, and hold newlines; blanks around it are no harm.
    comment_too = name in ("", " ", " a", "a ", "a\u00a0", "\u3000b", "\u0301", "x" * 33, "a\nb")
    assert judge(with_header(comment=name)).status == ("unfinished" if comment_too else "malformed")


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "other"},
        {"version": True},
        {"version": 1.0},
        {"version": "2"},
        {"rules": "2"},
        {"dice": 1},
        {"game": "chess"},
        {"game": ["magdagdon"]},
        {"seed": ""},
        {"seed": "A"},
        {"seed": "a\n"},
        {"seed": "a" * 65},
        {"seed": "a b"},
        {"seed": 42},
        {"started": "2026-11-30"},
        {"started": MOMENT.replace(tzinfo=None)},
        {"started": MOMENT.replace(microsecond=1)},
        {"started": MOMENT.replace(tzinfo=datetime.timezone(datetime.timedelta(hours=2)))},
        {"started": MOMENT.date()},
        {"players": []},
        {"players": "Ada"},
        {"players": ["Ada"]},
        {"players": [{}]},
        {"players": [{"name": "Ada", "age": 1}]},
        {"players": [{"name": "Ada"}, {"name": "Ada"}]},
        {"players": [{"name": f"{seat}"} for seat in range(9)]},
        {"options": {}},
        {"options": {"target": 9}},
        {"options": {"target": 1_000_001}},
        {"options": {"target": 10.0}},
        {"options": {"target": True}},
        {"options": {"target": 10, "difficulty": "peaceful"}},
        {"options": [{"target": 10}]},
        {"turns": []},
        {"turns": {}},
        {"turns": [1]},
        {"turns": [{"player": 0, "log": ["hint"]}]},
        {"turns": [{"player": 2, "log": ["hint"]}]},
        {"turns": [{"player": True, "log": ["hint"]}]},
        {"turns": [{"log": ["hint"]}]},
        {"turns": [{"player": 1, "log": []}]},
        {"turns": [{"player": 1, "log": "hint"}]},
        {"turns": [{"player": 1, "log": [1]}]},
        {"turns": [{"player": 1, "log": ["hint"], "extra": 1}]},
        {"turns": [{"player": 1, "log": ["hint"], "comment": 1}]},
        {"extra": 1},
        {"result": {}},
        {"result": []},
    ],
)
def test_malformed(changes: dict[str, Any]) -> None:
    assert judge(with_header(**changes)).status == "malformed"


@pytest.mark.parametrize("key", ["format", "version", "game", "rules", "dice", "seed", "players", "options", "turns"])
def test_missing_keys(key: str) -> None:
    doc = with_header()
    del doc[key]
    assert judge(doc).status == "malformed"


@pytest.mark.parametrize(
    "changes",
    [
        {"winner": 0},
        {"winner": 4},
        {"winner": 1.0},
        {"winner": True},
        {"scores": [1.0, 1.0]},
        {"scores": [1.0, 1.0, 1]},
        {"scores": [1.0, 1.0, 0.25]},
        {"scores": [1.0, 1.0, float("nan")]},
        {"scores": [1.0, 1.0, float("-inf")]},
        {"turns": [1, 1]},
        {"turns": [1, 1, 1.0]},
        {"turns": 1},
        {"finished": "now"},
        {"extra": 1},
    ],
)
def test_malformed_claims(party: dict[str, Any], changes: dict[str, Any]) -> None:
    assert judge({**party, "result": {**party["result"], **changes}}).status == "malformed"
    for key in party["result"]:
        rest = {other: value for other, value in party["result"].items() if other != key}
        assert judge({**party, "result": rest}) == Verdict("malformed", f"result.{key}")


def test_right_form_and_wrong_value_is_a_mismatch(solo: dict[str, Any], party: dict[str, Any]) -> None:
    for value in (-1, 2**70, 16**5000):
        verdict = judge({**solo, "result": {**solo["result"], "turns": value}})
        assert (verdict.status, verdict.where) == ("mismatch", "result.turns")
    for points in ([-0.5, 0.0, 0.0], [1e300, 0.0, 0.0]):
        verdict = judge({**party, "result": {**party["result"], "scores": points}})
        assert (verdict.status, verdict.where) == ("mismatch", "result.scores")


@pytest.mark.parametrize(
    "changes", [{"version": 2}, {"version": 0}, {"rules": 2}, {"dice": "x"}, {"version": 16**5000}]
)
def test_unsupported_comes_first(changes: dict[str, Any]) -> None:
    assert judge(with_header(**changes)).status == "unsupported"
    assert judge(with_header(**changes, extra=1, seed=1, turns=[])).status == "unsupported"


TEXT = """\
format = "cubiri-replay"
version = 1
game = "magdagdon"
rules = 1
dice = "sha256-d6/1"
seed = "42"
started = 2026-11-30 18:02:11+00:00
comment = \"\"\"two
lines\"\"\"
players = [
    { name = "Ada" },
]

[options]
difficulty = "survival"

[[turns]]
player = 1
log = [
    "roll -> 2 2 4 3",
]
"""


def test_bytes() -> None:
    data = TEXT.encode()
    bom = b"\xef\xbb\xbf"
    for good in (data, bom + data, data.replace(b"\n", b"\r\n"), data + b"#" * (1024 * 1024 - len(data))):
        assert judge_bytes(good) == Verdict("unfinished")
    assert judge_bytes(data + b"#" * (1024 * 1024 - len(data) + 1)) == Verdict("unreadable")
    for bad in (
        b"",
        bom + bom + data,
        TEXT.encode("utf-16"),
        data + b"# \xff\n",
        data + b"\0",
        data[:-4],
        data.replace(b"\n", b"\r"),
        data + b"x = " + b"[" * 100_000,
        data.replace(b"version = 1", b"version = " + b"9" * 5000),
        data.replace(b"two\n", b"two\\r"),
    ):
        assert judge_bytes(bad).status == "malformed"
    assert judge_bytes(data.replace(b"version = 1", b"version = 0x" + b"f" * 5000)).status == "unsupported"
