"""Programs as players: the protocol, every way to misbehave and its verdict, and that no process is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest

from cubiri_cli import games, players
from cubiri_cli.games import dice
from cubiri_cli.players import programs, started
from cubiri_cli.players.bots import Bot, WrongBotError, names_apart, parse
from cubiri_cli.players.player import BotError
from cubiri_cli.players.programs import Program
from tests.support.processes import Marked, runs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cubiri_cli.games.game import Game

    Write = Callable[[str], str]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes where Linux shows them")

PLAYS = """
import json, sys
for line in sys.stdin:
    legal = json.loads(line)["legal"]
    print("bank" if "bank" in legal else max(legal, key=len), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Write:
    """Return what writes a program in Python and returns its command."""

    def write(source: str) -> str:
        path = tmp_path / "bot.py"
        path.write_text(textwrap.dedent(source), "utf-8")
        return f"{sys.executable} -S {path}"

    return write


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Marked:
    return Marked(monkeypatch, str(tmp_path))


def asked(game: Game) -> players.View:
    return players.View(game, ["Ada", "Rob"][: game.seats])


def new_game(seats: int = 1) -> Game:
    return games.load("mishimash").start({"target": 40}, seats)


def failed(bot: Program, game: Game | None = None, questions: int = 1) -> BotError:
    """Return how a program fails that is asked so often."""
    game = game or new_game()
    for _ in range(questions - 1):
        game.apply(bot.choose(asked(game)), partial(dice.throw, "42"))
    with pytest.raises(BotError) as caught:
        bot.choose(asked(game))
    return caught.value


def test_a_program_plays_a_game_and_ends_when_it_is_asked_no_more(program: Write, marked: Marked) -> None:
    game = new_game()
    bot = Program(program(PLAYS))
    while not game.over:
        game.apply(bot.choose(asked(game)), partial(dice.throw, "42"))
    assert len(marked.left()) == 2  # it, and its warden
    assert bot.close() == (True, True, b"")
    assert marked.left() == []
    assert bot.close() is None


def test_a_question_is_one_line_that_holds_everything(program: Write) -> None:
    game = new_game(2)
    line = programs.question(asked(game))
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {
        "protocol": 1,
        "game": "mishimash",
        "rules": 1,
        "options": {"target": 40},
        "players": ["Ada", "Rob"],
        "seat": 1,
        "state": asked(game).state,
        "legal": ["roll"],
    }


def test_nothing_a_program_receives_depends_on_the_seed(program: Write) -> None:
    """The same rolls lead to the same questions, byte for byte, whatever would be thrown next."""
    lines: dict[str, set[bytes]] = {}
    for seed in ("a", "b"):
        game = new_game()
        for action, thrown in (("roll", (1, 1, 2, 3, 4, 6)), ("take 1 1", ()), ("roll", (5, 2, 3, 4))):
            game.apply(action, partial(_answer, thrown))
            lines.setdefault(action + str(thrown), set()).add(programs.question(asked(game)))
            game.copy().apply("bank" if thrown == () else game.legal_actions()[0], partial(dice.throw, seed))
    assert [len(one) for one in lines.values()] == [1, 1, 1]


def _answer(thrown: tuple[int, ...], name: str, count: int) -> tuple[int, ...]:
    return thrown


# What goes wrong

PRELUDE = "import os, signal, sys, time\nsay = lambda text: (sys.stdout.write(text), sys.stdout.flush())\n"
READ = "sys.stdin.readline()\n"
HANG = "\nwhile True: time.sleep(60)\n"

MISBEHAVING = {
    "ends at once": ("crashed", "bot-ended", "sys.exit(3)"),
    "is killed": ("crashed", "bot-ended", "os.kill(os.getpid(), 9)"),
    "half an answer, then its end": ("crashed", "bot-ended", "say('ro')"),
    "says nothing": ("timeout", "bot-late", HANG),
    "half an answer, then nothing": ("timeout", "bot-late", "say('ro')" + HANG),
    "never reads": ("timeout", "bot-late", "os.close(0)" + HANG),
    "closes its output and stays": ("timeout", "bot-late", "os.close(1)" + HANG),
    "stops": ("timeout", "bot-late", "os.kill(os.getpid(), signal.SIGSTOP)"),
    "cannot be asked to end": ("timeout", "bot-late", "for n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)" + HANG),
    "a flood without an end": ("garbled", "bot-too-long", "while True: say('x' * 9999)"),
    "a thousand and one bytes": ("garbled", "bot-too-long", "say('x' * 1001 + '\\n')" + HANG),
    "a flood of lines": ("garbled", "bot-extra", "while True: say('roll\\n' * 999)"),
    "two lines at once": ("garbled", "bot-extra", "say('roll\\nroll\\n')" + HANG),
    "a line and then another": ("garbled", "bot-extra", "say('roll\\n'); say('roll\\n')" + HANG),
    "a line and something": ("garbled", "bot-extra", "say('roll\\n ')" + HANG),
    "no UTF-8": ("garbled", "bot-not-utf-8", "os.write(1, b'r\\xffll\\n')" + HANG),
    "an empty line": ("garbled", "bot-no-action", "say('\\n')" + HANG),
    "other letters": ("garbled", "bot-no-action", "say('Roll\\n')" + HANG),
    "a blank": ("garbled", "bot-no-action", "say('roll \\n')" + HANG),
    "another order": ("garbled", "bot-no-action", "say('take 5 1\\n')" + HANG),
    "with dice": ("garbled", "bot-no-action", "say('roll -> 1 1 1 1 1 1\\n')" + HANG),
    "a banner": ("garbled", "bot-no-action", "say('Hello, I am a bot\\n')" + HANG),
    "what is not legal": ("illegal", "bot-illegal", "say('bank\\n')" + HANG),
    "a hint": ("illegal", "bot-illegal", "say('hint\\n')" + HANG),
    "leaves a child": ("timeout", "bot-late", "os.fork()" + HANG),
    "leaves an orphan": ("crashed", "bot-ended", "if os.fork() == 0:\n    os.setsid()\n    time.sleep(60)"),
    "forks twice, and hides": (
        "crashed",
        "bot-ended",
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: os.execve('/bin/sleep', ['sleep', '60'], {})",
    ),
    "an orphan holds its output": ("crashed", "bot-ended", "if os.fork() == 0:" + HANG.replace("\n", "\n    ")),
}


@pytest.mark.parametrize("name", MISBEHAVING)
def test_a_program_that_misbehaves_has_its_verdict_and_leaves_no_process(
    name: str, program: Write, marked: Marked, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict, code, source = MISBEHAVING[name]
    monkeypatch.setattr(programs, "FIRST_TIMEOUT", 0.5 if verdict == "timeout" else programs.FIRST_TIMEOUT)
    before = sleepers()
    read = READ if verdict in ("garbled", "illegal") and name != "a banner" else ""
    error = failed(Program(program(PRELUDE + read + source)))
    assert (error.verdict, error.problem.code) == (verdict, code), error
    assert marked.left() == []
    assert sleepers() == before


def sleepers() -> set[str]:
    """Return the processes that sleep for a minute: one that was started without an environment has no mark."""
    listed = subprocess.run(["pgrep", "-f", "^sleep 60$"], capture_output=True, text=True, check=False)
    return set(listed.stdout.split())


def test_a_program_that_is_not_there_has_crashed_and_says_why(marked: Marked) -> None:
    error = failed(Program("/nowhere/bot --fast"))
    assert (error.verdict, error.problem.code) == ("crashed", "bot-not-started")
    assert error.problem.details == {"command": "/nowhere/bot --fast", "error": "No such file or directory"}
    assert marked.left() == []


def test_how_it_ended_and_the_end_of_its_standard_error_are_told(program: Write) -> None:
    heard: list[bytes] = []
    command = program(PRELUDE + "sys.stderr.write('x' * 9000 + 'no table'); sys.exit(3)")
    error = failed(Program(command, listen=heard.append))
    assert error.problem.details == {"status": 3}
    assert error.stderr.endswith("xno table")
    assert len(error.stderr) == programs.KEPT
    assert b"".join(heard) == b"x" * 9000 + b"no table"
    assert failed(Program(program(PRELUDE + MISBEHAVING["is killed"][2]))).problem.details == {"status": -9}


def test_a_program_that_has_failed_is_started_anew(program: Write, tmp_path: Path, marked: Marked) -> None:
    """The first time it hangs at its second question, then it plays."""
    seen = tmp_path / "seen"
    source = f"""
    import json, pathlib, sys, time
    seen = pathlib.Path({str(seen)!r})
    for number, line in enumerate(sys.stdin):
        if number and not seen.exists():
            seen.touch()
            time.sleep(60)
        legal = json.loads(line)["legal"]
        print("bank" if "bank" in legal else max(legal, key=len), flush=True)
    """
    game = new_game()
    with Program(program(source), timeout=1.0) as bot:
        assert failed(bot, game, 2).verdict == "timeout"
        assert marked.left() == []
        while not game.over:
            game.apply(bot.choose(asked(game)), partial(dice.throw, "42"))
    assert marked.left() == []


def test_a_late_second_line_is_not_taken_for_the_next_answer(program: Write) -> None:
    source = """
    import sys, time
    sys.stdin.readline()
    print("roll", flush=True)
    time.sleep(0.2)
    print("bank", flush=True)
    time.sleep(60)
    """
    game = new_game()
    bot = Program(program(source))
    game.apply(bot.choose(asked(game)), partial(dice.throw, "42"))
    while bot._talk is not None and bot._talk._heard.empty():
        time.sleep(0.01)
    assert failed(bot, game).problem.code == "bot-extra"


def test_answers_may_end_as_lines_do_on_windows(program: Write) -> None:
    with Program(program("input(); print('roll\\r', flush=True); input()")) as bot:
        assert bot.choose(asked(new_game())) == "roll"


def test_the_time_to_answer(program: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first answer has more time; a time that is given holds for all; 0 is no limit."""
    asked_for: list[float | None] = []
    take = programs._Talk._take

    def note(self: programs._Talk, until: float | None) -> bool:
        asked_for.append(None if until is None else until - time.monotonic())
        return take(self, until)

    monkeypatch.setattr(programs._Talk, "_take", note)
    source = "while input(): print('roll', flush=True)"
    for timeout, expected in ((None, (30, 10)), (5.0, (5, 5)), (0.0, (None, None))):
        with Program(program(source), timeout) as bot:
            for limit in expected:
                asked_for.clear()
                bot.choose(asked(new_game()))
                if limit is None:
                    assert None in asked_for
                else:
                    assert limit - 5 < max(one for one in asked_for if one is not None) <= limit


def test_a_flood_of_standard_error_hinders_nobody(program: Write) -> None:
    heard: list[int] = []
    source = (
        "import sys\nwhile sys.stdin.readline():\n    sys.stderr.write('x' * 3000000)\n    print('roll', flush=True)"
    )
    with Program(program(source), listen=lambda piece: heard.append(len(piece))) as bot:
        for _ in range(3):
            assert bot.choose(asked(new_game())) == "roll"
    assert sum(heard) == 9000000


def test_a_question_larger_than_a_pipe_locks_nobody_up(program: Write, marked: Marked) -> None:
    """Neither a program that does not read it nor one that answers before it has read it."""

    class Large(players.View):
        def data(self) -> dict[str, object]:
            return {**super().data(), "more": "x" * 1_000_000}

    assert failed_at(Program(program("import time\ntime.sleep(60)"), 0.5), Large(new_game(), ["x"])) == "timeout"
    with Program(program("print('roll', flush=True)\nwhile input(): pass")) as bot:
        assert bot.choose(Large(new_game(), ["x"])) == "roll"
    assert marked.left() == []


def failed_at(bot: Program, view: players.View) -> str:
    with pytest.raises(BotError) as caught:
        bot.choose(view)
    return caught.value.verdict


def test_what_does_not_end_is_ended_after_two_seconds(
    program: Write, marked: Marked, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = PRELUDE + "sys.stdin.readline(); say('roll\\n')\nsignal.signal(15, signal.SIG_IGN)"
    enough = 20.0  # for a program that ends by itself, on whatever machine
    ways = {
        "stays": (0.2, source + HANG, (False, False, b"")),
        "says more": (enough, source + "\nsys.stdin.read()\nsay('bye')", (True, True, b"bye")),
        "leaves a child": (enough, source + "\nif os.fork() == 0: time.sleep(60)", (True, False, b"")),
    }
    for grace, text, farewell in ways.values():
        monkeypatch.setattr(programs, "GRACE", grace)
        bot = Program(program(text))
        bot.choose(asked(new_game()))
        assert bot.close() == farewell
        assert marked.left() == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_outlives_the_one_that_was_killed(number: int, program: Write, tmp_path: Path) -> None:
    """Not even where the program hangs, has children in sessions of their own, and notices nothing."""
    pids = tmp_path / "pids"
    command = program(
        PRELUDE + "if os.fork() == 0: os.setsid()\nsys.stdin.readline()\n"
        f"with open({str(pids)!r}, 'a') as file: file.write(f'{{os.getpid()}}\\n')" + HANG
    )
    source = (
        "from cubiri_cli import games, players\n"
        "from cubiri_cli.players.programs import Program\n"
        "game = games.load('mishimash').start({'target': 40}, 1)\n"
        f"Program({command!r}).choose(players.View(game, ['x']))\n"
    )
    ours = subprocess.Popen([sys.executable, "-c", source], stderr=subprocess.DEVNULL)
    while not pids.exists() or not pids.read_text("utf-8"):
        time.sleep(0.01)
    ours.send_signal(number)
    ours.wait()
    for pid in map(int, pids.read_text("utf-8").split()):
        until = time.monotonic() + 20
        while runs(pid) and time.monotonic() < until:
            time.sleep(0.01)
        assert not runs(pid)


def test_where_the_warden_is_killed_the_program_is_ended_with_it(program: Write, marked: Marked) -> None:
    bot = Program(program(PLAYS))
    bot.choose(asked(new_game()))
    assert bot._talk is not None
    with_warden = bot._talk._started
    assert isinstance(with_warden, started.WithWarden)
    os.kill(with_warden._process.pid, signal.SIGKILL)
    assert with_warden.ended.wait(20)
    error = failed(bot)
    assert (error.verdict, error.problem.code) == ("crashed", "bot-ended")
    assert marked.left() == []


def test_the_environment_names_no_folder_of_games(
    program: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path / "games"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("OLDPWD", str(tmp_path / "games" / "replays"))
    monkeypatch.setenv("WEIGHTS", "a.bin")
    source = f"import json, os, pathlib\ninput()\npathlib.Path({str(seen)!r}).write_text(json.dumps(dict(os.environ)))"
    with Program(program(source + "\nprint('roll', flush=True)")) as bot:
        bot.choose(asked(new_game()))
    found = json.loads(seen.read_text("utf-8"))
    assert found["WEIGHTS"] == "a.bin"
    assert "PATH" in found
    assert not [name for name, value in found.items() if "CUBIRI" in name or str(tmp_path / "games") in value]
    assert "XDG_DATA_HOME" not in found


def test_it_runs_as_others_do(program: Write, tmp_path: Path) -> None:
    """No signal is ignored or blocked, no descriptor is open but the three, and it has a session of its own."""
    seen = tmp_path / "seen"
    source = f"""
    import json, os, pathlib, signal
    input()
    status = dict(one.split(":\\t") for one in pathlib.Path("/proc/self/status").read_text().splitlines())
    about = [status["SigBlk"], os.getsid(0) == os.getpid(), sorted(os.listdir("/proc/self/fd"))]
    pathlib.Path({str(seen)!r}).write_text(json.dumps(about))
    print("roll", flush=True)
    """
    with open(os.devnull) as other, Program(program(source)) as bot:  # noqa: PTH123
        os.set_inheritable(other.fileno(), True)
        bot.choose(asked(new_game()))
    assert json.loads(seen.read_text("utf-8")) == ["0" * 16, True, ["0", "1", "2", "3"]]  # 3 lists the folder


# What is given as --bot


def test_what_a_person_may_mean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rob.py").touch()
    assert parse("master") == Bot("master", "master")
    assert parse("Ann=steady") == Bot("Ann", "steady")
    assert parse("Rob=python rob.py") == Bot("Rob", "program", "python rob.py")
    assert parse("The Rob = python rob.py --seed=3") == Bot("The Rob", "program", "python rob.py --seed=3")
    assert parse("python rob.py") == Bot("rob.py", "program", "python rob.py")
    assert parse("python rob.py --depth=3") == Bot("rob.py", "program", "python rob.py --depth=3")
    assert parse("/opt/bots/weights x=3").name == "weights"
    assert parse("Master").kind == "program"
    assert parse("Va\u0308ino\u0308=x").name == "Väinö"
    for text, code in {"": "no-command", "Rob=": "no-command", "=x": "no-name", "x 'y": "open-quotation"}.items():
        with pytest.raises(WrongBotError, match=code):
            parse(text)
    with pytest.raises(WrongBotError, match="no-name"):
        parse("a\u202eb=x")


def test_names_at_a_table_differ() -> None:
    assert names_apart(["master", "master", "master 2", "master"]) == ["master", "master 2", "master 2 2", "master 3"]
    assert names_apart(["x" * 32, "x" * 32])[1] == "x" * 30 + " 2"


def test_a_level_sits_down_with_its_own_chance() -> None:
    game = new_game()
    game.apply("roll", lambda name, count: (1, 1, 5, 5, 2, 3))
    with parse("random").sit("mishimash", "42", 1) as bot:
        whole = [bot.choose(asked(game)) for _ in range(9)]
    assert [parse("random").sit("mishimash", "42", 1, made=5).choose(asked(game))] == whole[5:6]
    with pytest.raises(players.UnknownLevelError):
        Bot("x", "grandmaster").sit("mishimash", "42", 1)
