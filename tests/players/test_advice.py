"""Advice and analysis: what adds up, what has the mean 0, and that nobody looks at dice to come."""

from __future__ import annotations

import random
from functools import cache, partial
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, Any

import pytest

from cubiri_cli import games, players
from cubiri_cli.games import dice
from cubiri_cli.games.magdagdon import DIFFICULTIES
from cubiri_cli.players.advice import LEAST, MARKS, NoAdviceError, evaluator, mark_of
from cubiri_cli.players.analysis import Analysis, analyze
from cubiri_cli.players.magdagdon_advice import outlook
from cubiri_cli.players.magdagdon_board import board_of
from cubiri_cli.replays.history import history
from tests.support.strategies import Setup, magdagdon, mishimash

if TYPE_CHECKING:
    from cubiri_cli.games.game import Game
    from cubiri_cli.replays.session import Session

SETUPS = (
    magdagdon("peaceful", "adds-1"),
    magdagdon("survival", "adds-2"),
    magdagdon("nightmare", "adds-3"),
    mishimash(1, 200, "adds-4"),
    mishimash(2, 50, "adds-5"),
    mishimash(3, 30, "adds-6"),
)


@cache
def played(setup: Setup, level: str) -> Session:
    session = setup.begin()
    bots = [players.level(level, setup.game, players.own_key(setup.seed, seat)) for seat in range(setup.seats)]
    while not session.game.over:
        session.do(bots[session.game.seat - 1].choose(players.View(session.game, ["x"] * setup.seats)))
    return session


@cache
def judged(setup: Setup, level: str) -> Analysis:
    replay = played(setup, level).replay
    return analyze(replay.beginning(), history(replay).steps)


def somewhere(setup: Setup, count: int) -> list[Game]:
    """Return states of a game in which there is something to decide."""
    steps = [step for step in history(played(setup, "steady").replay).steps if step.game.in_turn]
    return [step.game for step in random.Random(setup.seed).sample(steps, min(count, len(steps)))]


@pytest.mark.parametrize("level", players.LEVELS)
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_what_a_game_is_made_of_adds_up_to_its_result(setup: Setup, level: str) -> None:
    game, found = played(setup, level).game, judged(setup, level)
    result = game.result()
    for one in found.ledgers:
        total = one.start + one.luck - one.loss + one.revision + one.others
        assert total == pytest.approx(one.result, abs=1e-9)
        if setup.game == "magdagdon":
            assert one.result == result["score"]
        else:
            assert one.result == (-result["turns"][0] if setup.seats == 1 else one.seat == result["winner"])


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_sums_and_marks_are_those_of_the_moments(setup: Setup) -> None:
    for level in ("random", "steady"):
        found = judged(setup, level)
        for one in found.ledgers:
            own = [moment for moment in found.moments if moment.seat == one.seat]
            decisions = [moment for moment in own if moment.is_decision]
            assert one.luck == pytest.approx(sum(moment.luck for moment in own))
            assert one.loss == pytest.approx(sum(moment.loss for moment in decisions))
            assert one.others == pytest.approx(sum(m.others[one.seat - 1] for m in found.moments if m.others))
            assert one.decisions == len(decisions) >= one.unforced == sum(moment.is_free for moment in decisions)
            assert one.marks == {mark: [moment.mark for moment in own].count(mark) for mark in MARKS}
        for moment in found.moments:
            assert moment.loss >= 0
            assert bool(moment.mark) <= (moment.loss > moment.error)
            assert moment.is_decision or not moment.revision
            if moment.is_decision and moment.best is not None and moment.actions == moment.best.actions:
                assert not moment.mark


def test_a_better_player_loses_less() -> None:
    for setup in SETUPS[:4]:
        means = [judged(setup, level).ledgers[0] for level in ("random", "steady", "master")]
        losses = [one.loss / one.unforced for one in means]
        assert losses == sorted(losses, reverse=True)
        assert losses[-1] < losses[0] / 10


def all_rolls(game: Game, action: str) -> float:
    """Return the mean of what a position is worth after a throw, over all dice it can throw."""
    judge, seat, count = evaluator(game.NAME), game.seat, game.dice_for(action)
    total = 0.0
    for roll in combinations_with_replacement(range(1, 7), count):
        after = game.copy()
        after.apply(action, lambda _name, _count, roll=roll: roll)  # type: ignore[misc]
        value = judge.decision(after).at_once if after.in_turn and after.seat == seat else judge.lost(game)
        total += value * factorial(count) / prod(factorial(roll.count(face)) for face in set(roll))
    return float(total / 6**count)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_luck_has_the_mean_0_before_every_roll(setup: Setup) -> None:
    judge = evaluator(setup.game)
    steps = [step.game for step in history(played(setup, "casual").replay).steps if not step.game.in_turn]
    for game in [setup.new_game(), *steps[-4:-1]]:
        assert all_rolls(game, "roll") == pytest.approx(judge.before_roll(game), abs=1e-9)
    for game in somewhere(setup, 6):
        for option in judge.decision(game).options()[:12]:
            then = game.copy()
            for action in option.actions[:-1]:
                then.apply(action, never)
            if then.dice_for(option.actions[-1]):
                assert all_rolls(then, option.actions[-1]) == pytest.approx(option.value, abs=1e-9)


def never(name: str, count: int) -> tuple[int, ...]:
    raise AssertionError(f"{name} was thrown")


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_nobody_looks_at_dice_to_come(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows changes no value and no mark of what was before; hints throw no die."""
    session, whole = played(setup, "steady"), judged(setup, "steady")
    steps = history(session.replay).steps
    positions = somewhere(setup, 4)
    monkeypatch.setattr(dice, "throw", never)
    monkeypatch.setattr(dice, "fast_throw", never)
    for count in (5, 9, len(steps) // 2):
        part = analyze(session.replay.beginning(), steps[:count])
        assert [one for one in part.moments if one.entry] == whole.moments[: len(part.moments)]
    for game in positions:
        decision = evaluator(setup.game).decision(game)
        first, *others = decision.options()
        decision.nudge()
        for option in others[:3]:
            decision.reason(first, option)
            decision.reason(option, first)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_what_is_advised_can_be_done(setup: Setup) -> None:
    for game in somewhere(setup, 8):
        decision = evaluator(setup.game).decision(game)
        values = [option.value for option in decision.options()]
        assert values == sorted(values, reverse=True)
        for option in decision.options()[:5]:
            then = game.copy()
            for action in option.actions[:-1]:
                then.apply(action, never)
            assert option.actions[-1] in then.legal_actions()
            assert decision.chosen(then, option.actions[-1]).value == pytest.approx(option.value)


def test_the_order_of_placing_and_what_was_taken_back_is_nothing() -> None:
    plain = magdagdon("survival", "42").begin()
    for action in ("roll", "place 2 b2", "place 3 b3", "confirm"):
        plain.do(action)
    tried = magdagdon("survival", "42").begin()
    for action in ("roll", "hint", "place 4 a1", "return a1", "place 3 b3", "place 2 b2", "hint", "confirm"):
        tried.do(action)
    first, second = (analyze(one.replay.beginning(), history(one.replay).steps).moments[:2] for one in (plain, tried))
    assert [(one.kind, one.actions, one.value, one.loss) for one in first] == [
        (one.kind, one.actions, one.value, one.loss) for one in second
    ]


def test_a_power_is_a_decision_and_its_reroll_has_a_luck_of_its_own() -> None:
    session = magdagdon("peaceful", "42").begin()
    for action in ("roll", "power reroll 2 2", "power +1 3"):
        session.do(action)
    steps = history(session.replay).steps
    moments = analyze(session.replay.beginning(), steps).moments
    assert [one.kind for one in moments] == ["roll", "decision", "roll", "decision"]
    assert moments[1].actions == ("power reroll 2 2",)
    assert moments[2].dice == steps[1].outcome.dice


def test_marks_go_by_the_error_and_by_what_the_unit_bears() -> None:
    for unit, least in LEAST.items():
        assert mark_of(0.0, 0.0, unit) == mark_of(5.0, 5.0, unit) == mark_of(least[0], 0.0, unit) == ""
        assert [mark_of(bound * 1.01, 0.0, unit) for bound in least] == list(MARKS)
        assert [mark_of(100 * times + 1, 100.0, unit) for times in (1, 3, 6)] == list(MARKS)


def test_a_game_without_an_evaluator_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.MODULES, "pig", "tests.third_game")
    with pytest.raises(NoAdviceError, match="no-advice game=pig"):
        evaluator("pig")
    with pytest.raises(NoAdviceError):
        analyze(games.load("pig").start({"dice": "one", "target": 20}, 1), [])


def test_sudden_death_and_the_final_round_share_out_all_chances() -> None:
    judge = evaluator("mishimash")
    for seats, target in ((2, 10), (3, 10), (5, 20)):
        for number in range(6):
            game, throw = mishimash(seats, target, "x").new_game(), partial(dice.throw, f"shares-{number}")
            bot = players.level("casual", "mishimash", "x")
            while not game.over:
                if not game.in_turn:
                    final = game.final_round  # type: ignore[attr-defined]
                    assert sum(judge.standing(game)) == pytest.approx(1, abs=1e-9 if final else 0.03)
                game.apply(bot.choose(players.View(game, ["x"] * seats)), throw)
            assert sorted(judge.standing(game))[-2:] == [0, 1]


def test_reasons_are_true_of_the_position_and_counted() -> None:
    """Each checked by hand: the chance of a 5 among four dice is 1 − (5/6)⁴, of a 4 and a 5 1 − 2 (5/6)⁴ + (4/6)⁴."""
    after = outlook("survival", board_of((0, 0, 0, 0, 0, 5, 4, 0, 0, 4, 3, 2, 0, 0, 0, 0)))
    assert after.chances[2].bonus == 60
    assert after.chances[2].chance == pytest.approx(1 - (5 / 6) ** 4)
    opened = outlook("survival", board_of((0, 2, 0, 0, 0, 3) + (0,) * 10))
    assert opened.chances[5].bonus == 60
    assert opened.chances[5].chance == pytest.approx(1 - 2 * (5 / 6) ** 4 + (4 / 6) ** 4)
    full = outlook("survival", board_of((1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6, 4, 5, 6, 6)))
    assert full.straights == ()
    game = magdagdon("survival", "x").new_game()
    game.apply("roll", lambda name, count: (1, 2, 3, 6))
    for action in ("place 1 a1", "place 2 b1", "place 3 c1", "confirm"):
        game.apply(action, never)
    game.apply("roll", lambda name, count: (4, 4, 2, 6))
    decision = evaluator("magdagdon").decision(game)
    options = {option.actions: option for option in decision.options()}
    best = decision.options()[0]
    assert "place 4 d1" in best.actions
    other = next(one for actions, one in options.items() if "place 4 d1" not in actions and "power" not in actions[-1])
    assert decision.reason(best, other) == ("completes", {"line": 0, "bonus": 60})
    assert decision.reason(other, best) == ("misses", {"line": 0, "bonus": 60})


def test_a_line_that_has_its_bonus_is_no_chance_that_was_lost() -> None:
    """Of two boards one has four 6s in row 4: the other one's chance to get them says nothing against it."""
    game = magdagdon("survival", "x").new_game()
    game.apply("roll", lambda name, count: (5, 5, 6, 6))
    decision: Any = evaluator("magdagdon").decision(game)
    whole, other = (0,) * 12 + (6,) * 4, (5,) * 4 + (0,) * 8 + (6, 6, 6, 0)
    for before in (other, (0,) * 4 + other[4:]):
        told = [reason for _weight, reason in decision._differences(board_of(whole), board_of(before), -1)]
        assert ("line", 3) not in [(reason.code, reason.details.get("line")) for reason in told]


def test_the_price_of_a_bust_is_told_as_it_is() -> None:
    game = mishimash(1, 1000, "x").new_game()
    game.apply("roll", lambda name, count: (1, 1, 2, 3, 4, 6))
    decision = evaluator("mishimash").decision(game)
    options = {option.actions: option for option in decision.options()}
    roll, bank = options["take 1 1", "roll"], options["take 1 1", "bank"]
    reason = decision.reason(roll, bank)
    assert reason.code == "roll"
    assert reason.details["bust"] == pytest.approx(204 / 1296)  # of four dice
    assert reason.details["points"] == 2.0
    assert reason.details["mean"] > 2.0
    code, details = decision.reason(options["take 1", "roll"], roll)
    assert (code, details["dice"], details["others"]) == ("leaves", 5, 4)


def test_a_difficulty_of_which_nothing_was_learnt_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DIFFICULTIES, "gentle", DIFFICULTIES["peaceful"])
    game: Any = games.load("magdagdon").start({"difficulty": "survival"})
    game.apply("roll", partial(dice.throw, "42"))
    game.difficulty = "gentle"
    for ask in (evaluator("magdagdon").decision, evaluator("magdagdon").standing):
        with pytest.raises(NoAdviceError):
            ask(game)
