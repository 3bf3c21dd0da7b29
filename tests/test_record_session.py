"""A game in progress: its record is kept after every action, whole or not at all, and survives a disk that fails."""

from __future__ import annotations

import os
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cubiri_cli.games.game import IllegalActionError, InvalidOptionError, UnknownGameError
from cubiri_cli.replays import clock
from cubiri_cli.replays.reading import read
from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import NotResumableError, Session
from cubiri_cli.replays.verifying import verify
from cubiri_cli.replays.writing import save, write
from tests.strategies import magdagdon, mishimash, pick, play
from tests.test_record_games import STARTED

SETUPS = [magdagdon("peaceful", "session"), mishimash(3, 10, "session")]


def begin(**more: object) -> Session:
    """Begin the game whose first roll is known: seed 42 throws 2 2 4 3."""
    return Session.begin("magdagdon", {"difficulty": "survival"}, [Player("Ada")], "42", started=STARTED, **more)  # type: ignore[arg-type]


def test_the_whole_record_is_kept_after_every_action() -> None:
    for setup in SETUPS:
        kept: list[str] = []
        chance = random.Random(1)
        session = setup.begin(keep=kept.append, started=STARTED)
        actions = 0
        while not session.game.over:
            session.do(pick(session.game, chance))
            actions += 1
            assert len(kept) == actions
            assert kept[-1] == write(session.replay)
        assert verify(kept[-1].encode()).status == "verified"
        assert all(verify(text.encode()).status == "unfinished" for text in kept[:-1])


def test_a_refused_action_leaves_no_trace() -> None:
    kept: list[str] = []
    session = begin(keep=kept.append)
    with pytest.raises(IllegalActionError):
        session.do("confirm")
    assert (session.replay.turns, kept) == ([], [])
    session.do("roll")
    text = session.text()
    for refused in ("roll", "place 6 a1", "nonsense", "confirm", "ruin a1"):
        with pytest.raises(IllegalActionError):
            session.do(refused, comment="not logged either")
    assert (session.text(), len(kept)) == (text, 1)


def test_trying_out_changes_nothing() -> None:
    session = begin()
    assert session.try_out("roll").dice == (2, 2, 4, 3)
    assert session.replay.turns == []
    session.do("roll")
    text = session.text()
    session.try_out("place 2 a1")
    session.try_out("power reroll 2 2")
    assert session.text() == text
    assert session.game.legal_actions() == begin_and("roll").game.legal_actions()


def begin_and(*actions: str) -> Session:
    session = begin()
    for action in actions:
        session.do(action)
    return session


def test_a_disk_that_fails_does_not_end_the_game() -> None:
    fails = True

    def keep(text: str) -> None:
        if fails:
            raise OSError(28, "No space left on device")

    session = begin(keep=keep)
    session.do("roll")
    session.do("place 2 a1")
    assert session.failure is not None
    assert session.failure.strerror == "No space left on device"
    fails = False
    session.store()
    assert session.failure is None
    assert verify(session.text().encode()).status == "unfinished"


def test_resuming_needs_an_unfinished_game_that_verifies_so_far() -> None:
    finished = play(SETUPS[0], random.Random(1), started=STARTED).replay
    with pytest.raises(NotResumableError) as caught:
        Session.resume(finished)
    assert caught.value.verdict.status == "verified"
    forged = read(begin_and("roll").text().encode())
    forged.turns[0].log[0] = "roll -> 6 6 6 6"
    with pytest.raises(NotResumableError) as caught:
        Session.resume(forged)
    assert (caught.value.verdict.status, caught.value.verdict.where) == ("dice", "turn 1, entry 1")


def test_beginning_needs_a_game_and_its_options() -> None:
    with pytest.raises(UnknownGameError):
        Session.begin("chess", {}, [Player("Ada")], "42")
    with pytest.raises(InvalidOptionError):
        Session.begin("mishimash", {"target": 5}, [Player("Ada")], "42")
    with pytest.raises(InvalidOptionError):
        Session.begin("magdagdon", {"difficulty": "survival"}, [Player("Ada"), Player("Bo")], "42")
    with pytest.raises(InvalidOptionError):
        Session.begin("mishimash", {"target": 10}, [], "42")


def test_the_digest_is_of_what_makes_it_this_game() -> None:
    """Times, comments, claims and who was a bot play no part; everything else does."""
    replay = play(SETUPS[1], random.Random(1), started=STARTED).replay
    text, digest = write(replay), replay.digest
    assert replay.result is not None
    replay.started = None
    replay.comment = replay.turns[0].comment = "a comment"
    replay.result = None
    assert replay.digest == digest

    def other(old: str, new: str) -> str:
        assert old in text
        return read(text.replace(old, new, 1).encode()).digest

    others = [
        other('"Ada"', '"Eda"'),
        other('seed = "session"', 'seed = "session-2"'),
        other("target = 10", "target = 11"),
        other("player = 1", "player = 2"),
        other('"take ', '"hint",\n    "take '),
    ]
    assert len({digest, *others}) == len(others) + 1


# The clock and seeds


def test_source_date_epoch_is_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796061731")
    assert clock.now() == datetime(2026, 11, 30, 18, 2, 11, tzinfo=UTC)
    assert clock.daily_seed() == "daily-2026-11-30"
    session = play(SETUPS[1], random.Random(1))
    assert session.replay.started == clock.now()
    assert session.replay.result is not None
    assert session.replay.result["finished"] == clock.now()
    for wrong in ("soon", "1.5", "9" * 30):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
        with pytest.raises(clock.InvalidClockError):
            clock.now()


def test_the_clock_tells_whole_seconds_in_utc() -> None:
    assert clock.now().microsecond == 0
    assert clock.now().tzinfo is UTC


def test_fresh_seeds_are_seeds_and_differ() -> None:
    from cubiri_cli.games.dice import is_seed

    seeds = {clock.fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(map(is_seed, seeds))


# On disk


@pytest.mark.parametrize("sync", [True, False])
def test_a_file_is_replaced_as_a_whole(tmp_path: Path, sync: bool) -> None:
    path = tmp_path / "game.toml"
    save(path, "one\n", sync)
    save(path, "zwei ä\n", sync)
    assert path.read_bytes() == "zwei ä\n".encode()
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.toml"]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.toml"
    save(path, "the old one\n")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(path, "the new one\n")
    with pytest.raises(UnicodeEncodeError):
        save(path, "\ud800", sync=False)
    assert path.read_text("utf-8") == "the old one\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.toml"]
