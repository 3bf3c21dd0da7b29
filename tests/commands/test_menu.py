"""The main menu of a bare `cubiri`: every entry leads somewhere, and every way back leads to the menu."""

from __future__ import annotations

import os
import random
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
import tomli

from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.verifying import verify_file
from cubiri_cli.store.home import recent, replays_folder
from cubiri_cli.store.saved import Keeper
from cubiri_cli.store.settings import settings_path
from cubiri_cli.table.language import decimal
from cubiri_cli.terminal import menu as ask
from cubiri_cli.terminal.plain import Plain
from cubiri_cli.terminal.prompter import Reply
from tests.support.running import cubiri, process
from tests.support.strategies import magdagdon, play, unaided
from tests.support.terminal import Terminal, key_of_game, key_of_setting

if TYPE_CHECKING:
    from pathlib import Path

    from cubiri_cli.table.protocol import Question
    from cubiri_cli.terminal.prompter import Scene

MAIN = "What shall it be?"


def begun(staging: str = "place 2 b2") -> Path:
    """Return the file of an unfinished game: a die is staged, three are free."""
    session = magdagdon("survival", "42").begin()
    keeper = Keeper(session)
    for action in ("roll", staging):
        session.do(action)
    keeper.finish()
    assert keeper.path is not None
    return keeper.path


def finished(tmp_path: Path) -> Path:
    """Return the file of a finished and ranked game, played by a script."""
    script = tmp_path / "script.toml"
    script.write_text(
        play(
            magdagdon("peaceful", "menu"),
            random.Random(1),
            unaided,
        ).text(),
        encoding="utf-8",
    )
    assert cubiri("play", "--script", script).status == 0
    (path,) = recent()
    return path


def kept(count: int) -> list[Path]:
    """Return the files of so many finished games, begun at 18:00, 18:01 and so on, the last one first."""
    replays_folder().mkdir(parents=True)
    paths: list[Path] = []
    for number in range(count):
        started = datetime(2026, 11, 30, 18, tzinfo=UTC) + timedelta(minutes=number)
        session = play(magdagdon("peaceful", "menu"), random.Random(number), unaided, started=started)
        path = replays_folder() / f"{number}.toml"
        path.write_text(session.text(), encoding="utf-8")
        os.utime(path, (number, number))
        paths.insert(0, path)
    assert recent() == paths
    return paths


# From an entry and back


def test_the_menu_leads_everywhere_and_back() -> None:
    with Terminal() as terminal:
        for key, there in (
            ("n", "Which game?"),
            ("w", "Which replay?"),
            ("b", "no results"),
            ("r", "Which game?"),
            ("s", "Change which?"),
        ):
            terminal.see(MAIN, "[q]")
            terminal.type(key)
            terminal.see(there)
            terminal.type("Esc")
        terminal.see(MAIN)
        assert "Go on" not in terminal.text
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


def test_the_menu_goes_on_with_the_latest_game_and_comes_back() -> None:
    path = begun()
    with Terminal() as terminal:
        terminal.see("Go on with MAGDAGDON · survival", "A new game leaves")
        terminal.type("g")
        terminal.see("1 staged")
        terminal.type("q")
        terminal.see("Enter goes back to the menu.", str(path)[:40])
        terminal.type("Enter")
        terminal.see(MAIN)
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
        assert terminal.is_sane


def test_a_new_game_from_the_menu_leaves_the_other_as_it_is() -> None:
    path = begun()
    before = path.read_bytes()
    with Terminal() as terminal:
        terminal.see("A new game leaves MAGDAGDON · survival")
        terminal.type("n")
        terminal.see("Which game?")
        terminal.type(key_of_game("magdagdon"))
        terminal.see("nightmare")
        terminal.type("1")  # whose first roll can always be played
        terminal.see("turn 1")
        terminal.type("r")
        terminal.see("Which die")
        terminal.type("q")
        terminal.see("Enter goes back")
        terminal.type("Enter")
        terminal.see("Go on with MAGDAGDON · peaceful")
        terminal.type("Esc")
        assert terminal.end() == 0
    assert path.read_bytes() == before
    assert len(recent()) == 2


def test_today_s_game_stands_first_and_begins_with_one_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796061731")
    with Terminal() as terminal:
        terminal.see("▶ [d] Today's game: MISHIMASH to 200", "Today: not played yet · 5 h 57 min left")
        terminal.type("d")
        terminal.see("Turn 1")
        terminal.type("r")
        terminal.see("roll 1")
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
    (path,) = recent()
    assert read_file(path).seed == "daily-2026-11-30"
    with Terminal() as terminal:
        terminal.see("Today: begun · 5 h 57 min left")
        terminal.type("q")
        assert terminal.end() == 0


def test_the_menu_says_why_a_game_cannot_be_resumed_and_offers_the_one_before() -> None:
    begun("place 3 a1")
    path = begun()
    path.write_text(path.read_text(encoding="utf-8").replace("roll -> 2", "roll -> 5"), encoding="utf-8")
    with Terminal() as terminal:
        terminal.see("cannot be resumed", "Go on with MAGDAGDON", "A new game leaves", MAIN)
        assert f"{path.name}: cannot be resumed: turn 1, entry 1: " in " ".join(terminal.text.split())
        terminal.type("g")
        terminal.see("1 staged", "(3)")
        terminal.type("q")
        terminal.see("Enter goes back")
        terminal.type("Enter")
        terminal.see("cannot be resumed", MAIN)
        terminal.type("q")
        assert terminal.end() == 0


def test_every_unfinished_game_can_be_chosen_and_what_cannot_be_resumed_says_why() -> None:
    first = begun("place 3 a1")
    broken = [begun() for _number in range(5)]
    for path in broken:
        path.write_text(path.read_text(encoding="utf-8").replace("version = 1", "version = 9", 1), encoding="utf-8")
    begun()
    with Terminal() as terminal:
        terminal.see(MAIN, "Go on with", "[u] All unfinished games (7)", "3 more games cannot be resumed.")
        assert terminal.text.count("cannot be resumed: ") == 2
        assert "[unsupported]" in " ".join(terminal.text.split())
        terminal.type("u")
        terminal.see("Go on with which game?", "[1] MAGDAGDON", "[7] MAGDAGDON")
        terminal.type("3")
        terminal.see("Go on with which game?", "▶ [3]", "[unsupported]")
        assert " ".join(terminal.text.split()).count("cannot be resumed: ") == 6
        terminal.type("7")
        terminal.see("1 staged", "(3)")
        terminal.type("q")
        terminal.see("Enter goes back", first.name)
        terminal.type("Enter")
        terminal.see(MAIN)
        terminal.type("u")
        terminal.see("Go on with which game?")
        terminal.type("Esc")
        terminal.see(MAIN)
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


def test_where_no_game_can_be_resumed_the_menu_says_so_and_all_else_works() -> None:
    path = begun()
    path.write_text(path.read_text(encoding="utf-8")[:-30], encoding="utf-8")
    with Terminal("--plain") as terminal:
        terminal.see(MAIN, "cannot be resumed: ", "u) All unfinished games (1)")
        assert "g) " not in terminal.text
        terminal.type("u", "Enter")
        terminal.see("Go on with which game?")
        terminal.type("1", "Enter")
        terminal.line_wanted(3)
        terminal.type("0", "Enter")
        terminal.line_wanted(4)
        terminal.type("q", "Enter")
        assert terminal.end() == 0


def test_the_menu_in_plain_mode() -> None:
    begun()
    with Terminal("--plain") as terminal:
        terminal.see(MAIN, "g) Go on with MAGDAGDON")
        terminal.type("b", "Enter")
        terminal.see("no results")
        terminal.type("s", "Enter")
        terminal.see("Change which?")
        terminal.type("0", "Enter")
        terminal.see(MAIN)
        terminal.type("g", "Enter")
        terminal.see("b2")
        terminal.type("q", "Enter")
        terminal.see("Enter goes back to the menu.")
        terminal.type("Enter")
        terminal.type("q", "Enter")
        assert terminal.end() == 0


def test_watching_a_replay_and_back(tmp_path: Path) -> None:
    path = finished(tmp_path)
    with Terminal() as terminal:
        terminal.see(MAIN)
        assert "Go on" not in terminal.text, "a finished game is not gone on with"
        terminal.type("w")
        terminal.see("Which replay?", "MAGDAGDON · peaceful · Ada")
        terminal.type("1")
        terminal.see("turn 1")
        terminal.miss("Which replay?")
        terminal.type("Esc")
        terminal.see(MAIN)
        terminal.type("w")
        terminal.see("Which replay?")
        terminal.type("t")
        terminal.see("File:")
        terminal.type("nowhere.toml", "Enter")
        terminal.see("nowhere.toml: ")
        terminal.type("Esc")
        terminal.see("Which replay?", "[t]")
        terminal.type("t")
        terminal.see("File:")
        terminal.type(str(path), "Enter")
        terminal.see("turn 1")
        terminal.miss("File:")
        terminal.type("q")
        terminal.see(MAIN)
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


def test_the_language_that_was_asked_for_holds_in_the_viewer_and_in_the_menu_after_it(tmp_path: Path) -> None:
    finished(tmp_path)
    with Terminal("--lang", "fi") as terminal:
        for _round in range(2):
            terminal.see("Mitä tehdään?", "[w]")
            terminal.type("w")
            terminal.see("Mikä tallenne?")
            terminal.type("1")
            terminal.see("Ennen ensimmäistä vuoroa")
            terminal.type("Esc")
        terminal.see("Mitä tehdään?")
        terminal.type("s")
        terminal.miss("Mitä tehdään?")
        terminal.type("Esc")
        terminal.see("Mitä tehdään?")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


@pytest.mark.parametrize(("options", "no_color"), [(("--no-color",), None), ((), "1")], ids=["--no-color", "NO_COLOR"])
def test_no_colour_holds_in_the_viewer_and_in_the_menu_after_it(
    tmp_path: Path, options: tuple[str, ...], no_color: str | None
) -> None:
    finished(tmp_path)
    with Terminal(*options, NO_COLOR=no_color) as terminal:
        for _round in range(2):
            terminal.see(MAIN)
            terminal.type("w")
            terminal.see("Which replay?")
            terminal.type("1")
            terminal.see("Before the first turn")
            terminal.type("Esc")
        terminal.see(MAIN)
        terminal.type("q")
        assert terminal.end() == 0
    colours = re.findall(rb"\x1b\[[0-9;]*m", terminal.raw)
    assert colours
    assert set(b";".join(one[2:-1] for one in colours).split(b";")) <= {b"", b"0", b"1", b"2", b"7"}, set(colours)


def test_plain_holds_after_a_replay_was_shown_and_in_the_menu_after_it(tmp_path: Path) -> None:
    finished(tmp_path)
    with Terminal("--plain") as terminal:
        for count in (1, 3):
            terminal.line_wanted(count)
            terminal.type("w", "Enter")
            terminal.line_wanted(count + 1)
            terminal.type("1", "Enter")
            terminal.see("Final score: ", "Enter goes back to the menu.")
            terminal.type("Enter")
            terminal.line_wanted(count + 2)
        terminal.type("q", "Enter")
        assert terminal.end() == 0
    assert b"\x1b" not in terminal.raw


def test_all_games_that_are_kept_can_be_reached_and_are_told_apart() -> None:
    score = decimal((read_file(kept(40)[0]).result or {})["score"])
    with Terminal() as terminal:
        terminal.see(MAIN)
        terminal.type("w")
        first = f"[1] MAGDAGDON · peaceful · Ada · 2026-11-30 18:39 UTC · score: {score}"
        terminal.see(first, "[f] MAGDAGDON · peaceful · Ada · 2026-11-30 18:25 UTC", "[o] 25 older games", "[t] type")
        terminal.type("o")
        terminal.see("18:24 UTC", "18:10 UTC", "[o] 10 older games")
        terminal.type("o")
        terminal.see("18:09 UTC", "[a] MAGDAGDON · peaceful · Ada · 2026-11-30 18:00 UTC", "Which replay?", "[t]")
        assert "older" not in terminal.text
        terminal.type("Esc")
        terminal.see("18:10 UTC", "▶ [o] 10 older games")
        terminal.type("Esc")
        terminal.see("18:39 UTC", "▶ [o] 25 older games")
        terminal.type("Esc")
        terminal.see(MAIN)
        terminal.type("q")
        assert terminal.end() == 0


def test_of_many_games_only_those_that_are_shown_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = kept(1) * 1000
    read: list[Path] = []

    def reading(path: Path) -> bytes:
        read.append(path)
        return path.read_bytes()

    class GoingBack(Plain):
        def choose(self, question: Question, scene: Scene, pointed: str = "") -> Reply:
            return Reply(is_back=True)

    monkeypatch.setattr(ask, "read_bytes", reading)
    assert ask.ask_replay(GoingBack(), paths) is None
    assert len(read) == ask.LISTED


def test_an_unfinished_game_in_the_list_is_gone_on_with_or_watched() -> None:
    begun()
    with Terminal() as terminal:
        terminal.see(MAIN)
        terminal.type("w")
        terminal.see("[1] MAGDAGDON · survival · ", " UTC · unfinished")
        terminal.type("1")
        terminal.see("This game is unfinished", "turn 1", "[g] go on", "[w] watch")
        terminal.type("Esc")
        terminal.see("Which replay?")
        terminal.type("1")
        terminal.see("[w] watch")
        terminal.type("w")
        terminal.see("Before the first turn")
        terminal.type("q")
        terminal.see(MAIN)
        terminal.type("w")
        terminal.see("Which replay?")
        terminal.type("1")
        terminal.see("[g] go on")
        terminal.type("g")
        terminal.see("1 staged")
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
        assert terminal.is_sane


def test_a_replay_that_is_wrong_says_so_before_the_menu_comes_back(tmp_path: Path) -> None:
    path = finished(tmp_path)
    text = path.read_text(encoding="utf-8")
    score = next(one for one in text.splitlines() if one.startswith("score = "))
    path.write_text(text.replace(score, "score = 999"), encoding="utf-8")
    with Terminal() as terminal:
        terminal.see(MAIN)
        terminal.type("w")
        terminal.see("Which replay?", "does not verify")
        assert "999" not in terminal.text
        terminal.type("1")
        terminal.see("turn 1")
        terminal.type("q")
        terminal.see("result.score", "Enter goes back to the menu.")
        terminal.type("Enter")
        terminal.see(MAIN)
        terminal.type("q")
        assert terminal.end() == 0


def test_the_best_results_and_the_rules_and_back(tmp_path: Path) -> None:
    finished(tmp_path)
    with Terminal() as terminal:
        terminal.see(MAIN)
        terminal.type("b")
        terminal.see("Best results", "MAGDAGDON · peaceful", "score  turns  Powers", "Ada")
        terminal.type("Esc")
        terminal.see(MAIN)
        terminal.type("r")
        terminal.see("Which game?")
        terminal.type(key_of_game("mishimash"))
        terminal.see("MISHIMASH")
        terminal.miss("Which game?")
        terminal.type("Esc")
        terminal.see("Which game?")
        terminal.type("Esc")
        terminal.see(MAIN)
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


def test_a_question_of_a_new_game_leads_back_to_the_one_before(tmp_path: Path) -> None:
    with Terminal() as terminal:
        terminal.see(MAIN)
        terminal.type("n")
        for game, question in (("magdagdon", "Which difficulty?"), ("mishimash", "target (10 to 1000000) [1000]:")):
            terminal.see("Which game?")
            terminal.type(key_of_game(game))
            terminal.see(question)
            terminal.type("Esc")
        terminal.see("Which game?")
        terminal.type("Esc")
        terminal.see(MAIN)
        terminal.type("q")
        assert terminal.end() == 0
    assert not replays_folder().exists()


def test_another_difficulty_means_a_new_game_and_says_so_before() -> None:
    path = begun()
    before = path.read_bytes()
    with Terminal() as terminal:
        terminal.see(MAIN)
        terminal.type("s")
        terminal.see("Change which?", "in new games", "language")
        terminal.type(key_of_setting("color"))
        terminal.see("color:")
        assert "A new game leaves" not in terminal.text, "colour holds at once"
        terminal.type("Esc")
        terminal.see("Change which?")
        terminal.type(key_of_setting("difficulty"))
        terminal.see("difficulty:", "the difficulty of new games", "A new game leaves MAGDAGDON · survival")
        terminal.type("3")
        terminal.see("Change which?", "nightmare  (")
        terminal.type("Esc")
        terminal.see("Go on with MAGDAGDON · survival")
        terminal.type("n")
        terminal.see("Which game?")
        terminal.type(key_of_game("magdagdon"))
        terminal.see("nightmare", "(default)", "Which difficulty?")
        terminal.type("Enter")
        terminal.see("MAGDAGDON · nightmare · turn 1")
        terminal.type("q")
        terminal.see("Enter goes back to the menu.")
        terminal.type("Enter")
        terminal.see("Go on with MAGDAGDON · survival")
        terminal.type("g")
        terminal.see("MAGDAGDON · survival · turn 1", "1 staged")
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
        assert terminal.is_sane
    assert tomli.loads(settings_path().read_text(encoding="utf-8")) == {"difficulty": "nightmare"}
    assert path.read_bytes() == before
    assert verify_file(path).status == "unfinished"


@pytest.mark.parametrize("way", ["Ctrl-C", "Ctrl-D"])
def test_ctrl_c_and_ctrl_d_leave_it(way: str) -> None:
    with Terminal() as terminal:
        terminal.see(MAIN)
        terminal.type(way)
        assert terminal.end() == 130
        assert terminal.is_sane
        assert "Traceback" not in terminal.printed


def test_without_a_home_folder_it_still_leads_everywhere(tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("", encoding="utf-8")
    with Terminal(CUBIRI_HOME=str(blocked / "home")) as terminal:
        for key, there in (("w", "Which replay?"), ("b", "Best results"), ("s", "Change which?"), ("n", "Which game?")):
            terminal.see(MAIN)
            terminal.type(key)
            terminal.see(there)
            terminal.miss(MAIN)
            terminal.type("Esc")
        terminal.see(MAIN)
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


def test_elsewhere_it_is_the_help() -> None:
    for ran in (process(), process(shell="| cat"), process(shell="<&-")):
        assert (ran.status, ran.err) == (0, "")
        assert "leaderboard" in ran.out
        assert "resume" in ran.out
