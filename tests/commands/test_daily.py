"""`cubiri daily`, and what comes after a finished game."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest

from cubiri_cli.commands.after import look_back
from cubiri_cli.players.hindsight import Hindsight
from cubiri_cli.replays.reading import read_file
from cubiri_cli.store.home import recent, replays_folder
from tests.support.documents import ROOT
from tests.support.running import cubiri
from tests.support.store import play_challenge
from tests.support.terminal import Terminal

NOW = datetime(2026, 11, 30, 18, 2, 11, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(NOW.timestamp())))
    monkeypatch.setenv("TZ", "UTC")
    assert cubiri("settings", "name", "Ada").status == 0


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three days in a row, today the last of them, and today once more for practice."""
    with monkeypatch.context() as clock:
        for back in (2, 1, 0):
            moment = NOW - timedelta(days=back, hours=1)
            play_challenge(moment.date(), moment, clock)
        play_challenge(NOW.date(), NOW - timedelta(minutes=5), clock)


def test_without_a_terminal_it_says_what_there_is_and_asks_for_one() -> None:
    ran = cubiri("daily")
    assert ran.status == 2
    assert ran.out.splitlines() == [
        "Today's game, 2026-11-30: MISHIMASH to 200",
        "The same dice for everybody. The day ends at midnight UTC.",
        "not played yet · 5 h 57 min left",
    ]
    assert "terminal" in ran.message


@pytest.mark.usefixtures("played")
def test_once_played_it_shows_the_table_of_the_day() -> None:
    ran = cubiri("daily")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[2].endswith("· streak 3 · 5 h 57 min left")
    assert lines[2].startswith("played: ")
    counting = [line for line in lines[4:] if line.startswith("* ")]
    assert len(counting) == 2  # the game of one hour ago, and what the mark means
    assert counting[0].endswith("17:02")
    assert sum("Ada" in line for line in lines) == 2


@pytest.mark.usefixtures("played")
def test_a_game_with_hints_is_marked_in_the_table_of_the_day() -> None:
    own = replays_folder() / "20261130-170211.toml"
    text = own.read_text("utf-8").replace('    "take', '    "hint",\n    "take', 1).replace('"Ada"', '"Eva"')
    own.with_name("hinted.toml").write_text(text, "utf-8", newline="\n")
    rows = {words[1]: line for line in cubiri("daily").out.splitlines() if len(words := line.strip("* ").split()) > 3}
    assert rows["Eva"].endswith("17:02  with hints")
    assert "hints" not in rows["Ada"]


@pytest.mark.usefixtures("played")
def test_once_played_it_can_be_shared_watched_and_played_for_practice() -> None:
    with Terminal("daily") as terminal:
        terminal.see("What next?", "streak 3", "[s] share it", "\n  #  player  turns  time", "\n* ")
        terminal.type("s")
        terminal.see("CUBIRI 2026-11-30 · MISHIMASH to 200", "cubiri play mishimash --target 200")
        assert b"\x1b]52;c;" in terminal.raw
        terminal.type("q")
        terminal.see("What next?")
        terminal.type("w")
        terminal.see("Before the first turn")
        terminal.type("q")
        terminal.see("What next?")
        terminal.type("p")
        terminal.see("Turn 1")
        terminal.type("r")
        terminal.see("roll 1")
        terminal.type("q")
        assert terminal.end() == 0
    assert read_file(recent()[0]).seed == "daily-2026-11-30"
    assert read_file(recent()[0]).result is None


@pytest.mark.usefixtures("played")
def test_quitting_from_a_finished_game_of_the_menu_takes_one_key() -> None:
    with Terminal() as terminal:
        terminal.see("[d] Today's game")
        terminal.type("d")
        terminal.see("What next?", "[q] quit")
        terminal.type("q")
        terminal.miss("What next?")
        assert terminal.end() == 0


def finish(terminal: Terminal) -> None:
    """Roll and bank until the game of MISHIMASH is over."""
    keys = {"What do you keep?": "b", "roll the": "r", "What next?": ""}
    before = ""
    while True:
        terminal._wait(lambda: terminal.text != before and any(one in terminal.text for one in keys), "be asked")  # noqa: B023
        before = terminal.text
        key = next(key for question, key in keys.items() if question in before)
        if not key:
            return
        terminal.type(key)


@pytest.mark.parametrize(("days", "language"), [(1, "en"), (2, "fi"), (3, "sk")])
def test_the_end_of_the_day_s_game_is_one_screen_with_the_table_of_the_day(
    days: int, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = NOW + timedelta(days=days)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(day.timestamp())))
    session = play_challenge(day.date(), day, monkeypatch)
    path = recent()[0]
    actions = [entry.partition(" -> ")[0] for turn in session.replay.turns for entry in turn.log]
    path.unlink()
    cubiri("settings", "animation", "off")
    with Terminal("--lang", language, "daily") as terminal:
        terminal.see("[r]")
        terminal.type(":", "; ".join(actions), "Enter")
        terminal.see("[m]", "*", "Ada")
        lines = [line for line in terminal.lines if line]
        assert lines[0].startswith("MAGDAGDON")
        assert any(line.startswith("* 1  Ada") for line in lines)
        assert any(key in line for line in lines for key in ("[a]",))
        terminal.type("q")
        assert terminal.end() == 0


def test_the_end_of_a_game_leads_on_to_the_next() -> None:
    with Terminal("play", "mishimash", "--target", "10", "--seed", "1", "--player", "Ada") as terminal:
        finish(terminal)
        terminal.see("What next?", "Place 1 of 1", "[a] play again", "[t] statistics", "[m] menu")
        terminal.see("Best possible with these dice: 1 turn")
        assert len([line for line in terminal.lines if line]) < 24
        terminal.type("t")
        terminal.see("Statistics", "MISHIMASH to 10")
        terminal.type("q")
        terminal.see("What next?")
        terminal.type("d")
        terminal.see("Turn 1: roll")
        finish(terminal)
        terminal.see("What next?", "Place ")
        terminal.type("m")
        terminal.see("[d] Today's game", "[Esc] quit")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane
    assert [read_file(path).seed for path in recent()] == ["1", "1"]


@pytest.mark.parametrize("columns", [80, 40])
def test_the_last_block_breaks_no_command(columns: int, played: None) -> None:
    with Terminal("play", "mishimash", "--target", "10", "--seed", "1", "--player", "Ada", columns=columns) as terminal:
        finish(terminal)
        assert terminal.end() == 0
        name = recent()[0].stem
        printed = terminal.printed.replace(" \\\n", " ")  # as a shell reads it
        assert f"\ncubiri verify-score {name}\n" in printed or f" cubiri verify-score {name}\n" in printed
        assert f"cubiri play mishimash --like {name}" in printed
    assert cubiri("verify-score", name).out.endswith("\n1 of 1 replay verified\n")
    assert cubiri("share", name).status == 0


def test_looking_back_comes_when_it_is_known_and_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    known = threading.Event()

    def slow(*_arguments: object) -> Hindsight:
        known.wait(20)
        return Hindsight(301, "points", False, ())

    monkeypatch.setattr("cubiri_cli.players.hindsight.in_hindsight", slow)
    notes = ["Place 1 of 1"]
    before = set(threading.enumerate())
    look_back(read_file(ROOT / "replays" / "magdagdon-survival-highest-score.toml"), notes)
    assert notes == ["Place 1 of 1"]
    known.set()
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
    assert notes == ["Place 1 of 1", "Possible with these dice, at least: 301 points"]
