"""A game in progress: its record is kept after every action, whole or not at all, and survives a disk that fails."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

import cubiri_cli.replays.session
from cubiri_cli.games.game import IllegalActionError, InvalidOptionError, UnknownGameError
from cubiri_cli.replays import clock
from cubiri_cli.replays.reading import read
from cubiri_cli.replays.replay import LARGEST, Player
from cubiri_cli.replays.session import FullRecordError, NotResumableError, Session
from cubiri_cli.replays.verifying import verify
from cubiri_cli.replays.writing import write
from tests.support.strategies import STARTED, Setup, magdagdon, mishimash, pick, play

SETUPS = [magdagdon("peaceful", "session"), mishimash(3, 10, "session")]


def begin(**more: object) -> Session:
    """Begin the game whose first roll is known: seed 42 throws 2 2 4 3."""
    return Session.begin("magdagdon", {"difficulty": "survival"}, [Player("Ada")], "42", started=STARTED, **more)  # type: ignore[arg-type]


def keeping(kept: list[str]) -> Callable[[Session], None]:
    """Return what keeps the texts of a session in a list."""
    return lambda session: kept.append(session.text())


def test_the_whole_record_is_kept_after_every_action() -> None:
    for setup in SETUPS:
        kept: list[str] = []
        chance = random.Random(1)
        session = setup.begin(keep=keeping(kept), started=STARTED)
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
    session = begin(keep=keeping(kept))
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

    def keep(session: Session) -> None:
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


# As large as it may be


NOTE = 'a "comment" \\ of ä\nlines'
"""A comment of characters that are longer as they are written."""


@pytest.mark.parametrize("largest", range(700, 1600, 45))
@pytest.mark.parametrize("setup", [magdagdon("peaceful", "full"), mishimash(3, 10, "full")], ids=["one", "three"])
def test_no_game_outgrows_what_can_be_read_again(setup: Setup, largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the next action is, with a comment or without: it fits to the byte, or changes nothing."""
    monkeypatch.setattr(cubiri_cli.replays.session, "LARGEST", largest)
    session, chance = setup.begin(started=STARTED, comment=NOTE), random.Random(largest)
    refused = 0
    while not session.game.over and refused < 5:
        before, copy = session.text(), session.game.copy()
        comment, action = chance.choice([None, None, NOTE]), pick(session.game, chance)
        try:
            session.do(action, comment)
        except FullRecordError:
            refused += 1
            assert session.text() == before, "a refused action leaves no trace"
            monkeypatch.setattr(cubiri_cli.replays.session, "LARGEST", 10 * largest)
            unbound = Session(read(before.encode()), copy)
            unbound.do(action, comment)
            assert len(unbound.text().encode()) > largest
            monkeypatch.setattr(cubiri_cli.replays.session, "LARGEST", largest)
        assert len(session.text().encode()) <= largest
        assert session.is_nearly_full
    text = session.text()
    assert text == write(session.replay)
    assert refused or session.game.over
    if not session.game.over:
        assert verify(text.encode()).status == "unfinished"
        assert Session.resume(read(text.encode())).text() == text


def test_the_largest_record_can_be_read_again() -> None:
    """Filled with what is shortest, in one turn: a refusal says why, and it comes when nothing fits in any more."""
    session = begin_and("roll", "hint")
    assert not session.is_nearly_full
    while len(session.replay.turns[0].log) < 40_000:
        session.do("hint")
    assert not session.is_nearly_full
    with pytest.raises(FullRecordError):
        deque((session.do("hint") for _ in range(LARGEST)), 0)
    assert session.is_nearly_full
    text = session.text()
    assert LARGEST - len('    "hint",\n') < len(text.encode()) <= LARGEST
    assert verify(text.encode()).status == "unfinished"


def test_a_record_whose_canonical_text_is_too_large_is_not_gone_on_with_and_not_spoilt() -> None:
    """Written by hand on one line, it can be read; as it would be written, it could not."""
    entries = ", ".join(['"roll -> 2 2 4 3"', *['"hint"'] * 100_000])
    head = begin().text()
    replay = read(f"{head}\n[[turns]]\nplayer = 1\nlog = [{entries}]\n".encode())
    kept: list[str] = []
    session = Session.resume(replay, keeping(kept))
    with pytest.raises(FullRecordError):
        session.do("place 2 a1")
    assert kept == []
