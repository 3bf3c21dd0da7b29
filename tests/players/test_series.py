"""Many games of a bot, and what is said of them: against other ways to find the same."""

from __future__ import annotations

import random
import statistics
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cubiri_cli import games, players
from cubiri_cli.games import dice
from cubiri_cli.games.game import IllegalActionError
from cubiri_cli.players.playout import LONGEST_TURN
from cubiri_cli.players.series import QUANTILES, Figures, OwnPlayer, Series, figures_of, sitter
from cubiri_cli.replays import verify
from tests import third_game

if TYPE_CHECKING:
    from cubiri_cli.games.game import Outcome


@pytest.mark.parametrize("count", [1, 2, 3, 7, 100, 1000])
def test_statistics_are_those_of_a_slow_computation(count: int) -> None:
    chance = random.Random(count)
    values = [chance.randint(-40, 400) / chance.choice((1, 2)) for _ in range(count)]
    ruins = [chance.randint(0, 5) for _ in range(count)]
    found = players.Tally(Figures(value, "points", {"ruins": more}) for value, more in zip(values, ruins, strict=True))
    assert found.games == count
    assert found.mean == pytest.approx(statistics.fmean(values))
    assert found.means == {"ruins": pytest.approx(statistics.fmean(ruins))}
    assert (found.least, found.most) == (min(values), max(values))
    if count == 1:
        assert (found.stdev, found.stderr) == (None, None)
        assert {found.quantile(one) for one in QUANTILES} == {values[0]}
        return
    assert found.stdev == pytest.approx(statistics.stdev(values))
    assert found.stderr == pytest.approx(statistics.stdev(values) / count**0.5)
    cuts = statistics.quantiles(values, n=20, method="inclusive")
    assert [found.quantile(one) for one in QUANTILES] == pytest.approx([cuts[one // 5 - 1] for one in QUANTILES])


def test_of_no_games_nothing_is_said() -> None:
    found = players.Tally()
    assert (found.games, found.mean, found.stdev, found.least, found.quantile(50)) == (0, None, None, None, None)
    assert found.means == {}


@pytest.mark.parametrize(
    ("game", "options"), [("magdagdon", {"difficulty": "survival"}), ("mishimash", {"target": 50})]
)
def test_a_game_without_a_record_is_the_game_with_one(game: str, options: dict[str, object]) -> None:
    """What is counted is what the replay of the same bot and seed holds, and that verifies."""
    kept: dict[str, bytes | None] = {}
    recorded = Series(game, options, "s", keep=kept.__setitem__)
    bot = [sitter("casual")]
    for number in range(1, 9):
        bare = recorded._replace(keep=None).play(number, bot)
        recorded.play(number, bot)
        record = kept[f"s-{number}"] or b""
        verdict = verify(record)
        assert (verdict.status, verdict.seed) == ("verified", f"s-{number}")
        assert verdict.result == bare.result
        figures, unit = figures_of(bare), "points" if game == "magdagdon" else "turns"
        text = record.decode()
        assert figures.counts["turns"] == text.count("[[turns]]")
        assert figures.value == (bare.result["score"] if unit == "points" else text.count("[[turns]]"))
        assert figures.unit == unit
        if game == "mishimash":
            assert figures.counts["busts"] == text.count("[[turns]]") - text.count('"bank"')
        else:
            assert figures.counts["ruins"] == text.count('"ruin ')
            assert figures.counts["powers"] == text.count('"power ')


def test_numbers_are_the_same_games_however_many_are_played() -> None:
    few = players.simulate("magdagdon", {"difficulty": "nightmare"}, "random", count=5, seed="x")
    many = players.simulate("magdagdon", {"difficulty": "nightmare"}, "random", count=9, seed="x")
    assert few.values <= many.values
    other = players.simulate("magdagdon", {"difficulty": "nightmare"}, "random", count=5, seed="y")
    assert other.values != few.values


def test_an_object_with_choose_is_a_player() -> None:
    class Careful:
        def choose(self, view: players.View) -> str:
            return "bank" if "bank" in view.legal else view.legal[0]

    assert sitter(Careful()).name == "Careful"
    found = players.simulate("mishimash", {"target": 20}, Careful(), count=20)
    assert found.games == 20


def test_an_object_that_plays_what_is_not_legal_is_told_by_the_game() -> None:
    class Wrong:
        def choose(self, view: players.View) -> str:
            return "bank"

    with pytest.raises(IllegalActionError, match="roll-first"):
        players.simulate("mishimash", {"target": 20}, Wrong(), count=1)


def test_a_turn_without_an_end_is_lost() -> None:
    class Restless:
        def choose(self, view: players.View) -> str:
            placing = [one for one in view.legal if one.startswith("return")] or view.legal
            return placing[0]

    asked = 0

    def do(action: str) -> Outcome:
        nonlocal asked
        asked += 1
        return game.apply(action, partial(dice.throw, "42"))

    game = games.load("magdagdon").start({"difficulty": "peaceful"})
    played = players.play_out(game, [Restless()], do)
    assert played.failure is not None
    assert played.failure.verdict == "illegal"
    assert asked == LONGEST_TURN


def test_a_game_that_is_never_banked_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cubiri_cli.players.playout.LONGEST_GAME", 500)

    class Greedy:
        def choose(self, view: players.View) -> str:
            return "roll" if "roll" in view.legal else view.legal[-1]

    game = games.load("mishimash").start({"target": 1000})
    played = players.play_out(game, [Greedy()], partial(game.apply, throw=partial(dice.throw, "1")))
    assert played.failure is not None
    assert (played.failure.verdict, game.over) == ("illegal", False)


def test_a_third_game_is_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.MODULES, "pig", third_game.__name__)
    found = players.simulate("pig", {"dice": "one", "target": 20}, "random", count=30)
    assert (found.games, found.unit) == (30, "turns")
    assert found.means["turns"] > 0


@pytest.mark.skipif(sys.platform == "win32", reason="starts many processes")
def test_games_that_a_program_loses_are_counted_and_each_begins_with_a_new_one(tmp_path: Path) -> None:
    """It lives as long as a game: it crashes in the third game it is started for, by a file."""
    source = """
import json, sys, pathlib
count = pathlib.Path(sys.argv[1])
number = int(count.read_text()) if count.exists() else 0
count.write_text(str(number + 1))
for line in sys.stdin:
    if number == 2:
        sys.exit("no more")
    legal = json.loads(line)["legal"]
    print("bank" if "bank" in legal else "nonsense" if number == 3 else max(legal, key=len), flush=True)
"""
    bot = tmp_path / "bot.py"
    bot.write_text(source)
    found = players.simulate("mishimash", {"target": 10}, f"{sys.executable} -S {bot} {tmp_path / 'count'}", count=6)
    assert found.games == 4
    assert found.verdicts == {"crashed": 1, "garbled": 1}
    number, failure = found.failures["crashed"]
    assert (number, failure.stderr.strip()) == (3, "no more")
    assert (tmp_path / "count").read_text() == "6"


def test_a_player_of_ones_own_is_a_program_in_the_record() -> None:
    kept: dict[str, bytes | None] = {}
    series = Series("mishimash", {"target": 10}, "1", keep=kept.__setitem__)
    series.play(1, [OwnPlayer(players.level("casual", "mishimash"))])
    assert b'{ name = "_Casual", bot = "program" }' in (kept["1-1"] or b"")


def test_a_game_too_long_to_be_recorded_is_played_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cubiri_cli.replays.session.LARGEST", 2000)
    kept: dict[str, bytes | None] = {}
    series, bot = Series("mishimash", {"target": 100}, "long", keep=kept.__setitem__), [sitter("random")]
    for number in range(1, 5):
        assert series.play(number, bot).counts(1) == series._replace(keep=None).play(number, bot).counts(1)
    assert set(kept) == {f"long-{number}" for number in range(1, 5)}
    assert None in kept.values()
