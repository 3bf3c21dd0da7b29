"""Going on with a game on a terminal, whatever ended it."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from cubiri_cli.commands.inputs import find_game
from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import LARGEST, Player
from cubiri_cli.replays.session import Session
from cubiri_cli.replays.verifying import verify_file
from cubiri_cli.store.home import replays_folder, short_name
from cubiri_cli.store.locks import Lock
from cubiri_cli.store.saved import Keeper
from cubiri_cli.store.unfinished import resumable, unfinished
from tests.support.playing import MAGDAGDON, STAGED, be_quick, type_actions, whole_game
from tests.support.running import cubiri, process
from tests.support.strategies import STARTED, magdagdon
from tests.support.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def begun(*actions: str, output: Path | None = None) -> Path:
    """Return the file of an unfinished game."""
    session = magdagdon("survival", "42").begin()
    keeper = Keeper(session, output)
    for action in actions or STAGED:
        session.do(action)
    keeper.finish()
    assert keeper.path is not None
    return keeper.path


def log(path: Path) -> list[str]:
    return [entry for turn in read_file(path).turns for entry in turn.log]


def test_without_a_terminal_it_is_one_line_and_status_2() -> None:
    nothing = cubiri("resume")
    assert (nothing.status, nothing.out) == (2, "")
    assert "no unfinished game" in nothing.message
    path = begun()
    before = path.read_bytes()
    for arguments in (["resume"], ["resume", path]):
        ran = cubiri(*arguments)
        assert (ran.status, ran.out) == (2, "")
        assert "terminal" in ran.message
    assert path.read_bytes() == before


def test_a_game_at_home_is_named_by_the_beginning_of_its_name_or_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796040000")
    path = begun()
    digest = read_file(path).digest
    for name in (path.name, "2026", digest, digest[:12]):
        assert cubiri("replay", name).out == cubiri("replay", path).out != ""
        with Terminal("resume", name) as screen:
            screen.see("survival")
            screen.type("q")
            assert screen.end() == 0
    path.rename(path.with_name("My game.toml"))
    for name in ("My game", "my"):
        assert cubiri("replay", name).out != ""
    for command in ("replay", "resume"):
        ran = cubiri(command, "2025")
        assert ran.status == 2
        assert "2025" in ran.message


def test_what_cannot_be_gone_on_with(tmp_path: Path) -> None:
    assert cubiri("resume", tmp_path / "missing.toml").status == 2
    assert cubiri("resume", tmp_path).status == 2
    broken = tmp_path / "broken.toml"
    broken.write_text("format = 'x'", encoding="utf-8")
    assert cubiri("resume", broken).status == 1
    script = tmp_path / "finished.toml"
    from random import Random

    from tests.support.strategies import play

    script.write_text(play(magdagdon("survival", "done"), Random(1)).text(), encoding="utf-8")
    ran = cubiri("resume", script)
    assert ran.status == 1
    assert "finished" in ran.message


def test_the_latest_one_that_was_edited_is_refused_with_the_place() -> None:
    path = begun()
    path.write_text(path.read_text(encoding="utf-8").replace("roll -> 2", "roll -> 5"), encoding="utf-8")
    ran = cubiri("resume")
    assert ran.status == 1
    assert f"{path}: " in ran.message
    assert "turn 1, entry 1" in ran.message


def damaged_saves() -> dict[str, str]:
    """Put games that cannot be resumed beside a good older one; return by name what is said of each."""
    good = begun()
    text = good.read_text(encoding="utf-8")
    os.utime(good, (0, 0))
    saves = {
        "truncated.toml": (text[: text.index("place")], "not TOML"),
        "bad-seed.toml": (text.replace('seed = "42"', 'seed = "A B"'), "seed: "),
        "newer-version.toml": (text.replace("version = 1", "version = 2"), "version: 2 is not known here"),
        "newer-rules.toml": (text.replace("rules = 1", "rules = 9"), "rules: 9 is not known here"),
        "wrong-dice.toml": (text.replace("roll -> 2", "roll -> 5"), "turn 1, entry 1: the dice are 2 2 4 3"),
        "illegal.toml": (text.replace("place 2 b2", "place 6 b2"), "turn 1, entry 2: "),
        "20261130-180211-magdagdon-survival.toml": ("", 'the key "format" is missing'),
        "20261130-180211.0002-mishimash-100.toml": ("\0" * 900, "not TOML"),
        "undated-magdagdon-survival.toml": ("#" * (LARGEST + 1), "larger than"),
    }
    for number, (name, (content, _)) in enumerate(saves.items()):
        path = replays_folder() / name
        path.write_text(content, encoding="utf-8")
        os.utime(path, (1000 - number, 1000 - number))
    return {name: reason for name, (_, reason) in saves.items()}


STATUSES = [
    "malformed",
    "malformed",
    "unsupported",
    "unsupported",
    "dice",
    "illegal",
    "malformed",
    "malformed",
    "unreadable",
]
"""Of the damaged saves, in order."""


def test_damaged_and_newer_saves_hide_no_other() -> None:
    """Each is named in one line with its true status, the newest first, and the good one goes on."""
    reasons = damaged_saves()
    ended = process("resume")
    assert ended.status == 2
    lines = ended.err.splitlines()
    assert len(lines) == len(reasons) + 1
    for said, (name, reason), status in zip(lines, reasons.items(), STATUSES, strict=False):
        assert said.startswith(f"cubiri: {replays_folder() / name}: cannot be resumed: ")
        assert reason in said
        assert said.endswith(f"[{status}]")
    assert "needs a terminal" in lines[-1]
    with Terminal("--plain", "resume", rows=60, columns=250) as terminal:  # one is good: it is not asked for
        terminal.see(*reasons, "staged: 1")
        terminal.type("q", "Enter")
        assert terminal.end() == 0


def test_where_none_can_be_resumed_the_answer_is_no() -> None:
    damaged_saves()
    next(resumable()).path.unlink()
    ended = process("resume")
    assert (ended.status, ended.out) == (1, "")
    assert all("cannot be resumed" in said for said in ended.err.splitlines())


def test_a_game_being_played_elsewhere_hides_no_other() -> None:
    older = begun()
    os.utime(older, (0, 0))
    newer = begun()
    with Lock(newer):
        ended = process("resume")
    assert ended.err.splitlines()[0] == f"cubiri: {newer}: this game is being played in another terminal"
    assert "needs a terminal" in ended.err.splitlines()[1]


def test_the_list_for_the_menu_has_the_games_and_what_is_wrong_with_the_others() -> None:
    reasons = damaged_saves()
    found = list(unfinished())
    assert [saved.path.name for saved in found[:-1]] == list(reasons)
    assert [saved.verdict.status for saved in found] == [*STATUSES, "unfinished"]
    assert [saved.can_resume for saved in found] == [False] * len(reasons) + [True]
    assert found[-1].verdict.seed == "42"
    assert [saved.path for saved in resumable()] == [found[-1].path]


def go_on_and_stage_another(*arguments: object) -> None:
    with Terminal("--plain", *arguments) as terminal:
        terminal.see("staged", ">")
        terminal.type("place 3 b3; confirm", "Enter")
        terminal.see("Turn 2")
        terminal.type("q", "Enter")
        assert terminal.end() == 0


def test_staged_dice_are_still_staged() -> None:
    path = begun()
    go_on_and_stage_another("resume")
    assert log(path)[:4] == ["roll -> 2 2 4 3", "place 2 b2", "place 3 b3", "confirm"]
    assert verify_file(path).status == "unfinished"
    assert len(list(replays_folder().iterdir())) == 1


def test_a_game_of_output_goes_on_in_its_file_and_is_not_ranked(tmp_path: Path) -> None:
    path = begun(output=tmp_path / "game.toml")
    go_on_and_stage_another("resume", path)
    assert log(path)[3] == "confirm"
    assert not (tmp_path / "cubiri-home").exists()


# To the end, as if nothing had happened


EPOCH = "1796061731"


def close_terminal(terminal: Terminal) -> int:
    """Close the window: the system sends SIGHUP, and nothing can be read or written any more."""
    terminal.child.ptyproc.fileobj.close()
    status: int = terminal.child.ptyproc.wait()
    return status


ENDS: dict[str, tuple[Callable[[Terminal], object], int]] = {
    "q": (lambda terminal: terminal.type("q"), 0),
    "Ctrl-C": (lambda terminal: terminal.type("Ctrl-C"), 130),
    "Ctrl-D": (lambda terminal: terminal.type("Ctrl-D"), 130),
    "SIGINT": (lambda terminal: terminal.signal(signal.SIGINT), 130),
    "SIGTERM": (lambda terminal: terminal.signal(signal.SIGTERM), 130),
    "SIGHUP": (lambda terminal: terminal.signal(signal.SIGHUP), 130),
    "SIGKILL": (lambda terminal: terminal.signal(signal.SIGKILL), 137),
}
"""How a game is ended in the middle of a turn, and the exit status of that."""


@pytest.mark.parametrize("end", [None, "closed", *ENDS])
def test_an_interrupted_game_goes_on_from_the_same_screen_to_the_same_bytes(
    end: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    actions, text = whole_game()
    be_quick()
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("turn 1")
        type_actions(terminal, STAGED)
        seen = terminal.see("1 staged", "(2)", "take back the 2 on b2")
        if end is None:
            type_actions(terminal, actions[2:])
            assert terminal.end() == 0
        elif end == "closed":
            assert close_terminal(terminal) == 130
        else:
            leave, status = ENDS[end]
            leave(terminal)
            assert terminal.end() == status
    (path,) = replays_folder().glob("*.toml")
    if end is not None:
        assert log(path) == ["roll -> 2 2 4 3", "place 2 b2"]
        with Terminal("resume") as terminal:
            assert terminal.see("1 staged", "(2)", "take back the 2 on b2") == seen
            type_actions(terminal, actions[2:])
            assert terminal.end() == 0
            assert terminal.is_sane
            assert "Place 1 of 1" in terminal.printed
    assert path.read_text(encoding="utf-8") == text
    assert verify_file(path).status == "verified"


def test_a_game_that_is_interrupted_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    actions, text = whole_game()
    with Terminal("--plain", *MAGDAGDON) as terminal:
        terminal.line_wanted(1)
        terminal.type("; ".join(STAGED), "Enter")
        terminal.line_wanted(2)
        terminal.signal(signal.SIGKILL)
        assert terminal.end() == 137
    (path,) = replays_folder().glob("*.toml")
    while (done := len(log(path))) < len(actions):
        with Terminal("--plain", "resume") as terminal:
            terminal.line_wanted(1)
            terminal.type("; ".join(actions[done : done + 7]), "Enter")
            if done + 7 >= len(actions):
                assert terminal.end() == 0
                continue
            terminal.line_wanted(2)
            terminal.signal(signal.SIGKILL)
            assert terminal.end() == 137
    assert path.read_text(encoding="utf-8") == text


def test_a_script_that_ended_early_goes_on_at_the_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    actions, text = whole_game()
    script = tmp_path / "script.toml"
    begin = 'format = "cubiri-replay"\ngame = "magdagdon"\nseed = "42"\n[[players]]\nname = "Ada"\n'
    turn = "".join(f'"{action}", ' for action in STAGED)
    options = '[options]\ndifficulty = "survival"\n'
    script.write_text(f"{begin}{options}[[turns]]\nlog = [{turn}]\n", encoding="utf-8")
    ran = process("play", "--script", script)
    assert (ran.status, ran.err) == (0, "")
    (path,) = replays_folder().glob("*.toml")
    assert f"cubiri resume {path.name[:15]}" in ran.out
    with Terminal("resume", path) as terminal:
        terminal.see("1 staged", "take back the 2 on b2")
        type_actions(terminal, actions[2:])
        assert terminal.end() == 0
    assert path.read_text(encoding="utf-8") == text


# What cannot be gone on with, on a terminal: one line, and the terminal as it was


def refused(*arguments: object) -> tuple[int, str]:
    """Return the exit status and what was said in one line, however wide the terminal is."""
    with Terminal(*arguments, columns=400) as terminal:
        status = terminal.end()
        assert terminal.is_sane
        (only,) = terminal.printed.strip().splitlines()
    return status, only


def test_nothing_to_go_on_with() -> None:
    assert refused("resume") == (2, "cubiri: there is no unfinished game")
    assert not replays_folder().exists()


def test_a_finished_game_and_an_edited_one(tmp_path: Path) -> None:
    script = tmp_path / "finished.toml"
    script.write_text(whole_game()[1], encoding="utf-8")
    assert refused("resume", script) == (1, f"cubiri: {script}: this game is finished")
    path = begun()
    path.write_text(path.read_text(encoding="utf-8").replace("roll -> 2", "roll -> 5"), encoding="utf-8")
    edited = path.read_bytes()
    status, said = refused("resume")
    assert status == 1
    assert said.startswith(f"cubiri: {path}: cannot be resumed: turn 1, entry 1: ")
    assert path.read_bytes() == edited


def test_the_second_terminal_is_told_in_one_line_and_may_have_the_game_after_the_first() -> None:
    path = begun()
    with Terminal("resume") as first:
        first.see("1 staged")
        status, said = refused("resume")
        assert (status, said) == (1, f"cubiri: {path}: this game is being played in another terminal")
        first.signal(signal.SIGKILL)
        assert first.end() == 137
    with Terminal("resume") as second:
        second.see("1 staged")
        second.type("q")
        assert second.end() == 0


def test_a_printed_name_names_one_game_whatever_begins_in_the_same_second() -> None:
    paths = []
    for target in (10, 100, 10):
        session = Session.begin("mishimash", {"target": target}, [Player("Ada")], "42", started=STARTED)
        keeper = Keeper(session)
        session.do("roll")
        keeper.release()
        assert keeper.path is not None
        paths.append(keeper.path)
    assert len(set(paths)) == 3
    for path in paths:
        assert find_game(short_name(path)) == path
