"""The day: what everybody plays, which game counts, and days in a row, over a life with a changing clock."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from cubiri_cli import games
from cubiri_cli.replays import clock
from cubiri_cli.store.days import challenge_of, days_of
from cubiri_cli.store.home import replays_folder
from cubiri_cli.store.played import Played, games_played
from tests.support.store import play_challenge

if TYPE_CHECKING:
    from collections.abc import Mapping

FIRST = date(2026, 10, 1)


def finished(day: date, at: datetime, name: str = "", **more: object) -> Played:
    """Return a finished game of a day's challenge, ended at some moment."""
    challenge = challenge_of(day)
    about = {
        "name": name or f"{at:%Y%m%d-%H%M%S}.toml",
        "status": "verified",
        "changed": 0.0,
        "game": challenge.game,
        "seed": challenge.seed,
        "options": challenge.options,
        "players": ("Ada",),
        "bots": (None,),
        "ended": at.timestamp(),
    }
    return Played(**{**about, **more})  # type: ignore[arg-type]


def noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


def test_the_challenge_changes_in_turn_with_the_date_in_utc() -> None:
    challenges = [challenge_of(date(1970, 1, day)) for day in range(1, 9)]
    kinds = [(one.game, dict(one.options)) for one in challenges]
    assert kinds[:4] == [
        ("magdagdon", {"difficulty": "peaceful"}),
        ("magdagdon", {"difficulty": "survival"}),
        ("magdagdon", {"difficulty": "nightmare"}),
        ("mishimash", {"target": 200}),
    ]
    assert kinds[4:] == kinds[:4]
    assert challenge_of(date(2026, 11, 30)).seed == "daily-2026-11-30"


@pytest.mark.parametrize("zone", ["UTC", "Europe/Helsinki", "America/Los_Angeles", "Pacific/Kiritimati"])
def test_the_day_is_the_same_in_every_time_zone(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the hours that daylight saving skips or repeats."""
    monkeypatch.setenv("TZ", zone)
    for moment in (
        datetime(2026, 3, 29, 0, 59, 59, tzinfo=UTC),
        datetime(2026, 3, 29, 23, 59, 59, tzinfo=UTC),
        datetime(2026, 10, 25, 1, 30, tzinfo=UTC),
        datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC),
    ):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(moment.timestamp())))
        assert clock.today() == moment.date()
        assert clock.daily_seed() == f"daily-{moment:%Y-%m-%d}"
        tomorrow = moment + clock.until_tomorrow()
        assert tomorrow == datetime.combine(moment.date() + timedelta(days=1), datetime.min.time(), UTC)


@pytest.mark.parametrize(
    "other",
    [
        {"ended": noon(FIRST + timedelta(days=1)).timestamp()},
        {"ended": noon(FIRST - timedelta(days=1)).timestamp()},
        {"status": "unfinished"},
        {"status": "mismatch"},
        {"players": ("Eve",)},
        {"players": ("Ada", "Eve"), "bots": (None, None)},
        {"bots": ("master",)},
        {"seed": "42"},
        {"options": {"difficulty": "nope"}},
        {"game": "mishimash", "options": {"target": 300}},
    ],
    ids=str,
)
def test_only_a_player_s_own_finished_game_of_the_challenge_on_its_day_counts(other: Mapping[str, Any]) -> None:
    assert days_of([finished(FIRST, noon(FIRST))], "Ada").counting.keys() == {FIRST}
    assert not days_of([finished(FIRST, noon(FIRST), **other)], "Ada").counting


def test_the_first_finished_game_counts_and_later_ones_are_practice() -> None:
    early, late = finished(FIRST, noon(FIRST)), finished(FIRST, noon(FIRST) + timedelta(hours=1))
    for order in ([early, late], [late, early]):
        days = days_of(order, "Ada")
        assert days.counts(early)
        assert not days.counts(late)


def test_a_streak_lives_until_the_end_of_the_day_after() -> None:
    days = days_of([finished(day, noon(day)) for day in (FIRST, FIRST + timedelta(days=1))], "Ada")
    streaks = [days.streak(FIRST + timedelta(days=more)) for more in range(-1, 5)]
    assert streaks == [0, 1, 2, 2, 0, 0]  # the clock going back shows what was true then


def test_400_days_of_a_life() -> None:
    """Held against counting the slow way: days missed, played twice, too late, with a clock that goes back."""
    chance = random.Random(400)
    played: list[Played] = []
    counted: set[date] = set()
    today = FIRST
    for number in range(400):
        today += timedelta(days=chance.choice([1, 1, 1, 1, 1, 1, 1, 2, 5, 0, -1, -3]))
        day = today if chance.random() < 0.8 else today - timedelta(days=1)  # yesterday's game, ended after midnight
        at = noon(today) + timedelta(minutes=chance.randrange(-719, 719))
        status = "verified" if chance.random() < 0.9 else "unfinished"
        played.append(finished(day, at, f"{number}.toml", status=status))
        if day == today and status == "verified":
            counted.add(today)
        days = days_of(played, "Ada")
        assert days.counting.keys() == counted
        streak, back = 0, today if today in counted else today - timedelta(days=1)
        while back in counted:
            streak, back = streak + 1, back - timedelta(days=1)
        assert days.streak(today) == streak
        assert days.longest == max((sum(1 for _ in _run(day, counted)) for day in counted), default=0)


def _run(day: date, counted: set[date]) -> list[date]:
    run = []
    while day in counted:
        run.append(day)
        day -= timedelta(days=1)
    return run


def test_a_week_of_real_games_is_counted_from_their_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    week = [FIRST + timedelta(days=number) for number in range(7)]
    for day in week:
        play_challenge(day, noon(day), monkeypatch)
    found = games_played()
    assert [one.date.date() for one in found] == week[::-1]
    assert {one.game for one in found} == {game for game, _options in games.CHALLENGES}
    days = days_of(found, "Ada")
    assert (days.streak(week[-1]), days.longest) == (7, 7)
    (replays_folder() / found[3].name).unlink()
    days = days_of(games_played(), "Ada")
    assert (days.streak(week[-1]), days.longest) == (3, 3)
