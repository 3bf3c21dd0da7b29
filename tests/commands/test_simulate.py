"""`cubiri simulate` and `cubiri match`: the same games whatever the number of processes, and what is said of them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cubiri_cli import players
from cubiri_cli.replays import verify_file
from tests.support.running import cubiri, process

POSIX = pytest.mark.skipif(os.name == "nt", reason="Ctrl-C comes otherwise there")

KEYS = ["game", "options", "bot", "seed", "games", "unit", "mean", "stderr", "stdev", "quantiles", "min", "max"]
MATCH_KEYS = ["game", "options", "seats", "bots", "pairs", "means", "difference", "stderr", "won", "drawn", "lost"]


def answer(*arguments: object) -> dict[str, Any]:
    """Return what a command answers with `--format json`."""
    ran = cubiri(*arguments, "--format", "json")
    assert (ran.status, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


def folder(path: Path) -> dict[str, bytes]:
    """Return all that is in a folder."""
    return {one.name: one.read_bytes() for one in sorted(path.iterdir())}


@pytest.mark.parametrize(
    ("game", "counts"), [("magdagdon", ["turns", "ruins", "powers"]), ("mishimash", ["turns", "busts"])]
)
def test_json_is_one_object_with_these_keys(game: str, counts: list[str]) -> None:
    found = answer("simulate", game, "--bot", "random", "--games", 12, "--seed", "Json", "--jobs", 1)
    assert list(found) == [*KEYS, *counts, "verdicts"]
    assert (found["game"], found["bot"], found["seed"], found["games"]) == (game, "random", "json", 12)
    assert found["unit"] == ("points" if game == "magdagdon" else "turns")
    assert list(found["quantiles"]) == ["5", "25", "50", "75", "95"]
    assert found["verdicts"] == {}
    whole = players.simulate(game, found["options"], "random", count=12, seed="json")
    assert (found["mean"], found["stdev"], found["stderr"]) == (whole.mean, whole.stdev, whole.stderr)
    assert found["min"] <= found["quantiles"]["5"] <= found["quantiles"]["50"] <= found["max"]
    if game == "mishimash":
        assert found["turns"] == found["mean"]


@pytest.mark.parametrize(
    ("game", "option"), [("magdagdon", ["--difficulty", "survival"]), ("mishimash", ["--target", 30])]
)
def test_any_number_of_processes_gives_the_same_bytes(game: str, option: list[object], tmp_path: Path) -> None:
    """Also at other times of the day, and in the records."""
    found = set()
    for jobs in (1, 2, 7):
        for form in ("json", "text"):
            output = tmp_path / f"{jobs}-{form}"
            command = ["simulate", game, *option, "--bot", "random", "--seed", "S", "--games", 30, "--jobs", jobs]
            ran = process(*command, "--output", output, "--format", form, SOURCE_DATE_EPOCH=str(jobs))
            assert (ran.status, ran.err) == (0, "")
            found.add((form, ran.out))
            found.add(("files", str(folder(output))))
    assert len(found) == 3
    names = [f"s-{number}.toml" for number in range(1, 31)]
    assert sorted(folder(output)) == sorted(names)
    assert {verify_file(output / name).status for name in names} == {"verified"}
    assert cubiri("verify-score", output).status == 0


def test_match_gives_the_same_bytes_too() -> None:
    command = ["match", "mishimash", "--target", 50, "--seats", 2, "--bot", "steady", "--bot", "casual", "--seed", 3]
    found = {process(*command, "--jobs", jobs, "--format", "json").out for jobs in (1, 2, 7)}
    assert len(found) == 1
    data = json.loads(found.pop())
    assert list(data) == [*MATCH_KEYS, "decided", "verdicts"]
    assert (data["seats"], data["bots"], data["decided"], data["verdicts"]) == (
        2,
        ["steady", "casual"],
        "first",
        [{}, {}],
    )
    assert data["won"] + data["drawn"] + data["lost"] == data["pairs"] < 2000
    assert sum(data["means"]) == pytest.approx(1)
    assert data["difference"] == pytest.approx(data["means"][0] - data["means"][1])


def test_match_stops_where_the_same_in_python_does() -> None:
    found = answer("match", "magdagdon", "--bot", "random", "--bot", "casual", "--seed", "m", "--jobs", 2)
    same = players.match("magdagdon", {"difficulty": "peaceful"}, "random", "casual", pairs=2000, seed="m")
    assert (found["pairs"], found["means"], found["decided"]) == (same.pairs, same.means, "second")
    assert found["difference"] == same.difference
    assert found["difference"] < 0


def test_records_are_written_over_by_nothing_but_themselves(tmp_path: Path) -> None:
    command = ["simulate", "mishimash", "--target", 10, "--bot", "casual", "--seed", 1, "--games", 3, "--jobs", 1]
    assert cubiri(*command, "--output", tmp_path / "new" / "folder").status == 0
    before = folder(tmp_path / "new" / "folder")
    assert cubiri(*command, "--output", tmp_path / "new" / "folder").status == 0
    assert folder(tmp_path / "new" / "folder") == before
    (tmp_path / "new" / "folder" / "1-2.toml").write_text("mine")
    ran = cubiri(*command, "--output", tmp_path / "new" / "folder")
    assert (ran.status, ran.message) == (2, f"cubiri: {tmp_path / 'new' / 'folder' / '1-2.toml'}: File exists")
    assert (tmp_path / "new" / "folder" / "1-2.toml").read_text() == "mine"
    (tmp_path / "file").touch()
    assert "not a folder" in cubiri(*command, "--output", tmp_path / "file").message


@pytest.mark.parametrize(
    ("said", "arguments"),
    [
        ("--bot", ["simulate", "magdagdon"]),
        ("chess", ["simulate", "chess", "--bot", "random"]),
        ("names neither a level nor a program", ["simulate", "magdagdon", "--bot", ""]),
        ("is not closed", ["simulate", "magdagdon", "--bot", "a 'b"]),
        ("begins with no name", ["simulate", "magdagdon", "--bot", f"{'x' * 40}=random"]),
        ("no such option", ["simulate", "magdagdon", "--bot", "random", "--target", "10"]),
        ("--games", ["simulate", "magdagdon", "--bot", "random", "--games", "0"]),
        ("--jobs", ["simulate", "magdagdon", "--bot", "random", "--jobs", "0"]),
        ("--seed: too long", ["simulate", "magdagdon", "--bot", "random", "--seed", "x" * 62]),
        ("--bot-timeout", ["simulate", "magdagdon", "--bot", "random", "--bot-timeout", "-1"]),
        ("--format", ["simulate", "magdagdon", "--bot", "random", "--format", "xml"]),
        ("two bots are compared, not 1", ["match", "magdagdon", "--bot", "random"]),
        ("two bots are compared, not 3", ["match", "magdagdon", *["--bot", "random"] * 3]),
        ("--output: name a folder", ["simulate", "magdagdon", "--bot", "random", "--output", ""]),
        ("--seats", ["match", "magdagdon", *["--bot", "random"] * 2, "--seats", "2"]),
        ("--seats", ["match", "mishimash", *["--bot", "random"] * 2, "--seats", "3"]),
    ],
)
def test_what_is_wrong_is_said_in_one_line(said: str, arguments: list[str]) -> None:
    ran = cubiri(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.message


def test_a_level_that_the_game_lacks_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from cubiri_cli import games

    monkeypatch.setitem(games.MODULES, "pig", "tests.third_game")
    ran = cubiri("simulate", "pig", "--bot", "master", "--games", 2)
    assert (ran.status, ran.message) == (2, "cubiri: --bot: pig has the levels random")
    assert cubiri("simulate", "pig", "--bot", "random", "--games", 2, "--target", 20).status == 0


@POSIX
def test_a_level_that_is_mistyped_is_told_to_be_none() -> None:
    ran = cubiri("simulate", "mishimash", "--bot", "mastr", "--games", 2, "--jobs", 1)
    told = "is neither a level (random, casual, steady, master) nor a program that can be run"
    assert (ran.status, ran.out, ran.message) == (2, "", f"cubiri: --bot: mastr {told}; did you mean master?")
    ran = cubiri("match", "mishimash", "--bot", "random", "--bot", "./robot -x", "--games", 2, "--jobs", 1)
    assert (ran.status, ran.out, ran.message) == (2, "", f"cubiri: --bot: ./robot -x {told}")


@pytest.mark.parametrize(
    ("language", "mean", "decided"),
    [
        ("en", "Mean 12.60 ± 0.33 turns", "Decided: casual is better."),
        ("fi", "Vuoroja keskimäärin 12,60 ± 0,33", "Ratkaistu: casual on parempi."),
        ("sk", "Priemerný počet ťahov 12,60 ± 0,33", "Rozhodnuté: casual je lepší."),
    ],
)
def test_what_people_are_told_in_their_language(language: str, mean: str, decided: str) -> None:
    told = cubiri(
        "--lang", language, "simulate", "mishimash", "--target", 100, "--bot", "casual", "--games", 200, "--seed", 1
    )
    assert mean in told.out
    assert len(told.out.splitlines()) == 4
    told = cubiri(
        "--lang", language, "match", "mishimash", "--bot", "random", "--bot", "casual", "--target", 100, "--seed", 1
    )
    assert decided in told.out


def test_a_game_too_long_for_a_record_is_told_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cubiri_cli.replays.session.LARGEST", 2000)
    command = ["simulate", "mishimash", "--target", 100, "--bot", "random", "--games", 5, "--seed", "long", "--jobs", 1]
    ran = cubiri(*command, "--output", tmp_path / "games")
    written = {path.stem for path in (tmp_path / "games").iterdir()}
    left = [f"long-{number}" for number in range(1, 6) if f"long-{number}" not in written]
    assert left
    assert [line.split()[3] for line in ran.err.splitlines()] == left
    assert (ran.status, ran.out) == (0, cubiri(*command).out)


def test_a_match_of_few_games_says_why_it_is_not_decided() -> None:
    ran = cubiri("match", "mishimash", "--bot", "casual", "--bot", "steady", "--target", 50, "--games", 4, "--seed", 1)
    assert "\nNot decided: so few pairs do not tell the difference from chance. More games may.\n" in ran.out


def test_match_says_the_test_its_bounds_and_its_effect() -> None:
    ran = cubiri("match", "mishimash", "--bot", "casual", "--bot", "casual", "--target", 20, "--seed", 1)
    assert "casual against casual 2" in ran.out
    assert "equally good" in ran.out
    assert "0.1 standard deviations" in ran.out
    assert "alpha = beta = 0.05, bounds −2.97 and 3.64" in ran.out


@POSIX
def test_a_program_s_games_are_counted_by_verdict_and_what_it_says_is_passed_on(tmp_path: Path) -> None:
    source = """
import json, sys
print("\\033[31mI am here", file=sys.stderr)
for line in sys.stdin:
    legal = json.loads(line)["legal"]
    print("fly" if sys.argv[1] == "fly" else legal[-1], flush=True)
"""
    bot = tmp_path / "bot.py"
    bot.write_text(source)
    command = f"Rob={sys.executable} -S {bot}"
    ran = cubiri(
        "simulate", "mishimash", "--target", 10, "--bot", f"{command} fly", "--games", 3, "--seed", 1, "--jobs", 1
    )
    assert ran.status == 0
    assert "Rob lost 3 games: garbled. The first, 1-1:" in ran.out
    assert ran.err.count("I am here\n") == 3
    assert "\x1b" not in ran.err
    assert "It said: " in ran.out
    found = json.loads(
        cubiri("simulate", "mishimash", "--bot", f"{command} fly", "--games", 2, "--seed", 1, "--format", "json").out
    )
    assert (found["games"], found["mean"], found["verdicts"]) == (0, None, {"garbled": 2})
    assert (found["unit"], found["turns"], found["busts"]) == ("turns", None, None)
    ran = cubiri(
        "match", "mishimash", "--target", 10, "--bot", f"{command} fly", "--bot", f"{command} play", "--games", 2
    )
    assert "Rob lost 2 games: garbled" in ran.out
    assert "Rob 2 lost" not in ran.out
    assert "Not decided: no pair of games has a result.\n" in ran.out


SLOW = """
import json, sys, time
for line in sys.stdin:
    legal = json.loads(line)["legal"]
    if json.loads(line)["state"]["over"] is False and sys.argv[1] == "hang":
        time.sleep(3600)
    print("bank" if "bank" in legal else legal[-1], flush=True)
"""


@POSIX
@pytest.mark.parametrize("jobs", [1, 3])
def test_ctrl_c_shows_what_there_is_so_far_and_leaves_no_process(jobs: int, tmp_path: Path) -> None:
    """It is pressed once enough games are there, which their files tell."""
    command = ["simulate", "mishimash", "--target", "10", "--bot", "random", "--games", "9999999", "--seed", "c"]
    with subprocess.Popen(
        [sys.executable, "-m", "cubiri_cli", *command, "--jobs", str(jobs), "--output", str(tmp_path / "games")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        while not (tmp_path / "games" / "c-200.toml").exists():
            assert running.poll() is None
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (130, "")
    shown = int(out.splitlines()[0].rpartition(" · ")[2].split()[0])
    assert 1 <= shown <= len(folder(tmp_path / "games"))
    assert "Mean" in out
    with pytest.raises(ProcessLookupError):
        os.killpg(running.pid, 0)


@POSIX
def test_ctrl_c_in_a_match_shows_the_pairs_so_far(tmp_path: Path) -> None:
    mark = tmp_path / "asked"
    source = SLOW.replace("time.sleep(3600)", f"open({str(mark)!r}, 'a').close(); time.sleep(3600)")
    (tmp_path / "bot.py").write_text(source)
    bot = f"{sys.executable} -S {tmp_path / 'bot.py'} hang"
    command = [
        "match",
        "mishimash",
        "--target",
        "10",
        "--bot",
        "random",
        "--bot",
        bot,
        "--seed",
        "c",
        "--format",
        "json",
    ]
    with subprocess.Popen(
        [sys.executable, "-m", "cubiri_cli", *command, "--jobs", "2", "--bot-timeout", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        while not mark.exists():
            assert running.poll() is None
        os.killpg(running.pid, signal.SIGINT)
        out, _err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert json.loads(out)["pairs"] == 0


@POSIX
def test_on_a_terminal_no_line_breaks_within_a_word() -> None:
    from tests.support.terminal import Terminal

    command = ["simulate", "mishimash", "--target", 10, "--bot", "random", "--games", 200, "--seed", 1]
    facts = cubiri(*command).out
    longest = max(facts.splitlines(), key=len)
    within = next(at for at in range(36, len(longest)) if " " not in longest[at - 1 : at + 1])
    with Terminal(*command, columns=within) as terminal:
        assert terminal.end() == 0
        lines = terminal.text.splitlines()
    assert " ".join(" ".join(lines).split()).endswith(" ".join(facts.split()))


def test_plain_text_is_ascii() -> None:
    ran = cubiri("--plain", "simulate", "mishimash", "--target", 10, "--bot", "random", "--games", 9, "--seed", 1)
    assert "+-" in ran.out
    assert ran.out.isascii()
    ran = cubiri("--plain", "match", "mishimash", "--target", 10, "--bot", "random", "--bot", "casual", "--games", 9)
    assert ran.out.isascii()
    assert "?" not in ran.out


@POSIX
def test_no_line_of_a_match_is_longer_than_the_terminal() -> None:
    from tests.support.terminal import Terminal

    command = ["match", "mishimash", "--target", 10, "--bot", "random", "--bot", "casual", "--games", 9]
    with Terminal(*command) as terminal:
        assert terminal.end() == 0
        assert "alpha = beta = 0.05, bounds" in " ".join(terminal.text.split())
        assert "\n  " in terminal.text  # wrapped between words, and told apart from the next line


@POSIX
def test_progress_says_how_long_it_will_take_and_ctrl_c_takes_it_away() -> None:
    from tests.support.terminal import Terminal

    command = ["simulate", "mishimash", "--bot", "random", "--games", 1_000_000, "--seed", 1]
    with Terminal(*command) as terminal:
        terminal.see(" of 1000000 games; ")
        assert re.search(r"^[1-9]\d* of 1000000 games; .*(:\d\d)+ left …$", terminal.text, re.MULTILINE)
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
        assert "Mean " in terminal.text
        assert "left" not in terminal.text
