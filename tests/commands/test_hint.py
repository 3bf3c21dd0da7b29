"""`cubiri hint`: the best choices in an unfinished game, for people and as data."""

from __future__ import annotations

import json
import os
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from cubiri_cli import players
from cubiri_cli.games import dice
from cubiri_cli.players.advice import evaluator
from cubiri_cli.replays.history import history
from cubiri_cli.replays.reading import read
from cubiri_cli.store.home import replays_folder
from cubiri_cli.table.advice import hint_for, hint_lines
from cubiri_cli.table.drawing import line_width, to_text
from cubiri_cli.table.language import worth
from cubiri_cli.table.messages import table_of
from tests.support.running import cubiri
from tests.support.strategies import Setup, magdagdon, mishimash

if TYPE_CHECKING:
    from pathlib import Path

SETUPS = (magdagdon("survival", "hinted"), mishimash(1, 100, "hinted"), mishimash(2, 30, "hinted"))


def half(setup: Setup, actions: int) -> str:
    """Return the record of a game that stopped in a turn, after about so many actions."""
    session, bot = setup.begin(), players.level("steady", setup.game, "x")
    while actions > 0 or not session.game.in_turn:
        session.do(bot.choose(players.View(session.game, ["x"] * setup.seats)))
        actions -= 1
    return session.text()


def hint_of(path: Path) -> dict[str, Any]:
    ran = cubiri("hint", path, "--format", "json")
    assert (ran.status, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_three_choices_the_best_first_each_with_a_reason_and_nothing_logged(setup: Setup, tmp_path: Path) -> None:
    path = tmp_path / "half.toml"
    for actions in (1, 5, 9):
        text = half(setup, actions)
        path.write_text(text, "utf-8", newline="\n")
        found = hint_of(path)
        assert list(found) == ["game", "turn", "seat", "unit", "error", "nudge", "choices"]
        replay = read(text.encode())
        assert (found["game"], found["turn"]) == (setup.game, len(replay.turns))
        values = [choice["value"] for choice in found["choices"]]
        assert values == sorted(values, reverse=True)
        assert 1 <= len(values) <= 3
        for choice in found["choices"]:
            assert list(choice) == ["actions", "value", "loss", "reason"]
            assert choice["loss"] == pytest.approx(values[0] - choice["value"])
            assert choice["reason"]
            game = history(replay).steps[-1].game.copy()
            for action in choice["actions"]:
                game.apply(action, partial(dice.throw, replay.seed))
        assert path.read_text("utf-8") == text


def test_another_seed_behind_the_same_position_changes_nothing() -> None:
    """Games with other dice are put back to the same position: what is said of it is the same to the last digit."""
    found = []
    for seed in ("one", "two", "three"):
        session = magdagdon("survival", seed).begin()
        session.game.apply("roll", lambda roll, count: (2, 2, 4, 3))
        found.append(evaluator("magdagdon").decision(session.game).options())
    assert found[0] == found[1] == found[2]


def test_between_two_turns_there_is_nothing_but_to_throw(tmp_path: Path) -> None:
    session = mishimash(1, 100, "42").begin()
    for action in ("roll", "take 1", "bank"):
        session.do(action)
    path = tmp_path / "between.toml"
    path.write_text(session.text(), "utf-8", newline="\n")
    assert [choice["actions"] for choice in hint_of(path)["choices"]] == [["roll"]]
    assert cubiri("hint", path).status == 0


def test_people_see_the_board_and_three_choices_in_every_language(tmp_path: Path) -> None:
    path = tmp_path / "half.toml"
    path.write_text(half(SETUPS[0], 1), "utf-8", newline="\n")
    texts = {language: cubiri("--lang", language, "hint", path).out for language in ("en", "fi", "sk")}
    for text in texts.values():
        assert all(f"\n{number}. " in text for number in (1, 2, 3))
        assert "┌─────┬" in text
    assert len(set(texts.values())) == 3
    assert "give or take" in texts["en"]
    assert "give or take" not in texts["fi"] + texts["sk"]
    assert cubiri("--plain", "hint", path).out.isascii()


def test_the_game_played_last_is_the_default(tmp_path: Path) -> None:
    assert cubiri("hint").status == 2
    script = tmp_path / "half.toml"
    script.write_text(half(SETUPS[1], 3), "utf-8", newline="\n")
    cubiri("play", "--script", script)
    assert cubiri("hint").status == 0


def test_a_damaged_game_played_later_is_named_and_passed_over(tmp_path: Path) -> None:
    damaged = replays_folder() / "20261130-180211-mishimash-100.toml"
    damaged.parent.mkdir(parents=True, exist_ok=True)
    damaged.write_text(half(SETUPS[1], 3)[:200], "utf-8")
    ran = cubiri("hint")
    assert (ran.status, ran.out) == (1, "")
    script = tmp_path / "half.toml"
    script.write_text(half(SETUPS[0], 1), "utf-8", newline="\n")
    cubiri("play", "--script", script)
    later = time.time() + 60
    os.utime(damaged, (later, later))
    ran = cubiri("hint")
    assert ran.status == 0
    assert "MAGDAGDON" in ran.out
    assert ran.message.startswith(f"cubiri: {damaged}: ")


def test_the_error_is_said_with_digits_enough_to_be_seen(tmp_path: Path) -> None:
    path = tmp_path / "half.toml"
    path.write_text(half(SETUPS[1], 3), "utf-8", newline="\n")
    error = hint_of(path)["error"]
    assert error > 0
    assert f"give or take {error:.3f}" in cubiri("hint", path).out


def test_finished_and_broken_games_get_no_hint(tmp_path: Path) -> None:
    session = mishimash(1, 10, "42").begin()
    bot = players.level("casual", "mishimash", "x")
    while not session.game.over:
        session.do(bot.choose(players.View(session.game, ["x"])))
    path = tmp_path / "game.toml"
    path.write_text(session.text(), "utf-8", newline="\n")
    assert "finished" in cubiri("hint", path).message
    path.write_text(half(SETUPS[1], 3).replace('seed = "hinted"', 'seed = "other"'), "utf-8", newline="\n")
    assert cubiri("hint", path).status == 1
    assert cubiri("hint", tmp_path / "missing.toml").status == 2


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_nothing_of_an_action_is_cut_on_a_narrow_screen(setup: Setup) -> None:
    for actions in (1, 5, 9, 13):
        replay = read(half(setup, actions).encode())
        game = history(replay).steps[-1].game
        table = table_of(setup.game)
        found = hint_for(game, table)
        for columns in (36, 80):
            lines = hint_lines(found, game, table, columns)
            assert max(map(line_width, lines)) <= columns
            whole = " ".join(" ".join(map(to_text, lines)).split())
            for choice in found.choices:
                assert table.decided(game, choice.actions) in whole
                assert worth(choice.value, found.unit) in whole
