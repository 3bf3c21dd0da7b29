"""Bots at the table: opponents and players to watch, on a screen and line by line."""

from __future__ import annotations

import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import Player
from cubiri_cli.store.home import recent
from cubiri_cli.terminal import bots_turn
from tests.support.processes import Marked
from tests.support.running import cubiri
from tests.support.terminal import PATIENCE, Terminal

if TYPE_CHECKING:
    from pathlib import Path

ADA = ("play", "mishimash", "--target", "30", "--player", "Ada", "--seed", "42")

PLAYS = """
import json, sys
for line in sys.stdin:
    legal = json.loads(line)["legal"]
    print("bank" if "bank" in legal else max(legal, key=len), flush=True)
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="wants a pseudo-terminal")


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Marked:
    return Marked(monkeypatch, str(tmp_path))


def command(tmp_path: Path, source: str) -> str:
    path = tmp_path / "rob.py"
    path.write_text(source, "utf-8")
    return f"{sys.executable} -S {path}"


def bank(terminal: Terminal) -> None:
    """Take a person's turn: roll, and bank what is offered."""
    terminal.see("roll the six dice")
    terminal.type("r")
    terminal.see("What do you keep?")
    terminal.type("b")


def test_a_level_and_a_program_are_opponents_whose_moves_can_be_followed_and_skipped(
    tmp_path: Path, marked: Marked
) -> None:
    bots = ("--bot", "steady", "--bot", f"Rob={command(tmp_path, PLAYS)}")
    with Terminal(*ADA, *bots) as terminal:
        terminal.see("▶ Ada", "  steady", "  Rob")
        bank(terminal)
        terminal.see("» steady: roll -> 5 4 3 2 5 6", "[Enter] skip to your turn")
        terminal.type("Right")
        terminal.see("» steady: take 5")
        terminal.type("Enter")
        terminal.see("Rob banks 2.5", "Ada, turn 2: roll the six dice")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane
    (path,) = recent()
    replay = read_file(path)
    assert replay.players == [Player("Ada"), Player("steady", "steady"), Player("Rob", "program")]
    assert [turn.player for turn in replay.turns] == [1, 2, 3]
    assert marked.left() == []


def test_in_plain_mode_each_move_of_a_bot_is_told_in_a_line(tmp_path: Path, marked: Marked) -> None:
    """And what its program complains of is passed on."""
    source = PLAYS + "    print('thought hard', file=sys.stderr)\n"
    with Terminal("--plain", *ADA, "--bot", f"Rob={command(tmp_path, source)}", rows=60) as terminal:
        terminal.line_wanted(1)
        terminal.type("r", "Enter")
        terminal.line_wanted(2)
        terminal.type("b", "Enter")
        terminal.line_wanted(3)
        lines = terminal.lines
        told = [line for line in lines if line.startswith(("Rob: roll", "Rob: take", "Rob: bank"))]
        assert told == ["Rob: roll -> 5 4 3 2 5 6", "Rob: take 5 5", "Rob: bank; Rob banks 1 and has 1"]
        assert "thought hard" in lines
        assert "On turn: Ada." in lines
        terminal.type("q", "Enter")
        assert terminal.end() == 0
    assert marked.left() == []


def test_a_level_plays_magdagdon_to_be_watched_and_is_not_ranked() -> None:
    with Terminal("play", "magdagdon", "--bot", "casual", "--seed", "42") as terminal:
        terminal.see("» casual: roll -> 2 2 4 3", "[Enter] skip this turn")
        terminal.type("+", "+", "+", "+")
        terminal.type("Enter")
        terminal.see("turn 2")
        terminal.see("The game has ended.")
        terminal.type(*"xxx")  # who has skipped a moment ago has not left
        time.sleep(bots_turn.SETTLING)
        terminal.type("Enter")
        terminal.see("What next?", "[a] play again")
        assert "new best" not in terminal.text
        terminal.type("m")
        terminal.see("What would you like to do?")
        terminal.type("q")
        assert terminal.end() == 0
    (path,) = recent()
    assert read_file(path).players == [Player("casual", "casual")]
    assert cubiri("verify-score", path).status == 0
    assert "casual" not in cubiri("leaderboard").out
    assert '"games": []' in cubiri("stats", "--player", "casual", "--format", "json").out


def test_the_same_seed_options_and_bots_are_the_same_game(tmp_path: Path) -> None:
    """Whether it is watched, or left and gone on with in between."""
    texts = []
    for way in ("whole", "left"):
        output = tmp_path / f"{way}.toml"
        with Terminal("--plain", "play", "magdagdon", "--bot", "random", "--seed", "7", "--output", output) as terminal:
            assert terminal.end() == 0
        texts.append([turn.log for turn in read_file(output).turns])
    assert texts[0] == texts[1]
    half = tmp_path / "half.toml"
    logs = texts[0]
    turns = "".join(f"[[turns]]\nplayer = 1\nlog = {log}\n" for log in [*logs[:2], logs[2][:2]])
    script = tmp_path / "script.toml"
    head = 'format = "cubiri-replay"\ngame = "magdagdon"\nseed = "7"\nplayers = [{ name = "random", bot = "random" }]\n'
    script.write_text(head + '[options]\ndifficulty = "peaceful"\n' + turns, "utf-8")
    assert cubiri("play", "--script", script, "--output", half).status == 0
    with Terminal("--plain", "resume", half) as terminal:
        assert terminal.end() == 0
    assert [turn.log for turn in read_file(half).turns] == logs


FAILS = {
    "crashed": (
        "import sys; input(); print('out of ideas', file=sys.stderr); sys.exit(3)",
        "(status 3) [crashed]: out",
    ),
    "timeout": ("import time; time.sleep(60)", "no answer within 0.5 seconds [timeout]"),
    "garbled": (
        "input(); print('Roll', flush=True); input()",
        '"Roll" is not an action as a replay writes it [garbled]',
    ),
    "illegal": ("input(); print('bank', flush=True); input()", '"bank" is not legal here [illegal]'),
}


@pytest.mark.parametrize("plain", [(), ("--plain",)])
@pytest.mark.parametrize("verdict", FAILS)
def test_a_failure_is_told_in_one_line_and_the_game_can_be_gone_on_with(
    verdict: str, plain: tuple[str, ...], tmp_path: Path, marked: Marked
) -> None:
    source, told = FAILS[verdict]
    limit = ("--bot-timeout", "0.5") if verdict == "timeout" else ()
    enter = ("Enter",) if plain else ()
    with Terminal(*plain, *ADA, "--bot", f"Rob={command(tmp_path, source)}", *limit) as terminal:
        terminal.see("roll the six dice")
        terminal.type("r", *enter)
        terminal.see("bank 2.5")
        terminal.type("b", *enter)
        assert terminal.end() == 1
        assert told in terminal.printed.replace("\n", "")
        assert "Continue:" in terminal.printed
    assert marked.left() == []
    with Terminal("resume", "--bot", command(tmp_path, PLAYS)) as terminal:
        terminal.see("Rob is on turn")
        terminal.type("Enter")
        terminal.see("Ada, turn 2")
        terminal.type("q")
        assert terminal.end() == 0
    with Terminal("resume", "--bot", "casual") as terminal:  # somebody else in its seat
        bank(terminal)
        terminal.see("» Rob: ")
        terminal.type("q")
        assert terminal.end() == 0
    (path,) = recent()
    assert read_file(path).players == [Player("Ada"), Player("Rob", "casual")]
    assert cubiri("verify-score", "--allow-unfinished", path).status == 0
    assert marked.left() == []


def test_a_program_s_seat_wants_its_command_and_a_level_comes_back(tmp_path: Path) -> None:
    with Terminal(*ADA, "--bot", "master", "--bot", f"Rob={command(tmp_path, PLAYS)}") as terminal:
        bank(terminal)
        terminal.see("master is on turn")
        terminal.type("q")
        assert terminal.end() == 0
    with Terminal("resume") as terminal:
        assert terminal.end() == 2
        assert "Rob is a program" in terminal.printed
    with Terminal() as terminal:
        terminal.see("[c] Continue")
        terminal.type("c")
        terminal.see("Rob is a program; --bot COMMAND")
        terminal.type("Esc")
        assert terminal.end() == 0
    with Terminal("resume", "--bot", command(tmp_path, PLAYS)) as terminal:
        terminal.see("▶ master")
        terminal.type("Enter")
        terminal.see("Ada, turn 2")
        terminal.type("q")
        assert terminal.end() == 0


@pytest.mark.parametrize("way", ["q", "Ctrl-C", signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_program_that_thinks_for_ever_can_be_left_at_once(
    way: str | signal.Signals, tmp_path: Path, marked: Marked
) -> None:
    asked = tmp_path / "asked"
    source = f"import os, time\ninput()\nos.fork()\nopen({str(asked)!r}, 'w').close()\nwhile True: time.sleep(60)"
    with Terminal(*ADA, "--bot", f"Rob={command(tmp_path, source)}", "--bot-timeout", "0") as terminal:
        bank(terminal)
        terminal.see("Rob is thinking")
        while not asked.exists():
            assert terminal.child.isalive()
            time.sleep(0.02)
        if isinstance(way, signal.Signals):
            terminal.signal(way)
        else:
            terminal.type(way)
        status = terminal.end()
        assert status == (0 if way == "q" else 137 if way is signal.SIGKILL else 130)
        assert ("Rob has not answered yet and is being ended …" in terminal.printed) == (way is not signal.SIGKILL)
        assert terminal.is_sane or way is signal.SIGKILL
    until = time.monotonic() + PATIENCE
    while marked.left() and time.monotonic() < until:
        time.sleep(0.02)  # killed, nobody could wait for it
    assert marked.left() == []
    assert len(recent()) == 1


def test_opponents_can_be_chosen_before_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "Ada")
    with Terminal() as terminal:
        terminal.see("What would you like to do?")
        terminal.type("n")
        terminal.see("Which game?")
        terminal.type("2")
        terminal.see("target")
        terminal.type("10", "Enter")
        terminal.see("[1] Ada alone", "[2] Ada against casual", "[4] Ada against master")
        terminal.type("2")
        terminal.see("▶ Ada", "  casual")
        terminal.type("q")
        assert terminal.end() == 0
        assert "Nothing was played" in terminal.printed


# From a script


def script_of(tmp_path: Path, *turns: str) -> Path:
    path = tmp_path / "script.toml"
    logs = "".join(f"[[turns]]\n{turn}\n" for turn in turns)
    path.write_text('format = "cubiri-replay"\ngame = "mishimash"\noptions = { target = 30 }\n' + logs, "utf-8")
    return path


def test_a_bot_plays_where_a_script_holds_none_of_its_turns(tmp_path: Path, marked: Marked) -> None:
    script = script_of(tmp_path, 'log = ["roll", "take 1", "bank", "roll", "take 5", "bank"]')
    whole = tmp_path / "whole.toml"
    bots = ("--bot", f"Rob={command(tmp_path, PLAYS)}", "--bot", "random")
    ran = cubiri("play", "--script", script, *bots, "--seed", "42", "--player", "Ada", "--output", whole)
    assert ran.status == 0, ran
    assert [turn.player for turn in read_file(whole).turns] == [1, 2, 3, 1, 2, 3]
    assert cubiri("verify-score", "--allow-unfinished", whole).status == 0
    again = tmp_path / "again.toml"
    assert cubiri("play", "--script", whole, "--output", again).status == 0
    assert again.read_bytes() == whole.read_bytes()  # every move is in it: no bot is asked
    nobody = ("--bot", "Rob=false", "--bot", "random")
    assert cubiri("play", "--script", whole, *nobody, "--output", again).status == 0
    assert again.read_bytes() == whole.read_bytes()
    assert marked.left() == []


def test_a_script_says_what_a_program_did_wrong_and_keeps_the_game(tmp_path: Path, marked: Marked) -> None:
    script = script_of(tmp_path, 'log = ["roll", "take 1", "bank", "roll"]')
    output = tmp_path / "game.toml"
    source = "input(); print('bank', flush=True); input()"
    options = ("--bot", f"Rob={command(tmp_path, source)}", "--seed", "42", "--output", output)
    ran = cubiri("play", "--script", script, *options)
    assert ran.status == 1
    assert ran.message == 'cubiri: Rob: "bank" is not legal here [illegal]'
    assert [turn.player for turn in read_file(output).turns] == [1]
    assert marked.left() == []


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--bot", ""), '--bot: "" names neither a level nor a program'),
        (("--bot", "x 'y"), '--bot: a quotation in "x \'y" is not closed'),
        (("--bot", "=x"), '--bot: "=x" begins with no name: 1 to 32 printable characters without blanks around them'),
        (
            ("--bot", "master", "--bot-timeout", "-1"),
            "--bot-timeout: expected seconds such as 5 or 0.5, found -1",
        ),
        (("--bot", "master") * 9, "players: 9 players; this game takes at most 8"),
    ],
)
def test_what_is_wrong_with_a_bot_is_told_before_a_game_begins(options: tuple[str, ...], told: str) -> None:
    ran = cubiri("play", "mishimash", *options)
    assert (ran.status, ran.message) == (2, f"cubiri: {told}")
    assert recent() == []


def test_two_bots_of_one_level_have_two_names(tmp_path: Path) -> None:
    script = script_of(tmp_path, 'log = ["roll"]')
    output = tmp_path / "game.toml"
    options = ("--player", "master", "--bot", "master", "--bot", "master", "--output", output, "--seed", "42")
    assert cubiri("play", "--script", script, *options).status == 0
    assert read_file(output).players == [Player("master"), Player("master 2", "master"), Player("master 3", "master")]
