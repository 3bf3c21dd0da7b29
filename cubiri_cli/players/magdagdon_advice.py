"""What positions, rolls and choices of MAGDAGDON are worth, in points of the final score, and why.

At first sight a roll is worth what the network sees in the best that can be made of it; the mean of that over all rolls
is what a board is worth before its roll. Choices are judged one look deeper: by what the board they leave is worth
before *its* roll. With few cells empty all of it is exact.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.games.magdagdon import CELLS, DICE, DIFFICULTIES, LINES, RUIN, line_bonus
from cubiri_cli.players.advice import LEAST, Alternative, NoAdviceError, Reason
from cubiri_cli.players.magdagdon import MagdagdonPosition, next_action, search
from cubiri_cli.players.magdagdon_board import (
    ANY,
    BLOCKED,
    COLUMNS,
    MULTISETS,
    SIZE,
    board_of,
    each_set,
    empty_cells,
    numbers_on,
)
from cubiri_cli.players.magdagdon_network import LINE, UNIT
from cubiri_cli.players.magdagdon_search import HOLDING, Search, Thought
from cubiri_cli.players.player import View

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from cubiri_cli.games.game import Game
    from cubiri_cli.games.magdagdon import Magdagdon

TOP = 8
"""How many boards, those the network likes best, are looked at more deeply."""
NEAR = 10 * UNIT
"""A changed die is looked at more deeply where it seems at most so much worse than the best."""

ERRORS = {
    "peaceful": (0.0,) * 4 + (0.1,) * 2 + (1.0,) * 2 + (1.5,) * 2 + (3.0,) * 4 + (3.5,) * 3,
    "survival": (0.0,) * 4 + (0.4,) * 2 + (2.8,) * 2 + (6.0,) * 4 + (6.6,) * 2 + (7.1,) * 3,
    "nightmare": (0.0,) * 4 + (0.1,) * 2 + (1.5,) * 2 + (4.0,) * 2 + (4.8,) * 7,
}
"""The standard deviation of what choices are worth, by the cells empty before them; made by `learning/advice.py`."""

STRAIGHTS = tuple(tuple(range(low, low + 4))[::step] for low in (1, 2, 3) for step in (1, -1))
BONUSES = tuple(line_bonus(tuple(code >> 3 * at & 7 for at in range(4))) for code in range(LINE))
SHIFTS = (*(12 * row for row in range(4)), *(COLUMNS + 12 * column for column in range(4)))
"""Where the rows and the columns stand in a board."""


class MagdagdonEvaluator:
    """What is known about MAGDAGDON."""

    def unit(self, game: Game) -> str:
        """Return `points`, of the final score."""
        return "points"

    def standing(self, game: Any) -> tuple[float, ...]:
        """Return what the game will score."""
        if game.over:
            return (float(game.score().total),)
        return (_search(game).ahead(board_of(game.board), len(game.prices)) / UNIT - _paid(game),)

    def before_roll(self, game: Game) -> float:
        """Return the same: between two turns there is nothing but the roll to come."""
        return self.standing(game)[0]

    def decision(self, game: Any) -> MagdagdonDecision:
        """Return what can be made of the dice that lie there."""
        return MagdagdonDecision(game)

    def lost(self, game: Game) -> float:
        """Raise `ValueError`: no throw ends a turn."""
        raise ValueError(game.NAME)

    def decides(self, action: str) -> bool:
        """Tell whether an action confirms, makes a ruin or uses a Power."""
        return action.split(" ")[0] in ("confirm", "ruin", "power")


EVALUATOR = MagdagdonEvaluator()


def _search(game: Magdagdon) -> Search:
    """Return the thoughts of a game's difficulty. Raises `NoAdviceError` for one of which nothing was learnt."""
    if game.difficulty not in ERRORS:
        raise NoAdviceError(game.NAME)
    return search(game.difficulty)


def _paid(game: Magdagdon) -> int:
    return game.score().power_penalty


class MagdagdonDecision:
    """A roll of which something has to be made, whatever is staged."""

    def __init__(self, game: Magdagdon) -> None:
        self._game = game.copy()
        self._position = MagdagdonPosition.of(View(game, [""]))
        self._search = _search(game)
        self._empty = empty_cells(self._position.board).bit_count()
        self._exact = self._empty <= self._search.exact

    @property
    def error(self) -> float:
        """The standard deviation of what choices are worth here."""
        return ERRORS[self._game.difficulty][self._empty]

    @cached_property
    def at_once(self) -> float:
        """What the network sees in the best that can be made of the roll."""
        _, board, roll, powers = self._position
        return self._points(self._search.before(board, powers, self._exact)[roll])

    @cached_property
    def is_free(self) -> bool:
        """Whether there is a Power, or more than one way to end the turn."""
        _, board, roll, powers = self._position
        return bool(powers) or len(self._search.boards(board, roll)) > 1

    @cached_property
    def _thoughts(self) -> list[Thought]:
        """The choices there are, the best first."""
        return sorted(_thoughts(self._search, *self._position[1:]), key=lambda thought: -thought.value)

    def options(self) -> list[Alternative]:
        """Return the choices there are, the best first."""
        return [Alternative(self._actions(thought), self._points(thought.value)) for thought in self._thoughts]

    def chosen(self, game: Any, action: str) -> Alternative:
        """Return what was decided: the board that is confirmed, a ruin, or the use of a Power."""
        decided = self._decided(game, action)
        return Alternative(self._actions(decided), self._points(decided.value))

    def _decided(self, game: Magdagdon, action: str) -> Thought:
        _, board, roll, powers = self._position
        if action.startswith("power"):
            to = _power_to(roll, action)
            known = next((one for one in self._thoughts if one.to == to), None)
            return known or Thought(_deep_use(self._search, board, to, powers), board, to)
        if action == "confirm":
            cells = game.board_if_confirmed()
        else:
            cells = tuple(
                RUIN if name == action.split(" ")[1] else cell for name, cell in zip(CELLS, game.board, strict=True)
            )
        after = board_of(cells)
        return Thought(self._search.ahead(after, powers), after)

    def _points(self, value: float) -> float:
        return value / UNIT - _paid(self._game)

    def _actions(self, thought: Thought) -> tuple[str, ...]:
        """Return the actions that do it, from whatever is staged."""
        game, actions = self._game.copy(), []
        while True:
            action = next_action(View(game, [""]), thought, self._position)
            actions.append(action)
            if EVALUATOR.decides(action):
                return tuple(actions)
            game.apply(action, _no_throw)

    # Why

    def _thought_of(self, option: Alternative) -> Thought:
        """Return what an option comes to."""
        game = self._game.copy()
        for action in option.actions[:-1]:
            game.apply(action, _no_throw)
        return self._decided(game, option.actions[-1])

    def nudge(self) -> Reason:
        """Return the Power, the die that becomes a ruin, or the row or column that the best choice cares for."""
        best = self._thoughts[0]
        if best.to is not None:
            return Reason("look-power", {})
        added = numbers_on(best.board ^ self._position.board)
        if RUIN in added.values():
            return Reason("look-ruin", {})
        ended = _completed(self._position.board, best.board)
        if ended:
            return Reason("look-line", {"line": ended[0][0]})
        return Reason(
            "look-die", {"die": max(added.values(), key=lambda value: (list(added.values()).count(value), value))}
        )

    def reason(self, option: Alternative, other: Alternative) -> Reason:
        """Return the largest difference there is between two choices that speaks for the better one."""
        one, two = self._thought_of(option), self._thought_of(other)
        difference = abs(option.value - other.value)
        if difference < LEAST["points"][0]:
            return Reason("equal", {})
        if one.to is not None or two.to is not None:
            return self._power_reason(one, two)
        sign = 1 if option.value > other.value else -1
        found = max(self._differences(one.board, two.board, sign), default=None, key=lambda one: one[0])
        if found is not None:
            return found[1]
        return Reason("average-more" if sign > 0 else "average-less", {"points": difference})

    def _power_reason(self, one: Thought, two: Thought) -> Reason:
        """Return the line that a changed die completes; else what a Power brings in beside the roll, or another one."""
        price = self._search.prices[self._position.powers] / UNIT
        values = {"price": price, "with": self._points(one.value), "without": self._points(two.value)}
        if one.to is not None and one.value > two.value and SIZE[one.to] == DICE:
            _, board, _, powers = self._position
            best = max(_thoughts(self._search, board, one.to, powers - 1, is_deep=False), key=lambda then: then.value)
            ended = _completed(board, best.board)
            if best.to is None and ended and sum(bonus for _line, bonus in _completed(board, two.board)) < ended[0][1]:
                return Reason("change", {"line": ended[0][0], "bonus": ended[0][1], "price": price})
        if one.to is not None and two.to is not None:
            return Reason("powers", values)
        if one.to is not None:
            return Reason("power", values)
        return Reason("no-power", {**values, "with": values["without"], "without": values["with"]})

    def _differences(self, one: int, two: int, sign: int) -> Iterator[tuple[float, Reason]]:
        """Yield how much speaks for one board (`sign` 1), or against it (−1), each with the reason.

        A line is only a reason where all lines together speak so, too.
        """
        mine, others = (dict(_completed(self._position.board, board)) for board in (one, two))
        more = sum(mine.values()) - sum(others.values())
        for line in {*mine, *others}:
            here, there = mine.get(line, 0), others.get(line, 0)
            if sign * more > 0 and sign * (here - there) > 0:
                code = "completes" if here > there else "misses"
                yield min(abs(here - there), abs(more)), Reason(code, {"line": line, "bonus": max(here, there)})
        outlooks = outlook(self._search.difficulty, one), outlook(self._search.difficulty, two)
        yield from self._outlooks(*outlooks, sign, more, {*mine, *others})

    def _outlooks(
        self, one: Outlook, two: Outlook, sign: int, more: int, ended: Container[int]
    ) -> Iterator[tuple[float, Reason]]:
        """Yield the same of what can be told of two boards, the first of which has got so much `more`.

        Of lines that have `ended` with a bonus on either board there is no chance to tell.
        """
        if sign * (one.fits - two.fits) > 0.015:
            yield 40 * abs(one.fits - two.fits), Reason("fits", {"chance": one.fits, "other": two.fits})
        hoped = one.hoped - two.hoped + more
        for line, (here, there) in enumerate(zip(one.chances, two.chances, strict=True)):
            difference = here.bonus * here.chance - there.bonus * there.chance
            is_alike = line not in ended and (here.bonus == there.bonus or not min(here.chance, there.chance))
            if is_alike and sign * difference > 0.5 and sign * hoped > 0.5:
                bonus = max(here.bonus, there.bonus)
                values = {"line": line, "bonus": bonus, "chance": here.chance, "other": there.chance}
                yield min(abs(difference), abs(hoped)), Reason("line", values)
        lines = len(one.straights) - len(two.straights)
        if sign * lines > 0:
            yield 8 * abs(lines), Reason("open", {"count": len(one.straights), "other": len(two.straights)})


def _no_throw(roll: str, count: int) -> tuple[int, ...]:
    raise AssertionError(roll)


def _power_to(roll: int, action: str) -> int:
    """Return the multiset that a Power leaves: a roll with a changed die, or the dice that are not thrown again.

    >>> MULTISETS[_power_to(MULTISETS.index((1, 3, 3, 6)), "power +1 3")]
    (1, 3, 4, 6)
    >>> MULTISETS[_power_to(MULTISETS.index((1, 3, 3, 6)), "power reroll 1 3")]
    (3, 6)
    """
    dice = list(MULTISETS[roll])
    word, *values = action.split(" ")[1:]
    for value in map(int, values):
        dice.remove(value)
        if word != "reroll":
            dice.append(value + int(word))
    return MULTISETS.index(tuple(sorted(dice)))


# Looking deeper


def _thoughts(found: Search, board: int, roll: int, powers: int, is_deep: bool = True) -> list[Thought]:
    """Return what can be made of a roll: the best boards and all Powers worth a thought, each with the deeper value."""
    boards = found.boards(board, roll)
    if empty_cells(board).bit_count() > found.exact and len(boards) > TOP:
        liked = sorted(boards, key=lambda one: -found.after(one, powers))
        boards = list(islice(_different(liked, bool(board)), TOP))
    thoughts = [Thought(found.ahead(one, powers), one) for one in boards]
    uses = found.uses(board, roll, powers)
    if not uses:
        return thoughts
    best = max(one.value for one in (*thoughts, *uses))
    for use in uses:
        if is_deep and use.value > best - NEAR:
            use = use._replace(value=_deep_use(found, board, _to(use), powers))
        thoughts.append(use)
    return thoughts


def _to(use: Thought) -> int:
    assert use.to is not None
    return use.to


def _deep_use(found: Search, board: int, to: int, powers: int) -> float:
    """Return what the use of a Power is worth by the deeper look, less its price.

    Of dice that are thrown again it is the mean over what can come; of a changed die the best that can be made of it.
    """
    exact, price = empty_cells(board).bit_count() <= found.exact, found.prices[powers]
    if SIZE[to] < DICE or exact:
        return found.before(board, powers - 1, exact)[to] - price
    return max(one.value for one in _thoughts(found, board, to, powers - 1, is_deep=False)) - price


def _different(boards: Sequence[int], all_of_them: bool) -> Iterator[int]:
    """Yield boards; of those that a symmetry maps onto each other only the first, unless all are wanted."""
    seen = set()
    for board in boards:
        form = board if all_of_them else _form(board)
        if form not in seen:
            seen.add(form)
            yield board


def _form(board: int) -> tuple[int, ...]:
    """Return what is the same for all boards that a symmetry maps onto each other."""
    cells = [board >> 3 * cell & 7 for cell in range(16)]
    return min(tuple(cells[cell] for cell in places) for places in SYMMETRIES)


SYMMETRIES = tuple(
    tuple((column if turned else row) * 4 + (row if turned else column) for row in rows for column in columns)
    for turned in (False, True)
    for rows in (range(4), range(3, -1, -1))
    for columns in (range(4), range(3, -1, -1))
)


# What can be told of a board


def _completed(before: int, after: int) -> list[tuple[int, int]]:
    """Return the lines that got a bonus, with it, the largest first."""
    found = []
    for line, shift in enumerate(SHIFTS):
        bonus = BONUSES[after >> shift & LINE - 1]
        if bonus and not BONUSES[before >> shift & LINE - 1]:
            found.append((line, bonus))
    return sorted(found, key=lambda one: -one[1])


class LineChance(NamedTuple):
    """The chance that the next roll can complete a line with its best bonus: of those worth most."""

    bonus: int
    chance: float


class Outlook(NamedTuple):
    """What can be told of a board at the end of a turn."""

    fits: float
    """The chance that the next roll can be placed, without a Power."""
    chances: tuple[LineChance, ...]
    """For each line what the next roll can complete it with."""
    straights: tuple[int, ...]
    """The lines that can still become straights."""

    @property
    def hoped(self) -> float:
        """What the next roll can be hoped to complete, in points: each line by itself."""
        return sum(one.bonus * one.chance for one in self.chances)


@lru_cache(64)
def outlook(difficulty: str, board: int) -> Outlook:
    """Return what can be told of a board at the end of a turn.

    >>> outlook("survival", board_of((2, 3, 4, 0) + (0,) * 12)).chances[0]
    LineChance(bonus=60, chance=0.5177469135802469)
    """
    empty = empty_cells(board).bit_count()
    holding = [0] * len(MULTISETS)
    open_lines = [(line, shift) for line, shift in enumerate(SHIFTS) if 0 in _line(board, shift)]
    rolls: dict[tuple[int, int], int] = {}

    def found(dice: int, after: int) -> None:
        holding[dice] = 1
        for line, shift in open_lines:
            bonus = BONUSES[after >> shift & LINE - 1]
            if bonus:
                rolls[line, bonus] = rolls.get((line, bonus), 0) | HOLDING[dice]

    if empty:
        each_set(board, ANY, min(DIFFICULTIES[difficulty].minimum, empty), found)
    fitting = 0
    for dice, is_found in enumerate(holding):
        if is_found:
            fitting |= HOLDING[dice]
    return Outlook(_chance(fitting), tuple(_best_chance(rolls, line) for line in range(len(SHIFTS))), _straights(board))


def _best_chance(rolls: dict[tuple[int, int], int], line: int) -> LineChance:
    known = [LineChance(bonus, _chance(mask)) for (of, bonus), mask in rolls.items() if of == line]
    return max(known, key=lambda one: one.bonus * one.chance, default=LineChance(0, 0.0))


def _chance(rolls: int) -> float:
    return float(rolls.bit_count() / 6**DICE)


def _line(board: int, shift: int) -> tuple[int, ...]:
    return tuple(board >> shift + 3 * at & 7 for at in range(4))


def _straights(board: int) -> tuple[int, ...]:
    """Return the lines that are not full and in which a straight still fits: beside what stands there and around it."""
    found = []
    for line, cells in enumerate(LINES):
        numbers = _line(board, SHIFTS[line])
        if 0 in numbers and any(
            all(
                number == value or (not number and not board >> BLOCKED + 6 * cell + value - 1 & 1)
                for number, value, cell in zip(numbers, straight, cells, strict=True)
            )
            for straight in STRAIGHTS
        ):
            found.append(line)
    return tuple(found)
