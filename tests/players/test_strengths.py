"""What is said of the levels' strength: in the right order, and what games played again show."""

from __future__ import annotations

from itertools import groupby

import pytest

from cubiri_cli import games, players
from cubiri_cli.players.strengths import strengths


@pytest.mark.parametrize("game", games.names())
def test_levels_stand_in_the_order_of_their_strength(game: str) -> None:
    for _options, ours in groupby(strengths(game), key=lambda one: one.options):
        found = list(ours)
        assert [one.level for one in found] == [one for one in players.LEVELS if one in {two.level for two in found}]
        worth = [-one.mean if one.unit == "turns" else one.mean for one in found]
        assert worth == sorted(worth)
        assert all(one.stderr == pytest.approx(one.stdev / one.games**0.5, abs=1e-3) for one in found)


@pytest.mark.parametrize("game", games.names())
def test_games_played_again_agree(game: str) -> None:
    for one in strengths(game):
        if one.level in ("random", "casual") and one.options.get("target", 100) == 100:
            again = players.simulate(game, one.options, one.level, count=60, seed="again")
            assert again.mean == pytest.approx(one.mean, abs=4 * one.stdev / 60**0.5)


def test_a_game_that_says_nothing_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.MODULES, "pig", "tests.third_game")
    monkeypatch.setitem(games.MODULES, "nobodys", "cubiri_cli.{}.nobodys")
    monkeypatch.setitem(games.MODULES, "elsewhere", "nowhere_at_all.{}.elsewhere")
    assert strengths("pig") == strengths("nobodys") == strengths("elsewhere") == []
