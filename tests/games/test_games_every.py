"""What holds for every game: legal actions, refusals, copies, reasons that people can read."""

from __future__ import annotations

import ast
import random
import string
from dataclasses import replace
from functools import cache, partial
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cubiri_cli
from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.games.game import (
    Game,
    IllegalActionError,
    InvalidOptionError,
    UnknownGameError,
    WholeOption,
    WordOption,
)
from cubiri_cli.table import messages
from tests.support import reference
from tests.support.rules import check_position, state
from tests.support.strategies import Setup, pick, pick_for_a_tie, play, setup_number, setup_of, setups, unaided

pytestmark = pytest.mark.smoke

PACKAGE = Path(cubiri_cli.__file__).parent


def somewhere(setup: Setup, actions: int, chance: random.Random) -> Game:
    """Return a game after so many random actions, or at its end."""
    game, throw = setup.new_game(), partial(dice.throw, setup.seed)
    choose = pick_for_a_tie if chance.random() < 0.5 else pick
    for _ in range(actions):
        if game.over:
            break
        game.apply(choose(game, chance), throw)
    return game


@pytest.mark.parametrize("name", games.names())
def test_every_game_is_judged_by_a_second_implementation(name: str) -> None:
    assert name in reference.GAMES, f"no tests/support/reference_{name}.py"


@pytest.mark.parametrize("name", games.names())
def test_the_unit_of_a_standing_is_what_it_is_ranked_by(name: str) -> None:
    """Else simulations and matches compare what the leaderboard does not."""
    for seats in sorted({1, games.load(name).MOST_SEATS}):
        begun = [replace(setup_of(name), seats=seats, seed=f"unit-{number}") for number in range(8)]
        played = [play(one, random.Random(one.seed), unaided).game for one in begun]
        found = [game.standing(game.result(), seats) for game in played]
        for one, other in permutations(found, 2):
            is_better = one.turns < other.turns if one.unit == "turns" else one.score > other.score
            assert one.key < other.key or not is_better, f"{name}: {one} and {other}"


def test_legal_actions_are_those_that_apply_accepts() -> None:
    """In hundreds of positions of all games, all actions tried: accepted or refused without a trace."""
    seen = ended = 0
    for number in range(160):
        chance = random.Random(number)
        setup = setup_number(number)
        game = somewhere(setup, chance.randrange(70), chance)
        seen += check_position(game, setup.seed)
        ended += game.over
    assert seen > 400
    assert ended > 5


@settings(max_examples=30)
@given(setups, st.integers(0, 80), st.integers(0, 2**32))
def test_legal_actions_anywhere(setup: Setup, actions: int, number: int) -> None:
    check_position(somewhere(setup, actions, random.Random(number)), setup.seed)


def test_a_copy_goes_its_own_way() -> None:
    """Playing on with a copy leaves the original where it was, and playing both alike leads to the same."""
    for number in range(60):
        chance = random.Random(number)
        setup = setup_number(number)
        throw = partial(dice.throw, setup.seed)
        game = somewhere(setup, chance.randrange(30), chance)
        twin, before = game.copy(), state(game)
        assert type(twin) is type(game)
        assert state(twin) == before
        actions = []
        while not twin.over:
            actions.append(pick(twin, chance))
            twin.apply(actions[-1], throw)
        assert state(game) == before
        for action in actions:
            game.apply(action, throw)
        assert state(game) == state(twin)
        assert game.result() == twin.result()


def test_a_game_s_whole_state_is_told_in_slots() -> None:
    """Nothing can be remembered outside: no attribute but the declared ones, and no two games share anything."""
    for name in games.names():
        game = setup_of(name).new_game()
        assert not hasattr(game, "__dict__")
        for value in state(game).values():
            hash(value)  # immutable, so copies may share it


@pytest.mark.parametrize("name", games.names())
def test_over_means_over(name: str) -> None:
    setup = setup_of(name)
    game = somewhere(setup, 10_000, random.Random(1))
    assert game.over
    assert not game.in_turn
    assert game.legal_actions() == []
    for action in game.moves():
        with pytest.raises(IllegalActionError) as caught:
            game.apply(action, partial(dice.throw, setup.seed))
        assert caught.value.problem.code == "game-over"


@pytest.mark.parametrize("action", ["", " ", "roll ", "ROLL", "roll -> 1 2 3 4", "dance", "place 3 B2", "place  3 b2"])
@pytest.mark.parametrize("name", games.names())
def test_what_is_no_action_is_refused_as_such(name: str, action: str) -> None:
    game = setup_of(name).new_game()
    with pytest.raises(IllegalActionError) as caught:
        game.apply(action, partial(dice.throw, "42"))
    assert caught.value.problem.code == "unknown-action"


def test_games_are_found_by_name() -> None:
    for name in games.names():
        assert name == games.load(name).NAME
        assert games.load(name, 1).RULES == 1
        assert games.rules_versions(name) == [1]
    for name, rules in (("chess", None), ("magdagdon", 2), ("", None)):
        with pytest.raises(UnknownGameError):
            games.load(name, rules)


@pytest.mark.parametrize(
    "text", ["", "0", "1.5", "-10", "+10", "1 0", "1_000", "1e3", "١٠", "²", "9" * 5000, "0x10", "9"]
)
def test_a_whole_number_typed_by_a_person(text: str) -> None:
    with pytest.raises(InvalidOptionError):
        WholeOption("target", 10, 1_000_000, 1000).parse(text)


def test_options_typed_by_a_person() -> None:
    assert WholeOption("target", 10, 1_000_000, 1000).parse("1000000") == 1_000_000
    assert WholeOption("target", 10, 1_000_000, 1000).parse("0010") == 10
    assert WholeOption("target", 10, 1_000_000, 1000).parse(" 10 ") == 10
    assert WordOption("difficulty", ("peaceful",), "peaceful").parse("Peaceful ") == "peaceful"
    with pytest.raises(InvalidOptionError):
        WordOption("difficulty", ("peaceful",), "peaceful").parse("peace ful")


# Reasons and words: read from the source, so that a reason nobody's test happens to meet is found too.

CODE_AT = {
    "IllegalActionError": 0,
    "InvalidOptionError": 2,
    "MalformedReplayError": 1,
    "UnsupportedReplayError": 1,
    "UnreadableReplayError": 1,
    "Problem": 0,
    "WrongReplayError": 2,
    "_ContradictedError": 0,
    "LeaderboardError": 0,
    "StoreError": 1,
    "WrongBotError": 0,
    "Lock": 2,
}


"""The classes that say what is wrong by a code, and which of their arguments it is; what follows are its details."""


@cache
def nodes() -> list[tuple[Path, ast.AST]]:
    """Return everything in the sources, each with its file."""
    files = sorted(PACKAGE.rglob("*.py"))
    return [(path, node) for path in files for node in ast.walk(ast.parse(path.read_text("utf-8")))]


def raised_codes() -> list[tuple[str, str, set[str] | None]]:
    """Return every literal code with its file and the names of its details (None where they are handed through)."""
    found = []
    for path, node in nodes():
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        at = CODE_AT.get(name, len(node.args))
        if at >= len(node.args) or not isinstance(code := node.args[at], ast.Constant):
            continue
        details: set[str] | None = {keyword.arg or "**" for keyword in node.keywords}
        if name == "InvalidOptionError":
            details = {"found", *(details or ())}
        if name == "Problem":
            given = node.args[at + 1] if len(node.args) > at + 1 else ast.Dict([], [])
            assert isinstance(given, ast.Dict), f"{path.name}: {code.value!r}"
            details = {str(key.value) for key in given.keys if isinstance(key, ast.Constant)}
        found.append((path.stem, str(code.value), None if "**" in (details or ()) else details))
    return found


def test_every_reason_has_words_and_what_they_need() -> None:
    assert set(CODE_AT) <= {node.name for _, node in nodes() if isinstance(node, ast.ClassDef)}
    codes = raised_codes()
    assert len({code for _, code, _ in codes}) > 40
    for module, code, details in codes:
        own = messages.table_of(module).REASONS if module in games.names() else {}
        template = own.get(code) or messages.MESSAGES.get(code)
        assert template is not None, f"{module} says {code}, but there are no words for it"
        needed = {name for _, name, _, _ in string.Formatter().parse(template) if name}
        assert details is None or needed <= details, f"{module}: {code} lacks {needed - details}"


def test_no_words_for_reasons_that_nobody_gives() -> None:
    given_somewhere = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py") if "table" not in path.parts)
    for name in games.names():
        for code in messages.table_of(name).REASONS:
            assert f'"{code}"' in given_somewhere, code
    for code in messages.MESSAGES:
        assert f'"{code}"' in given_somewhere, code
