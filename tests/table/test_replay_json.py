"""`cubiri replay --format json`: one object a line, one a state, with everything a page needs to draw the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.verifying import verify_file
from tests.support.running import cubiri

FOLDER = Path(__file__).parents[2] / "replays"
REPLAYS = sorted(FOLDER.glob("*.toml"))


def states(path: Path, *options: object) -> list[dict[str, Any]]:
    ran = cubiri("replay", path, "--format", "json", *options)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.isascii()
    return [json.loads(line) for line in ran.out.splitlines()]


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
def test_each_entry_is_a_line_and_the_last_state_is_the_result(path: Path) -> None:
    replay = read_file(path)
    first, *rest = states(path)
    entries = [
        (number, index, turn.player, entry)
        for number, turn in enumerate(replay.turns, 1)
        for index, entry in enumerate(turn.log, 1)
    ]
    told = [
        (
            one["turn"],
            one["entry"],
            one["player"]["seat"],
            " -> ".join([one["action"], *([" ".join(map(str, one["dice"]))] if one["dice"] else [])]),
        )
        for one in rest
    ]
    assert told == entries
    assert rest[-1]["state"]["over"] is True
    assert rest[-1]["state"]["result"] == verify_file(path).result
    assert (first["turn"], first["entry"], first["player"], first["action"]) == (0, 0, None, None)
    assert first["comment"] == replay.comment
    assert first["replay"]["seed"] == replay.seed
    assert [player["name"] for player in first["replay"]["players"]] == [player.name for player in replay.players]
    # All but the first have the same keys, so that a table can be made of them.
    assert {tuple(one) for one in rest} == {tuple(key for key in first if key != "replay")}
    assert len({tuple(one["state"]) for one in (first, *rest)}) == 1


def test_a_board_is_told_by_cell() -> None:
    path = FOLDER / "magdagdon-survival-power-kills-roll.toml"
    told = {(one["turn"], one["entry"]): one for one in states(path)}
    staged = told[2, 2]["state"]
    assert staged["dice"] == [
        {"value": 1, "cell": None},
        {"value": 1, "cell": None},
        {"value": 4, "cell": "a1"},
        {"value": 6, "cell": None},
    ]
    assert staged["staged"] == {"a1": 4}
    assert staged["board"]["a1"] is None
    assert staged["board"]["b1"] == 3
    assert staged["required"] == 2
    assert staged["power_prices"] == [70]
    killed = told[5, 3]
    assert killed["dice"] == [1, 1]
    assert killed["events"] == [{"kind": "returned", "cells": ["d3"]}]
    assert killed["state"]["magdagdon"] is True
    assert told[5, 4]["state"]["board"]["a4"] == "ruin"
    assert told[5, 1]["comment"] is not None
    assert told[5, 2]["comment"] is None


def test_points_are_points_and_events_say_whose() -> None:
    told = {(one["turn"], one["entry"]): one for one in states(FOLDER / "mishimash-three-players-sudden-death.toml")}
    roll = told[1, 1]["state"]
    assert roll["combinations"] == [{"kind": "three-pairs", "dice": [1, 1, 3, 3, 6, 6], "points": 10.0}]
    assert roll["at_risk"] == 0.0
    assert told[1, 2]["events"] == [{"kind": "mishimash", "seat": 1, "points": 10.0}]
    assert told[1, 2]["state"]["at_risk"] == 20.0
    banked, final = told[1, 3]["events"]
    assert banked == {"kind": "banked", "seat": 1, "points": 20.0}
    assert final == {"kind": "final-round", "seat": 1}
    assert told[1, 3]["state"]["final_round"] == 1
    assert told[1, 3]["state"]["player"] == 2
    assert {"kind": "sudden-death", "seats": [1, 2, 3]} in told[3, 5]["events"]
    assert told[3, 5]["state"]["sudden_death"] == [1, 2, 3]
    assert told[4, 2]["state"]["at_risk"] == 1.5


def test_a_bust_says_what_was_lost() -> None:
    busts = [
        event
        for one in states(FOLDER / "mishimash-solo-bust-after-mishimash.toml")
        for event in one["events"]
        if event["kind"] == "bust"
    ]
    assert any(event["points"] > 0 for event in busts)
    assert all(set(event) == {"kind", "seat", "points"} for event in busts)


def test_with_a_turn_one_state_is_told() -> None:
    path = FOLDER / "magdagdon-survival-power-kills-roll.toml"
    (after,) = states(path, "--turn", 5)
    assert (after["turn"], after["entry"], after["state"]["result"]["score"]) == (5, 4, 243)
    (before,) = states(path, "--turn", 0)
    assert (before["turn"], before["state"]["result"]["score"]) == (0, 0)


def test_a_wrong_game_ends_before_the_wrong_entry(tmp_path: Path) -> None:
    path = FOLDER / "magdagdon-survival-power-kills-roll.toml"
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(path.read_text("utf-8").replace('"roll -> 2 5 1 2"', '"roll -> 2 5 1 3"'), "utf-8")
    ran = cubiri("replay", wrong, "--format", "json")
    assert ran.status == 1
    assert "turn 3, entry 1" in ran.message
    last = json.loads(ran.out.splitlines()[-1])
    assert (last["turn"], last["entry"]) == (2, 4)


@pytest.mark.parametrize("name", ["magdagdon-survival-power-kills-roll", "mishimash-two-players-final-round"])
def test_with_advice_each_state_holds_what_the_analysis_says_of_its_entry(name: str) -> None:
    path = FOLDER / f"{name}.toml"
    (judged,) = json.loads(cubiri("analyze", path, "--format", "json").out)
    advised = states(path, "--advice")
    said = [moment for one in advised for moment in one["advice"]]
    assert said == judged["moments"]
    for one in advised:
        for moment in one["advice"]:
            assert (moment["turn"], moment["entry"]) == (one["turn"], one["entry"])
        del one["advice"]
    assert advised == states(path)
    last = states(path, "--advice", "--turn", 2)[0]
    assert last["advice"] == [moment for moment in said if (moment["turn"], moment["entry"]) == (2, last["entry"])]


def test_marks_and_the_better_choice_stand_beside_the_state_in_text_and_pictures() -> None:
    path = FOLDER / "magdagdon-survival-power-kills-roll.toml"
    (judged,) = json.loads(cubiri("analyze", path, "--format", "json").out)
    marked = [moment for moment in judged["moments"] if moment.get("mark")]
    text = cubiri("replay", path, "--format", "text", "--advice").out
    assert text.count("better: ") == len(marked)
    assert text.count("luck ") == sum(moment["kind"] == "roll" for moment in judged["moments"])
    for moment in marked:
        assert f"−{moment['loss']:.1f} {moment['mark']} better: " in " ".join(text.split())
    assert "better: " not in cubiri("replay", path, "--format", "text").out
    # Another game, in which a marked decision ends its turn: a picture is of the state after one.
    path = FOLDER / "magdagdon-nightmare-negative-score.toml"
    (judged,) = json.loads(cubiri("analyze", path, "--format", "json").out)
    worst = next(moment for moment in judged["moments"] if moment.get("mark"))
    picture = cubiri("replay", path, "--format", "svg", "--advice", "--turn", worst["turn"]).out
    assert "better" in picture
    assert "better" not in cubiri("replay", path, "--format", "svg", "--turn", worst["turn"]).out
