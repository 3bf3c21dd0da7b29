"""The third game: one file and one line, and it is played, recorded, resumed, watched, verified, ranked, completed."""

from __future__ import annotations

import gettext
import json
import random
import re
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

import cubiri_cli
from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.games import game as rules
from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import Session
from cubiri_cli.replays.verifying import verify
from cubiri_cli.table import messages
from cubiri_cli.table.typed import complete
from cubiri_cli.terminal import questions
from tests import third_game
from tests.support import running, terminal
from tests.support.rules import check_position

ROOT = Path(__file__).parent.parent
REGISTERED = """
from cubiri_cli import games
games.MODULES["pig"] = "tests.third_game"
from cubiri_cli.__main__ import main
main()
"""
"""The program with the third game in its list: the one line, and nothing else."""

PIG = questions.KEYS[len(games.names())]
"""Its key where it is asked which game is played: it is the last one."""

NOON = "1796040000"  # 2026-11-30 12:00:00 UTC
TURNS = ("r", "rrh", "rr", "rr", "rrh", "rrh", "r", "rrh")
"""The keys of a whole game of two with the seed 42, turn by turn."""

PLAY = ("play", "pig", "--target", "20", "--seed", "42", "--player", "Ada", "--player", "Väinö")

WANTED = ("--game", "pig", "--dice", "one", "--target", "20", "--seed", "42")
"""What may be required of that game."""


class Terminal(terminal.Terminal):
    """A terminal in which the program with the third game runs."""

    PROGRAM = ("-c", REGISTERED)


def pig(*arguments: object, **more: Any) -> running.Ran:
    """Run the program with the third game as a process."""
    return running.process(*arguments, program=("-c", REGISTERED), **more)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home folder in whose settings the animation is off; the third game is found from anywhere."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "settings.toml").write_text("animation = false\n")
    monkeypatch.setenv("CUBIRI_HOME", str(folder))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", NOON)
    return folder


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the third game in this process, for one test."""
    monkeypatch.setitem(games.MODULES, "pig", "tests.third_game")


def record(path: Path, seed: str = "42", players: int = 2, hints: bool = False, **options: Any) -> Path:
    """Play a game of whoever holds at 8 pips, write its replay, and return its path."""
    seats = [Player(name) for name in ("Ada", "Väinö")[:players]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(games.MODULES, "pig", "tests.third_game")
        session = Session.begin("pig", {"dice": "one", "target": 20, **options}, seats, seed)
        while not session.game.over:
            if hints and session.game.in_turn:
                session.do("hint")
            session.do("hold" if session.game.in_turn and session.game.state()["at_risk"] >= 8 else "roll")
    path.write_text(session.text(), "utf-8")
    return path


def saved(home: Path) -> Path:
    """Return the only game that is kept."""
    [path] = (home / "replays").glob("*.toml")
    return path


# Played


def test_it_is_played_by_keys_recorded_verified_and_ranked(home: Path, tmp_path: Path) -> None:
    with Terminal(*PLAY) as screen:
        screen.see("To 20; at risk 0.", "Ada, it is your turn", "[r] throw")
        screen.type("r")
        screen.see("A 1: Ada loses 0", "[1]", "Väinö, it is your turn")
        screen.type("r", "r")
        screen.see("at risk 8", "[h] hold 8")
        screen.type("h", *"".join(TURNS[2:]))
        assert screen.end() == 0
        assert screen.is_sane
        assert "Winner: Väinö" in screen.printed
        assert "Final score: 28" in screen.printed
        assert "Place 1 of 1 in PIG · one · 20 · several players." in screen.printed
    path = saved(home)
    assert path.name == "20261130-120000-pig-one-20.toml"
    assert path.read_bytes() == record(tmp_path / "same.toml").read_bytes()
    assert pig("verify-score", path).status == 0
    assert pig("verify-score", path, *WANTED, "--min-score", "28").status == 0
    assert pig("verify-score", path, *WANTED, "--min-score", "29").status == 1
    [entry] = json.loads(pig("leaderboard", "pig", "--format", "json").out)
    assert entry == {
        "rank": 1,
        "game": "pig",
        "player": "Väinö",
        "date": "2026-11-30T12:00:00Z",
        "turns": 4,
        "seed": "42",
        "assisted": False,
        "digest": read_digest(path),
        "dice": "one",
        "target": 20,
        "pips": 28,
    }


def read_digest(path: Path) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(games.MODULES, "pig", "tests.third_game")
        return read_file(path).digest


def test_it_is_played_in_plain_mode(home: Path, tmp_path: Path) -> None:
    with Terminal(*PLAY, "--plain") as screen:
        for count, key in enumerate("".join(TURNS), 1):
            screen.line_wanted(count)
            screen.type(key, "Enter")
        assert screen.end() == 0
        assert screen.raw.isascii()
        assert b"\x1b" not in screen.raw
        assert "Dice: 6." in screen.printed
        assert "at risk 8." in screen.printed
        assert "A 1: Ada loses 0" in screen.printed
    assert saved(home).read_bytes() == record(tmp_path / "same.toml").read_bytes()


def test_it_is_played_from_a_script(tmp_path: Path) -> None:
    path, again = record(tmp_path / "game.toml"), tmp_path / "again.toml"
    ran = pig("play", "--script", path, "--output", again)
    assert ran.status == 0
    assert ran.out.splitlines()[:5] == [
        "PIG",
        "Ada                      9",
        "Väinö                   28",
        "Winner: Väinö",
        "Final score: 28",
    ]
    assert again.read_bytes() == path.read_bytes()
    script = b'format = "cubiri-replay"\ngame = "pig"\noptions = { dice = "two", target = 50 }\nseed = "42"\n'
    ran = pig("play", "--script", "-", "--output", again, stdin=script + b'[[turns]]\nlog = ["hold"]\n')
    assert ran.status == 1
    assert ran.message.endswith("turn 1, entry 1: there is nothing to hold before a throw; legal here: roll")


@pytest.mark.parametrize("way", ["q", "Ctrl-C"])
def test_it_is_resumed_where_it_stopped(home: Path, tmp_path: Path, way: str) -> None:
    with Terminal(*PLAY) as screen:
        screen.see("Ada, it is your turn")
        screen.type("r", "r", "r")
        screen.see("at risk 8")
        screen.type(way)
        assert screen.end() == (0 if way == "q" else 130)
        assert "cubiri resume " in screen.printed
    assert pig("verify-score", saved(home)).status == 1
    with Terminal("resume") as screen:
        screen.see("at risk 8", "[h] hold 8")
        screen.type("h", *"".join(TURNS[2:]))
        assert screen.end() == 0
    assert saved(home).read_bytes() == record(tmp_path / "same.toml").read_bytes()


def test_typed_actions_are_completed_and_errors_point_at_the_wrong_word(home: Path, registered: None) -> None:
    game = games.load("pig").start({"dice": "one", "target": 20})
    assert complete(game, third_game.TABLE, "") == (0, ["roll"])
    game.apply("roll", partial(dice.fast_throw, "2"))
    assert complete(game, third_game.TABLE, "h") == (1, ["hold"])
    with Terminal(*PLAY) as screen:
        screen.see("Ada, it is your turn")
        screen.type(":")
        screen.see("Actions:")
        screen.type("ro", "Tab")
        screen.see("Actions: roll")
        screen.type("; r r; dance", "Enter")
        screen.see('"dance" is not an action', "^^^^^", "To 20; at risk 0.")
        screen.type(*["Backspace"] * 5, "h", "Enter")
        screen.see("the roll ended the turn; the rest of the line was not played", "A 1: Ada loses")
        screen.type("Enter")
        screen.see("Väinö keeps 8")
        screen.type("q")
        assert screen.end() == 0


def test_what_is_not_said_is_asked_in_the_menu(home: Path) -> None:
    with Terminal() as screen:
        screen.see("What would you like to do?")
        screen.type("n")
        screen.see(f"[{PIG}] PIG – throw on or hold, one to four players")
        screen.type(PIG)
        screen.see("[1] one – one die a throw (default)", "[2] two – two dice, twice the danger")
        screen.type("2")
        screen.see("target (10 to 1000) [100]:")
        screen.type("Enter")
        screen.see("Who plays?", "others: type their names")
        screen.type("3")
        screen.see("at most 4")
        screen.type("Enter")
        screen.see("it is your turn", "To 100; at risk 0.")
        screen.type("r", "q")
        assert screen.end() == 0
    with Terminal() as screen:
        screen.see("[c] Continue PIG two 100 · turn 1")
        screen.type("r")
        screen.see(f"[{PIG}] PIG")
        screen.type(PIG)
        screen.see("Be the first to hold the target")
        screen.type("Esc", "Esc", "q")
        assert screen.end() == 0
        assert screen.is_sane


def test_its_options_are_settings_and_options_of_commands(home: Path) -> None:
    shown = pig("settings").out
    assert re.search(r"^dice +one +default +the dice of new games \(one, two\)$", shown, re.MULTILINE)
    assert re.search(r"^target +1000, 100 +default", shown, re.MULTILINE)
    assert pig("settings", "dice", "two").out == "dice = two\n"
    assert pig("settings", "dice", "three").message.endswith('dice: expected one of one, two, found "three"')
    with Terminal("play", "pig", "--seed", "42", "--player", "Ada") as screen:
        screen.see("To 100; at risk 0.")
        screen.type("r")
        screen.see("[1]  [1]")
        screen.type("q")
        assert screen.end() == 0
    helped = pig("play", "--help").out
    assert ", ".join([*games.names(), "pig"]) in helped
    assert re.search(r"--dice one\|two +The dice \((\w+, )*pig\)", helped)
    assert re.search(r"--target N +The target \(mishimash, (\w+, )*pig\)", helped)
    assert pig("play", "magdagdon", "--dice", "two", "--script", "-").status == 2


# Judged


@pytest.mark.parametrize(
    ("old", "new", "status", "where"),
    [
        ("", "", "verified", None),
        ("winner = 2", "winner = 1", "mismatch", "result.winner"),
        ('"roll -> 6"', '"roll -> 5"', "dice", "turn 2, entry 1"),
        ('"roll -> 2",\n    "hold"', '"roll -> 2",\n    "roll -> 3"', "dice", "turn 2, entry 3"),
        ('"roll -> 1",\n', '"hold",\n', "illegal", "turn 1, entry 1"),
        ('"hold"', '"hold -> 3"', "malformed", "turn 2, entry 3"),
        ('dice = "one"', 'dice = "six"', "malformed", "options.dice"),
        ("target = 20", "target = 9", "malformed", "options.target"),
        ("target = 20", "target = 30", "mismatch", "result"),
        ("rules = 1", "rules = 2", "unsupported", "rules"),
    ],
)
def test_it_is_judged(registered: None, tmp_path: Path, old: str, new: str, status: str, where: str | None) -> None:
    text = record(tmp_path / "game.toml").read_text("utf-8")
    assert old in text
    verdict = verify(text.replace(old, new, 1).encode())
    assert (verdict.status, verdict.where) == (status, where)


def test_verify_score_says_what_is_wrong_in_words(tmp_path: Path) -> None:
    path = record(tmp_path / "game.toml")
    path.write_text(path.read_text("utf-8").replace('"roll -> 1",\n', '"hold",\n', 1), "utf-8")
    ran = pig("verify-score", path, "--format", "jsonl")
    assert ran.status == 1
    told = json.loads(ran.out)
    assert (told["game"], told["status"]) == ("pig", "illegal")
    assert told["message"] == "there is nothing to hold before a throw"


def test_its_rules_are_rules(registered: None) -> None:
    """Legal actions are those that are accepted, refusals leave no trace, and every reason has words."""
    legal = 0
    for number in range(40):
        chance = random.Random(number)
        game = games.load("pig").start({"dice": chance.choice(("one", "two")), "target": 50}, chance.randint(1, 4))
        for _ in range(chance.randrange(30)):
            if not game.over:
                game.apply(chance.choice(game.legal_actions()), partial(dice.throw, str(number)))
        legal += check_position(game, str(number))
    assert legal > 40


def test_games_of_version_1_keep_being_judged_by_version_1(
    registered: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Pig2(third_game.Pig):
        """Rules version 2: a throw of 2 counts for nothing."""

        RULES = 2

        def _roll(self, throw: Any) -> Any:
            before = self.at_risk
            outcome = super()._roll(throw)
            self.at_risk = before if self.in_turn and outcome.dice == (2,) else self.at_risk
            return outcome

    old = record(tmp_path / "old.toml").read_bytes()
    monkeypatch.setitem(third_game.VERSIONS, 2, Pig2)
    new = record(tmp_path / "new.toml").read_bytes()
    assert b"rules = 1\n" in old
    assert b"rules = 2\n" in new
    assert verify(old).status == verify(new).status == "verified"
    assert verify(new.replace(b"rules = 2", b"rules = 1")).status != "verified"
    assert verify(old.replace(b"rules = 1", b"rules = 2")).status != "verified"
    assert games.rules_versions("pig") == [1, 2]
    ranked = running.cubiri("leaderboard", "pig", "--from", tmp_path).out
    assert [line for line in ranked.splitlines() if line.startswith("PIG")] == [
        "PIG · one · 20 · several players",
        "PIG · one · 20 · several players · rules version 2",
    ]
    again = tmp_path / "again.toml"
    assert running.cubiri("play", "--script", tmp_path / "old.toml", "--output", again).status == 0
    assert again.read_bytes() == old


def test_a_game_need_not_claim_scores_or_turns(
    registered: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    """The turns are then counted in the record, and the breakdown says who won and with what."""

    class Bare(third_game.Pig):
        RESULT: ClassVar = {"winner": rules.is_whole, "pips": rules.is_whole}

        def result(self) -> dict[str, Any]:
            return {"winner": self.seat * self.over, "pips": max(self.scores)}

        @classmethod
        def standing(cls, result: Any, seats: int) -> rules.Standing:
            return rules.Standing(result["winner"], 0, {"pips": result["pips"]}, (-result["pips"],))

    monkeypatch.setitem(third_game.VERSIONS, 1, Bare)
    path = record(tmp_path / "game.toml")
    assert verify(path.read_bytes()).status == "verified"
    shown = running.cubiri("replay", path).out
    assert shown.endswith("PIG\nWinner: Väinö\nFinal score: 28\n")
    assert running.cubiri("leaderboard", "--add", path).status == 0
    [row] = json.loads(running.cubiri("leaderboard", "pig", "--format", "json").out)
    assert (row["player"], row["pips"], row["turns"]) == ("Väinö", 28, 4)


# Ranked


def test_its_best_results_are_ranked(home: Path, tmp_path: Path) -> None:
    paths = [record(tmp_path / f"{seed}.toml", seed, players=1) for seed in ("1", "2", "42")]
    paths.append(record(tmp_path / "hints.toml", "3", players=1, hints=True))
    paths.append(record(tmp_path / "several.toml"))
    paths.append(record(tmp_path / "two.toml", players=1, dice="two"))
    assert pig("leaderboard", "--add", *paths).status == 0
    rows = json.loads(pig("leaderboard", "pig", "--dice", "one", "--format", "json").out)
    solo = [row for row in rows if row["player"] == "Ada"]
    assert [row["rank"] for row in solo] == [1, 2, 3]
    order = [(row["turns"], -row["pips"]) for row in solo]
    assert order == sorted(order)
    assert len(rows) == 4
    assert len(json.loads(pig("leaderboard", "--assisted", "--format", "json").out)) == 6
    shown = pig("leaderboard").out
    assert [line for line in shown.splitlines() if line.startswith("PIG")] == [
        "PIG · one · 20",
        "PIG · one · 20 · several players",
        "PIG · two · 20",
    ]
    assert re.search(r"# +player +pips +turns +date +seed", shown)
    assert "| pips |" in pig("leaderboard", "pig", "--from", paths[0], "--format", "markdown").out


# Watched


def test_its_replay_is_read_as_text_data_and_pictures(tmp_path: Path) -> None:
    path = record(tmp_path / "game.toml")
    text = pig("replay", path).out
    assert "A 1: Ada loses 0" in text
    assert "Turn 8 · Väinö" in text
    assert text.endswith("Winner: Väinö\nFinal score: 28\n")
    assert "Väinö: 8." in pig("replay", path, "--turn", "2").out
    states = [json.loads(line) for line in pig("replay", path, "--format", "json").out.splitlines()]
    assert states[0]["replay"]["options"] == {"dice": "one", "target": 20}
    assert states[1]["events"] == [{"kind": "bust", "seat": 1, "points": 0}]
    assert states[-1]["state"]["result"] == {"winner": 2, "scores": [9, 28], "turns": [4, 4]}
    assert pig("replay", path, "--format", "svg").out.startswith("<svg")
    page = pig("replay", path, "--format", "html").out
    assert "<h1>PIG one 20</h1>" in page
    assert "<div class=dice><span><b>6</b>" in page
    assert page.count("<p>To 20; at risk 8.") >= 1
    cast = pig("replay", path, "--format", "cast").out.splitlines()
    assert json.loads(cast[0])["title"] == "PIG: Ada, Väinö"
    assert "Final score: 28" in json.loads(cast[-2])[2]


def test_it_is_watched(tmp_path: Path) -> None:
    with Terminal("replay", record(tmp_path / "game.toml"), "--step") as screen:
        screen.see("To 20; at risk 0.", "Before the first turn")
        screen.type(".")
        screen.type("\x1b[C")
        screen.see("A 1: Ada loses 0")
        screen.type("End")
        screen.see("Final score: 28")
        screen.type("q")
        assert screen.end() == 0
        assert screen.is_sane


# Rules page and translation


def test_its_rules_are_read_and_shown_beside_its_keys() -> None:
    assert "Be the first to hold the target" in pig("rules", "pig").out
    assert "Ole ensimmäinen" in pig("rules", "pig", "--lang", "fi").out
    assert pig("rules", "pig", "--lang", "sk").out == pig("rules", "pig").out
    with Terminal(*PLAY) as screen:
        screen.see("Ada, it is your turn")
        screen.type("?")
        screen.see("r throws, h holds; typed: r, h.", "For one to four players")
        screen.type("Esc")
        screen.see("Ada, it is your turn")
        screen.type("q")
        assert screen.end() == 0


def test_the_manual_pages_describe_it_though_nobody_edited_them() -> None:
    page = pig("help", "cubiri").out
    titles = [messages.table_of(name).TITLE for name in games.names()]
    assert ", ".join([*titles, "PIG"]) in page
    assert "- PIG: throw on or hold, one to four players." in page
    # at play, verify-score, leaderboard, simulate and match
    assert len(re.findall(r"^- --dice one\|two: The dice \(.*pig\)\.$", page, re.MULTILINE)) == 5
    assert re.search(r"^- target \(N\): The target \(mishimash: 10–1000000, .*pig: 10–1000\)\.$", page, re.MULTILINE)
    assert "PIG\n\n- r throws, h holds; typed: r, h." in page
    page = pig("help", "cubiri-replay").out
    assert re.search(r"^- target: 10–1000000 \(mishimash\); .*10–1000 \(pig\)\.$", page, re.MULTILINE)
    assert (
        "PIG:\n\n- winner (whole number)\n- scores (list of whole numbers)\n- turns (list of whole numbers)\n" in page
    )
    assert "PIG:\n\n- hold\n" in page


def test_it_speaks_finnish_from_its_own_catalogue(tmp_path: Path) -> None:
    path = record(tmp_path / "game.toml")
    assert "silmät" in pig("--lang", "fi", "leaderboard", "--from", path).out
    assert "Ykkönen: Ada menettää 0" in pig("--lang", "fi", "replay", path).out
    path.write_text(path.read_text("utf-8").replace('"roll -> 1",\n', '"hold",\n', 1), "utf-8")
    assert "ennen heittoa ei ole mitään pidettävää" in pig("--lang", "fi", "verify-score", path).out
    with Terminal(*PLAY, "--lang", "fi") as screen:
        screen.see("Ada, on vuorosi", "[r] heitä")
        screen.type("q")
        assert screen.end() == 0


def test_its_catalogue_is_compiled_and_complete() -> None:
    folder = ROOT / "tests" / "locale" / "fi" / "LC_MESSAGES"
    pairs = re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', (folder / "cubiri.po").read_text("utf-8"), re.MULTILINE)
    with (folder / "cubiri.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    assert {one: compiled.gettext(one) for one, _ in pairs} == dict(pairs)
    marked = re.findall(r'\bN?_\("(.+?)"\)', Path(third_game.__file__).read_text("utf-8"))
    assert set(marked) == {one for one, _ in pairs}
    for one, other in pairs:
        assert set(re.findall(r"{\w+}", one)) == set(re.findall(r"{\w+}", other))


def test_no_other_file_knows_it() -> None:
    for path in Path(cubiri_cli.__file__).parent.rglob("*.py"):
        assert not re.search(r"\bpig\b|third_game", path.read_text("utf-8"), re.IGNORECASE), path
    assert len(Path(third_game.__file__).read_text("utf-8").splitlines()) < 120


def test_where_nobody_can_judge_it_hints_and_analyses_say_so(tmp_path: Path) -> None:
    replay = tmp_path / "game.toml"
    script = tmp_path / "script.toml"
    head = 'format = "cubiri-replay"\ngame = "pig"\nseed = "2"\nplayers = [{ name = "Ada" }]\n'
    words = {"r": "roll", "h": "hold"}
    for actions, command in (("r", "hint"), ("rrrhrrh", "analyze")):
        log = json.dumps([words[one] for one in actions])
        rest = f'options = {{ dice = "one", target = 20 }}\n\n[[turns]]\nlog = {log}\n'
        script.write_text(head + rest, "utf-8")
        pig("play", "--script", script, "--output", replay)
        ran = pig(command, replay)
        assert ran.status == 1
        assert "there is no advice for pig" in ran.message
