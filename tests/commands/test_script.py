"""Scripts: a replay with holes, played by `cubiri play --script`."""

from __future__ import annotations

import os
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import tomli
import tomli_w

from cubiri_cli.games.dice import is_seed
from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import LARGEST
from cubiri_cli.replays.script import ScriptStoppedError, play_script, read_script
from cubiri_cli.replays.session import Session
from cubiri_cli.replays.verifying import verify_file
from tests.support.running import Ran, cubiri, process
from tests.support.strategies import STARTED, Setup, magdagdon, mishimash, play, to_bytes

SOLO = magdagdon("peaceful", "script-1")
PARTY = mishimash(2, 10, "script-2")
both = pytest.mark.parametrize("setup", [SOLO, PARTY], ids=["magdagdon", "mishimash"])

# Seed 42 throws 2 2 4 3 in the first turn of MAGDAGDON, and 5 6 1 6 3 1 in the first of MISHIMASH.
OPENING = ["roll", "place 2 b2", "place 3 b3", "confirm"]


def document_of(setup: Setup) -> dict[str, Any]:
    return tomli.loads(play(setup, random.Random(5), started=STARTED).text())


def minimal(log: list[str], **more: Any) -> dict[str, Any]:
    """Return the smallest script of MAGDAGDON, with this log."""
    script = {"format": "cubiri-replay", "game": "magdagdon", "seed": "42", "options": {"difficulty": "survival"}}
    return {**script, "turns": [{"log": log}], **more}


def bare(setup: Setup) -> dict[str, Any]:
    """Return a game as a script with nothing in it that the program can supply, but the seed and the players."""
    document = document_of(setup)
    log = [entry.partition(" -> ")[0] for turn in document["turns"] for entry in turn["log"]]
    return {
        **{name: document[name] for name in ("format", "game", "seed", "players", "options")},
        "turns": [{"log": log}],
    }


class Scripts:
    """A folder in which scripts are played; the replay goes to `output`."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "script.toml"
        self.output = folder / "output.toml"

    def play(self, script: dict[str, Any] | str | bytes, *options: object) -> Ran:
        data = to_bytes(script) if isinstance(script, dict) else script.encode() if isinstance(script, str) else script
        self.file.write_bytes(data)
        return cubiri("play", *options, "--script", self.file, "--output", self.output)

    @property
    def written(self) -> dict[str, Any]:
        return tomli.loads(self.output.read_text("utf-8"))


@pytest.fixture
def scripts(tmp_path: Path) -> Scripts:
    return Scripts(tmp_path)


# What a script may leave out


@both
def test_a_complete_replay_writes_the_same_bytes_again(scripts: Scripts, setup: Setup) -> None:
    text = play(setup, random.Random(5), started=STARTED).text()
    ran = scripts.play(text)
    assert (ran.status, ran.err) == (0, "")
    assert scripts.output.read_text("utf-8") == text
    assert "Final score" in ran.out
    assert str(scripts.output) in ran.out


@both
def test_actions_alone_are_enough(scripts: Scripts, setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796061731")
    ran = scripts.play(bare(setup))
    assert (ran.status, ran.err) == (0, "")
    want = document_of(setup)
    want["started"] = want["result"]["finished"] = datetime.fromtimestamp(1796061731, UTC)
    assert scripts.written == want
    assert verify_file(scripts.output).status == "verified"


@pytest.mark.parametrize("name", ["seed", "started", "version", "rules", "dice", "result", "players"])
@both
def test_each_hole_is_filled(scripts: Scripts, setup: Setup, name: str) -> None:
    document = document_of(setup)
    del document[name]
    if name == "seed":
        document["turns"] = [{"log": ["roll"]}]
        del document["result"]
    if name == "players" and setup is PARTY:
        ran = scripts.play(document, "--player", "Ada", "--player", "Bo")
    else:
        ran = scripts.play(document)
    assert (ran.status, ran.err) == (0, "")
    written = scripts.written
    assert name in written or name == "result"
    if name == "seed":
        assert is_seed(written["seed"])
    assert verify_file(scripts.output).status == ("unfinished" if name == "seed" else "verified")


def test_two_games_without_a_seed_get_two_seeds(scripts: Scripts) -> None:
    script = minimal(["roll"])
    del script["seed"]
    seeds = set()
    for _ in range(2):
        assert scripts.play(script).status == 0
        seeds.add(scripts.written["seed"])
    assert len(seeds) == 2


def test_turns_merged_split_and_left_open_make_the_same_game(scripts: Scripts) -> None:
    document = document_of(PARTY)
    text = play(PARTY, random.Random(5), started=STARTED).text()
    log = [entry for turn in document["turns"] for entry in turn["log"]]
    for turns in (
        [{"log": log}],
        [{"log": [entry]} for entry in log],
        [{"log": []}, {"log": log[:3]}, {"log": []}, {"log": log[3:]}],
        [{"player": 1, "log": log}],
    ):
        assert scripts.play({**document, "turns": turns}).status == 0
        assert scripts.output.read_text("utf-8") == text


def test_a_script_that_ends_early_leaves_an_unfinished_game_that_goes_on(scripts: Scripts) -> None:
    for log, turns in ((["roll"], 1), (OPENING, 1), ([*OPENING, "roll"], 2)):
        ran = scripts.play(minimal(log))
        assert (ran.status, ran.err) == (0, "")
        assert verify_file(scripts.output).status == "unfinished"
        assert "result" not in scripts.written
        assert len(scripts.written["turns"]) == turns
        assert "cubiri resume" in ran.out
        assert "Final score" not in ran.out
        session = Session.resume(read_file(scripts.output))
        assert session.game.legal_actions()


def test_a_claim_about_a_game_that_is_not_over_is_not_written(scripts: Scripts) -> None:
    document = document_of(SOLO)
    document["turns"] = document["turns"][:2]
    assert scripts.play(document).status == 0
    assert "result" not in scripts.written


def test_comments_are_carried(scripts: Scripts) -> None:
    script = minimal(
        [], comment="about\nall", turns=[{"comment": "one", "log": OPENING[:2]}, {"comment": "two", "log": OPENING[2:]}]
    )
    assert scripts.play(script).status == 0
    assert scripts.written["comment"] == "about\nall"
    assert [turn["comment"] for turn in scripts.written["turns"]] == ["one\ntwo"]


def test_a_comment_on_an_empty_turn_is_carried_to_the_next(scripts: Scripts) -> None:
    script = minimal([], turns=[{"comment": "watch this", "log": []}, {"log": OPENING}])
    assert scripts.play(script).status == 0
    assert scripts.written["turns"][0]["comment"] == "watch this"


def test_bots_and_names_are_carried(scripts: Scripts) -> None:
    players = [{"name": "Väinö [b]"}, {"name": "山", "bot": "careful"}]
    assert scripts.play({**document_of(PARTY), "players": players}).status == 0
    assert scripts.written["players"] == players


# What a script says wrongly


def stopped(ran: Ran, *parts: str) -> None:
    """Check that a script was stopped: exit 1 and one line that holds all these."""
    assert ran.status == 1
    for part in parts:
        assert part in ran.message


def test_an_illegal_action_stops_there_and_what_was_played_is_kept_and_named(scripts: Scripts) -> None:
    ran = scripts.play(minimal([*OPENING, "roll", "place 9 a1", "confirm"]))
    stopped(ran, str(scripts.file), "turn 1, entry 6", "place 9 a1", "legal here", "power reroll")
    assert str(scripts.output) in ran.out
    written = scripts.written
    assert [len(turn["log"]) for turn in written["turns"]] == [4, 1]
    assert verify_file(scripts.output).status == "unfinished"


@pytest.mark.parametrize(
    ("log", "where", "parts"),
    [
        (["confirm"], "turn 1, entry 1", ["rolled first", "roll"]),
        (["roll", "roll"], "turn 1, entry 2", ["have already been rolled", "place 2 a1|b1|"]),
        (["roll", "place 5 a1"], "turn 1, entry 2", ["no available die shows 5"]),
        (["roll", "place 2 a1", "place 4 b1"], "turn 1, entry 3", ["b1", "a1", "differ"]),
        (["roll", "place 2 a1", "place 2 d4"], "turn 1, entry 3", ["d4 touches no number"]),
        (["roll", "place 2 a1", "place 2 a1"], "turn 1, entry 3", ["a1 is taken"]),
        (["roll", "return a1"], "turn 1, entry 2", ["no die is staged on a1"]),
        (["roll", "place 2 a1", "confirm"], "turn 1, entry 3", ["1 staged, 2 needed"]),
        (["roll", "ruin a1"], "turn 1, entry 2", ["not MAGDAGDON"]),
        (["roll", "power -1 2", "power +1 1"], "turn 1, entry 3", ["no Majda Power is left"]),
        (["roll", "bank"], "turn 1, entry 2", ['"bank"', "not an action of this game"]),
        (["roll", ""], "turn 1, entry 2", ['""']),
        (["roll", "PLACE 2 A1"], "turn 1, entry 2", ["PLACE 2 A1"]),
        (["roll", "a\x1b[2J\u202e"], "turn 1, entry 2", ["\\x1b[2J\\u202e"]),
        (["roll", "x" * 5000], "turn 1, entry 2", ["xxx…"]),
        (["roll -> 1 1 1 1"], "turn 1, entry 1", ["2 2 4 3", "1 1 1 1"]),
        (["roll ->"], "turn 1, entry 1", ["roll ->"]),
        (["roll -> "], "turn 1, entry 1", ["2 2 4 3"]),
        (["roll -> 2 2 4"], "turn 1, entry 1", ["2 2 4 3"]),
        (["roll -> 2 2 4 3 1"], "turn 1, entry 1", ["2 2 4 3"]),
        (["roll", "place 2 a1 -> 2"], "turn 1, entry 2", ["2"]),
        (["roll", "power reroll 2 2 -> 6 6 6"], "turn 1, entry 2", ["dice"]),
    ],
)
def test_what_is_wrong_is_said(scripts: Scripts, log: list[str], where: str, parts: list[str]) -> None:
    ran = scripts.play(minimal(log))
    stopped(ran, where, "legal here", *parts)
    # The dice of a roll that the script contradicts are not played: the file holds what agreed.
    kept = log[: int(where.rpartition(" ")[2]) - 1]
    if kept:
        entries = [entry.partition(" -> ")[0] for turn in scripts.written["turns"] for entry in turn["log"]]
        assert entries == kept
        assert verify_file(scripts.output).status == "unfinished"
    else:
        assert not scripts.output.exists()


def test_the_wrong_player(scripts: Scripts) -> None:
    document = document_of(PARTY)
    document["turns"][1]["player"] = 1
    ran = scripts.play(document)
    stopped(ran, "turn 2, entry 1", "it is the turn of player 2, not of player 1")
    assert len(scripts.written["turns"]) == 1


def test_actions_after_the_end(scripts: Scripts) -> None:
    document = document_of(PARTY)
    document["turns"].append({"player": 1, "log": ["roll"]})
    ran = scripts.play(document)
    stopped(ran, f"turn {len(document['turns'])}, entry 1", "the game is over", "nothing")
    assert verify_file(scripts.output).status == "verified"


def test_a_claim_that_the_game_contradicts_is_noted(scripts: Scripts) -> None:
    document = document_of(SOLO)
    right = document["result"]["score"]
    document["result"]["score"] += 1
    ran = scripts.play(document)
    assert ran.status == 0
    assert "result.score" in ran.message
    assert str(right) in ran.message
    assert str(right + 1) in ran.message
    assert scripts.written["result"]["score"] == right


@pytest.mark.parametrize("claim", ["0x" + "f" * 5000, '"a\\u001b[2J"', "[1, [2]]", "{a = 1}", "nan", "1979-05-27"])
def test_a_claim_of_any_kind_is_noted_in_one_harmless_line(scripts: Scripts, claim: str) -> None:
    text = play(SOLO, random.Random(5), started=STARTED).text()
    start = text.index("\nscore = ")
    ran = scripts.play(f"{text[:start]}\nscore = {claim}{text[text.index(chr(10), start + 1) :]}")
    assert ran.status == 0
    assert "result.score" in ran.message


# Where a script comes from


def test_standard_input(tmp_path: Path) -> None:
    output = tmp_path / "out.toml"
    text = play(SOLO, random.Random(5), started=STARTED).text()
    ran = cubiri("play", "--script", "-", "--output", output, stdin=text.encode())
    assert (ran.status, ran.err) == (0, "")
    assert output.read_text("utf-8") == text
    ran = cubiri(
        "play", "--script", "-", "--output", output, stdin=b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    )
    assert ran.status == 0
    assert output.read_text("utf-8") == text


def test_standard_input_of_a_real_process(tmp_path: Path) -> None:
    text = play(PARTY, random.Random(5), started=STARTED).text()
    ran = process("play", "--script", "-", "--output", tmp_path / "out.toml", stdin=text.encode())
    assert (ran.status, ran.err) == (0, "")
    assert (tmp_path / "out.toml").read_text("utf-8") == text


def bad_scripts(folder: Path) -> dict[str, object]:
    """Return what is no script, with the argument that names it."""
    (folder / "empty").write_bytes(b"")
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "large").write_bytes(b"#" * (LARGEST + 1))
    (folder / "prose").write_bytes(b"roll\nplace 2 b2\n")
    (folder / "no-game").write_bytes(b'format = "cubiri-replay"\n')
    (folder / "no-actions").write_bytes(to_bytes(minimal([])))
    (folder / "numbers").write_bytes(to_bytes({**minimal([]), "turns": [{"log": [1]}]}))
    (folder / "version").write_bytes(to_bytes(minimal(["roll"], version=2)))
    (folder / "seed").write_bytes(to_bytes(minimal(["roll"], seed="A B")))
    (folder / "deep").write_bytes(b"x = " + b"[" * 10_000)
    os.mkfifo(folder / "pipe")
    names = ("empty", "binary", "large", "prose", "no-game", "no-actions", "numbers", "version", "seed", "deep", "pipe")
    return {
        **{name: folder / name for name in names},
        "folder": folder,
        "missing": folder / "missing",
        "below a file": folder / "empty" / "script",
        "device": "/dev/null",
        "no name": "",
        "a long name": "n" * 300,
        "escape in the name": folder / "a\x1b[2Jb",
    }


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this platform")
def test_what_is_no_script_is_one_line_and_exit_2(tmp_path: Path) -> None:
    output = tmp_path / "output.toml"
    for name, argument in bad_scripts(tmp_path).items():
        ran = cubiri("play", "--script", argument, "--output", output)
        assert ran.status == 2, name
        assert ran.message, name
        assert ran.out == "", name
        assert not output.exists()


def test_a_script_without_permission(tmp_path: Path) -> None:
    script = tmp_path / "script.toml"
    script.write_bytes(to_bytes(minimal(["roll"])))
    script.chmod(0)
    if os.access(script, os.R_OK):
        pytest.skip("permission bits do not bind this user")
    ran = cubiri("play", "--script", script)
    assert ran.status == 2
    assert "ermission" in ran.message


def test_endless_standard_input_is_not_swallowed() -> None:
    with Path("/dev/zero").open("rb") as endless:
        ran = process("play", "--script", "-", stdin=endless)
    assert ran.status == 2
    assert "larger than" in ran.message


# What the command line adds, and contradicts


def test_game_options_seed_and_players_from_the_command_line(scripts: Scripts) -> None:
    script = {"format": "cubiri-replay", "turns": [{"log": OPENING}]}
    ran = scripts.play(script, "magdagdon", "--difficulty", "nightmare", "--seed", "A-1", "--player", "Bo")
    assert ran.status == 1  # the dice are others
    ran = scripts.play(script, "magdagdon", "--difficulty", "survival", "--seed", "42", "--player", "Bo")
    assert (ran.status, ran.err) == (0, "")
    written = scripts.written
    assert (written["game"], written["options"], written["seed"]) == ("magdagdon", {"difficulty": "survival"}, "42")
    assert written["players"] == [{"name": "Bo"}]


def test_a_seed_in_capitals_is_lower_cased(scripts: Scripts) -> None:
    script = {**minimal(["roll"])}
    del script["seed"]
    assert scripts.play(script, "--seed", "ADA-1").status == 0
    assert scripts.written["seed"] == "ada-1"


def test_agreeing_is_no_conflict(scripts: Scripts) -> None:
    ran = scripts.play(minimal(OPENING), "magdagdon", "--difficulty", "survival", "--seed", "42")
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize(
    "options",
    [
        ["mishimash"],
        ["magdagdon", "--difficulty", "peaceful"],
        ["--seed", "43"],
        ["magdagdon", "--target", "50"],
        ["--daily"],
        ["--player", "Bo"],
        ["--player", "Ada", "--player", "Bo"],
    ],
    ids=" ".join,
)
def test_contradicting_the_script_is_wrong_usage(scripts: Scripts, options: list[str]) -> None:
    ran = scripts.play(minimal(OPENING, players=[{"name": "Ada"}]), *options)
    assert ran.status == 2
    assert ran.message
    assert not scripts.output.exists()


def test_a_contradicting_option_is_named(scripts: Scripts) -> None:
    ran = scripts.play(minimal(OPENING), "magdagdon", "--difficulty", "peaceful")
    assert ran.message.endswith("the script says difficulty = survival, the command line peaceful")


def test_more_players_than_the_game_takes(scripts: Scripts) -> None:
    for options in (["--player", "Ada", "--player", "Bo"], [word for n in range(9) for word in ("--player", f"P{n}")]):
        ran = scripts.play(minimal(OPENING), *options)
        assert ran.status == 2
        assert "at most 1" in ran.message


# Without --output


def test_a_script_s_game_is_kept_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path / "home"))
    (tmp_path / "script.toml").write_bytes(to_bytes(minimal(OPENING)))
    for _ in range(2):
        assert cubiri("play", "--script", tmp_path / "script.toml").status == 0
    kept = sorted((tmp_path / "home" / "replays").glob("*.toml"))
    assert len(kept) == 2
    for path in kept:
        assert verify_file(path).status == "unfinished"


def test_output_leaves_the_home_folder_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scripts: Scripts) -> None:
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path / "home"))
    assert scripts.play(document_of(SOLO)).status == 0
    assert not (tmp_path / "home").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"script.toml", "output.toml"}


# The player of scripts itself


def test_what_was_played_before_the_stop_stays_in_the_session() -> None:
    session = SOLO.begin()
    script = read_script(to_bytes({**bare(SOLO), "turns": [{"log": ["roll", "roll"]}]}))
    with pytest.raises(ScriptStoppedError) as caught:
        play_script(session, script)
    assert (caught.value.problem.where, caught.value.problem.code) == ("turn 1, entry 2", "already-rolled")
    assert caught.value.legal == session.game.legal_actions()
    assert [len(turn.log) for turn in session.replay.turns] == [1]


def test_a_script_of_many_actions(tmp_path: Path) -> None:
    """All of them in one turn, and they are all there."""
    script = tmp_path / "hints.toml"
    script.write_text(tomli_w.dumps(minimal(["roll", *["hint"] * 500])), "utf-8")
    ran = cubiri("play", "--script", script, "--output", tmp_path / "out.toml")
    assert (ran.status, ran.err) == (0, "")
    assert len(tomli.loads((tmp_path / "out.toml").read_text("utf-8"))["turns"][0]["log"]) == 501
