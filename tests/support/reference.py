"""A slow, plain reference for the games and for replay files, written from the contract alone.

Nothing here imports `cubiri_cli`: the tests hold the product's code against this. Readable first, fast never.

A game is a class that derives from `Game`, here or in a file beside this one, `reference_NAME.py`.
"""

import copy
import datetime
import hashlib
import itertools
import re
import tomllib
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Literal

# --- dice.md ----------------------------------------------------------------------------------------------------------


def dice(seed: str, roll_name: str, n: int) -> list[int]:
    """Return the first n dice of one roll."""
    found: list[int] = []
    block_number = 0
    while len(found) < n:
        text = f"sha256-d6/1\n{seed}\n{roll_name}\n{block_number}\n"
        for byte in hashlib.sha256(text.encode("ascii")).digest():
            if byte >= 252:
                continue
            found.append(byte % 6 + 1)
            if len(found) == n:
                break
        block_number += 1
    return found


class Refused(ValueError):  # noqa: N818
    """The rules do not allow this action here. The game is as it was before."""


class WrongDice(ValueError):  # noqa: N818
    """The action is legal, but the dice given are not those of the seed. The game is as it was before."""


def throw(seed: str, roll_name: str, n: int, answer: list[int] | None) -> list[int]:
    """Throw n dice; an answer that is given must be exactly these dice."""
    thrown = dice(seed, roll_name, n)
    if answer is not None and answer != thrown:
        raise WrongDice(f"{roll_name}: {answer} given, {thrown} thrown")
    return thrown


def without(values: list[int], taken: list[int]) -> list[int] | None:
    """Return the values less the taken ones, or None where those are not all among them."""
    left = list(values)
    for value in taken:
        if value not in left:
            return None
        left.remove(value)
    return left


# --- MAGDAGDON, the rules ---------------------------------------------------------------------------------------------

Board = dict[str, int | Literal["X"]]
"""Cell to number or ruin; an empty cell is not in it."""
Staged = list[tuple[int, str]]
"""Value and cell, in the order of staging."""

COLUMNS = "abcd"
ROWS = "1234"
CELLS = [column + row for column in COLUMNS for row in ROWS]
LINES = [[column + row for column in COLUMNS] for row in ROWS] + [[column + row for row in ROWS] for column in COLUMNS]
MINIMUM = {"peaceful": 2, "survival": 2, "nightmare": 3}
PRICES = {"peaceful": [10, 20, 40], "survival": [70], "nightmare": []}
STRAIGHTS = [[1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6], [4, 3, 2, 1], [5, 4, 3, 2], [6, 5, 4, 3]]


def neighbours(cell: str) -> list[str]:
    """Return the cells that touch this one orthogonally."""
    column = COLUMNS.index(cell[0])
    row = ROWS.index(cell[1])
    found = []
    for across, down in [(0, -1), (0, 1), (-1, 0), (1, 0)]:
        if 0 <= column + across < 4 and 0 <= row + down < 4:
            found.append(COLUMNS[column + across] + ROWS[row + down])
    return found


def with_staged(board: Board, staged: Staged) -> Board:
    """Return the board with the staged dice on it as numbers."""
    both = dict(board)
    for value, cell in staged:
        both[cell] = value
    return both


def empty_cells(board: Board) -> list[str]:
    """Return the cells that hold nothing."""
    return [cell for cell in CELLS if cell not in board]


def legal_cells(board: Board, staged: Staged, value: int) -> list[str]:
    """Return the cells, sorted, on which a die of this value may be staged."""
    now = with_staged(board, staged)
    empty = empty_cells(now)
    if all(mark == "X" for mark in now.values()):
        return empty
    found = []
    for cell in empty:
        touching = []
        for other in neighbours(cell):
            mark = now.get(other)
            if isinstance(mark, int):
                touching.append(mark)
        if touching and all(abs(number - value) <= 1 for number in touching):
            found.append(cell)
    return found


def required(board: Board, difficulty: str) -> int:
    """Return how many dice must be placed in a turn that starts with this permanent board."""
    return min(MINIMUM[difficulty], len(empty_cells(board)))


def can_place(board: Board, dice: list[int], needed: int) -> bool:
    """Can any choice of that many dice, in any order, be placed on the permanent board? Try them all."""
    return any(can_place_in_order(board, list(chosen)) for chosen in itertools.permutations(dice, needed))


def can_place_in_order(board: Board, values: list[int]) -> bool:
    """Can these dice be placed one after the other? Try every cell for each."""
    if not values:
        return True
    for cell in legal_cells(board, [], values[0]):
        after: Board = dict(board)
        after[cell] = values[0]
        if can_place_in_order(after, values[1:]):
            return True
    return False


def after_return(board: Board, staged: Staged, cell: str) -> Staged:
    """Return what stays staged, and in which order it was placed again, when the die on that cell is taken back."""
    waiting = [(value, where) for value, where in staged if where != cell]
    placed: Staged = []
    added = True
    while added:
        added = False
        for value, where in list(waiting):
            if where in legal_cells(board, placed, value):
                placed.append((value, where))
                waiting.remove((value, where))
                added = True
    return placed


def line_bonus(marks: list[int | Literal["X"] | None]) -> int:
    """Return the bonus of one row or column, given its four cells in order."""
    numbers = [mark for mark in marks if isinstance(mark, int)]
    if len(numbers) < 4:
        return 0
    if numbers in STRAIGHTS:
        return 60
    counts = sorted(numbers.count(value) for value in set(numbers))
    if counts == [4]:
        return 40
    if counts == [2, 2]:
        return 20
    return 0


def score(board: Board, difficulty: str, powers: int) -> dict[str, int]:
    """Return the score of a board and what it is made of."""
    base = 0
    bonuses = 0
    for line in LINES:
        marks = [board.get(cell) for cell in line]
        base += sum(mark for mark in marks if isinstance(mark, int))
        bonuses += line_bonus(marks)
    ruins = sum(1 for mark in board.values() if mark == "X")
    ruin_penalty = 15 * ruins
    power_penalty = sum(PRICES[difficulty][:powers])
    return {
        "score": base + bonuses - ruin_penalty - power_penalty,
        "base": base,
        "bonuses": bonuses,
        "ruin_penalty": ruin_penalty,
        "power_penalty": power_penalty,
        "ruins": ruins,
    }


# --- MISHIMASH, the rules ---------------------------------------------------------------------------------------------


def combinations(roll: list[int]) -> list[tuple[tuple[int, ...], int]]:
    """Divide a roll into its combinations, each with its points in halves."""
    faces = tuple(sorted(roll))
    if faces == (1, 2, 3, 4, 5, 6):
        return [(faces, 30)]
    if len(faces) == 6 and sorted(faces.count(face) for face in set(faces)) == [2, 2, 2]:
        return [(faces, 20)]
    found: list[tuple[tuple[int, ...], int]] = []
    for face in range(1, 7):
        count = faces.count(face)
        if count >= 3:
            three = 20 if face == 1 else 2 * face
            times = {3: 1, 4: 2, 5: 3, 6: 4}[count]
            found.append(((face,) * count, three * times))
        elif face == 1:
            found += [((1,), 2)] * count
        elif face == 5:
            found += [((5,), 1)] * count
    return found


def selections(roll: list[int]) -> dict[tuple[int, ...], int]:
    """Return every legal selection, its dice ascending, with its points in halves."""
    found: dict[tuple[int, ...], int] = {}
    parts = combinations(roll)
    for size in range(1, len(parts) + 1):
        for chosen in itertools.combinations(parts, size):
            taken: list[int] = []
            for part, _ in chosen:
                taken.extend(part)
            found[tuple(sorted(taken))] = sum(points for _, points in chosen)
    return found


# --- The form of a log entry ------------------------------------------------------------------------------------------

DICE = "[1-6](?: [1-6])*"
EVERYWHERE = [f"(roll) -> ({DICE})", "(hint)"]


def numbers(words: list[str]) -> list[int]:
    """Turn words into whole numbers."""
    return [int(word) for word in words]


def read_entry(game: str, entry: str) -> tuple[str, list[int] | None] | None:
    """Split a log entry into the action and the dice that answered; None where it is not in canonical form."""
    for pattern in EVERYWHERE + GAMES[game].ENTRIES:
        match = re.fullmatch(pattern, entry)
        if match is None:
            continue
        action = match.group(1)
        words = action.split(" ")
        if words[0] == "take" and words[1:] != sorted(words[1:]):
            return None
        if words[:2] == ["power", "reroll"] and words[2:] != sorted(words[2:]):
            return None
        if len(match.groups()) == 1:
            return action, None
        return action, numbers(match.group(2).split(" "))
    return None


# --- Whole games ------------------------------------------------------------------------------------------------------


GAMES: dict[str, type["Game"]] = {}
"""The games there are a reference of, by name."""


class Game:
    """One game, action by action."""

    name: ClassVar[str]
    MOST: ClassVar[int]
    """How many can play it."""
    ENTRIES: ClassVar[list[str]]
    """The forms of its log entries, besides those that every game has."""
    OPTIONS: ClassVar[dict[str, Callable[[Any], bool]]]
    """For each option, whether a value has the right form."""
    CLAIMS: ClassVar[dict[str, Callable[[Any, int], bool]]]
    """For each claim, in order, whether a value has the right form given the number of players."""

    seed: str
    in_turn: bool
    over: bool
    player: int
    turns_ended: int

    def __init_subclass__(cls) -> None:
        GAMES[cls.name] = cls

    @classmethod
    def begin(cls, seed: str, players: int, options: dict[str, Any]) -> "Game":
        """Return a new game."""
        raise NotImplementedError

    def do(self, action: str, answer: list[int] | None = None) -> list[int] | None:
        """Do one action and return the dice thrown, if any. An answer, where given, must be those dice."""
        raise NotImplementedError

    def result(self) -> dict[str, Any]:
        """Return the claims a finished game makes, in their order."""
        raise NotImplementedError

    @classmethod
    def candidates(cls) -> list[str]:
        """Return every action that has a canonical spelling in this game, besides `roll` and `hint`."""
        raise NotImplementedError


def is_integer(value: object) -> bool:
    """Tell whether this is a whole number; `true` and 2.0 are not."""
    return type(value) is int


def is_count(value: object, players: int) -> bool:
    """Tell whether a claim is a whole number."""
    return is_integer(value)


def is_seat(value: object, players: int) -> bool:
    """Tell whether a claim is the number of a player."""
    return type(value) is int and 1 <= value <= players


def are_all(value: object, players: int, is_one: Callable[[object], bool]) -> bool:
    """Tell whether a claim is a list with such a thing for each player."""
    return isinstance(value, list) and len(value) == players and all(is_one(one) for one in value)


class Magdagdon(Game):
    """One game of MAGDAGDON, action by action."""

    name = "magdagdon"
    MOST = 1
    ENTRIES: ClassVar = [
        "(place [1-6] [a-d][1-4])",
        "(return [a-d][1-4])",
        "(power -1 [1-6])",
        r"(power \+1 [1-6])",
        f"(power reroll [1-6](?: [1-6]){{0,3}}) -> ({DICE})",
        "(confirm)",
        "(ruin [a-d][1-4])",
    ]
    OPTIONS: ClassVar = {"difficulty": lambda value: isinstance(value, str) and value in MINIMUM}
    CLAIMS: ClassVar = dict.fromkeys(
        ("score", "base", "bonuses", "ruin_penalty", "power_penalty", "turns", "ruins", "powers"), is_count
    )

    @classmethod
    def begin(cls, seed: str, players: int, options: dict[str, Any]) -> Game:
        return cls(seed, options["difficulty"])

    @classmethod
    def candidates(cls) -> list[str]:
        found = []
        faces = range(1, 7)
        for cell in CELLS:
            found += [f"place {value} {cell}" for value in faces]
            found += [f"return {cell}", f"ruin {cell}"]
        for value in faces:
            found += [f"power -1 {value}", f"power +1 {value}"]
        for size in range(1, 5):
            for again in itertools.combinations_with_replacement(faces, size):
                found.append("power reroll " + " ".join(str(value) for value in again))
        return [*found, "confirm"]

    def __init__(self, seed: str, difficulty: str) -> None:
        self.seed = seed
        self.difficulty = difficulty
        self.board: Board = {}
        self.turns_ended = 0
        self.ruins = 0
        self.powers = 0
        self.over = False
        self.player = 1
        self.start_turn()

    def start_turn(self) -> None:
        """Wait for the next turn's roll."""
        self.in_turn = False
        self.available: list[int] = []
        self.staged: Staged = []
        self.rerolls = 0
        self.required = required(self.board, self.difficulty)
        self.magdagdon = False

    def end_turn(self) -> None:
        """End the turn, and the game when the board is full."""
        self.turns_ended += 1
        self.start_turn()
        self.over = not empty_cells(self.board)

    def do(self, action: str, answer: list[int] | None = None) -> list[int] | None:
        """Do one action and return the dice thrown, if any. An answer, where given, must be those dice."""
        if self.over:
            raise Refused("the game is over")
        words = action.split(" ")
        if words[0] == "roll":
            return self.roll(answer)
        if not self.in_turn:
            raise Refused("roll first")
        if words[:2] == ["power", "reroll"]:
            return self.power_reroll(numbers(words[2:]), answer)
        if answer is not None:
            raise Refused("no dice answer this action")
        if words[0] == "place":
            self.place(int(words[1]), words[2])
        elif words[0] == "return":
            self.take_back(words[1])
        elif words[0] == "power":
            self.power_change(int(words[1]), int(words[2]))
        elif words[0] == "confirm":
            self.confirm()
        elif words[0] == "ruin":
            self.ruin(words[1])
        elif words[0] != "hint":
            raise Refused(f"no such action: {action}")
        return None

    def roll(self, answer: list[int] | None) -> list[int]:
        """Throw the turn's four dice."""
        if self.in_turn:
            raise Refused("already rolled")
        thrown = throw(self.seed, f"magdagdon/{self.turns_ended + 1}/0", 4, answer)
        self.in_turn = True
        self.available = list(thrown)
        self.look_for_magdagdon()
        return thrown

    def look_for_magdagdon(self) -> None:
        """Judge the four current dice against the permanent board; in MAGDAGDON staged dice come back."""
        four = self.available + [value for value, _ in self.staged]
        self.magdagdon = not can_place(self.board, four, self.required)
        if self.magdagdon:
            self.available = four
            self.staged = []

    def place(self, value: int, cell: str) -> None:
        """Stage a die."""
        if self.magdagdon:
            raise Refused("nothing can be staged in MAGDAGDON")
        left = without(self.available, [value])
        if left is None:
            raise Refused(f"no {value} is available")
        if cell not in legal_cells(self.board, self.staged, value):
            raise Refused(f"{value} may not go on {cell}")
        self.available = left
        self.staged.append((value, cell))

    def take_back(self, cell: str) -> None:
        """Take a staged die back, and with it those that lose their place."""
        if cell not in [where for _, where in self.staged]:
            raise Refused(f"nothing is staged on {cell}")
        staying = after_return(self.board, self.staged, cell)
        self.available += [value for value, where in self.staged if (value, where) not in staying]
        self.staged = staying

    def need_power(self) -> None:
        """Refuse where no Power is left."""
        if self.powers >= len(PRICES[self.difficulty]):
            raise Refused("no Power is left")

    def power_change(self, by: int, value: int) -> None:
        """Change an available die by one."""
        self.need_power()
        left = without(self.available, [value])
        if left is None:
            raise Refused(f"no {value} is available")
        if not 1 <= value + by <= 6:
            raise Refused(f"{value} cannot change by {by}")
        self.available = [*left, value + by]
        self.powers += 1
        self.look_for_magdagdon()

    def power_reroll(self, values: list[int], answer: list[int] | None) -> list[int]:
        """Throw available dice again."""
        self.need_power()
        left = without(self.available, values)
        if left is None or not values:
            raise Refused(f"{values} are not all available")
        roll_name = f"magdagdon/{self.turns_ended + 1}/{self.rerolls + 1}"
        thrown = throw(self.seed, roll_name, len(values), answer)
        self.available = left + thrown
        self.rerolls += 1
        self.powers += 1
        self.look_for_magdagdon()
        return thrown

    def confirm(self) -> None:
        """Make the staged dice permanent."""
        if self.magdagdon:
            raise Refused("MAGDAGDON can only be accepted")
        if len(self.staged) < self.required:
            raise Refused(f"{len(self.staged)} staged, {self.required} required")
        self.board = with_staged(self.board, self.staged)
        self.end_turn()

    def ruin(self, cell: str) -> None:
        """Accept MAGDAGDON."""
        if not self.magdagdon:
            raise Refused("the roll can be placed")
        if cell not in empty_cells(self.board):
            raise Refused(f"{cell} is not empty")
        self.board[cell] = "X"
        self.ruins += 1
        self.end_turn()

    def result(self) -> dict[str, Any]:
        """Return the claims a finished game makes, in their order."""
        points = score(self.board, self.difficulty, self.powers)
        return {
            "score": points["score"],
            "base": points["base"],
            "bonuses": points["bonuses"],
            "ruin_penalty": points["ruin_penalty"],
            "power_penalty": points["power_penalty"],
            "turns": self.turns_ended,
            "ruins": self.ruins,
            "powers": self.powers,
        }


def is_score(value: object) -> bool:
    """Tell whether this is a float and a multiple of one half; nan and the infinities are not."""
    return isinstance(value, float) and value % 0.5 == 0.0


class Mishimash(Game):
    """One game of MISHIMASH, action by action. Points are counted in halves."""

    name = "mishimash"
    MOST = 8
    ENTRIES: ClassVar = [
        "(take [1-6](?: [1-6]){0,5})",
        "(bank)",
    ]
    OPTIONS: ClassVar = {"target": lambda value: is_integer(value) and 10 <= value <= 1_000_000}
    CLAIMS: ClassVar = {
        "winner": is_seat,
        "scores": lambda value, players: are_all(value, players, is_score),
        "turns": lambda value, players: are_all(value, players, is_integer),
    }

    @classmethod
    def begin(cls, seed: str, players: int, options: dict[str, Any]) -> Game:
        return cls(seed, players, options["target"])

    @classmethod
    def candidates(cls) -> list[str]:
        found = []
        for size in range(1, 7):
            for taken in itertools.combinations_with_replacement(range(1, 7), size):
                found.append("take " + " ".join(str(value) for value in taken))
        return [*found, "bank"]

    def __init__(self, seed: str, players: int, target: int) -> None:
        self.seed = seed
        self.target = target
        self.totals = [0] * players
        self.turns = [0] * players
        self.turns_ended = 0
        self.target_reached = False
        self.over = False
        # The seats that take part in this round, and those that have yet to end their turn in it.
        self.in_round = list(range(1, players + 1))
        self.to_play = list(self.in_round)
        self.start_turn()

    def start_turn(self) -> None:
        """Wait for the next turn's first roll."""
        self.player = self.to_play[0]
        self.in_turn = False
        self.must_take = False
        self.rolls = 0
        self.points = 0
        self.mishimashes = 0
        self.to_roll = 6
        self.rolled: list[int] = []

    def end_turn(self, banked: int) -> None:
        """End the turn with what it banked (0 for a bust), the round after its last turn, and the game after that."""
        self.totals[self.player - 1] += banked
        self.turns[self.player - 1] += 1
        self.turns_ended += 1
        if banked and self.totals[self.player - 1] >= 2 * self.target:
            self.target_reached = True
        self.to_play.remove(self.player)
        if not self.to_play:
            # All have had the same number of turns. Once the target is reached, only those tied for first go on.
            if self.target_reached:
                best = max(self.totals[seat - 1] for seat in self.in_round)
                self.in_round = [seat for seat in self.in_round if self.totals[seat - 1] == best]
                self.over = len(self.in_round) == 1
            self.to_play = list(self.in_round)
        self.start_turn()

    def do(self, action: str, answer: list[int] | None = None) -> list[int] | None:
        """Do one action and return the dice thrown, if any. An answer, where given, must be those dice."""
        if self.over:
            raise Refused("the game is over")
        words = action.split(" ")
        if words[0] == "roll":
            return self.roll(answer)
        if answer is not None:
            raise Refused("no dice answer this action")
        if not self.in_turn:
            raise Refused("roll first")
        if words[0] == "take":
            self.take(numbers(words[1:]))
        elif words[0] == "bank":
            self.bank()
        elif words[0] != "hint":
            raise Refused(f"no such action: {action}")
        return None

    def roll(self, answer: list[int] | None) -> list[int]:
        """Throw all dice that are available. Without a combination in them the turn ends."""
        if self.must_take:
            raise Refused("select something first")
        roll_name = f"mishimash/{self.player}/{self.turns[self.player - 1] + 1}/{self.rolls + 1}"
        thrown = throw(self.seed, roll_name, self.to_roll, answer)
        self.in_turn = True
        self.rolls += 1
        self.rolled = list(thrown)
        self.must_take = True
        if not combinations(thrown):
            self.end_turn(0)
        return thrown

    def take(self, values: list[int]) -> None:
        """Select combinations."""
        if not self.must_take:
            raise Refused("already selected from this roll")
        found = selections(self.rolled)
        if tuple(values) not in found:
            raise Refused(f"{values} are not combinations of {self.rolled}")
        self.points += found[tuple(values)] * self.rolls
        self.must_take = False
        self.to_roll -= len(values)
        if self.to_roll == 0:
            self.mishimashes += 1
            self.points += 2 * 10 * self.mishimashes
            self.to_roll = 6

    def bank(self) -> None:
        """Bank the turn's points."""
        if self.must_take:
            raise Refused("select something first")
        self.end_turn(self.points)

    def result(self) -> dict[str, Any]:
        """Return the claims a finished game makes, in their order."""
        return {
            "winner": self.in_round[0],
            "scores": [total / 2 for total in self.totals],
            "turns": list(self.turns),
        }


def legal_actions(game: Game) -> list[str]:
    """Return every action that is legal now, by trying them all on copies."""
    found = []
    for action in ("roll", "hint", *game.candidates()):
        try:
            copy.deepcopy(game).do(action)
        except Refused:
            continue
        found.append(action)
    return found


# --- The form of a replay file ----------------------------------------------------------------------------------------

MOST_BYTES = 1024 * 1024
REFUSED_IN_TEXTS = """
    0000-001F 007F-009F D800-DFFF FDD0-FDEF E000-F8FF F0000-10FFFF 00AD 034F 0600-0605 061C 06DD 070F 0890-0891 08E2
    115F-1160 17B4-17B5 180B-180F 200B-200F 2028-202E 2060-206F 2800 3164 FE00-FE0E FEFF FFA0 FFF0-FFFB 110BD 110CD
    13430-1345F 1BCA0-1BCA3 1D159 1D173-1D17A E0000-E0FFF
"""
TOP_KEYS = {
    "format",
    "version",
    "game",
    "rules",
    "dice",
    "seed",
    "started",
    "comment",
    "players",
    "options",
    "turns",
    "result",
}


class Malformed(ValueError):  # noqa: N818
    """The document is no replay; `where` is the bad place."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where


def need(right: bool, where: str) -> None:
    """Go on only where the form is right."""
    if not right:
        raise Malformed(where)


def is_refused(character: str) -> bool:
    """Tell whether the list of replay.md refuses this character."""
    code = ord(character)
    if code % 0x10000 >= 0xFFFE:
        return True
    for part in REFUSED_IN_TEXTS.split():
        first, _, last = part.partition("-")
        if int(first, 16) <= code <= int(last or first, 16):
            return True
    return False


def is_blank(character: str) -> bool:
    """Tell whether this is a blank of Unicode 3.2."""
    return unicodedata.ucd_3_2_0.category(character) == "Zs"


def is_shown_safely(text: str) -> bool:
    """Tell whether no character of a text is refused where it stands."""

    def is_solid(at: int) -> bool:
        return 0 <= at < len(text) and not is_refused(text[at]) and not is_blank(text[at])

    for at, character in enumerate(text):
        if character == "\ufe0f":
            if not is_solid(at - 1):
                return False
        elif character == "\u200d":
            if not is_solid(at - 1) or not is_solid(at + 1):
                return False
        elif is_refused(character):
            return False
    return True


def is_name(value: object) -> bool:
    """Tell whether this can be a player's name or a bot's level."""
    if not isinstance(value, str) or not 1 <= len(value) <= 32:
        return False
    if is_blank(value[0]) or is_blank(value[-1]) or not is_shown_safely(value):
        return False
    for character in value:
        is_mark = unicodedata.ucd_3_2_0.category(character).startswith("M")
        if not is_mark and not is_blank(character) and character != "\ufe0f":
            return True
    return False


def is_comment(value: object) -> bool:
    """Tell whether this can be a comment: a line feed is as a space."""
    return isinstance(value, str) and is_shown_safely(value.replace("\n", " "))


def compose(text: str) -> str:
    """Return a text in normal form C of Unicode 3.2, which knows nothing of later characters."""
    composed = run = ""
    for character in text:
        if unicodedata.ucd_3_2_0.category(character) == "Cn":
            composed += unicodedata.ucd_3_2_0.normalize("NFC", run) + character
            run = ""
        else:
            run += character
    return composed + unicodedata.ucd_3_2_0.normalize("NFC", run)


def is_time(value: object) -> bool:
    """Tell whether this is a moment in UTC, in whole seconds."""
    if not isinstance(value, datetime.datetime):
        return False
    return value.utcoffset() == datetime.timedelta(0) and value.microsecond == 0


def find_unsupported(doc: dict[str, Any]) -> str | None:
    """Return the first key of the right type that names something unknown."""
    if is_integer(doc.get("version")) and doc["version"] != 1:
        return "version"
    if is_integer(doc.get("rules")) and doc["rules"] != 1:
        return "rules"
    if isinstance(doc.get("dice"), str) and doc["dice"] != "sha256-d6/1":
        return "dice"
    return None


def check_form(doc: dict[str, Any]) -> None:
    """Check all that can be said about a document before anything is played."""
    for key in doc:
        need(key in TOP_KEYS, key)
    need(doc.get("format") == "cubiri-replay", "format")
    need(is_integer(doc.get("version")), "version")
    game = doc.get("game")
    need(isinstance(game, str) and game in GAMES, "game")
    need(is_integer(doc.get("rules")), "rules")
    need(isinstance(doc.get("dice"), str), "dice")
    seed = doc.get("seed")
    need(isinstance(seed, str) and re.fullmatch("[a-z0-9-]{1,64}", seed) is not None, "seed")
    need("started" not in doc or is_time(doc["started"]), "started")
    need("comment" not in doc or is_comment(doc["comment"]), "comment")
    check_players(doc)
    check_options(doc)
    check_turns(doc)
    check_claims(doc)


def check_players(doc: dict[str, Any]) -> None:
    """Check the list of players."""
    players = doc.get("players")
    need(isinstance(players, list), "players")
    assert isinstance(players, list)
    need(1 <= len(players) <= GAMES[doc["game"]].MOST, "players")
    names = []
    for player in players:
        need(isinstance(player, dict), "players")
        for key in player:
            need(key in ("name", "bot"), "players")
        need(is_name(player.get("name")), "players")
        need("bot" not in player or is_name(player["bot"]), "players")
        name = compose(player["name"])
        need(name not in names, "players")
        names.append(name)


def check_options(doc: dict[str, Any]) -> None:
    """Check the options of the game."""
    options = doc.get("options")
    need(isinstance(options, dict), "options")
    assert isinstance(options, dict)
    known = GAMES[doc["game"]].OPTIONS
    for key in options:
        need(key in known, f"options.{key}")
    for key, is_right in known.items():
        need(key in options and is_right(options[key]), f"options.{key}")


def check_turns(doc: dict[str, Any]) -> None:
    """Check the turns and the spelling of every log entry."""
    turns = doc.get("turns")
    need(isinstance(turns, list) and len(turns) >= 1, "turns")
    assert isinstance(turns, list)
    for number, turn in enumerate(turns, 1):
        where = f"turn {number}"
        need(isinstance(turn, dict), where)
        for key in turn:
            need(key in ("player", "comment", "log"), where)
        need(is_integer(turn.get("player")) and 1 <= turn["player"] <= len(doc["players"]), where)
        need("comment" not in turn or is_comment(turn["comment"]), where)
        log = turn.get("log")
        need(isinstance(log, list) and len(log) >= 1, where)
        for place, entry in enumerate(log, 1):
            right = isinstance(entry, str) and read_entry(doc["game"], entry) is not None
            need(right, f"{where}, entry {place}")


def check_claims(doc: dict[str, Any]) -> None:
    """Check the form of the result, where there is one."""
    if "result" not in doc:
        return
    result = doc["result"]
    need(isinstance(result, dict), "result")
    claims = GAMES[doc["game"]].CLAIMS
    for key in result:
        need(key == "finished" or key in claims, f"result.{key}")
    need(is_time(result.get("finished")), "result.finished")
    for key, is_right in claims.items():
        need(key in result and is_right(result[key], len(doc["players"])), f"result.{key}")


# --- Judging ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """What a replay is worth."""

    status: str
    where: str | None = None
    result: dict[str, Any] | None = None


def new_game(doc: dict[str, Any]) -> Game:
    """Set up the game that a well-formed document records."""
    return GAMES[doc["game"]].begin(doc["seed"], len(doc["players"]), doc["options"])


def play_turn(game: Game, number: int, turn: dict[str, Any]) -> Verdict | None:
    """Play one table of turns; return what is wrong with it."""
    first = f"turn {number}, entry 1"
    if game.over:
        return Verdict("illegal", first)
    if game.in_turn:
        # The turn before has not ended: a bad turn boundary, whoever is named here.
        return Verdict("illegal", first)
    if turn["player"] != game.player:
        return Verdict("illegal", f"turn {number}")
    ended_before = game.turns_ended
    for place, entry in enumerate(turn["log"], 1):
        where = f"turn {number}, entry {place}"
        if game.turns_ended != ended_before:
            return Verdict("illegal", where)
        read = read_entry(game.name, entry)
        assert read is not None
        try:
            game.do(read[0], read[1])
        except Refused:
            return Verdict("illegal", where)
        except WrongDice:
            return Verdict("dice", where)
    return None


def judge(doc: dict[str, Any]) -> Verdict:
    """Judge a parsed document."""
    unsupported = find_unsupported(doc)
    if unsupported is not None:
        return Verdict("unsupported", unsupported)
    try:
        check_form(doc)
    except Malformed as bad:
        return Verdict("malformed", bad.where)
    game = new_game(doc)
    for number, turn in enumerate(doc["turns"], 1):
        wrong = play_turn(game, number, turn)
        if wrong is not None:
            return wrong
    if not game.over:
        if "result" in doc:
            return Verdict("mismatch", "result")
        return Verdict("unfinished")
    result = game.result()
    if "result" not in doc:
        return Verdict("mismatch", "result", result)
    for key in game.CLAIMS:
        if doc["result"][key] != result[key]:
            return Verdict("mismatch", f"result.{key}", result)
    return Verdict("verified", None, result)


def judge_bytes(data: bytes) -> Verdict:
    """Judge the bytes of a file."""
    if len(data) > MOST_BYTES:
        return Verdict("unreadable")
    try:
        doc = tomllib.loads(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8"))
    except Exception:  # whatever makes the parser fail: RecursionError, ValueError, ...
        return Verdict("malformed")
    return judge(doc)


for path in sorted(Path(__file__).parent.glob("reference_*.py")):
    import_module(f"tests.support.{path.stem}")
