"""The record holds: thousands of random games of every kind, and what becomes of them when something is changed."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
import tomli
from hypothesis import given, settings
from hypothesis import strategies as st

from cubiri_cli import games
from cubiri_cli.replays.reading import read
from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.script import play_script, read_script, wrong_claims
from cubiri_cli.replays.session import Session
from cubiri_cli.replays.verifying import Verdict, verify
from cubiri_cli.replays.writing import write
from tests.support import reference
from tests.support.strategies import (
    DAMAGE,
    STARTED,
    Setup,
    change_a_claim,
    change_a_die,
    change_an_action,
    damaged,
    mishimash,
    pick,
    pick_for_a_tie,
    play,
    reorder_dice,
    setup_number,
    setups,
    to_bytes,
)

ROUNDS = 8
GAMES = 300
"""Rounds of games: 2,400 in all, in parts, so that workers can share them."""


def random_game(number: int, **more: Any) -> Session:
    choose = pick_for_a_tie if number % 3 == 0 else pick
    return play(setup_number(number), random.Random(number), choose, started=STARTED, **more)


def run_script(document: dict[str, Any], seed: str, players: list[Player]) -> Session:
    """Play a script as the command does; `seed` and `players` stand in where it leaves them out."""
    script = read_script(to_bytes(document))
    session = Session.begin(
        script.game,
        script.options,
        script.players or players,
        script.seed or seed,
        started=script.started or STARTED,
        comment=script.comment,
        rules=script.rules,
    )
    play_script(session, script)
    assert wrong_claims(session, script) == []
    return session


def with_holes(document: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return a script that leads to the same game: answers and keys missing, turns merged, split and left open."""
    script = copy.deepcopy(document)
    for name in ("seed", "started", "version", "rules", "dice", "players"):
        if chance.random() < 0.4:
            del script[name]
    turns: list[dict[str, Any]] = []
    for turn in script["turns"]:
        log = [entry.partition(" -> ")[0] if chance.random() < 0.5 else entry for entry in turn["log"]]
        if chance.random() < 0.3:
            del turn["player"]
        if turns and chance.random() < 0.3:
            turns[-1]["log"] += log
            continue
        cut = chance.randrange(len(log)) if chance.random() < 0.3 else 0
        turns += [{**turn, "log": part} for part in (log[:cut], log[cut:])] if cut else [{**turn, "log": log}]
    script["turns"] = turns
    return script


def agrees(data: bytes) -> Verdict:
    """Return the verdict on a file, after holding it against the reference's, where that knows the game."""
    verdict, slow = verify(data), reference.judge_bytes(data)
    if tomli.loads(data.decode())["game"] not in reference.GAMES:
        return verdict
    assert (verdict.status, verdict.where) == (slow.status, slow.where), data.decode()
    if verdict.status in ("verified", "mismatch"):
        assert verdict.result == slow.result
    return verdict


@pytest.mark.parametrize("part", range(ROUNDS))
def test_what_is_played_verifies_and_reads_back(part: int) -> None:
    kinds = dict.fromkeys(games.names(), 0)
    for number in range(part * GAMES, (part + 1) * GAMES):
        session = random_game(number)
        text = session.text()
        data = text.encode()
        verdict = verify(data)
        assert verdict.status == "verified", text
        assert verdict.result == session.game.result()
        again = read(data)
        assert again == session.replay
        assert write(again) == text
        assert again.digest == session.replay.digest
        kinds[session.replay.game] += 1
    assert min(kinds.values()) == GAMES // len(kinds)


@pytest.mark.parametrize("part", range(ROUNDS))
def test_the_script_of_a_replay_writes_the_same_bytes(part: int) -> None:
    for number in range(part * GAMES, (part + 1) * GAMES, 3):
        session = random_game(number)
        text, replay = session.text(), session.replay
        document = tomli.loads(text)
        assert run_script(document, "unused", []).text() == text
        script = with_holes(document, random.Random(number))
        assert run_script(script, replay.seed, replay.players).text() == text


@pytest.mark.parametrize("part", range(ROUNDS))
def test_one_change_is_never_verified_unless_the_reference_agrees(part: int) -> None:
    """Every die, action, boundary, player, claim, seed and option: status, place and result are the reference's."""
    statuses: dict[str, int] = {}
    for number in range(part * GAMES, (part + 1) * GAMES, 3):
        document = tomli.loads(random_game(number).text())
        chance = random.Random(number)
        for how in (change_a_die, change_an_action, chance.choice(DAMAGE)):
            changed = damaged(document, chance, how)
            verdict = agrees(to_bytes(changed))
            statuses[verdict.status] = statuses.get(verdict.status, 0) + 1
            assert how is not change_a_die or verdict.status != "verified"
            assert how is not change_a_claim or verdict.status != "verified"
    assert set(statuses) >= {"dice", "illegal", "mismatch"}


def short_games() -> list[dict[str, Any]]:
    """Return the shortest of a few random games of each kind."""
    games = [[random_game(number).text() for number in range(first, 60, 2)] for first in (0, 1)]
    return [tomli.loads(min(texts, key=len)) for texts in games]


def test_every_single_die_counts() -> None:
    """Not a sample: each die of a game is changed in turn."""
    for document in short_games():
        for turn, table in enumerate(document["turns"], 1):
            for index, entry in enumerate(list(table["log"])):
                action, _, answer = entry.partition(" -> ")
                for at in range(0, len(answer), 2):
                    die = str(int(answer[at]) % 6 + 1)
                    table["log"][index] = f"{action} -> {answer[:at]}{die}{answer[at + 1 :]}"
                    verdict = verify(to_bytes(document))
                    assert (verdict.status, verdict.where) == ("dice", f"turn {turn}, entry {index + 1}")
                table["log"][index] = entry


def test_dice_in_another_order_are_other_dice() -> None:
    """They keep the order in which they were thrown (replay.md, Log entries)."""
    reordered = 0
    for number in range(60):
        document = tomli.loads(random_game(number).text())
        other = damaged(document, random.Random(number), reorder_dice)
        if other != document:  # a game of single dice has no order
            reordered += 1
            assert agrees(to_bytes(other)).status == "dice"
    assert reordered >= 30


def test_every_single_entry_left_out_or_doubled_is_judged_as_the_reference_does() -> None:
    """A die staged and taken back again, or a hint, need not be missed; that is for the reference to say."""
    for document in short_games():
        for table in document["turns"]:
            log = list(table["log"])
            for index, entry in enumerate(log):
                for edit in ([], [entry, entry]):
                    table["log"] = [*log[:index], *edit, *log[index + 1 :]]
                    agrees(to_bytes(document))
            table["log"] = log


def test_every_single_claim_counts() -> None:
    """Each number of a result is wrong by one in turn."""
    party = tomli.loads(play(mishimash(3, 10, "claims"), random.Random(1), started=STARTED).text())
    for document in (party, *short_games()):
        for name, value in document["result"].items():
            if name in ("finished", "winner"):
                continue
            parts = value if isinstance(value, list) else [value]
            for at in range(len(parts)):
                wrong = [*parts[:at], parts[at] + 1, *parts[at + 1 :]]
                changed = {**document["result"], name: wrong if isinstance(value, list) else wrong[0]}
                verdict = agrees(to_bytes({**document, "result": changed}))
                assert (verdict.status, verdict.where) == ("mismatch", f"result.{name}")


def test_another_winner_is_a_mismatch() -> None:
    document = tomli.loads(play(mishimash(3, 10, "claims"), random.Random(1), started=STARTED).text())
    right = document["result"]["winner"]
    for seat in (1, 2, 3):
        document["result"]["winner"] = seat
        verdict = agrees(to_bytes(document))
        assert verdict.status == ("verified" if seat == right else "mismatch")


@settings(max_examples=60)
@given(setups, st.integers(0, 2**32), st.sampled_from(DAMAGE))
def test_any_game_with_any_damage(setup: Setup, number: int, how: Any) -> None:
    """The same as above, with inputs that shrink."""
    chance = random.Random(number)
    session = play(setup, chance, started=STARTED)
    text = session.text()
    assert verify(text.encode()).status == "verified"
    agrees(to_bytes(damaged(tomli.loads(text), chance, how)))


@settings(max_examples=60)
@given(setups, st.integers(0, 2**32), st.integers(1, 40))
def test_any_game_cut_anywhere_is_unfinished_and_goes_on(setup: Setup, number: int, actions: int) -> None:
    """A game in progress is a valid replay after every action, and resuming it leads where playing on would have."""
    chance = random.Random(number)
    session = play(setup, chance, most=actions, started=STARTED)
    text = session.text()
    if session.game.over:
        assert agrees(text.encode()).status == "verified"
        return
    assert agrees(text.encode()).status == "unfinished"
    resumed = Session.resume(read(text.encode()))
    assert resumed.text() == text
    chance = random.Random(number)
    while not session.game.over:
        action = pick(session.game, chance)
        assert session.do(action) == resumed.do(action)
    for one in (session, resumed):
        assert one.replay.result is not None
        one.replay.result["finished"] = STARTED
    assert resumed.text() == session.text() == write(session.replay)


def test_the_text_after_every_action_is_the_canonical_one() -> None:
    """What is kept while playing is built in parts; it must not differ from what is written at once."""

    def check(session: Session) -> None:
        assert session.text() == write(session.replay)
        data = session.text().encode()
        assert verify(data).status == ("verified" if session.game.over else "unfinished")

    for number in range(16):
        play(setup_number(number), random.Random(number), after_each=check, started=STARTED, comment="a\nb")


def test_games_with_sudden_death_are_among_them() -> None:
    """The player who looks for a tie finds one often enough for the tests above to mean something."""
    found = [
        number
        for number in range(160)
        if play(mishimash(number % 7 + 2, 10, f"t-{number}"), random.Random(number), pick_for_a_tie).game.contenders  # type: ignore[attr-defined]
    ]
    assert len(found) >= 8
