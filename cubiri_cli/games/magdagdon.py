"""MAGDAGDON, rules version 1 (contract, rules.md). Frozen once released.

Solo: fill a 4×4 board with dice, forming one connected field of numbers; score rows and columns; avoid ruins.

>>> from functools import partial
>>> from cubiri_cli.games import dice
>>> game = Magdagdon.start({"difficulty": "survival"})
>>> throw = partial(dice.throw, "42")
>>> game.apply("roll", throw).dice
(2, 2, 4, 3)
>>> for action in ("place 2 b2", "place 3 b3", "confirm"):
...     _ = game.apply(action, throw)
>>> game.score().total
10
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from cubiri_cli.games.game import (
    NOTHING_MORE,
    Event,
    Game,
    IllegalActionError,
    Move,
    Outcome,
    Standing,
    Throw,
    WordOption,
    is_whole,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


class Difficulty(NamedTuple):
    """A difficulty: how many dice to place a turn, at least, and the price of each Majda Power in order of use."""

    minimum: int
    prices: tuple[int, ...]


DIFFICULTIES = {
    "peaceful": Difficulty(2, (10, 20, 40)),
    "survival": Difficulty(2, (70,)),
    "nightmare": Difficulty(3, ()),
}

DICE = 4
EMPTY, RUIN = 0, 7
"""What a cell holds besides the numbers 1–6."""

STRAIGHT, FOUR_OF_A_KIND, TWO_PAIRS = 60, 40, 20
RUIN_PENALTY = 15

CELLS = tuple(column + row for row in "1234" for column in "abcd")
"""The cells in reading order: `a1` to `d1`, then the second row. Everything below counts cells by this index."""

CELL = {name: index for index, name in enumerate(CELLS)}

LINES = tuple(tuple(range(4 * row, 4 * row + 4)) for row in range(4)) + tuple(
    tuple(range(column, 16, 4)) for column in range(4)
)
"""The four rows from the top, then the four columns from the left, as cell indexes."""


def _neighbours(cell: int) -> list[int]:
    """Return the cells that touch `cell` orthogonally; no wrap-around."""
    row, column = divmod(cell, 4)
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [4 * r + c for r, c in near if 0 <= r < 4 and 0 <= c < 4]


NEIGHBOURS = tuple(tuple(_neighbours(cell)) for cell in range(16))

# A field (all that placing depends on) is one integer of eight lanes of 16 bits, one bit a cell:
#   lane 0      cells that are taken, by a number or a ruin
#   lanes 1–6   cells where this value may not go, because a number differing by more than 1 touches them
#   lane 7      cells that touch a number; none while the board holds no number, since every cell has neighbours
# Putting a number or a ruin on a cell is one `|`, and the legal cells of a value are three shifts.
TOUCHED = 16 * 7
"""Where lane 7 begins."""
_ALL = 0xFFFF


def _put(cell: int, value: int) -> int:
    """Return the bits that `value` (1–6, or RUIN) on `cell` adds to a field."""
    bits = 1 << cell
    if value == RUIN:
        return bits
    near = sum(1 << other for other in NEIGHBOURS[cell])
    for lane in range(1, 7):
        if abs(lane - value) > 1:
            bits |= near << 16 * lane
    return bits | near << TOUCHED


PUT = tuple(tuple(_put(cell, value) for cell in range(16)) if value else () for value in range(8))
"""`PUT[value][cell]`: the bits a number or ruin adds to a field."""


def field_of(marks: Iterable[tuple[int, int]]) -> int:
    """Return a board as a field, given what each of its cells holds."""
    field = 0
    for cell, mark in marks:
        if mark != EMPTY:
            field |= PUT[mark][cell]
    return field


_BARRED = tuple(tuple(1 << cell | 1 << 16 * value + cell for cell in range(16)) for value in range(7))
"""`_BARRED[value][cell]`: the bits of a field of which none may be set where `value` is to go on `cell`."""

_TOUCHING = tuple(1 << TOUCHED + cell for cell in range(16))
_WITH_NUMBERS = 1 << TOUCHED  # fields with a number are not below it


def may_place(field: int, value: int, cell: int) -> bool:
    """Tell whether `value` may be placed on `cell`: the same as that bit of `legal_mask`, sooner."""
    return not field & _BARRED[value][cell] and (field & _TOUCHING[cell] != 0 or field < _WITH_NUMBERS)


def open_cells(field: int) -> int:
    """Return the cells that a number may go to if it fits, one bit each: those that are free and touch a number.

    **R3** While the board holds no number, that is any cell that is not taken.
    """
    return (field >> TOUCHED or _ALL) & ~field & _ALL


def legal_mask(field: int, value: int) -> int:
    """Return the cells on which `value` may be placed, as 16 bits (rules: Legal placement)."""
    return open_cells(field) & ~(field >> 16 * value)


@cache
def _texts(verb: str) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return what can be done to cells, for each byte there is of a mask: as its low byte, and as its high byte."""
    return tuple(
        tuple(tuple([f"{verb} {cell}" for bit, cell in enumerate(half) if byte >> bit & 1]) for byte in range(256))
        for half in (CELLS[:8], CELLS[8:])
    )


def actions_on(verb: str, mask: int) -> tuple[str, ...]:
    """Return an action for each cell of a 16-bit mask, in reading order.

    >>> actions_on("ruin", 0b1000_0000_0000_0011)
    ('ruin a1', 'ruin b1', 'ruin d4')
    """
    low, high = _texts(verb)
    return low[mask & 255] + high[mask >> 8 & 255]


_PLACE = tuple(f"place {value}" for value in range(7))


def placements(field: int, dice: Iterable[int]) -> list[str]:
    """Return every placement of `dice` (ascending) on a field.

    >>> placements(PUT[4][CELL["a1"]], (1, 5, 5))
    ['place 5 b1', 'place 5 a2']
    """
    there = open_cells(field)
    found: list[str] = []
    for value in dict.fromkeys(dice):
        mask = there & ~(field >> 16 * value)
        if mask:
            found += actions_on(_PLACE[value], mask)
    return found


_RETURN = tuple(f"return {cell}" for cell in CELLS)


@cache
def power_actions(free: tuple[int, ...]) -> list[str]:
    """Return every Majda Power there is on available dice (ascending): changes, then dice to be thrown again.

    >>> power_actions((5, 6))
    ['power -1 5', 'power -1 6', 'power +1 5', 'power reroll 5', 'power reroll 6', 'power reroll 5 6']
    """
    values = dict.fromkeys(free)
    changes = [f"power -1 {value}" for value in values if value > 1]
    changes += [f"power +1 {value}" for value in values if value < 6]  # R6
    picks = {pick for count in range(1, len(free) + 1) for pick in combinations(free, count)}
    rerolls = ["power reroll " + " ".join(map(str, pick)) for pick in sorted(picks, key=lambda p: (len(p), p))]
    return changes + rerolls


def cells_of(mask: int) -> Iterator[int]:
    """Yield the cells of a 16-bit mask in reading order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def can_place(field: int, dice: Sequence[int], required: int) -> bool:
    """Tell whether some order of `dice` can place `required` of them on a field (rules: MAGDAGDON and ruins).

    >>> can_place(0, (1, 3, 5, 6), 2), can_place(0, (1, 3, 5, 6), 3)
    (True, False)
    """
    if required <= 1:
        return required <= 0 or _can_place_one(field, dice)
    for value in set(dice):
        mask = legal_mask(field, value)
        if not mask:
            continue
        rest, put = list(dice), PUT[value]
        rest.remove(value)
        while mask:  # cells_of, written out: here a verdict takes most of its time
            cell = mask.bit_length() - 1
            after = field | put[cell]
            if _can_place_one(after, rest) if required == 2 else can_place(after, rest, required - 1):
                return True
            mask ^= 1 << cell
    return False


def _can_place_one(field: int, dice: Sequence[int]) -> bool:
    """Tell whether one of `dice` can be placed on a field."""
    there = open_cells(field)
    for value in dice:  # noqa: SIM110 - `any` would take twice as long
        if there & ~(field >> 16 * value):
            return True
    return False


def _consecutive(line: Sequence[int]) -> bool:
    return line in ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6))


@cache
def line_bonus(line: tuple[int, ...]) -> int:
    """Return the bonus of a row or column of four cells: at most one, and none for a line with a ruin or a gap.

    **R10** Two pairs are two different values, twice each, in any order.

    >>> line_bonus((6, 5, 4, 3)), line_bonus((2, 2, 2, 2)), line_bonus((2, 3, 3, 2)), line_bonus((2, 2, 2, 3))
    (60, 40, 20, 0)
    """
    if EMPTY in line or RUIN in line:
        return 0
    if _consecutive(line) or _consecutive(line[::-1]):
        return STRAIGHT
    counts = sorted(line.count(value) for value in set(line))
    return {(4,): FOUR_OF_A_KIND, (2, 2): TWO_PAIRS}.get(tuple(counts), 0)


_LINE_OF = tuple(itemgetter(*line) for line in LINES)  # what stands on a line, given the board


class Score(NamedTuple):
    """A score in points, and what it is made of; the penalties are positive numbers that are taken off."""

    base: int
    bonuses: int
    ruin_penalty: int
    power_penalty: int

    @property
    def total(self) -> int:
        """The score. It can be negative."""
        return self.base + self.bonuses - self.ruin_penalty - self.power_penalty


def score_board(board: Sequence[int], prices_paid: Iterable[int] = ()) -> Score:
    """Return the score of a board of 16 cells, full or not (rules: Score)."""
    ruins = board.count(RUIN)
    numbers = sum(board) - RUIN * ruins
    return Score(
        base=2 * numbers,  # every cell stands in one row and one column
        bonuses=sum(line_bonus(line(board)) for line in _LINE_OF),
        ruin_penalty=RUIN_PENALTY * ruins,
        power_penalty=sum(prices_paid),
    )


def roll_name(turn: int, reroll: int = 0) -> str:
    """Return the name of a roll (dice.md): that of a turn, from 1, or one of its rerolls, from 1 in each turn."""
    return f"magdagdon/{turn}/{reroll}"


def _with(spots: tuple[int | None, ...], die: int, spot: int | None) -> tuple[int | None, ...]:
    """Return the spots of the dice with one changed."""
    changed = [*spots]
    changed[die] = spot
    return (*changed,)


class Magdagdon(Game):
    """A game of MAGDAGDON in progress."""

    NAME = "magdagdon"
    RULES = 1
    MOST_SEATS = 1
    OPTIONS = (WordOption("difficulty", tuple(DIFFICULTIES), "peaceful"),)
    RESULT: ClassVar = dict.fromkeys(
        ("score", "base", "bonuses", "ruin_penalty", "power_penalty", "turns", "ruins", "powers"), is_whole
    )

    __slots__ = (
        "_fields",
        "_placeable",
        "board",
        "dice",
        "difficulty",
        "powers",
        "required",
        "rerolls",
        "spots",
        "staged_cells",
        "turn",
    )

    difficulty: str
    board: tuple[int, ...]
    """The permanent board: 16 cells in reading order, each EMPTY, 1–6 or RUIN. Staged dice are not on it."""
    dice: tuple[int, ...]
    """The turn's four dice as they lie (a Power changes them in place); empty between turns."""
    spots: tuple[int | None, ...]
    """For each of the dice the cell on which it is staged, or None while it is available."""
    staged_cells: tuple[int, ...]
    """The cells of the staged dice, in the order in which they were staged."""
    required: int
    """How many dice must be placed this turn. **R1** Fixed at the start of the turn."""
    powers: int
    """How many Majda Powers were used in this game."""
    rerolls: int
    """How many rerolls this turn has seen; part of the next one's roll name."""
    turn: int
    """The number of the turn, from 1; 0 before the first."""
    _fields: tuple[int, ...]  # the permanent board as legal_mask reads it, then with one more staged die each
    _placeable: bool | None  # whether these dice can place the required number; None: not worked out yet

    def begin(self) -> None:
        """Begin with an empty board."""
        self.board = (EMPTY,) * 16
        self.turn = self.powers = self.rerolls = self.required = 0
        self.dice = self.spots = self.staged_cells = ()
        self._fields, self._placeable = (0,), None

    # What there is to know

    @property
    def prices(self) -> tuple[int, ...]:
        """The prices in points of the Majda Powers that are left, the next one first."""
        return DIFFICULTIES[self.difficulty].prices[self.powers :]

    @property
    def staged(self) -> dict[int, int]:
        """The staged dice: cell → value, in the order in which they were staged."""
        values = {spot: value for spot, value in zip(self.spots, self.dice, strict=True) if spot is not None}
        return {cell: values[cell] for cell in self.staged_cells}

    @property
    def available(self) -> list[int]:
        """The values of the turn's dice that are not staged, ascending."""
        if not self.staged_cells:
            return sorted(self.dice)
        return sorted([value for value, spot in zip(self.dice, self.spots, strict=True) if spot is None])

    @property
    def ruins(self) -> int:
        """How many ruins the board holds."""
        return self.board.count(RUIN)

    @property
    def is_magdagdon(self) -> bool:
        """Whether the turn is in the state MAGDAGDON: no order of its dice can place the required number.

        Judged on the permanent board; staged dice play no part. **R8** Judged again after every Power.
        """
        if not self.in_turn:
            return False
        if self._placeable is None:
            self._placeable = can_place(self._fields[0], self.dice, self.required)
        return not self._placeable

    @property
    def can_confirm(self) -> bool:
        """Whether the required number is staged."""
        return self.in_turn and len(self.staged_cells) >= self.required

    def legal_cells(self, value: int) -> list[int]:
        """Return the cells on which a die of `value` could be staged now; none in MAGDAGDON (**R9**)."""
        if not self.in_turn or self.is_magdagdon:
            return []
        return list(cells_of(legal_mask(self._fields[-1], value)))

    def board_if_confirmed(self) -> tuple[int, ...]:
        """Return the board with the staged dice on it."""
        board = list(self.board)
        for value, spot in zip(self.dice, self.spots, strict=True):
            if spot is not None:
                board[spot] = value
        return tuple(board)

    def score(self, board: Sequence[int] | None = None) -> Score:
        """Return the score of the permanent board (or of `board`) with the Powers used so far."""
        paid = DIFFICULTIES[self.difficulty].prices[: self.powers]
        return score_board(self.board if board is None else board, paid)

    def result(self) -> dict[str, Any]:
        """Return the claims of `[result]`, in points and whole numbers."""
        score = self.score()
        return {
            "score": score.total,
            **score._asdict(),
            "turns": self.turn,
            "ruins": self.ruins,
            "powers": self.powers,
        }

    def state(self) -> dict[str, Any]:
        """Return the state of play: the permanent board by cell, the dice of the turn, and what is left to use."""
        names = {EMPTY: None, RUIN: "ruin"}
        dice = zip(self.dice, self.spots, strict=True)
        return {
            "turn": self.turn,
            "board": {cell: names.get(value, value) for cell, value in zip(CELLS, self.board, strict=True)},
            "dice": [{"value": value, "cell": None if spot is None else CELLS[spot]} for value, spot in dice],
            "staged": {CELLS[cell]: value for cell, value in self.staged.items()},
            "required": self.required if self.in_turn else None,
            "magdagdon": self.is_magdagdon,
            "power_prices": list(self.prices),
        }

    @classmethod
    def event_data(cls, event: Event) -> dict[str, Any]:
        """Return an event as plain data: `returned` names the cells whose dice came back by themselves."""
        return {"kind": event.kind, **({"cells": [CELLS[cell] for cell in event.what]} if event.what else {})}

    @classmethod
    def standing(cls, result: Mapping[str, Any], seats: int) -> Standing:
        """Return how a finished game is ranked: by score, then fewer turns, then fewer Powers (cli.md, Ranking)."""
        return Standing(
            seat=1,
            turns=result["turns"],
            figures={"score": result["score"], "powers": result["powers"], "ruins": result["ruins"]},
            key=(-result["score"], result["turns"], result["powers"]),
        )

    @classmethod
    def counts(cls, result: Mapping[str, Any], seat: int, events: Iterable[Event]) -> dict[str, int]:
        """Return the ruins and the Powers used."""
        return {"ruins": result["ruins"], "powers": result["powers"]}

    def feats(self, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
        """Return whether there are six straights, the most that fit on a board."""
        straights = [line for line in _LINE_OF if line_bonus(line(self.board)) == STRAIGHT]
        return ("six-straights",) if len(straights) >= 6 else ()

    # What can be done

    def legal_actions(self) -> list[str]:
        """Return every action that is legal now, but `hint`: placements first, then what ends or changes the turn."""
        if self.over:
            return []
        if not self.in_turn:
            return ["roll"]
        free = self.available
        if not self._placeable and self.is_magdagdon:  # nothing is staged: a Power that kills the roll gives all back
            actions = list(actions_on("ruin", ~self._fields[0]))
        else:
            actions = placements(self._fields[-1], free)
            actions += [_RETURN[cell] for cell in self.staged_cells]
            if len(self.staged_cells) >= self.required:
                actions.append("confirm")
        if self.prices:
            actions += power_actions(tuple(free))
        return actions

    @classmethod
    def actions(cls) -> dict[str, Move]:
        """Return every action text but `hint` with what executes it (replay.md, Log entries)."""
        moves = {"roll": Move(cls._roll, throws=True), "confirm": Move(cls._confirm)}
        for cell, name in enumerate(CELLS):
            moves |= {f"place {value} {name}": Move(cls._place, (value, cell)) for value in range(1, 7)}
            moves[f"return {name}"] = Move(cls._return, (cell,))
            moves[f"ruin {name}"] = Move(cls._accept, (cell,))
        for value in range(1, 7):
            moves[f"power -1 {value}"] = Move(cls._change, (value, -1))
            moves[f"power +1 {value}"] = Move(cls._change, (value, +1))
        for count in range(1, DICE + 1):
            for picked in combinations_with_replacement(range(1, 7), count):
                moves["power reroll " + " ".join(map(str, picked))] = Move(cls._reroll, (picked,), throws=True)
        return moves

    def dice_for(self, action: str) -> int:
        """Return how many dice `action` throws here: four to begin a turn, those that a Power throws again."""
        move = self.moves().get(action)
        if move is None or not move.throws or self.over:
            return 0
        if not move.arguments:
            return 0 if self.in_turn else DICE
        try:
            return len(self._power(*move.arguments))
        except IllegalActionError:
            return 0

    def _roll(self, throw: Throw) -> Outcome:
        """Begin a turn with four dice. **R1**, **R2**: the requirement is fixed here, by the empty cells left."""
        if self.in_turn:
            raise IllegalActionError("already-rolled")
        dice = tuple(throw(roll_name(self.turn + 1), DICE))
        self.turn += 1
        self.in_turn, self.dice, self.spots, self.staged_cells = True, dice, (None,) * DICE, ()
        self.required = min(DIFFICULTIES[self.difficulty].minimum, self.board.count(EMPTY))
        self.rerolls, self._placeable = 0, None
        return Outcome(dice)

    def _place(self, throw: Throw, value: int, cell: int) -> Outcome:
        """Stage an available die. **R3**, and legality counts what was staged earlier in the turn."""
        self.must_have_rolled()
        die = self._available_die(value)
        if not self._placeable and self.is_magdagdon:
            raise IllegalActionError("magdagdon")
        field = self._fields[-1]
        if not may_place(field, value, cell):
            raise self._why_not(value, cell)
        self.spots = _with(self.spots, die, cell)
        self.staged_cells += (cell,)
        self._fields += (field | PUT[value][cell],)
        return NOTHING_MORE

    def _return(self, throw: Throw, cell: int) -> Outcome:
        """Take a staged die back. **R4** The others are placed again in order, as often as that adds one.

        **R5** To move a die is to take it back and place it again.
        """
        self.must_have_rolled()
        if cell not in self.staged_cells:
            raise IllegalActionError("not-staged", cell=CELLS[cell])
        spots, at = self.spots, self.staged_cells.index(cell)
        kept, waiting = self.staged_cells[:at], self.staged_cells[at + 1 :]  # those staged before stay as they are
        fields, added = self._fields[: at + 1], True
        while waiting and added:
            tried, waiting = waiting, ()
            for other in tried:
                value = self.dice[spots.index(other)]
                if may_place(fields[-1], value, other):
                    fields += (fields[-1] | PUT[value][other],)
                    kept += (other,)
                else:
                    waiting += (other,)
            added = len(waiting) < len(tried)
        self.staged_cells, self._fields = kept, fields
        self.spots = _with(spots, spots.index(cell), None)
        if not waiting:
            return NOTHING_MORE
        self.spots = tuple([None if spot in waiting else spot for spot in self.spots])
        return Outcome((), (Event("returned", what=waiting),))

    def _change(self, throw: Throw, value: int, change: int) -> Outcome:
        """Use a Majda Power to change an available die by 1. **R6** Not below 1 nor above 6: that costs nothing."""
        die = self._power([value])[0]
        if not 1 <= value + change <= 6:
            raise IllegalActionError("out-of-range", die=value, change=f"{change:+}")
        return self._use_power({die: value + change})

    def _reroll(self, throw: Throw, values: tuple[int, ...]) -> Outcome:
        """Use a Majda Power to throw available dice again together: one use, however many dice."""
        picked = self._power(values)
        thrown = tuple(throw(roll_name(self.turn, self.rerolls + 1), len(picked)))
        self.rerolls += 1
        return self._use_power(dict(zip(picked, thrown, strict=True)), thrown)

    def _power(self, values: Sequence[int]) -> list[int]:
        """Return the positions of available dice of these values, where a Power is left to use on them."""
        self.must_have_rolled()
        if not self.prices:
            raise IllegalActionError("no-power-left")
        picked: list[int] = []
        for value in values:
            picked.append(self._available_die(value, picked))
        return picked

    def _use_power(self, changes: dict[int, int], thrown: tuple[int, ...] = ()) -> Outcome:
        """Change the dice at these positions. **R7** Never undone. **R8** MAGDAGDON is judged again.

        **R9** Where the Power killed the roll, the staged dice come back by themselves.
        """
        self.dice = tuple(changes.get(die, value) for die, value in enumerate(self.dice))
        self.powers += 1
        self._placeable = None
        if self.staged_cells and self.is_magdagdon:
            back, self.staged_cells, self.spots = self.staged_cells, (), (None,) * DICE
            self._fields = self._fields[:1]
            return Outcome(thrown, (Event("returned", what=back),))
        return Outcome(thrown)

    def _confirm(self, throw: Throw) -> Outcome:
        """Make the staged dice permanent; the others are discarded and the turn ends."""
        self.must_have_rolled()
        if not self.can_confirm:
            raise IllegalActionError("too-few-staged", staged=len(self.staged_cells), required=self.required)
        self._fields, self.board = self._fields[-1:], self.board_if_confirmed()
        return self._end_turn()

    def _accept(self, throw: Throw, cell: int) -> Outcome:
        """Accept MAGDAGDON: any cell that is empty on the permanent board becomes a ruin, and the turn ends."""
        self.must_have_rolled()
        if not self.is_magdagdon:
            raise IllegalActionError("no-magdagdon", required=self.required)
        if self.board[cell] != EMPTY:
            raise IllegalActionError("taken", cell=CELLS[cell])
        self._fields = (self._fields[0] | PUT[RUIN][cell],)
        self.board = (*self.board[:cell], RUIN, *self.board[cell + 1 :])
        return self._end_turn()

    def _end_turn(self) -> Outcome:
        self.in_turn, self.dice, self.spots, self.staged_cells = False, (), (), ()
        self.over = EMPTY not in self.board
        return Outcome((), (Event("over"),)) if self.over else NOTHING_MORE

    def _available_die(self, value: int, taken: Sequence[int] = ()) -> int:
        """Return the position of an available die of `value` that is not among `taken`."""
        die = -1
        try:
            while True:
                die = self.dice.index(value, die + 1)
                if self.spots[die] is None and die not in taken:
                    return die
        except ValueError:
            raise IllegalActionError("not-available", die=value) from None

    def _why_not(self, value: int, cell: int) -> IllegalActionError:
        """Return the refusal that says why `value` may not go on `cell`."""
        board = self.board_if_confirmed()
        if board[cell] != EMPTY:
            return IllegalActionError("taken", cell=CELLS[cell])
        for other in NEIGHBOURS[cell]:
            if board[other] not in (EMPTY, RUIN) and abs(board[other] - value) > 1:
                return IllegalActionError(
                    "differs", die=value, cell=CELLS[cell], neighbour=CELLS[other], number=board[other]
                )
        return IllegalActionError("not-connected", cell=CELLS[cell])


VERSIONS = {1: Magdagdon}
