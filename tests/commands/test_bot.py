"""`cubiri bot`: the levels, and a try of a program, with all that it can do wrong; and the examples of bots."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from cubiri_cli import games, players
from cubiri_cli.players import programs
from cubiri_cli.replays.replay import Player, Replay
from cubiri_cli.store.played import Played
from cubiri_cli.store.statistics import wins_of
from tests.support.processes import Marked
from tests.support.running import Ran, cubiri

EXAMPLES = sorted((Path(__file__).parents[1] / "bots").iterdir())
INTERPRETERS = {".py": f"{sys.executable} -S", ".sh": "sh", ".js": "node"}

RULE = EXAMPLES[[path.suffix for path in EXAMPLES].index(".py")].read_text("utf-8")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes where Linux shows them")


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Marked:
    return Marked(monkeypatch, str(tmp_path))


def check(tmp_path: Path, source: str, *options: str) -> Ran:
    path = tmp_path / "rob.py"
    path.write_text(source, "utf-8")
    return cubiri("bot", "check", f"{sys.executable} -S {path}", *options)


def test_the_levels_are_listed_with_what_they_reach() -> None:
    ran = cubiri("bot")
    assert ran.status == 0
    for title in ("MAGDAGDON · points, mean", "MISHIMASH · turns alone to the target, mean"):
        block = ran.out.split(title)[1].split("\n\n")[0].splitlines()[1:]
        assert [row.split()[0] for row in block[1:]] == list(players.LEVELS)
        assert len({len(row) for row in block}) == 1
    assert "  random  22.41 ± 0.08  " in ran.out


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.suffix)
def test_the_examples_are_short_and_may_sit_down(path: Path, marked: Marked) -> None:
    interpreter = INTERPRETERS[path.suffix]
    if shutil.which(interpreter.split()[0]) is None:
        pytest.skip(f"no {interpreter} here")
    assert len(path.read_text("utf-8").splitlines()) <= 20
    ran = cubiri("bot", "check", f"{interpreter} {path}")
    assert ran.status == 0, ran
    assert ran.out.endswith(f"{path.name} may sit down.\n")
    assert all(line.startswith("right: ") for line in ran.out.splitlines()[:-1])
    assert "right: MAGDAGDON: 3 games, " in ran.out
    assert marked.left() == []


def test_a_program_has_to_answer_for_one_game_at_least(tmp_path: Path, marked: Marked) -> None:
    only = RULE.replace("    legal = json", '    if "magdagdon" in line:\n        sys.exit(1)\n    legal = json')
    ran = check(tmp_path, only)
    assert ran.status == 0
    assert "does not play: MAGDAGDON: it ended before it answered (status 1) [crashed]" in ran.out
    assert "right: MISHIMASH: 2 games" in ran.out
    ran = check(tmp_path, only, "--game", "magdagdon")
    assert ran.status == 1
    assert "wrong: MAGDAGDON: it ended before it answered" in ran.out
    ran = check(tmp_path, "import sys; sys.exit('no table')")
    assert ran.status == 1
    assert "wrong: it answers for no game\nrob.py may not sit down yet.\n" in ran.out
    assert marked.left() == []


WRONG = {
    "remembers": (
        RULE.replace("for line in", "turn = 0\nfor line in").replace(
            "    legal = ",
            "    seen = int(line.split('\"turns\": [')[1].split(',')[0].split(']')[0])\n"
            "    if seen not in (0, turn, turn + 1): sys.exit(4)\n    turn = seen\n    legal = ",
        ),
        "wrong: asked in another order, it fails: it ended before it answered (status 4) [crashed]",
    ),
    "not twice": (
        RULE.replace("for line in", "before = ''\nfor line in").replace(
            "    legal = ", "    if line == before: sys.exit(5)\n    before = line\n    legal = "
        ),
        "wrong: asked the same twice, it fails: it ended before it answered (status 5) [crashed]",
    ),
    "says goodbye": (RULE + "print('bye', flush=True)\n", "wrong: it says something without being asked: bye"),
    "stays": (
        RULE + "import time\ntime.sleep(60)\n",
        "wrong: it does not end within 0.3 seconds when its input closes",
    ),
    "leaves a child": (
        RULE + "import os, time\nif os.fork() == 0: time.sleep(60)\n",
        "wrong: it leaves processes behind; they have been ended",
    ),
    "illegal": (
        "input()\nwhile True: print('roll', flush=True); input()\n",
        'wrong: MISHIMASH: "roll" is not legal here [illegal]',
    ),
    "never banks": (
        "import json, sys\nfor line in sys.stdin:\n"
        "    print([one for one in json.loads(line)['legal'] if one != 'bank'][0], flush=True)\n",
        "wrong: MISHIMASH: no game comes to its end; each was left after 1000 answers",
    ),
    "is not there": ("", "wrong: it does not start"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_in_its_line(
    name: str, tmp_path: Path, marked: Marked, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "stays":
        monkeypatch.setattr(programs, "GRACE", 0.3)
        monkeypatch.setattr("cubiri_cli.table.bots.GRACE", 0.3)
    source, told = WRONG[name]
    ran = check(tmp_path, source, "--game", "mishimash") if source else cubiri("bot", "check", "/nowhere/bot")
    assert ran.status == 1, ran
    assert any(line.startswith(told) for line in ran.out.splitlines()), ran
    assert ran.out.endswith("may not sit down yet.\n")
    assert marked.left() == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chek",), "expected check, found chek"),
        (("check",), "name the command of a program: cubiri bot check 'python rob.py'"),
        (("check", "master"), "master is a level; only programs are tried"),
        (("check", "x", "--game", "chess"), f'"chess" is not a game; choose from {", ".join(games.names())}'),
        (("check", "x", "--bot-timeout", "soon"), "--bot-timeout: expected seconds such as 5 or 0.5, found soon"),
    ],
)
def test_a_wrong_call_is_told(arguments: tuple[str, ...], told: str) -> None:
    ran = cubiri("bot", *arguments)
    assert (ran.status, ran.message) == (2, f"cubiri: {told}")


def test_a_bot_of_one_s_own_name_wins_for_itself() -> None:
    """The seat of a bot is no person's, whatever its name."""
    game = Replay("mishimash", "1", {"target": 10}, [Player("Ada", "master"), Player("Bob")])
    one = Played(
        "x.toml",
        "verified",
        0.0,
        game.game,
        options=game.options,
        players=("Ada", "Bob"),
        bots=("master", None),
        result={"winner": 1, "scores": [12.0, 3.0], "turns": [1, 1]},
    )
    assert wins_of([one], "Ada") == (0, 0)
    assert wins_of([one], "Bob") == (1, 0)
