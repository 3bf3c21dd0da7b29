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
from cubiri_cli.store.locks import Lock
from cubiri_cli.store.played import Played, games_played
from cubiri_cli.store.saved import Keeper
from cubiri_cli.store.settings import settings_path
from cubiri_cli.table.language import decimal
from cubiri_cli.terminal.menu import LISTED, Games, describe_game
from cubiri_cli.terminal.plain import Plain
from cubiri_cli.terminal.prompter import Reply
from tests.support.running import cubiri, process
from tests.support.strategies import magdagdon, play, unaided
from tests.support.terminal import Terminal, key_of_game, key_of_setting

if TYPE_CHECKING:
    from pathlib import Path

    from cubiri_cli.table.protocol import Question
    from cubiri_cli.terminal.prompter import Scene

MAIN = "What would you like to do?"


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
    """Return the files of so many finished games, ended at 18:00, 18:01 and so on (UTC), the last one first."""
    replays_folder().mkdir(parents=True)
    paths: list[Path] = []
    for number in range(count):
        ended = datetime(2026, 11, 30, 18, tzinfo=UTC) + timedelta(minutes=number)
        with pytest.MonkeyPatch.context() as clock:
            clock.setenv("SOURCE_DATE_EPOCH", str(int(ended.timestamp())))
            session = play(magdagdon("peaceful", "menu"), random.Random(number), unaided, started=ended)
        path = replays_folder() / f"{number}.toml"
        path.write_text(session.text(), encoding="utf-8")
        os.utime(path, (-number, -number))
        paths.insert(0, path)
    return paths


# From an entry and back


def test_the_menu_leads_everywhere_and_back() -> None:
    with Terminal() as terminal:
        for key, there in (
            ("n", "Which game?"),
            ("w", "Which replay?"),
            ("b", "no results"),
            ("r", "Which game?"),
            ("s", "Which setting?"),
        ):
            terminal.see(MAIN, "[Esc] quit")
            terminal.type(key)
            terminal.see(there)
            terminal.type("Esc")
        terminal.see(MAIN)
        assert "Continue" not in terminal.text
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


def test_the_menu_goes_on_with_the_latest_game_which_one_key_saves_and_quits() -> None:
    path = begun()
    with Terminal() as terminal:
        terminal.see("Continue MAGDAGDON survival", "Unfinished games are saved")
        terminal.type("c")
        terminal.see("1 staged", "[q] save and quit")
        terminal.type("q")
        assert terminal.end() == 0
        assert str(path)[:40] in terminal.printed
        assert terminal.is_sane
    with Terminal() as terminal:
        terminal.see(MAIN)
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
        assert terminal.is_sane


def test_a_new_game_from_the_menu_leaves_the_other_as_it_is() -> None:
    path = begun()
    before = path.read_bytes()
    with Terminal() as terminal:
        terminal.see("Unfinished games are saved; you can continue them later.")
        terminal.type("n")
        terminal.see("Which game?")
        terminal.type(key_of_game("magdagdon"))
        terminal.see("nightmare")
        terminal.type("1")  # whose first roll can always be played
        terminal.see("turn 1")
        terminal.type("r")
        terminal.see("Which die")
        terminal.type("q")
        assert terminal.end() == 0
    with Terminal() as terminal:
        terminal.see("Continue MAGDAGDON peaceful")
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
        terminal.see("cannot be resumed", "Continue MAGDAGDON", "Unfinished games are saved", MAIN)
        assert f"{path.name}: cannot be resumed: turn 1, entry 1: " in " ".join(terminal.text.split())
        terminal.type("c")
        terminal.see("1 staged", "(3)")
        terminal.type("q")
        assert terminal.end() == 0
    with Terminal() as terminal:
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
        terminal.see(MAIN, "Continue ", "[u] All unfinished games (7)", "3 more games cannot be resumed.")
        assert terminal.text.count("cannot be resumed: ") == 2
        assert "[unsupported]" in " ".join(terminal.text.split())
        terminal.type("u")
        terminal.see("Continue which game?", "[1] MAGDAGDON", "[7] MAGDAGDON")
        terminal.type("3")
        terminal.see("Continue which game?", "▶ [3]", "[unsupported]")
        assert " ".join(terminal.text.split()).count("cannot be resumed: ") == 6
        terminal.type("7")
        terminal.see("1 staged", "(3)")
        terminal.type("q")
        assert terminal.end() == 0
        assert first.stem in terminal.printed.replace("\n", "")
    with Terminal() as terminal:
        terminal.see(MAIN)
        terminal.type("u")
        terminal.see("Continue which game?")
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
        assert "c) " not in terminal.text
        terminal.type("u", "Enter")
        terminal.see("Continue which game?")
        terminal.type("1", "Enter")
        terminal.line_wanted(3)
        terminal.type("0", "Enter")
        terminal.line_wanted(4)
        terminal.type("q", "Enter")
        assert terminal.end() == 0


def test_the_menu_in_plain_mode() -> None:
    begun()
    with Terminal("--plain") as terminal:
        terminal.see(MAIN, "c) Continue MAGDAGDON")
        terminal.type("zzz", "Enter")
        terminal.see("zzz does nothing here.")
        terminal.type("b", "Enter")
        terminal.see("no results")
        terminal.type("s", "Enter")
        terminal.see("Which setting?")
        terminal.type("0", "Enter")
        terminal.see(MAIN)
        terminal.type("c", "Enter")
        terminal.see("b2")
        terminal.type("q", "Enter")
        assert terminal.end() == 0


def test_watching_a_replay_and_back(tmp_path: Path) -> None:
    path = finished(tmp_path)
    with Terminal() as terminal:
        terminal.see(MAIN)
        assert "Continue" not in terminal.text, "a finished game is not gone on with"
        terminal.type("w")
        terminal.see("Which replay?", "MAGDAGDON peaceful · ", " · Ada · ")
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
        terminal.see("File:", "Tab completes")
        terminal.type(str(path)[:-20], "Tab")
        terminal.see(path.name)
        terminal.type("Enter")
        terminal.see("turn 1")
        terminal.miss("File:")
        terminal.type("q")
        terminal.see(MAIN)
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


def test_replay_asks_which_game_where_none_is_named(tmp_path: Path) -> None:
    finished(tmp_path)
    ran = process("replay")
    assert (ran.status, ran.message) == (2, "cubiri: name a replay, or - for standard input")
    with Terminal("replay") as terminal:
        terminal.see("Which replay?", "[1] MAGDAGDON peaceful · ")
        terminal.type("1")
        terminal.see("Before the first turn")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


def test_the_ending_in_plain_mode_is_words() -> None:
    path = begun("place 2 b2")
    with Terminal("--plain", "resume", path, rows=60) as terminal:
        terminal.see("staged: 1")
        terminal.type("q", "Enter")
        assert terminal.end() == 0
    assert "\nTurn 1. Dice: 2 on b2, 2, 4, 3.\nScore so far: 0\n" in terminal.printed
    assert ". ." not in terminal.printed


def test_the_language_that_was_asked_for_holds_in_the_viewer_and_in_the_menu_after_it(tmp_path: Path) -> None:
    finished(tmp_path)
    with Terminal("--lang", "fi") as terminal:
        for _round in range(2):
            terminal.see("Mitä haluat tehdä?", "[w]")
            terminal.type("w")
            terminal.see("Mikä tallenne?")
            terminal.type("1")
            terminal.see("Ennen ensimmäistä vuoroa")
            terminal.type("Esc")
        terminal.see("Mitä haluat tehdä?")
        terminal.type("s")
        terminal.miss("Mitä haluat tehdä?")
        terminal.type("Esc")
        terminal.see("Mitä haluat tehdä?")
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


def test_all_games_that_are_kept_can_be_reached_and_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of their time, which is shown as it was here, whenever the files were written."""
    monkeypatch.setenv("TZ", "Europe/Helsinki")
    score = decimal((read_file(kept(40)[0]).result or {})["score"])
    with Terminal() as terminal:
        terminal.see(MAIN)
        terminal.type("w")
        first = f"[1] MAGDAGDON peaceful · {score} · Ada · 2026-11-30 20:39"
        terminal.see(first, "[f] MAGDAGDON peaceful · ", "· Ada · 2026-11-30 20:25", "[o] 25 older games", "[t] type")
        terminal.type("o")
        terminal.see("20:24", "20:10", "[o] 10 older games")
        terminal.type("o")
        terminal.see("20:09", "[a] MAGDAGDON peaceful · ", "· Ada · 2026-11-30 20:00", "Which replay?", "[t]")
        assert "older" not in terminal.text
        terminal.type("Esc")
        terminal.see("20:10", "▶ [o] 10 older games")
        terminal.type("Esc")
        terminal.see("20:39", "▶ [o] 25 older games")
        terminal.type("Esc")
        terminal.see(MAIN)
        terminal.type("q")
        assert terminal.end() == 0


def test_of_many_games_only_those_that_are_shown_are_looked_at() -> None:
    kept(1)
    described: list[Played] = []

    def describe(played: Played) -> str:
        described.append(played)
        return describe_game(played)

    class GoingBack(Plain):
        def choose(self, question: Question, scene: Scene, pointed: str = "") -> Reply:
            return Reply(is_back=True)

    assert Games("Which?", games_played() * 1000, describe).ask(GoingBack()) is None
    assert len(described) == LISTED


def test_an_unfinished_game_in_the_list_is_gone_on_with_or_watched() -> None:
    begun()
    with Terminal() as terminal:
        terminal.see(MAIN)
        terminal.type("w")
        terminal.see("[1] MAGDAGDON survival · unfinished · ")
        terminal.type("1")
        terminal.see("This game is unfinished", "[c] continue", "[w] watch")
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
        terminal.see("[c] continue")
        terminal.type("c")
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


def test_another_difficulty_means_a_new_game_and_asks_before() -> None:
    path = begun()
    before = path.read_bytes()
    with Terminal() as terminal:
        terminal.see(MAIN)
        terminal.type("s")
        terminal.see("Which setting?", "language", "peaceful")
        for setting in ("color", "target"):  # nothing that an open MAGDAGDON began with
            terminal.type(key_of_setting(setting))
            terminal.miss("Which setting?")
            terminal.see("colour" if setting == "color" else "target [1000")
            assert "game" not in terminal.text.replace("new games", "")
            terminal.type("Esc")
            terminal.see("Which setting?")
        terminal.type(key_of_setting("difficulty"))
        terminal.see("difficulty:", "the difficulty of new games")
        terminal.type("3")
        terminal.see("MAGDAGDON survival · turn 1", "you can continue it later", "Start a new one?")
        terminal.type("Esc")
        terminal.see("Which setting?", "difficulty  peaceful")
        terminal.type("Enter")
        terminal.see("difficulty:")
        terminal.type("2")  # what the open game has
        terminal.see("Which setting?", "difficulty  survival")
        terminal.type("Enter")
        terminal.see("difficulty:")
        terminal.type("3")
        terminal.see("Start a new one?")
        terminal.type("l")
        terminal.see("Which setting?", "difficulty  nightmare")
        terminal.type("Enter")
        terminal.see("difficulty:")
        terminal.type("d")
        terminal.see("[n] start a new game now, difficulty: peaceful")
        terminal.type("n")
        terminal.see("MAGDAGDON · peaceful · turn 1")
        terminal.type("q")
        assert terminal.end() == 0
        assert "Nothing was played" in terminal.printed
        assert "row 1" not in terminal.printed
    with Terminal() as terminal:
        terminal.see("Continue MAGDAGDON survival")
        terminal.type("c")
        terminal.see("MAGDAGDON · survival · turn 1", "1 staged")
        terminal.type("Ctrl-C")
        assert terminal.end() == 130
        assert terminal.is_sane
    assert tomli.loads(settings_path().read_text(encoding="utf-8")) == {}
    assert path.read_bytes() == before
    assert verify_file(path).status == "unfinished"


def test_at_the_table_a_new_game_is_one_key_away_and_the_old_one_stays() -> None:
    path = begun()
    before = path.read_bytes()
    with Terminal("resume") as terminal:
        terminal.see("1 staged", "[n] new")
        terminal.type("n")
        terminal.see("Start a new game?", "This game is saved", "[n] start MAGDAGDON survival again")
        terminal.type("Esc")
        terminal.see("1 staged")
        terminal.type("n")
        terminal.see("Start a new game?")
        terminal.type("o")
        terminal.see("Which game?")
        terminal.type("Esc")
        terminal.see("1 staged")
        terminal.type("n")
        terminal.see("Start a new game?")
        terminal.type("n")
        terminal.see("MAGDAGDON · survival · turn 1", "roll the four dice", "score 0")
        terminal.type("r")
        terminal.miss("roll the four dice")
        terminal.type("n")
        terminal.see("Start a new game?")
        terminal.type("o")
        terminal.see("Which game?")
        terminal.type(key_of_game("magdagdon"))
        terminal.see("Which difficulty?", "▶ [2] survival", "(last time)")
        terminal.type("1")
        terminal.see("MAGDAGDON · peaceful · turn 1")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane
    assert path.read_bytes() == before
    assert [verify_file(one).status for one in recent()] == ["unfinished"] * 2


def test_what_was_chosen_last_is_offered_first() -> None:
    with Terminal("play") as terminal:
        terminal.see("Which game?", "▶ [1] ")
        terminal.type(key_of_game("mishimash"))
        terminal.see("[1000]:")
        terminal.type("50", "Enter")
        terminal.see("Who plays?", "▶ [1] ", " alone")
        terminal.type("5")
        terminal.see("Names with commas")
        terminal.type("Zuzka, Väinö", "Enter")
        terminal.see("Zuzka, turn 1")
        terminal.type("r", "q")
        assert terminal.end() == 0
    with Terminal("play") as terminal:
        terminal.see("Which game?", f"▶ [{key_of_game('mishimash')}] ")
        terminal.type("Enter")
        terminal.see("[50]:")
        terminal.type("Enter")
        terminal.see("▶ [1] Zuzka, Väinö (last time)")
        terminal.type("Enter")
        terminal.see("Zuzka, turn 1", "to 50")
        terminal.type("q")
        assert terminal.end() == 0
    cubiri("settings", "target", "70")
    cubiri("settings", "name", "Ada")
    with Terminal("play") as terminal:
        terminal.see("Which game?")
        terminal.type("Enter")
        terminal.see("[70]:")  # what the settings say holds
        terminal.type("Enter")
        terminal.see("▶ [1] Ada alone")
        terminal.type("3")
        terminal.see("▶ Ada", "  steady")
        terminal.type("r", "q")
        assert terminal.end() == 0
    with Terminal("play") as terminal:
        terminal.see("Which game?")
        terminal.type("Enter")
        terminal.see("[70]:")
        terminal.type("Enter")
        terminal.see("▶ [3] Ada against steady")  # levels come back as they were
        terminal.type("Esc", "Ctrl-C")
        assert terminal.end() == 130


@pytest.mark.parametrize("options", [[], ["--plain"]], ids=["screen", "plain"])
def test_an_unfinished_game_is_thrown_away_only_when_that_is_meant(options: list[str]) -> None:
    go: tuple[str, ...] = ("Enter",) if options else ()
    keep, gone, damaged = begun(), begun("place 3 a1"), begun()
    damaged.write_text(damaged.read_text(encoding="utf-8")[:-30], encoding="utf-8")
    with Terminal(*options, "resume", columns=100) as terminal:
        terminal.see("Continue which game?", "[malformed]", "throw one away")
        terminal.type("x", *go)
        terminal.see("Throw which game away?")
        terminal.type("2", *go)
        terminal.see(
            ("MAGDAGDON survival, turn 1, score: 0, " if options else "MAGDAGDON survival · turn 1 · score: 0 · "),
            "Its file will be deleted for good: ",
            gone.name,
        )
        terminal.type("n", *go)
        terminal.see("Continue which game?")
        assert gone.exists()
        for key, path in (("2", gone), ("1", damaged)):
            terminal.type("x", *go)
            terminal.see("Throw which game away?")
            terminal.type(key, *go)
            terminal.see("Throw this game away?", "Its file will be deleted for good: ", path.name)
            terminal.type("y", *go)
            terminal.see(f"Thrown away: {path.name}")
        with Lock(keep):
            terminal.type("x", *go)
            terminal.see("Throw which game away?\n" if not options else "Throw which game away?")
            terminal.type("1", *go)
            terminal.see(f"{keep.name}: this game is being played in another terminal", "Continue which game?")
            assert "Throw this game away?" not in terminal.text.rpartition("Thrown away")[2]
        terminal.type("1", *go)
        terminal.see("1 staged" if not options else "staged: 1")
        terminal.type("q", *go)
        assert terminal.end() == 0
        assert terminal.is_sane
    assert recent() == [keep]


def test_a_game_that_was_played_on_meanwhile_is_not_thrown_away() -> None:
    path = begun()
    begun()
    with Terminal("resume", columns=100) as terminal:
        terminal.see("Continue which game?")
        terminal.type("x")
        terminal.see("Throw which game away?")
        terminal.type("2")
        terminal.see("Throw this game away?", path.name)
        other = Keeper.resume(path)
        other.session.do("place 3 b3")
        other.finish()
        terminal.type("y")
        terminal.see("it has been continued meanwhile, so it is kept")
        terminal.type("Esc")
        assert terminal.end() == 0
    assert path.exists()


def test_from_the_best_results_and_the_statistics_games_are_watched(tmp_path: Path) -> None:
    finished(tmp_path)
    cubiri("settings", "name", "Ada")
    with Terminal() as terminal:
        for key, page, listed in (
            ("b", "Best results", "[1] MAGDAGDON · peaceful · 1. Ada · score: "),
            ("t", "Statistics", "[1] MAGDAGDON peaceful · "),
        ):
            terminal.see(MAIN)
            terminal.type(key)
            terminal.see(page, "[w] watch a game")
            terminal.type("w")
            terminal.see("Watch which game?", listed)
            terminal.type("1")
            terminal.see("Before the first turn")
            terminal.type("q")
            terminal.see(page, "[w] watch a game")
            terminal.type("w")
            terminal.see("Watch which game?")
            terminal.type("Esc")
            terminal.see("[w] watch a game")
            terminal.type("Esc")
        terminal.see(MAIN)
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane


@pytest.mark.parametrize(("command", "page"), [("leaderboard", "Best results"), ("stats", "Statistics")])
def test_the_commands_let_games_be_watched_and_leave_what_they_show(tmp_path: Path, command: str, page: str) -> None:
    finished(tmp_path)
    cubiri("settings", "name", "Ada")
    with Terminal(command) as terminal:
        terminal.see(page, "[w] watch a game")
        terminal.type("w")
        terminal.see("Watch which game?")
        terminal.type("1")
        terminal.see("Before the first turn")
        terminal.type("q")
        terminal.see("[w] watch a game")
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.is_sane
        assert cubiri(command).out.splitlines()[2] in terminal.printed
    with Terminal("--plain", command) as terminal:
        terminal.see("w watch a game", "MAGDAGDON")
        terminal.type("w", "Enter")
        terminal.see("Watch which game?")
        terminal.type("1", "Enter")
        terminal.see("Final score: ", "Enter continues.")
        terminal.type("Enter")
        terminal.line_wanted(3)
        terminal.type("0", "Enter")
        assert terminal.end() == 0


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
        for key, there in (
            ("w", "Which replay?"),
            ("b", "Best results"),
            ("s", "Which setting?"),
            ("n", "Which game?"),
        ):
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
