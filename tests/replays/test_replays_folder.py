"""The finished games in `replays/`: each verifies, is canonical, and really shows what it is there to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from cubiri_cli import games
from cubiri_cli.cli.app import run
from cubiri_cli.games import dice
from cubiri_cli.games.game import Event, Game
from cubiri_cli.games.magdagdon import LINES, RUIN, STRAIGHT, Magdagdon, line_bonus
from cubiri_cli.games.mishimash import Mishimash
from cubiri_cli.replays.reading import read, read_bytes
from cubiri_cli.replays.replay import Replay
from cubiri_cli.replays.verifying import verify_file
from cubiri_cli.replays.writing import write
from tests.support.reference import judge_bytes

FOLDER = Path(__file__).parents[2] / "replays"
FILES = sorted(FOLDER.glob("*.toml"))


class Step(NamedTuple):
    """One action of a recorded game: the turn's place in the file, the game before and after it, what happened."""

    turn: int
    action: str
    before: Game
    after: Game
    events: tuple[Event, ...]


class Played:
    """A recorded game, simulated again by the product's own rules."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.steps = list(self._simulate())
        self.game = self.steps[-1].after

    def _simulate(self) -> Iterator[Step]:
        game = games.load(self.replay.game).start(self.replay.options, len(self.replay.players))
        throw = partial(dice.throw, self.replay.seed)
        for number, turn in enumerate(self.replay.turns, 1):
            for entry in turn.log:
                action, before = entry.partition(" -> ")[0], game.copy()
                outcome = game.apply(action, throw)
                yield Step(number, action, before, game.copy(), outcome.events)

    def events(self, *kinds: str) -> list[Event]:
        return [event for step in self.steps for event in step.events if not kinds or event.kind in kinds]

    @property
    def magdagdon(self) -> Magdagdon:
        assert isinstance(self.game, Magdagdon)
        return self.game

    @property
    def mishimash(self) -> Mishimash:
        assert isinstance(self.game, Mishimash)
        return self.game

    @property
    def powers(self) -> list[str]:
        """The kinds of the Powers used, in order."""
        return [step.action.split()[1] for step in self.steps if step.action.startswith("power ")]

    @property
    def straights(self) -> int:
        """How many rows and columns of the board are straights."""
        board = self.magdagdon.board
        return sum(line_bonus(tuple(board[cell] for cell in line)) == STRAIGHT for line in LINES)

    def taken(self, kind: str) -> list[Step]:
        """The selections that took a combination of this kind off a roll that was nothing else."""
        return [
            step
            for step in self.steps
            if step.action.startswith("take ")
            and isinstance(step.before, Mishimash)
            and [combination.kind for combination in step.before.combinations] == [kind]
        ]

    def mishimashes(self) -> list[tuple[int, str]]:
        """How each turn of MISHIMASH went: MISHIMASHes in it, and whether it was `banked` or a `bust`."""
        turns, count = [], 0
        for event in self.events("mishimash", "banked", "bust"):
            if event.kind == "mishimash":
                count += 1
            else:
                turns.append((count, event.kind))
                count = 0
        return turns


def is_of(difficulty: str) -> Callable[[Played], bool]:
    return lambda played: played.replay.options == {"difficulty": difficulty}


def opens_with_ruin(played: Played) -> bool:
    first, second = played.steps[:2]
    return first.action == "roll" and second.action.startswith("ruin ") and second.before.board.count(RUIN) == 0  # type: ignore[attr-defined]


def power_kills_staged_roll(played: Played) -> bool:
    """A Power was used with a die staged; the roll could be played before it, not after, and the die came back."""
    return any(
        step.action.startswith("power ")
        and isinstance(step.before, Magdagdon)
        and isinstance(step.after, Magdagdon)
        and bool(step.before.staged)
        and not step.before.is_magdagdon
        and step.after.is_magdagdon
        and not step.after.staged
        and [event.kind for event in step.events] == ["returned"]
        for step in played.steps
    )


def return_takes_another(played: Played) -> bool:
    return any(
        step.action.startswith("return ") and any(event.kind == "returned" and event.what for event in step.events)
        for step in played.steps
    )


def final_round_decides(played: Played) -> bool:
    """The first of two reaches the target and leads; the other, who was behind, wins in the final round."""
    [began] = [step for step in played.steps if any(event.kind == "final-round" for event in step.events)]
    totals = began.after.totals  # type: ignore[attr-defined]
    return (
        played.game.seats == 2
        and totals[0] > totals[1]
        and played.mishimash.winner == 2
        and not played.events("sudden-death")
        and played.game.result()["scores"][1] > played.game.result()["scores"][0]
    )


def last_player_ends(played: Played) -> bool:
    game = played.mishimash
    last = played.steps[-1]
    return (
        game.seats > 1
        and game.final_round == game.winner == game.seats
        and not played.events("final-round", "sudden-death")
        and [event.kind for event in last.events] == ["banked", "over"]
        and max(last.before.totals) < 2 * game.target  # type: ignore[attr-defined]
    )


def sudden_death_with_drop_out(played: Played) -> bool:
    """Three tied, two still tied after the first round of sudden death, one ahead after the second."""
    story = played.events("sudden-death", "dropped-out", "sudden-death-goes-on", "over")
    rounds = [turns - min(played.mishimash.turns) + 1 for turns in played.mishimash.turns]
    return (
        [event.kind for event in story] == ["sudden-death", "dropped-out", "sudden-death-goes-on", "over"]
        and story[0].what == (1, 2, 3)
        and len(story[1].what) == 1
        and set(story[1].what) | set(story[2].what) == {1, 2, 3}
        and sorted(rounds) == [1, 2, 2]
    )


def bust_after_mishimash(played: Played) -> bool:
    return any(count and end == "bust" for count, end in played.mishimashes())


def two_mishimashes(played: Played) -> bool:
    bonuses = [event.amount for event in played.events("mishimash")]
    return (2, "banked") in played.mishimashes() and bonuses == [20, 40]  # half-points


SHOWS: dict[str, list[Callable[[Played], bool]]] = {
    "magdagdon-peaceful-six-straights": [
        is_of("peaceful"),
        lambda played: played.straights == 6 and played.magdagdon.ruins == 0 and len(played.powers) == 2,
        lambda played: played.magdagdon.score().total > 250,
    ],
    "magdagdon-peaceful-three-powers": [
        is_of("peaceful"),
        lambda played: sorted(played.powers) == ["+1", "-1", "reroll"],
    ],
    "magdagdon-survival-highest-score": [is_of("survival"), lambda played: played.magdagdon.score().total == 544],
    "magdagdon-survival-power-kills-roll": [is_of("survival"), power_kills_staged_roll],
    "magdagdon-survival-return-takes-another": [is_of("survival"), return_takes_another],
    "magdagdon-nightmare-six-straights": [
        is_of("nightmare"),
        lambda played: (played.straights, played.magdagdon.ruins) == (6, 1),
    ],
    "magdagdon-nightmare-opens-with-ruin": [is_of("nightmare"), opens_with_ruin],
    "magdagdon-nightmare-negative-score": [
        is_of("nightmare"),
        lambda played: played.magdagdon.score().total < 0 and played.magdagdon.ruins == 9,
    ],
    "mishimash-solo-1000": [
        lambda played: (played.game.seats, played.mishimash.target, played.mishimash.turns) == (1, 1000, (29,)),
        lambda played: played.mishimash.totals[0] >= 2000,  # half-points
    ],
    "mishimash-solo-bust-after-mishimash": [bust_after_mishimash],
    "mishimash-solo-two-mishimashes": [two_mishimashes],
    "mishimash-solo-straight": [lambda played: bool(played.taken("straight"))],
    "mishimash-solo-three-pairs": [lambda played: bool(played.taken("three-pairs"))],
    "mishimash-two-players-final-round": [final_round_decides],
    "mishimash-three-players-last-player-ends": [last_player_ends],
    "mishimash-three-players-sudden-death": [sudden_death_with_drop_out],
}
"""File → what has to be true of the game in it."""


def named(path: Path) -> str:
    return path.stem


def test_the_folder_holds_the_games_that_are_described_here() -> None:
    assert [path.stem for path in FILES] == sorted(SHOWS)
    lacking = set(games.names()) - {name.partition("-")[0] for name in SHOWS}
    assert not lacking, f"no recorded game of {lacking}"


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_game_in_the_folder_is_finished_verified_and_says_what_it_shows(path: Path) -> None:
    verdict = verify_file(path)
    assert (verdict.status, verdict.problem) == ("verified", None)
    assert judge_bytes(path.read_bytes()).status == "verified"
    comment = read(read_bytes(path)).comment
    assert comment is not None
    assert comment.endswith(".")


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_game_in_the_folder_is_written_as_the_program_writes_it(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    assert write(read(data)).encode("utf-8") == data
    again = tmp_path / "again.toml"
    assert run(["play", "--script", str(path), "--output", str(again)]) == 0
    assert again.read_bytes() == data


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_game_in_the_folder_shows_what_its_name_says(path: Path) -> None:
    played = Played(read(read_bytes(path)))
    assert [shows(played) for shows in SHOWS[path.stem]] == [True] * len(SHOWS[path.stem])


def test_three_powers_cost_their_three_prices() -> None:
    played = Played(read(read_bytes(FOLDER / "magdagdon-peaceful-three-powers.toml")))
    assert played.magdagdon.score().power_penalty == 10 + 20 + 40


@pytest.mark.parametrize(("kind", "points"), [("straight", 15), ("three-pairs", 10)])
def test_a_whole_roll_is_worth_its_points_times_the_multiplier(kind: str, points: int) -> None:
    played = Played(read(read_bytes(FOLDER / f"mishimash-solo-{kind}.toml")))
    [step] = played.taken(kind)
    before, after = step.before, step.after
    assert isinstance(before, Mishimash)
    assert isinstance(after, Mishimash)
    bonus = sum(event.amount for event in step.events if event.kind == "mishimash")
    assert after.at_risk - before.at_risk == 2 * points * before.rolls + bonus
    turn = played.replay.turns[step.turn - 1]
    assert turn.comment is not None
    assert f"{points} × {before.rolls} = {points * before.rolls}" in turn.comment
