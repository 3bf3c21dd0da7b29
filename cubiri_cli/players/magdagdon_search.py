"""Thinking ahead in MAGDAGDON: what a board is worth before its roll, and the best that a roll can be made of.

Values are units of the network (`UNIT` to a point): what the game will score in the end, before the price of the Powers
used so far. What is called *after* is a board at the end of a turn, *before* the same board seen over all its rolls.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.games.magdagdon import DICE, DIFFICULTIES
from cubiri_cli.players.magdagdon_board import (
    ANY,
    CHANGED,
    INSIDE,
    LEFT,
    MORE,
    MULTISETS,
    ROLLS,
    SIZE,
    WAYS,
    each_set,
    empty_cells,
    with_ruin,
)
from cubiri_cli.players.magdagdon_network import PAIR, UNIT, networks

if TYPE_CHECKING:
    from cubiri_cli.players.magdagdon_network import Network

NEVER = -(10**9)
"""The value of what cannot be."""


class Thought(NamedTuple):
    """Something a roll can be made of, and its value: a board at the end of the turn, or a Power."""

    value: float
    board: int
    """The board, with its dice or its ruin; where a Power is used, the board as it is."""
    to: int | None = None
    """The multiset that a Power leaves: a roll with a changed die, or the dice that are not thrown again."""


class Search:
    """The thoughts of a difficulty.

    With at most `exact` cells empty, a board is seen to the end of the game, not as the network sees it.
    """

    def __init__(self, difficulty: str, exact: int = 3) -> None:
        self.difficulty = difficulty
        self.minimum, prices = DIFFICULTIES[difficulty]
        self.prices = (0, *(UNIT * price for price in reversed(prices)))
        """The price of a Power by how many are left."""
        self.exact = exact
        self._befores = lru_cache(256)(self._before_with)
        self.expected = lru_cache(50_000)(self._expected)

    @cached_property
    def networks(self) -> tuple[Network, ...]:
        """The networks by the number of Powers left."""
        return networks(self.difficulty)

    def after(self, board: int, powers: int, exact: bool = False) -> float:
        """Return the value of a board at the end of a turn, by the network or exactly."""
        empty = empty_cells(board).bit_count()
        if exact and empty:
            return float(self.expected(board, powers, True))
        return self.networks[powers].stages[empty].value(board)

    def ahead(self, board: int, powers: int) -> float:
        """Return the value of a board at the end of a turn, seen over all its rolls, or exactly."""
        empty = empty_cells(board).bit_count()
        return float(self.expected(board, powers, empty <= self.exact)) if empty else self.after(board, powers)

    def _expected(self, board: int, powers: int, exact: bool) -> float:
        """Return the value of a board before its roll."""
        if powers:
            return float(self.before(board, powers, exact)[0])
        best = self._best_sets(board, 0, exact)[0]
        # From the best set down: each is made of the rolls that hold it, and nothing better.
        total, rolls = 0.0, _ALL_ROLLS
        for value, holding in sorted(zip(best, HOLDING, strict=True), reverse=True):
            if value == NEVER or not rolls:
                break
            now = rolls & holding
            total += value * now.bit_count()
            rolls ^= now
        if rolls:
            total += self._ruin(board, powers, exact) * rolls.bit_count()
        return float(total / _ALL_ROLLS.bit_count())

    def _ruin(self, board: int, powers: int, exact: bool) -> float:
        return max(self.after(following, powers, exact) for following in with_ruin(board))

    def before(self, board: int, powers: int, exact: bool) -> list[float]:
        """Return the value of a board before its roll for each multiset of dice that lies there already; 0: for none.

        Of a roll that is the best it can be made of.
        """
        return self._befores(board, powers, exact)[powers]

    def _before_with(self, board: int, powers: int, exact: bool) -> list[list[float]]:
        """Return the same for each number of Powers up to so many."""
        befores: list[list[float]] = []
        for left, best in enumerate(self._best_sets(board, powers, exact)):
            ruin, price = self._ruin(board, left, exact), self.prices[left]
            found: list[float] = [NEVER] * len(MULTISETS)
            for roll in ROLLS:
                worth = max([best[inside] for inside in INSIDE[roll]])
                if worth == NEVER:
                    worth = ruin
                if left:
                    fewer = befores[-1]
                    worth = max(worth, max([fewer[to] for to in _POWERS[roll]]) - price)
                found[roll] = worth
            for kept in range(ROLLS[0] - 1, -1, -1):
                found[kept] = sum([found[one] for one in MORE[kept][1:]]) / 6
            befores.append(found)
        return befores

    def _best_sets(self, board: int, powers: int, exact: bool) -> list[list[float]]:
        """Return for each number of Powers up to so many, and each multiset, the value of the best board it can make.

        `NEVER` where it can make none.
        """
        bests: list[list[float]] = [[NEVER] * len(MULTISETS) for _ in range(powers + 1)]
        empty = empty_cells(board).bit_count()
        least = min(self.minimum, empty)
        if exact:

            def note(dice: int, board: int) -> None:
                for left, best in enumerate(bests):
                    best[dice] = max(best[dice], self.after(board, left, True))

            each_set(board, ANY, least, note)
            return bests
        nets = [(self.networks[left].stages, best) for left, best in enumerate(bests)]
        stages = [[(*found[max(0, empty - size)], best) for found, best in nets] for size in SIZE]

        def found(dice: int, board: int) -> None:
            # The value of a board, written out: this is where the time goes.
            a, b, c = board & PAIR, board >> 12 & PAIR, board >> 24 & PAIR
            d, e, f = board >> 48 & PAIR, board >> 60 & PAIR, board >> 72 & PAIR
            for first, middle, last, best in stages[dice]:
                value = first[a] + middle[b] + last[c] + first[d] + middle[e] + last[f]
                if value > best[dice]:
                    best[dice] = value

        each_set(board, ANY, least, found)
        return bests

    def boards(self, board: int, roll: int) -> list[int]:
        """Return the boards in which a turn with this roll can end without a Power."""
        least = min(self.minimum, empty_cells(board).bit_count())
        found: list[int] = []
        each_set(board, LEFT[roll], least, lambda dice, following: found.append(following))
        return found or list(with_ruin(board))

    def uses(self, board: int, roll: int, powers: int) -> list[Thought]:
        """Return what a Power can make of a roll, with what each is worth less its price."""
        if not powers:
            return []
        exact = empty_cells(board).bit_count() <= self.exact
        fewer, price = self.before(board, powers - 1, exact), self.prices[powers]
        return [Thought(fewer[to] - price, board, to) for to in _POWERS[roll]]

    def choices(self, board: int, roll: int, powers: int, top: int) -> list[Thought]:
        """Return what can be made of a roll, best first: all Powers, and the `top` boards seen over all their rolls."""
        boards = self.boards(board, roll)
        near = nlargest(top, boards, key=lambda one: self.after(one, powers)) if len(boards) > top else boards
        found = [Thought(self.ahead(one, powers), one) for one in near]
        return sorted([*found, *self.uses(board, roll, powers)], key=lambda choice: -choice.value)


_POWERS = {roll: (*INSIDE[roll][:-1], *CHANGED[roll]) for roll in ROLLS}


def _holding() -> tuple[int, ...]:
    """Return for each multiset the rolls that hold it: a bit for each of the 6⁴, in any order but always the same."""
    masks, at = [0] * len(MULTISETS), 0
    for roll in ROLLS:
        bits = (1 << WAYS[roll]) - 1 << at
        at += WAYS[roll]
        for inside in INSIDE[roll]:
            masks[inside] |= bits
    return tuple(masks)


HOLDING = _holding()
_ALL_ROLLS: int = (1 << 6**DICE) - 1
