"""A game is asked for and answered without any terminal: by keys, typed lines or actions; a loop calls both."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import partial
from typing import Any

import pytest

from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.games.mishimash import Mishimash
from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import Session
from cubiri_cli.replays.verifying import verify
from cubiri_cli.table.dialogue import Dialogue, NoChoiceError
from cubiri_cli.table.drawing import to_text
from cubiri_cli.table.mishimash_picture import kept_dice
from cubiri_cli.table.typed import MistypedError
from tests.support.positions import positions, starts

OPTIONS: dict[str, dict[str, Any]] = {"magdagdon": {"difficulty": "survival"}, "mishimash": {"target": 60}}


def begin(name: str, seed: str = "42", seats: int = 1, options: dict[str, Any] | None = None) -> Dialogue:
    players = [Player(f"P{seat}") for seat in range(seats)]
    return Dialogue(Session.begin(name, options or OPTIONS[name], players, seed))


def logged(dialogue: Dialogue) -> list[str]:
    return [entry.partition(" -> ")[0] for turn in dialogue.session.replay.turns for entry in turn.log]


def test_every_game_is_played_by_answering_its_questions() -> None:
    """Whoever presses any of the keys that are offered plays a game that verifies."""
    played = 0
    for number, (name, options, seats) in enumerate(starts()):
        if any(value > 1000 for value in options.values() if isinstance(value, int)):
            continue
        dialogue, chance = begin(name, str(number), seats, options), random.Random(number)
        for _step in range(20_000):
            if dialogue.is_over:
                break
            choices = dialogue.question().choices
            doing = [choice for choice in choices if choice.actions and not choice.actions[0].startswith("return")]
            dialogue.answer(chance.choice(doing or choices).key)
        assert dialogue.is_over
        assert verify(dialogue.session.text().encode()).status == "verified"
        played += 1
    assert played >= 4


def test_a_key_that_is_not_offered_is_refused_and_there_is_a_way_back() -> None:
    dialogue = begin("magdagdon")
    with pytest.raises(NoChoiceError):
        dialogue.answer("z")
    dialogue.answer("r")
    asked = dialogue.question()
    assert not dialogue.has_back
    dialogue.answer("3")
    assert dialogue.has_back
    assert dialogue.question().text == "Where does the 3 go?"
    dialogue.answer("2")  # another die instead: Escape then leads to the first question
    dialogue.back()
    assert dialogue.question() == asked
    assert logged(dialogue) == ["roll"]


def test_actions_are_an_answer_too_and_what_follows_by_itself_is_executed() -> None:
    dialogue = begin("magdagdon")
    dialogue.act(["roll"])
    dialogue.act(["place 3 b2", "place 4 c2", "confirm"])
    assert logged(dialogue) == ["roll", "place 3 b2", "place 4 c2", "confirm", "roll"]
    assert to_text(dialogue.news[0]).startswith("Confirmed: 3 on b2")
    assert dialogue.words()[0].startswith("Confirmed: 3 on b2")
    assert not dialogue.words()[0].startswith("Confirmed")  # it has been said


def test_who_shows_the_game_hears_of_each_throw_before_it_falls() -> None:
    class Heard(Dialogue):
        def throwing(self, count: int) -> None:
            heard.append((count, len(logged(self))))

        def cheering(self) -> None:
            heard.append((0, len(logged(self))))

    heard: list[tuple[int, int]] = []
    dialogue = Heard(Session.begin("mishimash", {"target": 60}, [Player("Ada")], "abc"))
    dialogue.type("roll 3333 roll all bank")
    assert heard == [(6, 0), (2, 2), (0, 4)]  # the last: MISHIMASH


def test_a_wrong_line_changes_nothing_and_says_what_is_left() -> None:
    dialogue = begin("mishimash", "abc")
    dialogue.act(["roll"])
    news, text = list(dialogue.news), dialogue.session.text()
    for wrong in ("1 5", "1 3333 dance", "take 1; take 3 3 3 3", "all bank bank", "1 hint"):
        with pytest.raises(MistypedError) as caught:
            dialogue.type(wrong)
        assert caught.value.line == wrong
        assert dialogue.session.text() == text
        assert dialogue.news == news
    with pytest.raises(MistypedError) as caught:
        dialogue.type("3333 roll  6 bank")
    assert caught.value.line == "6 bank"
    assert logged(dialogue) == ["roll", "take 3 3 3 3", "roll"]


def test_a_line_of_thousands_of_actions_is_read_once() -> None:
    dialogue = begin("mishimash", "5", options={"target": 1_000_000})
    plan = begin("mishimash", "5", options={"target": 1_000_000})
    while len(logged(plan)) < 3000:
        plan.act([plan.game.legal_actions()[-1]])
    dialogue.type("\n".join(logged(plan)))
    assert logged(dialogue) == logged(plan)


def test_it_needs_no_terminal() -> None:
    code = "import sys, cubiri_cli.table.dialogue; print([m for m in sys.modules if 'prompt' in m or 'terminal.' in m])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


# What the games tell about actions


def search_step(table: Any, game: Any, names: list[str], action: str) -> Any:
    """Find the step made of ticks in which an action is what is ticked, by asking and ticking."""
    waiting: list[Any] = [None]
    seen: set[Any] = set()
    while waiting:
        step = waiting.pop(0)
        choices = table.ask(game, names, step).choices
        if any(action in choice.actions[:1] for choice in choices):
            return step
        for choice in choices:
            if choice.ticks and choice.step not in seen:
                seen.add(choice.step)
                waiting.append(choice.step)
    return None


def test_a_table_says_which_step_an_action_is() -> None:
    found = 0
    for game, table, names, _action in positions(3, 150):
        for action in [] if game.over else game.legal_actions():
            step = table.step_of(game, action)
            assert step == search_step(table, game, names, action), action
            found += step is not None
    assert found > 100


def test_the_game_tells_what_a_selection_is_worth() -> None:
    tried = cleared = 0
    for number in range(60):
        chance, throw = random.Random(number), partial(dice.throw, f"taking-{number}")
        game = Mishimash.start({"target": 1000})
        while not game.over and tried < 2000:
            for picked, worth in game.selections.items():
                told, after = game.taking(picked), game.copy()
                after.apply("take " + " ".join(map(str, picked)), throw)
                assert told.worth == worth
                assert (told.at_risk, told.free_dice) == (after.at_risk, after.free_dice)
                assert told.bonus == 20 * after.mishimashes * (after.mishimashes > game.mishimashes)
                tried += 1
                cleared += bool(told.bonus)
            game.apply(chance.choice(game.legal_actions()), throw)
    assert tried > 500
    assert cleared > 10
    assert kept_dice(Mishimash.start({"target": 10})) == ()
    assert games.load("mishimash") is Mishimash


def test_what_somebody_else_is_about_to_do_is_shown_where_it_is_ticked() -> None:
    dialogue = begin("mishimash", seats=2)
    dialogue.make("roll")
    action = dialogue.game.legal_actions()[0]
    dialogue.point_out(action)
    shown = dialogue.picture(80, 16)
    dialogue.point_out(dialogue.game.legal_actions()[-1])
    assert dialogue.picture(80, 16) != shown
    dialogue.make(action)
    assert dialogue.picture(80, 16)
