"""`cubiri analyze`: one game for people, many in a table, and as data."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cubiri_cli import players
from cubiri_cli.commands.analyze import HELP
from cubiri_cli.players.advice import LEAST, MARKS, TIMES, has_evaluator
from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import Player as Seated
from cubiri_cli.replays.session import Session
from tests.support.running import cubiri, process
from tests.support.strategies import NAMES, Setup, magdagdon, mishimash
from tests.support.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

REPLAYS = Path(__file__).parents[2] / "replays"

SETUPS = (magdagdon("nightmare", "analyzed"), mishimash(1, 100, "analyzed"), mishimash(2, 20, "analyzed"))


@cache
def text_of(setup: Setup, level: str = "steady") -> str:
    session = setup.begin()
    bots = [players.level(level, setup.game, f"{seat}") for seat in range(setup.seats)]
    while not session.game.over:
        session.do(bots[session.game.seat - 1].choose(players.View(session.game, ["x"] * setup.seats)))
    return session.text()


def write(folder: Path, setups: Sequence[Setup] = SETUPS, level: str = "steady") -> list[Path]:
    paths = []
    for number, setup in enumerate(setups):
        paths.append(folder / f"{number}.toml")
        paths[-1].write_text(text_of(setup, level), "utf-8", newline="\n")
    return paths


def data_of(*paths: object) -> list[dict[str, Any]]:
    ran = cubiri("analyze", *paths, "--format", "json")
    assert not ran.err
    found: list[dict[str, Any]] = json.loads(ran.out)
    return found


def test_json_has_an_object_a_file_and_its_sums_can_be_computed_again(tmp_path: Path) -> None:
    write(tmp_path)
    found = data_of(tmp_path)
    assert [one["path"] for one in found] == [str(tmp_path / f"{number}.toml") for number in range(3)]
    for one, setup in zip(found, SETUPS, strict=True):
        keys = ["path", "status", "game", "options", "seed", "unit", "error", "seats", "moments", "hindsight"]
        assert list(one) == keys
        assert (one["status"], one["game"], one["seed"]) == ("verified", setup.game, "analyzed")
        assert [seat["player"] for seat in one["seats"]] == NAMES[: setup.seats]
        for number, seat in enumerate(one["seats"], 1):
            own = [moment for moment in one["moments"] if moment["seat"] == number]
            assert seat["luck"] == pytest.approx(sum(moment.get("luck", 0) for moment in own))
            assert seat["loss"] == pytest.approx(sum(moment.get("loss", 0) for moment in own))
            assert seat["revision"] == pytest.approx(sum(moment.get("revision", 0) for moment in own))
            others = sum(moment["others"][number - 1] for moment in one["moments"] if "others" in moment)
            assert seat["others"] == pytest.approx(others)
            total = seat["start"] + seat["luck"] - seat["loss"] + seat["revision"] + seat["others"]
            assert total == pytest.approx(seat["result"], abs=1e-9)
            assert seat["marks"] == {mark: [moment.get("mark") for moment in own].count(mark) for mark in MARKS}
            assert seat["decisions"] == [moment["kind"] for moment in own].count("decision")


def test_moments_are_in_order_and_each_says_what_it_was(tmp_path: Path) -> None:
    for path in write(tmp_path):
        (one,) = data_of(path)
        places = [(moment["turn"], moment["entry"]) for moment in one["moments"]]
        assert places == sorted(places)
        for moment in one["moments"]:
            others = {"others"} & set(moment)
            assert len(others) <= (len(one["seats"]) > 1)
            if moment["kind"] == "roll":
                assert set(moment) - others == {"turn", "entry", "seat", "kind", "dice", "luck"}
            else:
                more = {"actions", "value", "best", "better", "loss", "revision", "error", "mark"}
                assert set(moment) - others == {"turn", "entry", "seat", "kind"} | more
                assert moment["error"] <= one["error"]
                assert moment["best"] - moment["value"] == pytest.approx(moment["loss"])
                assert moment["loss"] >= 0
                assert moment["actions"]


def test_the_line_for_people_adds_up_as_it_is_shown(tmp_path: Path) -> None:
    for path in write(tmp_path, SETUPS[:2], "casual"):
        out = re.sub(r"\n  ", " ", cubiri("analyze", path).out)
        line = next(one for one in out.splitlines() if " = " in one)
        said, terms = line.rpartition(" · ")[2].replace("−", "-").split(" = ")
        total = float(said.split(" ")[0])
        found = [float(re.sub(r"[^-\d.]", "", term)) for term in re.findall(r"^[\d.-]+|[+-] [\d.]+", terms)]
        assert len(found) >= 3
        assert sum(found) == pytest.approx(total, abs=1e-6)


def test_people_are_shown_marks_luck_a_chart_and_the_costliest_moments(tmp_path: Path) -> None:
    (path,) = write(tmp_path, SETUPS[:1], "random")
    out = cubiri("analyze", path).out
    (one,) = data_of(path)
    marked = sorted((moment for moment in one["moments"] if moment.get("mark")), key=lambda m: -m["loss"])
    for moment in marked[:3]:
        assert f"turn {moment['turn']}" in out
        assert f"−{moment['loss']:.1f} {moment['mark']}" in out
    assert out.count("better: ") == 3
    assert out.count("┌─────┬") == 3
    for told in (
        "Luckiest roll: ",
        "Unluckiest roll: ",
        "the value over the game",
        "▁",
        "?!  more than the error",
        "with these dice",
    ):
        assert told in out
    plain = cubiri("--plain", "analyze", path).out
    assert plain.isascii()
    assert "The value after each turn: 0 " in plain
    assert "Row 1" in plain


def test_of_several_it_is_said_whose_roll_it_was_and_bots_mistakes_are_not_shown(tmp_path: Path) -> None:
    session = Session.begin("mishimash", {"target": 20}, [Seated("Ada"), Seated("casual", "casual")], "whose")
    wild = players.level("random", "mishimash", "x")
    while not session.game.over:
        session.do(wild.choose(players.View(session.game, ["x", "y"])))
    path = tmp_path / "two.toml"
    path.write_text(session.text(), "utf-8", newline="\n")
    out = cubiri("analyze", path).out
    assert len(re.findall(r"uckiest roll: turn \d+: [1-6 ]+ [+−][\d.]+% · (?:Ada|casual)", out)) == 2
    assert re.findall(r"turn \d+ · (\w+)   ", out) == ["Ada"] * out.count("better: ")
    (one,) = data_of(path)
    assert any(moment.get("mark") for moment in one["moments"] if moment["seat"] == 2)


def test_many_games_make_a_table_a_row_a_player_and_kind(tmp_path: Path) -> None:
    write(tmp_path, [*SETUPS, magdagdon("nightmare", "another")])
    lines = cubiri("analyze", tmp_path).out.splitlines()
    assert lines[0].split() == ["player", "game", "games", "result", "luck", "lost", "each", *MARKS]
    assert [one.split()[0] for one in lines[1:]] == ["Ada"] * 3 + ["Väinö"]
    assert any(re.match(r"Ada +MAGDAGDON nightmare +2 ", one) for one in lines)
    markdown = cubiri("analyze", tmp_path, "--format", "markdown").out.splitlines()
    assert len(markdown) == len(lines) + 1
    assert all(one.startswith("| ") for one in [markdown[0], *markdown[2:]])


def test_only_games_that_verify_are_judged(tmp_path: Path) -> None:
    good, *_others = write(tmp_path, SETUPS[:1])
    text = good.read_text("utf-8")
    (tmp_path / "lies.toml").write_text(text.replace('seed = "analyzed"', 'seed = "other"'), "utf-8", newline="\n")
    (tmp_path / "unfinished.toml").write_text(text[: text.index("\n[result]")] + "\n", "utf-8", newline="\n")
    unfinished = mishimash(1, 100, "half").begin()
    unfinished.do("roll")
    (tmp_path / "unfinished.toml").write_text(unfinished.text(), "utf-8", newline="\n")
    ran = cubiri("analyze", tmp_path)
    assert ran.status == 1
    assert "lies.toml: turn 1, entry 1: " in ran.message
    assert [one["status"] for one in json.loads(cubiri("analyze", tmp_path, "--format", "json").out)] == [
        "verified",
        "dice",
        "unfinished",
    ]
    assert cubiri("analyze", tmp_path / "unfinished.toml").status == 1
    assert cubiri("analyze", tmp_path / "missing.toml").status == 2
    lies = cubiri("analyze", tmp_path / "lies.toml", "--format", "json")
    assert json.loads(lies.out)[0]["seats"] == []
    assert lies.status == 1


def test_unfinished_games_in_a_folder_are_no_failure_but_one_that_is_named_is(tmp_path: Path) -> None:
    unfinished = mishimash(1, 100, "half").begin()
    unfinished.do("roll")
    path = tmp_path / "unfinished.toml"
    path.write_text(unfinished.text(), "utf-8", newline="\n")
    for format in ("text", "markdown", "json"):
        assert cubiri("analyze", tmp_path, "--format", format).status == 0
        assert cubiri("analyze", path, "--format", format).status == 1
    (one,) = json.loads(cubiri("analyze", tmp_path, "--format", "json").out)
    assert (one["status"], one["seats"], one["moments"], one["hindsight"]) == ("unfinished", [], [], [])


def test_what_the_dice_allowed_is_in_the_data_and_no_master_beats_it(tmp_path: Path) -> None:
    for path in write(tmp_path, level="random"):
        (one,) = data_of(path)
        assert [found["seat"] for found in one["hindsight"]] == list(range(1, len(one["seats"]) + 1))
        best = ", ".join(f"{found['best']}" for found in one["hindsight"])
        out = cubiri("analyze", path).out
        assert f"with these dice: {best} " in out or len(one["seats"]) > 1
        if len(one["seats"]) > 1:
            continue
        (seat,), (found,) = one["seats"], one["hindsight"]
        said = float(re.findall(r"would have made about (\S+)", out)[0])
        sign = -1 if found["unit"] == "turns" else 1
        assert sign * said == pytest.approx(min(seat["result"] + seat["loss"], sign * found["best"]), abs=0.5)


def test_standard_input_is_a_game(tmp_path: Path) -> None:
    (path, other, _) = write(tmp_path)
    out = cubiri("analyze", path).out
    assert cubiri("analyze", "-", stdin=path.read_bytes()).out == out
    assert cubiri("analyze", "-", "-", stdin=path.read_bytes()).out == out
    ran = cubiri("analyze", other, "-", "--format", "json", stdin=path.read_bytes())
    assert [one["path"] for one in json.loads(ran.out)] == [str(other), "-"]


def test_every_recorded_game_here_is_judged_where_there_is_advice() -> None:
    paths = [path for path in sorted(REPLAYS.glob("*.toml")) if has_evaluator(read_file(path).game)]
    ran = cubiri("analyze", *paths, "--format", "json")
    assert {one["status"] for one in json.loads(ran.out)} == {"verified"}
    assert ran.status == 0


def test_it_speaks_three_languages_and_data_is_english(tmp_path: Path) -> None:
    (path,) = write(tmp_path, SETUPS[:1], "random")
    texts = {language: cubiri("--lang", language, "analyze", path).out for language in ("en", "fi", "sk")}
    assert len(set(texts.values())) == 3
    for word in ("better", "Luckiest", "mistakes", "decision", "the error"):
        assert word in texts["en"]
        assert word not in texts["fi"] + texts["sk"]
    assert len({cubiri("--lang", language, "analyze", path, "--format", "json").out for language in texts}) == 1


def test_the_help_says_what_the_marks_mean() -> None:
    text = " ".join(HELP[-1].split())
    for mark in MARKS:
        assert f"{mark} " in text
    assert f"more than {TIMES[1]} times" in text
    assert f"more than {TIMES[2]} times" in text
    for at in (1, 2):
        points, turns, chance = (LEAST[unit][at] for unit in ("points", "turns", "chance"))
        assert f"more than {points:g} points, {turns:g} turns or {chance:g} of the chance" in text
    assert "Marks: ?!" in cubiri("analyze", "--help").out


def test_a_folder_is_judged_by_several_processes(tmp_path: Path) -> None:
    write(tmp_path, [mishimash(1, 20, f"several-{number}") for number in range(6)])
    ran = process("analyze", tmp_path, CUBIRI_HOME=str(tmp_path / "home"))
    assert ran.status == 0
    assert ran.out == cubiri("analyze", tmp_path).out


def test_marked_moments_come_again_as_questions_on_the_board(tmp_path: Path) -> None:
    (path,) = write(tmp_path, SETUPS[:1], "random")
    (one,) = data_of(path)
    marked = [moment for moment in one["moments"] if moment.get("mark")]
    first, second = marked[:2]
    with Terminal("--plain", "analyze", "--retry", path) as terminal:
        terminal.see(f"turn {first['turn']}, Ada", "What would you do now?")
        terminal.type("; ".join(first["better"]), "Enter")
        terminal.see("Right: ", "played was: ", first["mark"], "Continue?")
        terminal.type("c", "Enter")
        terminal.see(f"turn {second['turn']}, Ada", "What would you do now?")
        terminal.type("; ".join(second["actions"]), "Enter")
        terminal.see("loses something: -", "better: ", "Continue?")
        terminal.type("q", "Enter")
        terminal.see("1 of 2 answers were right.")
        assert terminal.end() == 0
    assert data_of(path) == [one]
    assert [file.name for file in tmp_path.iterdir()] == ["0.toml"]


def test_moments_are_decided_by_keys_on_a_screen(tmp_path: Path) -> None:
    (path,) = write(tmp_path, [mishimash(1, 50, "again")], "random")
    with Terminal("analyze", "--retry", path) as terminal:
        terminal.see("What would you do now?")
        terminal.type("b")
        terminal.see("played was: ", "Continue?")
        terminal.type("c")
        terminal.see("What would you do now?")
        terminal.type("q")
        terminal.see("of 1 answer")
        assert terminal.end() == 0


def test_without_a_terminal_there_are_no_questions(tmp_path: Path) -> None:
    (path,) = write(tmp_path, SETUPS[:1])
    assert cubiri("analyze", "--retry", path).status == 2
