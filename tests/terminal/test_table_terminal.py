"""Both games in a real pseudo-terminal: keys are typed, and the screen is read."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.games.magdagdon import CELL
from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import Session
from cubiri_cli.table import magdagdon
from cubiri_cli.table.magdagdon_picture import CELL_KEYS, Intent
from tests.support.playing import MAGDAGDON, MISHIMASH, log, saved
from tests.support.running import cubiri, process
from tests.support.terminal import Terminal


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home folder in whose settings the animation is off, so that nothing has to be waited for."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "settings.toml").write_text("animation = false\n")
    monkeypatch.setenv("CUBIRI_HOME", str(folder))
    return folder


def plan(home: Path, *, game: str, seed: str, seats: int = 1, **options: Any) -> list[tuple[str, list[str], str]]:
    """Return a whole game as steps: what is typed, the actions it stands for, and what is seen after it.

    The game is played beforehand on a session of the same seed; whatever fits first is done.
    """
    session = Session.begin(game, options, [Player(str(seat)) for seat in range(seats)], seed)
    steps = []
    while not session.game.over:
        keys, actions, seen = (_next_of_magdagdon if game == "magdagdon" else _next_of_mishimash)(session)
        if session.game.over:
            seen = "Final score: "
        steps.append((keys, actions, seen))
    return steps


def _next_of_magdagdon(session: Session) -> tuple[str, list[str], str]:
    game: Any = session.game
    if not game.in_turn:
        session.do("roll")
        return "r", ["roll"], f"0 staged, {game.required} needed"
    if game.can_confirm:
        return _do(session, "c", "confirm")
    action = _first_of_a_way(game) or next(one for one in game.legal_actions() if one.startswith("ruin"))
    cell = CELL_KEYS[CELL[action.split()[-1]]]
    if action.startswith("ruin"):
        return _do(session, "x" + cell if game.prices else cell, action)
    session.do(action)
    return action.split()[1] + cell, [action], f"{len(game.staged_cells)} staged, {game.required} needed"


def _first_of_a_way(game: Any) -> str | None:
    """Return the first action of a way to stage as many dice as are needed; None in MAGDAGDON."""
    for action in [one for one in game.legal_actions() if one.startswith("place")]:
        copy = game.copy()
        copy.apply(action, None)
        if copy.can_confirm or _first_of_a_way(copy):
            return str(action)
    return None


def _do(session: Session, keys: str, action: str) -> tuple[str, list[str], str]:
    """End a turn of MAGDAGDON; the next one begins by itself."""
    game: Any = session.game
    session.do(action)
    if game.over:
        return keys, [action], ""
    session.do("roll")
    return keys, [action, "roll"], f"turn {game.turn} "


def _next_of_mishimash(session: Session) -> tuple[str, list[str], str]:
    game: Any = session.game
    if not game.in_turn:
        session.do("roll")
        return "r", ["roll"], "[b] bank" if game.in_turn else " BUST "
    take = max((one for one in game.legal_actions()), key=len)
    session.do(take)
    session.do("bank")
    return "b", [take, "bank"], " banks "


def follow(terminal: Terminal, steps: list[tuple[str, list[str], str]]) -> None:
    """Type what was planned, each time once what it led to is seen."""
    for keys, _actions, seen in steps:
        terminal.type(keys)
        terminal.see(seen)


# Whole games


@pytest.mark.parametrize("difficulty", ["peaceful", "survival", "nightmare"])
def test_a_whole_game_of_magdagdon_by_keys(home: Path, difficulty: str) -> None:
    steps = plan(home, game="magdagdon", seed="7", difficulty=difficulty)
    with Terminal("play", "magdagdon", "--difficulty", difficulty, "--seed", "7", "--player", "Ada") as terminal:
        terminal.see("Turn 1: roll")
        follow(terminal, steps)
        assert terminal.end() == 0
        assert terminal.is_sane
        printed = terminal.printed
    assert log(home) == [action for _keys, actions, _seen in steps for action in actions]
    replay = saved(home)
    assert replay.result is not None
    assert f"Final score: {replay.result['score']}" in printed.splitlines()
    assert "column d" in printed
    assert "cubiri verify-score " in printed
    assert "Seed: 7" in printed
    count = sum(len(keys) for keys, _actions, _seen in steps)
    placed = sum(action.startswith("place") for action in log(home))
    # Two keys a die, one to confirm, two for a ruin; one to begin.
    assert count <= 2 * placed + replay.result["turns"] + replay.result["ruins"] + 1
    assert cubiri("verify-score", home / "replays").status == 0


def test_a_whole_game_of_mishimash_by_keys(home: Path) -> None:
    steps = plan(home, game="mishimash", seed="abc", seats=2, target=60)
    with Terminal(*MISHIMASH) as terminal:
        terminal.see("Ada, turn 1")
        follow(terminal, steps)
        assert terminal.end() == 0
        assert terminal.is_sane
        assert "Winner: " in terminal.printed
    assert log(home) == [action for _keys, actions, _seen in steps for action in actions]
    assert cubiri("verify-score", home / "replays").status == 0
    assert len(steps) <= 2 * len(saved(home).turns)  # roll; take all that scores and bank


def test_a_whole_game_of_each_in_plain_mode(home: Path) -> None:
    magdagdon = plan(home, game="magdagdon", seed="42", difficulty="survival")
    mishimash = plan(home, game="mishimash", seed="abc", seats=2, target=60)
    for arguments, steps in ((MAGDAGDON, magdagdon), (MISHIMASH, mishimash)):
        with Terminal(*arguments, "--plain") as terminal:
            count = 1
            for keys, _actions, _seen in steps:
                for key in keys:
                    terminal.line_wanted(count)
                    terminal.type(key, "Enter")
                    count += 1
            terminal.see("What next?")
            assert terminal.end() == 0
            assert terminal.raw.isascii()
            assert b"\x1b" not in terminal.raw
    assert cubiri("verify-score", home / "replays").status == 0
    assert len(list((home / "replays").glob("*.toml"))) == 2


# At the screen


def test_choosing_a_die_lights_up_its_cells_and_escape_goes_back(home: Path) -> None:
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("Turn 1: roll the four dice", "[r] roll")
        terminal.type("Esc", "r")
        terminal.see("Which die will you place?", "0 staged, 2 needed", "·")
        terminal.type("3")
        terminal.see("Where does the 3 go?", "·j·", "▐ 3 ▌")
        terminal.type("Esc")
        terminal.see("Which die will you place?")
        terminal.type("3", "j")
        terminal.see("│ (3) │", "1 staged, 2 needed", "[u] take back the 3 on b2")
        terminal.type("u")
        terminal.see("0 staged, 2 needed")
        terminal.type("Esc", "Down", "Enter")  # the second die of the list
        terminal.see("Where does the 3 go?")
        terminal.type("J", "4", "k", "u")
        terminal.see("Which die do you take back?", "[j] the 3 on b2")
        terminal.type("j")
        terminal.see("No longer legal") if "No longer legal" in terminal.text else terminal.see("1 staged, 2 needed")
        terminal.type("p")
        terminal.see("Which Power, for 70 points?")
        terminal.type("r")
        terminal.see("Which dice do you reroll?", "[a] ( ) 2")
        terminal.type("a")
        terminal.see("[a] (x) 2", "[r] reroll 2")
        terminal.type("Esc")
        terminal.see("Which Power, for 70 points?")
        terminal.type("Esc")
        terminal.see("Which die will you place?")
        terminal.type("q")
        assert terminal.end() == 0
        assert "cubiri resume " in terminal.printed
    assert log(home) == ["roll", "place 3 b2", "return b2", "place 3 b2", "place 4 c2", "return b2"]


def test_a_hint_is_asked_for_first_then_says_where_to_look_then_what_is_best(home: Path) -> None:
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        assert "[h]" not in terminal.text
        terminal.type("r")
        terminal.see("[h]")
        terminal.type("h")
        terminal.see("ranked only with --assisted")
        terminal.type("n")
        terminal.see("Which die will you place?")
        terminal.type("h")
        terminal.see("ranked only with --assisted")
        terminal.type("y")
        terminal.see("Look at", "Which die will you place?")
        terminal.type("h")
        terminal.see("1. ", "2. ", "3. ", "give or take")
        terminal.type("Esc")
        terminal.see("Which die will you place?")
        terminal.type("q")
        assert terminal.end() == 0
    assert log(home) == ["roll", "hint", "hint"]


def test_the_chances_of_all_can_be_switched_on_and_are_no_hint(home: Path) -> None:
    two = ("play", "mishimash", "--target", "50", "--seed", "42", "--player", "Ada", "--player", "Zuzka")
    with Terminal(*two) as terminal:
        terminal.see("Ada, turn 1: roll the six dice")
        assert "to win" not in terminal.text
        terminal.type("?")
        terminal.see("c shows the chances of all to win", "Arrows move among the choices")
        assert "board" not in terminal.text
        terminal.type("Esc", "c")
        terminal.see("45% to win", "55% to win")
        terminal.type("r")
        terminal.see("What do you keep?", "% to win")
        terminal.type("c")
        terminal.miss("to win")
        terminal.type("q")
        assert terminal.end() == 0
    assert log(home) == ["roll"]
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        assert "chances" not in terminal.text
        terminal.type("q")
        assert terminal.end() == 0


def test_a_hint_that_is_typed_stands_by_itself(home: Path) -> None:
    with Terminal("--plain", *MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r", "Enter")
        terminal.see("h hint")
        terminal.type("place 3 b2 hint", "Enter")
        terminal.see("a hint is asked for by itself", "^^^^")
        terminal.type("hint", "Enter")
        terminal.see("ranked only with --assisted")
        terminal.type("y", "Enter")
        terminal.see("Look at")
        terminal.type("h", "Enter")
        terminal.see("1. ", "3. ", "give or take")
        terminal.type("q", "Enter")
        assert terminal.end() == 0
    assert log(home) == ["roll", "hint", "hint"]


def test_enter_never_points_at_a_power_that_helps_nothing(home: Path) -> None:
    """After 2 2 6 6 on an empty board, say, one change may help and another not."""
    found = 0
    for number in range(300):
        game: Any = games.load("magdagdon").start({"difficulty": "survival"})
        for _ in range(3):
            if not game.in_turn:
                game.apply("roll", partial(dice.throw, f"enter-{number}"))
            action = _first_of_a_way(game)
            while action and not game.can_confirm:
                game.apply(action, None)
                action = _first_of_a_way(game)
            if game.can_confirm:
                game.apply("confirm", None)
        if not game.is_magdagdon:
            continue
        question = magdagdon.TABLE.ask(game, ["Ada"], Intent("power"))
        [pointed] = [choice for choice in question.choices if choice.key == question.default]
        found += any("still MAGDAGDON" in choice.label for choice in question.choices)
        assert "still MAGDAGDON" not in pointed.label
    assert found > 5


def test_falling_dice_leave_full_lines_as_they_are(home: Path) -> None:
    (home / "settings.toml").unlink()
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r")
        terminal.see("Which die will you place?")
        shown = terminal.raw
        terminal.type("q")
        assert terminal.end() == 0
    heads = [part.partition(b"\r")[0] for part in shown.split(ROLLING)[1:]]
    assert len(heads) == 5
    for head in heads:
        assert re.sub(rb"\x1b\[[0-9;]*[mK]", b"", head).endswith(b"score 0")
        assert not head.endswith(b"\x1b[K")  # erasing after the last column would take the 0 away


def test_what_ended_the_game_stands_above_the_result(home: Path) -> None:
    steps = plan(home, game="mishimash", seed="abc", seats=2, target=60)
    with Terminal(*MISHIMASH) as terminal:
        terminal.see("turn 1: roll")
        follow(terminal, steps)
        assert terminal.end() == 0
        printed = terminal.printed
    assert re.search(r"(?:banks [\d.]+ and has|loses) [^\n]+\n(?:[^\n]+\n)*\nMISHIMASH · to 60\n", printed), printed


def test_ticking_changes_what_is_kept(home: Path) -> None:
    with Terminal(*MISHIMASH) as terminal:
        terminal.see("Ada, turn 1")
        terminal.type("r")
        terminal.see("(x) four 3s: 6 × 1 = 6", "bank 7, 7 in all", "(bust 66.7%)")
        terminal.type("1")
        terminal.see("( ) a single 1", "bank 6, 6 in all", "(bust 44.4%)")
        terminal.type("2")
        terminal.see("Keep at least one combination")
        terminal.miss("[b] bank")
        terminal.type("2", "r")
        terminal.see("MISHIMASH +10", "at risk 6")
        terminal.type("b")
        terminal.see("MISHIMASH! +10", "Ada banks 19 and has 19", "Väinö, turn 1")
        terminal.type("q")
        assert terminal.end() == 0
    assert log(home) == ["roll", "take 3 3 3 3", "roll", "take 1 5", "bank"]


def test_a_bust_says_what_was_lost(home: Path) -> None:
    with Terminal("play", "mishimash", "--seed", "b9", "--player", "Ada") as terminal:
        terminal.see("Turn 1: roll")
        terminal.type("r")
        terminal.see("[b] bank")
        terminal.type("r")
        terminal.see(" BUST  Ada loses 3 points", "roll 2: 4 2 3 scores nothing", "│ 2 ││ 3 ││ 4 │", "Turn 2: roll")
        terminal.type("q")
        assert terminal.end() == 0
    assert len(log(home)) == 3


def test_a_typed_line_is_done_as_a_whole_or_not_at_all(home: Path) -> None:
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r", ":")
        terminal.see("Actions:")
        terminal.type("3b2 4c9 ok", "Enter")
        text = terminal.see("not possible here", "0 staged, 2 needed")
        rows = text.splitlines()
        at = next(index for index, row in enumerate(rows) if row.strip() == "^^^")
        assert rows[at - 1] == " 3b2 4c9 ok"
        assert rows[at].index("^") == rows[at - 1].index("4c9")
        terminal.see("Actions: 3b2 4c9 ok")
        terminal.type("Esc")
        terminal.see("Which die will you place?")
        terminal.type(":", "3b2 4c2 ok", "Enter")
        terminal.see("turn 2", "Confirmed: 3 on b2, 4 on c2 (+14", "score 14")
        terminal.type(":", "pl")
        terminal.see("Actions: pl", "   place")
        terminal.type("Tab")
        terminal.see("Actions: place")
        terminal.type("Esc", "q")
        assert terminal.end() == 0
    assert log(home) == ["roll", "place 3 b2", "place 4 c2", "confirm", "roll"]


@pytest.mark.parametrize("plain", [False, True])
def test_faces_in_a_row_are_one_take(home: Path, plain: bool) -> None:
    """Seed abc throws 3 6 3 3 3 1, then 5 1."""
    with Terminal(*MISHIMASH, *(["--plain"] if plain else [])) as terminal:
        before = [] if plain else [":"]
        terminal.see("Ada, turn 1")
        terminal.type(*before, "roll; dance", "Enter")
        terminal.see('"dance" is not an action', "      ^^^^^")
        terminal.type(*([] if plain else ["Esc", ":"]), "roll", "Enter")
        terminal.see("turn would be 7" if not plain else "The turn would be 7.")
        for wrong, says in (("1 3 3 bank", "1 3 3: no whole"), ("3333 1 dance", "dance: not possible")):
            terminal.type(*before, wrong, "Enter")
            terminal.see(says)
            terminal.type(*([] if plain else ["Esc"]))
        terminal.type(*before, "3,3,3,3 roll; 1 5 bank", "Enter")
        terminal.see("MISHIMASH! +10", "Ada banks 19 and has 19", ", turn 1: roll")
        terminal.type("q", *(["Enter"] if plain else []))
        assert terminal.end() == 0
    assert log(home) == ["roll", "take 3 3 3 3", "roll", "take 1 5", "bank"]


def test_what_follows_a_throw_is_done_as_a_whole_once_the_dice_lie(home: Path) -> None:
    with Terminal(*MISHIMASH) as terminal:
        terminal.see("Ada, turn 1")
        terminal.type(":", "roll 3333 bank; roll 6 bank", "Enter")
        terminal.see("Ada banks 6", "Väinö", "6: no whole", "Actions: 6 bank")
        terminal.type("Esc", "q")
        assert terminal.end() == 0
    assert log(home) == ["roll", "take 3 3 3 3", "bank", "roll"]


def test_nobody_plays_for_somebody_else_after_a_bust(home: Path) -> None:
    with Terminal("play", "mishimash", "--seed", "b9", "--player", "Ada", "--player", "Bo") as terminal:
        terminal.see("Ada, turn 1")
        terminal.type(":", "roll all roll roll", "Enter")
        terminal.see(" BUST ", "the roll ended the turn; the rest of the line was not played", "Actions: roll", "^^^^")
        terminal.type("Esc")
        terminal.see("Bo, turn 1")
        terminal.type("q")
        assert terminal.end() == 0
    assert [entry for entry in log(home) if entry == "roll"] == ["roll"] * 2


def test_a_long_line_is_shown_where_it_is_wrong(home: Path) -> None:
    with Terminal(*MAGDAGDON, columns=40) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r", ":", "place 3 b2; place 4 c2; confirm; roll; place 2 z9", "Enter")
        text = terminal.see('"z9" is not an action', "^^")
        rows = text.splitlines()
        at = next(index for index, row in enumerate(rows) if row.strip() == "^^")
        assert rows[at - 1].startswith(" …")
        assert rows[at - 1][rows[at].index("^") :] == "z9"
        terminal.type("Esc", "q")
        assert terminal.end() == 0
    assert log(home) == ["roll"]


def test_what_is_pasted_is_typed(home: Path) -> None:
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r")
        terminal.see("Which die will you place?")
        terminal.type("\x1b[200~3b2\n4c2 ok\x1b[201~")
        terminal.see("Actions: 3b2")
        terminal.type("Enter")
        terminal.see("turn 2 ")
        terminal.type("q")
        assert terminal.end() == 0
    assert log(home) == ["roll", "place 3 b2", "place 4 c2", "confirm", "roll"]


def test_help_comes_back_to_the_same_choice(home: Path) -> None:
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r", "3", "?")
        terminal.see("Keys and rules", "Esc goes back")
        terminal.type("Space")
        terminal.miss("Esc goes back")
        terminal.type("End")
        terminal.see("Majduška")
        terminal.resize(50, 20)
        terminal.see("Majduška")
        terminal.resize(80, 24)
        terminal.type("Esc")
        terminal.see("Where does the 3 go?", "·f·")
        terminal.type("q")
        assert terminal.end() == 0


ROLLING = b"\x1b[?25l\x1b[H"
"""What every picture of falling dice begins with."""


def test_many_keys_at_once_are_all_taken_and_nothing_is_animated(home: Path) -> None:
    (home / "settings.toml").unlink()
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r3j4kc2jq")
        assert terminal.end() == 0
        assert ROLLING not in terminal.raw
        assert terminal.is_sane
    assert log(home) == ["roll", "place 3 b2", "place 4 c2", "confirm", "roll"]


def test_dice_roll_on_the_screen_for_a_moment(home: Path) -> None:
    (home / "settings.toml").unlink()
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r")
        terminal.see("Which die will you place?")
        assert terminal.raw.count(ROLLING) == 5
        terminal.type("q")
        assert terminal.end() == 0


def test_old_boards_do_not_scroll_by(home: Path) -> None:
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("Turn 1: roll")
        follow(terminal, plan(home, game="magdagdon", seed="42", difficulty="survival")[:9])
        assert not terminal.screen.history.top
        terminal.type("q")
        assert terminal.end() == 0
        assert terminal.printed.count("MAGDAGDON · survival") == 1
        assert terminal.printed.splitlines()[0].startswith("MAGDAGDON · survival")


def test_what_is_not_said_is_asked(home: Path) -> None:
    with Terminal("play", "--player", "Ada") as terminal:
        terminal.see("Which game?", "[1] MAGDAGDON")
        terminal.type("1")
        terminal.see("Which difficulty?", "peaceful – 2 dice a turn, three Powers (default)")
        terminal.type("Esc")
        terminal.see("Which game?")
        terminal.type("2")
        terminal.see("target (10 to 1000000) [1000]:")
        terminal.type("5", "Enter")
        terminal.see("from 10 to 1000000")
        terminal.type("0", "Enter")
        terminal.see("· to 50", "Turn 1: roll")
        terminal.type("q")
        assert terminal.end() == 0
    with Terminal("play", "--difficulty", "nightmare") as terminal:
        terminal.see("Which game?")
        terminal.type("1")
        terminal.see("MAGDAGDON · nightmare")
        terminal.type("q")
        assert terminal.end() == 0


def test_players_are_asked_for(home: Path) -> None:
    assert cubiri("settings", "name", "Ada").status == 0
    with Terminal("play", "--target", "100") as terminal:
        terminal.see("Which game?")
        terminal.type("2")
        terminal.see("Who plays?", "Ada alone", "Ada against steady")
        terminal.type("5")
        terminal.see("Names with commas")
        terminal.type("Zuzka, Zuzka", "Enter")
        terminal.see("two players with the same name")
        terminal.type("nna", "Enter")
        terminal.see("Zuzkanna", "roll the six dice")
        terminal.type("Ctrl-D")
        assert terminal.end() == 130


@pytest.mark.parametrize("way", ["Ctrl-C", "Ctrl-D", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize(("keys", "seen"), [("", "Which game?"), ("1", "Which difficulty?"), ("2", "target (10")])
def test_what_is_asked_before_a_game_can_be_left_at_once(home: Path, keys: str, seen: str, way: str) -> None:
    with Terminal("play") as terminal:
        terminal.see("Which game?")
        terminal.type(keys)
        terminal.see(seen)
        if way.startswith("SIG"):
            terminal.signal(signal.Signals[way])
        else:
            terminal.type(way)
        assert terminal.end() == 130
        assert terminal.is_sane
        assert not terminal.printed.strip()


# Leaving, at every prompt

PROMPTS: dict[str, tuple[tuple[str, ...], list[str], list[str], str]] = {
    # name: command, keys that lead to the prompt, actions done by then, what is seen there
    "first throw": (MAGDAGDON, [], [], "roll the four dice"),
    "die": (MAGDAGDON, ["r"], ["roll"], "Which die will you place?"),
    "cell": (MAGDAGDON, ["r", "3"], ["roll"], "Where does the 3 go?"),
    "take back": (MAGDAGDON, ["r", "3j4ku"], ["roll", "place 3 b2", "place 4 c2"], "Which die do you take back?"),
    "power": (MAGDAGDON, ["r", "p"], ["roll"], "Which Power"),
    "reroll": (MAGDAGDON, ["r", "pr"], ["roll"], "Which dice do you reroll?"),
    "typing": (MAGDAGDON, ["r", ":"], ["roll"], "Actions:"),
    "help": (MAGDAGDON, ["r", "?"], ["roll"], "Keys and rules"),
    "ticks": (MISHIMASH, ["r"], ["roll"], "What do you keep?"),
    "bank": (MISHIMASH, ["r", ":", "all", "Enter"], ["roll", "take 1 3 3 3 3"], "Roll on, or bank?"),
}


@contextmanager
def at_prompt(name: str, **how: Any) -> Iterator[Terminal]:
    """Give a terminal in which the program waits at this prompt."""
    command, keys, _actions, text = PROMPTS[name]
    with Terminal(*command, **how) as terminal:
        terminal.see("roll the ")
        for key in keys:
            terminal.type(key)
        terminal.see(text)
        yield terminal


def leaves_well(home: Path, name: str, terminal: Terminal, status: int) -> None:
    """Check that the program ended with this status, the terminal sane and the game saved."""
    assert terminal.end() == status
    assert terminal.is_sane
    assert "Traceback" not in terminal.printed
    actions = PROMPTS[name][2]
    if actions:
        assert log(home) == actions
        assert "cubiri resume " in terminal.printed
        assert "the game is saved" in terminal.printed or status == 0
        assert Session.resume(saved(home)).game.in_turn
    else:
        assert not list((home / "replays").glob("*.toml")) if (home / "replays").exists() else True


@pytest.mark.parametrize("name", PROMPTS)
@pytest.mark.parametrize("way", ["Ctrl-C", "Ctrl-D", "SIGINT", "SIGTERM", "SIGHUP"])
def test_every_prompt_can_be_left_at_once(home: Path, name: str, way: str) -> None:
    with at_prompt(name) as terminal:
        if way.startswith("SIG"):
            terminal.signal(signal.Signals[way])
        else:
            terminal.type(way)
        leaves_well(home, name, terminal, 130)


@pytest.mark.parametrize("name", PROMPTS)
def test_every_prompt_draws_anew_in_another_size_and_escape_goes_back(home: Path, name: str) -> None:
    with at_prompt(name) as terminal:
        text = PROMPTS[name][3]
        for columns, rows in ((40, 24), (36, 18), (132, 50), (80, 24)):
            terminal.resize(columns, rows)
            terminal._wait(lambda: text in " ".join(terminal.text.split()) and fits(terminal), f"draw {columns}x{rows}")
        terminal.resize(30, 10)
        if name != "help":
            terminal.see("36×18")
        terminal.resize(80, 24)
        terminal.see(text)
        terminal.type("Esc", "Esc", "Esc")
        terminal.see("[q] ")
        terminal.type("q")
        leaves_well(home, name, terminal, 0)


def fits(terminal: Terminal) -> bool:
    """Tell whether the lines of keys at the bottom and the picture at the top are both on the screen."""
    return "[q]" in terminal.lines[-1] or "[Esc]" in terminal.lines[-1] or "Actions:" in terminal.text


PLAIN_PROMPTS = {
    "first throw": (MAGDAGDON, [], []),
    "die": (MAGDAGDON, ["r"], ["roll"]),
    "cell": (MAGDAGDON, ["r", "3"], ["roll"]),
    "reroll": (MAGDAGDON, ["r", "p", "r"], ["roll"]),
    "typing": (MAGDAGDON, ["r", ":"], ["roll"]),
    "help": (MAGDAGDON, ["r", "?"], ["roll"]),
    "ticks": (MISHIMASH, ["r", "1"], ["roll"]),
}


@pytest.mark.parametrize("name", PLAIN_PROMPTS)
@pytest.mark.parametrize("way", ["Ctrl-C", "Ctrl-D", "SIGTERM", "SIGHUP"])
def test_every_prompt_of_plain_mode_can_be_left_at_once(home: Path, name: str, way: str) -> None:
    command, lines, actions = PLAIN_PROMPTS[name]
    with Terminal(*command, "--plain") as terminal:
        for count, text in enumerate(lines, 1):
            terminal.line_wanted(count)
            terminal.type(text, "Enter")
        terminal.line_wanted(len(lines) + 1)
        terminal.resize(60, 20)
        if way.startswith("SIG"):
            terminal.signal(signal.Signals[way])
        else:
            terminal.type(way)
        assert terminal.end() == 130
        assert terminal.is_sane
        assert "Traceback" not in terminal.printed
        assert b"\x1b" not in terminal.raw
    assert log(home) == actions if actions else not list(home.glob("replays/*.toml"))


def test_plain_mode_says_everything_in_words_and_takes_keys_and_actions(home: Path) -> None:
    with Terminal(*MAGDAGDON, TERM="dumb") as terminal:
        terminal.see("  r) roll")
        terminal.type("r", "Enter")
        terminal.see("Dice: 2, 2, 4, 3.", "  3) place the 3")
        terminal.type("3", "Enter")
        terminal.see("Where does the 3 go?", "  j) b2")
        terminal.type("b2", "Enter")
        terminal.see("Row 2: a2 empty, b2 3 staged, c2 empty, d2 empty; sum 3, bonus of 60 possible.")
        terminal.type("4c2; 2z1", "Enter")
        terminal.see("4c2; 2z1", "     ^^^", "2z1: not possible here")
        terminal.type("4c2", "Enter")
        terminal.see("b2 3 staged, c2 4 staged", "Score if confirmed: 14.")
        terminal.type("0", "Enter")
        terminal.type(":", "Enter")
        terminal.see("Actions:")
        terminal.type("ok", "Enter")
        terminal.see("Turn 2. Score 14.")
        terminal.type("q", "Enter")
        assert terminal.end() == 0
        assert b"\x1b" not in terminal.raw
        assert terminal.raw.isascii()
    assert log(home) == ["roll", "place 3 b2", "place 4 c2", "confirm", "roll"]


def test_no_colour_where_none_is_wanted(home: Path) -> None:
    for option, variable in (("--no-color", None), ("--seed=42", "1")):
        with Terminal(*MAGDAGDON, option, NO_COLOR=variable) as terminal:
            terminal.see("roll the four dice")
            terminal.type("r", "3", "j", "q")
            assert terminal.end() == 0
        codes = {code for found in re.findall(rb"\x1b\[([0-9;]*)m", terminal.raw) for code in found.split(b";")}
        assert codes <= {b"", b"0", b"1", b"2", b"7"}  # bold, dim and reverse are no colours
        assert b"1" in codes


def test_an_encoding_without_box_characters_gets_ascii(home: Path) -> None:
    with Terminal(*MISHIMASH, encoding="latin-1", PYTHONUTF8="0", PYTHONIOENCODING="latin-1") as terminal:
        terminal.see("roll the six dice", "> [r] roll", "Väinö")
        terminal.type("r")
        terminal.see("[ 3 ]", "| 6 |", "+---+", "×")
        terminal.type("q")
        assert terminal.end() == 0


def test_a_file_that_cannot_be_written_is_told_and_the_game_goes_on(home: Path) -> None:
    (home / "replays").write_text("a file where a folder should be")
    with Terminal(*MAGDAGDON) as terminal:
        terminal.see("roll the four dice")
        terminal.type("r")
        terminal.see("Which die will you place?", "could not be stored")
        terminal.type("q")
        assert terminal.end() == 2
        assert 'seed = "42"' in terminal.printed


# Without a terminal


def test_a_first_prompt_loads_nothing_of_bots_analyses_and_games_played() -> None:
    code = "import sys, cubiri_cli.commands.sitting, cubiri_cli.terminal.playing; print(*sys.modules, sep=chr(10))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    later = {
        *("players.bots", "players.programs", "players.analysis", "table.analysis", "table.standings", "store.played"),
        *("terminal.screen", "terminal.bots_turn", "store.leaderboard.board"),
    }
    loaded = set(ran.stdout.split())
    assert "cubiri_cli.terminal.playing" in loaded
    assert not loaded & {*(f"cubiri_cli.{one}" for one in later), "json", "prompt_toolkit", "typer"}


def test_nothing_of_the_prompts_is_loaded_for_a_script(home: Path) -> None:
    script = home / "script.toml"
    script.write_text(
        'format = "cubiri-replay"\ngame = "mishimash"\nseed = "42"\nplayers = [{ name = "Väinö" }]\n'
        '[options]\ntarget = 10\n[[turns]]\nlog = ["roll", "take 1 1", "bank"]\n'
    )
    loaded = "import sys; from cubiri_cli.cli.app import run; run(sys.argv[1:]); print(sorted(sys.modules))"
    ran = subprocess.run(
        [sys.executable, "-c", loaded, "play", "--script", script], capture_output=True, text=True, check=True
    )
    assert "Väinö" in ran.stdout
    assert "'typer'" in ran.stdout
    assert "'prompt_toolkit'" not in ran.stdout
    assert "'questionary'" not in ran.stdout


@pytest.mark.parametrize("arguments", [("play",), ("play", "magdagdon"), ("play", "mishimash", "--plain")])
def test_without_a_terminal_one_line_names_the_script(arguments: tuple[str, ...]) -> None:
    for ran in (process(*arguments), process(*arguments, shell="<&-")):
        assert ran.status == 2
        assert "--script" in ran.message
        assert ran.out == ""


@pytest.mark.parametrize("game", ["magdagdon", "mishimash"])
@pytest.mark.parametrize(("columns", "options"), [(80, ()), (40, ()), (80, ("--plain",))])
def test_rules_are_set_for_the_width(game: str, columns: int, options: tuple[str, ...]) -> None:
    # Printed where all of it fits; a shorter terminal shows it a screenful at a time.
    with Terminal("rules", game, *options, columns=columns, rows=999) as terminal:
        assert terminal.end() == 0
        raw = terminal.raw.decode()
    lines = [text.rstrip("\r") for text in raw.split("\n")]
    plain = [text.replace("\x1b[1m", "").replace("\x1b[0m", "") for text in lines]
    assert max(map(len, plain)) <= columns
    assert "Rulings" in plain
    assert (raw.isascii() and "\x1b" not in raw) == bool(options)
