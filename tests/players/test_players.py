"""Players that are programs: what they see, that their chance is their own, and that any game can have them."""

from __future__ import annotations

import json
import random
from functools import partial
from typing import TYPE_CHECKING

import pytest

from cubiri_cli import games, players
from cubiri_cli.games import dice
from cubiri_cli.replays.history import state_of
from tests import third_game
from tests.support.strategies import Setup, pick, setup_number

if TYPE_CHECKING:
    from cubiri_cli.games.game import Game


def somewhere(number: int, setup: Setup) -> Game:
    """Return a game somewhere on its way."""
    chance = random.Random(number)
    game, throw = setup.new_game(), partial(dice.throw, setup.seed)
    for _ in range(chance.randrange(40)):
        following = game.copy()
        following.apply(pick(following, chance, hints=0), throw)
        if following.over:
            break
        game = following
    return game


def test_a_view_shows_what_the_json_of_a_replay_shows_and_no_seed() -> None:
    for number in range(20):
        setup = setup_number(number)
        game = somewhere(number, setup)
        data = players.View(game, ["Ada"] * game.seats).data()
        assert list(data) == ["protocol", "game", "rules", "options", "players", "seat", "state", "legal"]
        assert (data["game"], data["options"], data["seat"]) == (setup.game, dict(setup.options), game.seat)
        assert data["state"] == state_of(game)
        assert data["legal"] == game.legal_actions()
        assert setup.seed not in json.dumps(data)


def test_no_level_knows_what_will_be_thrown() -> None:
    """The same position with another seed behind it gets the same choice, also from who has seen more of that game."""
    for number in range(24):
        setup = setup_number(number)
        game = somewhere(number, setup)
        for name in players.levels(setup.game):
            said = set()
            for seed in ("a", "b", "c"):
                bot = players.level(name, setup.game, "key")
                said.add(bot.choose(players.View(game, ["x"] * game.seats)))
                ahead = game.copy()
                ahead.apply(min(said), partial(dice.throw, seed))
                if name != "random" and not ahead.over:
                    bot.choose(players.View(ahead, ["x"] * game.seats))
                    said.add(bot.choose(players.View(game, ["x"] * game.seats)))
            assert len(said) == 1


def test_no_level_throws_a_die(monkeypatch: pytest.MonkeyPatch) -> None:
    def looked(seed: str, roll: str, count: int) -> tuple[int, ...]:
        raise AssertionError(f"{roll} was thrown")

    played = [(setup, somewhere(number, setup)) for number, setup in enumerate(map(setup_number, range(8)))]
    monkeypatch.setattr(dice, "throw", looked)
    monkeypatch.setattr(dice, "fast_throw", looked)
    for setup, game in played:
        for name in players.levels(setup.game):
            chosen = players.level(name, setup.game, "key").choose(players.View(game, ["x"] * game.seats))
            assert chosen in game.legal_actions()


def test_asked_twice_a_level_says_the_same_but_for_one_at_random() -> None:
    for number in range(12):
        setup = setup_number(number)
        game = somewhere(number, setup)
        for name in players.levels(setup.game)[1:]:
            bot = players.level(name, setup.game, "key")
            assert len({bot.choose(players.View(game, ["x"] * game.seats)) for _ in range(2)}) == 1


def test_own_chance_is_one_way_and_can_be_had_again() -> None:
    keys = {players.own_key(seed, seat) for seed in ("42", "43") for seat in (1, 2)}
    assert len(keys) == 4
    assert all(len(key) == 64 for key in keys)
    assert players.own_key("42", 1) in keys
    game = setup_number(3).new_game()
    game.apply("roll", partial(dice.throw, "42"))
    view = players.View(game, ["x"] * game.seats)
    whole = players.level("random", game.NAME, "key")
    said = [whole.choose(view) for _ in range(20)]
    assert len(set(said)) > 1
    resumed = players.level("random", game.NAME, "key", made=7)
    assert [resumed.choose(view) for _ in range(13)] == said[7:]


def test_a_game_without_players_of_its_own_is_played_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    """PIG is one module, which has no levels; a game elsewhere may have no module here at all."""
    monkeypatch.setitem(games.MODULES, "pig", "tests.third_game")
    monkeypatch.setitem(games.MODULES, "nobodys", "cubiri_cli.{}.nobodys")
    assert players.levels("pig") == players.levels("nobodys") == ["random"]
    with pytest.raises(players.UnknownLevelError, match="no-level game=pig"):
        players.level("master", "pig")
    game = third_game.Pig.start({"dice": "one", "target": 20}, 2)
    bots = [players.level("random", "pig", players.own_key("1", seat)) for seat in (1, 2)]
    while not game.over:
        game.apply(bots[game.seat - 1].choose(players.View(game, ["a", "b"])), partial(dice.throw, "1"))


def test_a_third_game_brings_its_players_in_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    class Holder:
        def __init__(self, key: str) -> None:
            self.key = key

        def choose(self, view: players.View) -> str:
            return "hold" if "hold" in view.legal and view.state["at_risk"] > 5 else "roll"

    monkeypatch.setitem(games.MODULES, "pig", "tests.third_game")
    monkeypatch.setattr(third_game, "LEVELS", {"casual": Holder}, raising=False)
    assert players.levels("pig") == ["random", "casual"]
    game = third_game.Pig.start({"dice": "one", "target": 20}, 1)
    bot = players.level("casual", "pig")
    while not game.over:
        game.apply(bot.choose(players.View(game, ["a"])), partial(dice.throw, "2"))
