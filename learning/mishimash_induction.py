"""The induction over a turn of MISHIMASH, compiled: values of every state, and what best play brings in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from cubiri_cli.games.mishimash import DICE, MISHIMASH_BONUS
from cubiri_cli.players.mishimash_turn import outcomes

ROLLS, BONUSES = 34, 12
"""A turn is cut after so many rolls and MISHIMASHes: it is banked there."""


def _flat() -> tuple[np.ndarray, ...]:
    """Return all outcomes of all rolls in one row: where those of n dice begin; of each its count and options."""
    begins, counts, opens, lefts, worths = [0, 0], [], [0], [], []
    for dice in range(1, DICE + 1):
        for count, options in outcomes(dice):
            counts.append(count)
            lefts += [option.left for option in options]
            worths += [option.worth for option in options]
            opens.append(len(lefts))
        begins.append(len(counts))
    return tuple(np.array(row, dtype=np.int64) for row in (begins, counts, opens, lefts, worths))


BEGINS, COUNTS, OPENS, LEFTS, WORTHS = _flat()


@njit(cache=True)
def _fewest(last):
    """Return the fewest points at risk with which each state can be reached; `last` where it cannot below that."""
    low = np.full((ROLLS + 1, BONUSES + 1, DICE + 1), last)
    low[0, 0, DICE] = 0
    for n in range(ROLLS):
        for k in range(BONUSES + 1):
            for d in range(1, DICE + 1):
                if low[n, k, d] >= last:
                    continue
                for o in range(OPENS[BEGINS[d]], OPENS[BEGINS[d + 1]]):
                    left, p, m = LEFTS[o], low[n, k, d] + WORTHS[o] * (n + 1), k
                    if left == 0:
                        left, m, p = DICE, k + 1, p + MISHIMASH_BONUS * (k + 1)
                    if m <= BONUSES and p < low[n + 1, m, left]:
                        low[n + 1, m, left] = p
    return low


@njit(cache=True)
def _offer(row, chances, shift, payoff, slope, begin, last, best, risk):
    """Raise `best` to what an option offers, `shift` half-points further on; `risk` follows."""
    end = max(begin, last - shift)
    for p in range(begin, end):
        better = row[p + shift] > best[p]
        best[p] = row[p + shift] if better else best[p]
        risk[p] = chances[p + shift] if better else risk[p]
    for p in range(end, last):
        value = payoff[last] + slope * (p + shift - last)
        risk[p] = 0.0 if value > best[p] else risk[p]
        best[p] = max(value, best[p])


@njit(cache=True)
def _roll(n, k, d, begin, payoff, slope, bust, last, values, busts, nothing, best, risk):
    """Fill the row of one kind of state from `begin` on with what rolling on is worth."""
    total, lost = values[n, k, d], busts[n, k, d]
    total[begin:], lost[begin:] = 0.0, 0.0
    for g in range(BEGINS[d], BEGINS[d + 1]):
        best[begin:], risk[begin:] = -1e300, 0.0
        if OPENS[g] == OPENS[g + 1]:
            best[begin:], risk[begin:] = bust, 1.0
        for o in range(OPENS[g], OPENS[g + 1]):
            left, shift, m = LEFTS[o], WORTHS[o] * (n + 1), k
            if left == 0:
                left, m, shift = DICE, k + 1, shift + MISHIMASH_BONUS * (k + 1)
            if m > BONUSES:
                _offer(nothing, nothing, last, payoff, slope, begin, last, best, risk)
            else:
                _offer(values[n + 1, m, left], busts[n + 1, m, left], shift, payoff, slope, begin, last, best, risk)
        for p in range(begin, last):
            total[p] += COUNTS[g] * best[p]
            lost[p] += COUNTS[g] * risk[p]
    for p in range(begin, last):
        total[p] /= 6**d
        lost[p] /= 6**d


@njit(cache=True)
def solve(payoff, slope, bust, last, values, busts):
    """Fill `values[rolls, mishimashes, dice, points]` with what a state is worth, `busts` with its chance to be lost.

    Banking p half-points is worth `payoff[p]`, and from `last` on `slope` more for each; there every turn is banked.
    """
    low = _fewest(last)
    nothing, best, risk = np.zeros(last), np.empty(last), np.empty(last)
    for n in range(ROLLS, -1, -1):
        for k in range(BONUSES + 1):
            for d in range(1, DICE + 1):
                begin = low[n, k, d]
                if begin >= last:
                    continue
                if n < ROLLS:
                    _roll(n, k, d, begin, payoff, slope, bust, last, values, busts, nothing, best, risk)
                for p in range(begin, last):
                    if n == ROLLS or (n and payoff[p] >= values[n, k, d, p]):
                        values[n, k, d, p], busts[n, k, d, p] = payoff[p], 0.0


@njit(cache=True)
def gains(payoff, slope, last, values, most):
    """Return the chances to bank 0 (a bust), 1, … `most` half-points (or more) in a turn played by `values`."""
    found = np.zeros(most + 1)
    here = np.zeros((BONUSES + 1, DICE + 1, last))
    here[0, DICE, 0] = 1.0
    for n in range(ROLLS + 1):
        following = np.zeros((BONUSES + 1, DICE + 1, last))
        for k in range(BONUSES + 1):
            for d in range(1, DICE + 1):
                for p in range(last):
                    chance = here[k, d, p]
                    if chance == 0.0:
                        continue
                    if n and values[n, k, d, p] <= payoff[p]:
                        found[min(p, most)] += chance
                        continue
                    for g in range(BEGINS[d], BEGINS[d + 1]):
                        part = chance * COUNTS[g] / 6**d
                        if OPENS[g] == OPENS[g + 1]:
                            found[0] += part
                            continue
                        best, to_left, to_m, to_q = -1e300, 0, 0, 0
                        for o in range(OPENS[g], OPENS[g + 1]):
                            left, q, m = LEFTS[o], p + WORTHS[o] * (n + 1), k
                            if left == 0:
                                left, m, q = DICE, k + 1, q + MISHIMASH_BONUS * (k + 1)
                            if q >= last or m > BONUSES:
                                value = payoff[min(q, last)] + slope * max(0, q - last)
                            else:
                                value = values[n + 1, m, left, q]
                            if value > best:
                                best, to_left, to_m, to_q = value, left, m, q
                        if to_q >= last or to_m > BONUSES:
                            found[min(to_q, most)] += part
                        else:
                            following[to_m, to_left, to_q] += part
        here = following
    return found


class Workspace(NamedTuple):
    """Room for the states of a turn of up to so many half-points: used again and again."""

    values: np.ndarray
    busts: np.ndarray

    @classmethod
    def of(cls, last: int) -> Workspace:
        """Return room for turns of less than `last` half-points."""
        shape = (ROLLS + 1, BONUSES + 1, DICE + 1, last)
        return cls(np.zeros(shape), np.zeros(shape))

    def turn(self, payoff: np.ndarray, bust: float, slope: float = 0.0) -> tuple[float, float]:
        """Return the value of a whole turn and its chance to be lost; all states stay in the workspace."""
        last = len(payoff) - 1
        solve(payoff, slope, bust, last, self.values, self.busts)
        return self.values[0, 0, DICE, 0], self.busts[0, 0, DICE, 0]

    def gains(self, payoff: np.ndarray, most: int, slope: float = 0.0) -> np.ndarray:
        """Return the chances of what the turn solved last brings in, as `gains`."""
        return gains(payoff, slope, len(payoff) - 1, self.values, most)
