"""MAGDAGDON, compiled: boards, the sets a turn can end in, the network, and games of a player against the dice.

A board is 16 cells in reading order (0 empty, 1–6, 7 a ruin). The network says what a board at the end of a turn will
score in the end: the sum of numbers from tables, one for each of 20 parts of the board. Parts that a symmetry of the
board maps onto each other share their table; each stage of the game has tables of its own.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import factorial

import numpy as np
from numba import njit

from cubiri_cli.games.magdagdon import NEIGHBOURS, line_bonus

EMPTY, RUIN = 0, 7
STAGES = 6
STAGE_OF = np.array([6, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5])
"""The stage by the number of empty cells; of a full board the one behind all others, which is exact."""

# Tables of a stage, one after the other: rectangles at the edge, rectangles in the middle, outer lines, inner lines.
EDGE, MIDDLE, OUTER, INNER = 0, 8**6, 2 * 8**6, 2 * 8**6 + 8**4
SIZE = 2 * 8**6 + 2 * 8**4
PARTS = 20

NEAR = np.full((16, 4), -1)
for _cell, _others in enumerate(NEIGHBOURS):
    NEAR[_cell, : len(_others)] = _others

# The multisets of at most four dice: M of them, numbered; the empty one is 0.
_SETS = [dice for count in range(5) for dice in combinations_with_replacement(range(1, 7), count)]
_NUMBER = {dice: number for number, dice in enumerate(_SETS)}
SETS = len(_SETS)
SIZES = np.array([len(dice) for dice in _SETS])
FIRST_ROLL = int(np.searchsorted(SIZES, 4))
"""The multisets from here on are rolls."""
MORE = np.full((SETS, 7), -1)
"""The multiset with one more die of a value."""
for _dice, _number in _NUMBER.items():
    for _value in range(1, 7):
        if len(_dice) < 4:
            MORE[_number, _value] = _NUMBER[tuple(sorted((*_dice, _value)))]
COUNTS = np.array([[dice.count(value) for value in range(7)] for dice in _SETS])
WAYS = np.array([factorial(4) // np.prod([factorial(dice.count(value)) for value in range(1, 7)]) for dice in _SETS])
PARTS_OF = np.full((SETS, 16), -1)
"""The multisets a roll contains, itself left out."""
CHANGED = np.full((SETS, 8), -1)
"""The rolls into which a Power of one pip changes a roll."""
for _dice, _number in _NUMBER.items():
    if len(_dice) == 4:
        _inside = sorted({_NUMBER[tuple(d for i, d in enumerate(_dice) if mask >> i & 1)] for mask in range(15)})
        PARTS_OF[_number, : len(_inside)] = _inside
        _changes = sorted(
            {
                _NUMBER[tuple(sorted((*_dice[:i], _dice[i] + step, *_dice[i + 1 :])))]
                for i in range(4)
                for step in (-1, 1)
                if 1 <= _dice[i] + step <= 6
            }
        )
        CHANGED[_number, : len(_changes)] = _changes


def _line_scores() -> np.ndarray:
    """Return for every line of four cells what it scores; half of each ruin's penalty."""
    found = np.zeros(8**4)
    for code in range(8**4):
        line = tuple(code >> 3 * i & 7 for i in range(4))
        numbers = sum(value for value in line if value != RUIN)
        found[code] = numbers + line_bonus(line) - 7.5 * line.count(RUIN)
    return found


LINE_SCORES = _line_scores()


@njit(cache=True)
def put(board, codes, cell, number):
    """Put a number or a ruin on an empty cell, or take it off again with the negative number.

    `codes` are the eight lines, three bits a cell, then the same read backwards.
    """
    board[cell] += number
    row, column = cell >> 2, cell & 3
    codes[row] += number << 3 * column
    codes[4 + column] += number << 3 * row
    codes[8 + row] += number << 9 - 3 * column
    codes[12 + column] += number << 9 - 3 * row


@njit(cache=True)
def parts(codes, found):
    """Fill `found` with the places of a board's 20 numbers in the tables of its stage."""
    at = 0
    for o in (0, 4):  # rows, then columns
        one, two = codes[o + 1], codes[o + 2]
        for outer, inner in ((o, o + 1), (o + 3, o + 2)):
            found[at] = EDGE + (codes[outer] & 511 | (codes[inner] & 511) << 9)
            found[at + 1] = EDGE + (codes[8 + outer] & 511 | (codes[8 + inner] & 511) << 9)
            found[at + 2] = OUTER + min(codes[outer], codes[8 + outer])
            found[at + 3] = INNER + min(codes[inner], codes[8 + inner])
            at += 4
        # What mirror images share stands at the smaller of their places.
        found[at] = MIDDLE + (min(one & 511, two & 511) | max(one & 511, two & 511) << 9)
        one, two = codes[8 + o + 1] & 511, codes[8 + o + 2] & 511
        found[at + 1] = MIDDLE + (min(one, two) | max(one, two) << 9)
        at += 2


@njit(cache=True)
def score(codes):
    """Return what a board scores now."""
    total = 0.0
    for line in range(8):
        total += LINE_SCORES[codes[line]]
    return total


@njit(cache=True)
def value_at(net, codes, empty, places):
    """Return what a board will score in the end, before Powers, given the places of its parts."""
    if empty == 0:
        return score(codes)
    table = net[STAGE_OF[empty]]
    total = 0.0
    for place in places:
        total += table[place]
    return total


@njit(cache=True)
def value(net, codes, empty, places):
    """Return what a board at the end of a turn will score in the end, before Powers."""
    parts(codes, places)
    return value_at(net, codes, empty, places)


@njit(cache=True)
def learn(net, codes, empty, places, target, step):
    """Move the value of a board towards a target by the part `step`."""
    error = target - value(net, codes, empty, places)
    shared = 0
    for i in range(PARTS):
        for j in range(PARTS):
            shared += places[i] == places[j]
    table = net[STAGE_OF[empty]]
    change = step * error / shared
    for place in places:
        table[place] += change
    return error


@njit(cache=True)
def fits(board, cell, number):
    """Tell whether a number differs by at most 1 from all that touch a cell."""
    for other in NEAR[cell]:
        if other < 0:
            break
        there = board[other]
        if there != EMPTY and there != RUIN and abs(there - number) > 1:
            return False
    return True


@njit(cache=True)
def touches(board, cell):
    """Tell whether a cell touches a number."""
    for other in NEAR[cell]:
        if other < 0:
            break
        if board[other] != EMPTY and board[other] != RUIN:
            return True
    return False


@njit(cache=True)
def keep(board, seemed, chosen, noise):
    """Put a board in its place among those that seem best, if it is one of them: as many as there is room for."""
    at = len(noise)
    while at and seemed > noise[at - 1]:
        at -= 1
        if at + 1 < len(noise):
            noise[at + 1] = noise[at]
            chosen[at + 1] = chosen[at]
        noise[at] = seemed
        chosen[at] = board


# Sets. Each connected set is met once (Redelmeier): a cell that is looked at is taken with one of the numbers, or left
# out for good; what touches a taken cell is looked at later.


@njit("void(i8[:],i8[:],i8[:],i8,i8,i8[:],i8,i8,i8,i8,f4[:,:,:],i8,f8[:,:],i8[:,:],f8[:],i8[:],f8,i8[:])", cache=True)
def _grow(
    board,
    codes,
    todo,
    begin,
    end,
    counts,
    known,
    taken,
    least,
    empty,
    nets,
    own,
    best,
    chosen,
    noise,
    places,
    temper,
    sets,
):
    """Look at the cells `todo[begin:end]`; `known` are the cells that were ever in it, as bits.

    `counts` says how many dice of each value are left; `taken` is the multiset so far. The best value of each multiset
    goes to `best[power, multiset]`, for all networks given. Where `temper` is not negative, the boards that seem best
    to the network `own` with noise of that scale go to `chosen`, and how good they seemed to `noise`: as many as there
    is room for.
    """
    for at in range(begin, end):
        cell = todo[at]
        added = end
        seen = known
        for other in NEAR[cell]:
            if other < 0:
                break
            if board[other] == EMPTY and not seen >> other & 1:
                todo[added] = other
                added += 1
                seen |= 1 << other
        for number in range(1, 7):
            if counts[number] == 0 or not fits(board, cell, number):
                continue
            put(board, codes, cell, number)
            counts[number] -= 1
            more = MORE[taken, number]
            if SIZES[more] >= least:
                sets[0] += 1
                parts(codes, places)
                for power in range(len(nets)):
                    worth = value_at(nets[power], codes, empty - 1, places)
                    if worth > best[power, more]:
                        best[power, more] = worth
                    if power == own and temper >= 0.0:
                        seemed = worth
                        if temper > 0.0:
                            seemed -= temper * np.log(-np.log(np.random.random()))
                        keep(board, seemed, chosen, noise)
            if SIZES[more] < 4 and added > at + 1:
                _grow(
                    board,
                    codes,
                    todo,
                    at + 1,
                    added,
                    counts,
                    seen,
                    more,
                    least,
                    empty - 1,
                    nets,
                    own,
                    best,
                    chosen,
                    noise,
                    places,
                    temper,
                    sets,
                )
            put(board, codes, cell, -number)
            counts[number] += 1


@njit(cache=True)
def all_sets(board, codes, counts, least, nets, own, best, chosen, noise, places, temper, sets):
    """Fill `best[power, multiset]` for all sets that the dice in `counts` can end in; `chosen` as in `_grow`."""
    empty, numbers = 0, 0
    for cell in range(16):
        empty += board[cell] == EMPTY
        numbers += board[cell] != EMPTY and board[cell] != RUIN
    best[:] = -1e9
    noise[:] = -1e9
    # With numbers on the board, sets grow from all cells that touch them; the first numbers may lie anywhere (R3), and
    # each set is met from the first of its cells on.
    begun = np.empty(16, np.int64)
    end = known = 0
    for cell in range(16):
        if board[cell] == EMPTY and (numbers == 0 or touches(board, cell)):
            begun[end] = cell
            end += 1
    together = end if numbers else 1
    todo = np.empty(64, np.int64)
    for first in range(0, end, max(1, together)):
        for at in range(together):
            todo[at] = begun[first + at]
            known |= 1 << begun[first + at]
        _grow(
            board,
            codes,
            todo,
            0,
            together,
            counts,
            known,
            0,
            least,
            empty,
            nets,
            own,
            best,
            chosen,
            noise,
            places,
            temper,
            sets,
        )


@njit(cache=True)
def best_ruin(board, codes, empty, nets, power, places, chosen):
    """Return the value of the best ruin; the board with it goes to `chosen`."""
    best = -1e9
    for cell in range(16):
        if board[cell] == EMPTY:
            put(board, codes, cell, RUIN)
            worth = value(nets[power], codes, empty - 1, places)
            if worth > best:
                best = worth
                chosen[0] = board
            put(board, codes, cell, -RUIN)
    return best


ALL = np.full(7, 4)
"""Dice enough for any roll."""


@njit(cache=True)
def turn_values(board, codes, empty, power, minimum, prices, nets, best, worth, places, chosen, noise, sets):
    """Fill `worth[power, multiset]` for this and fewer Powers: the value with a roll, before it with the dice kept.

    A multiset of less than four dice is what is kept while the others are still to be thrown; 0: the turn begins.
    """
    least = min(minimum, empty)
    all_sets(board, codes, ALL.copy(), least, nets[: power + 1], 0, best, chosen, noise, places, -1.0, sets)
    for p in range(power + 1):
        ruin = best_ruin(board, codes, empty, nets, p, places, chosen)
        for roll in range(FIRST_ROLL, SETS):
            found = best[p, roll]
            for inside in PARTS_OF[roll]:
                if inside < 0:
                    break
                found = max(found, best[p, inside])
            if found == -1e9:
                found = ruin
            if p:
                for inside in PARTS_OF[roll]:
                    if inside < 0:
                        break
                    found = max(found, worth[p - 1, inside] - prices[p])
                for changed in CHANGED[roll]:
                    if changed < 0:
                        break
                    found = max(found, worth[p - 1, changed] - prices[p])
            worth[p, roll] = found
        for kept in range(FIRST_ROLL - 1, -1, -1):
            total = 0.0
            for number in range(1, 7):
                total += worth[p, MORE[kept, number]]
            worth[p, kept] = total / 6


@njit(cache=True)
def follow(board, codes, chosen):
    """Make the board the chosen one; return how many cells are empty."""
    empty = 0
    for cell in range(16):
        if board[cell] != chosen[cell]:
            put(board, codes, cell, chosen[cell])
        empty += chosen[cell] == EMPTY
    return empty


@njit(cache=True)
def throw(kept):
    """Return a roll of which the dice `kept` stay."""
    while SIZES[kept] < 4:
        kept = MORE[kept, np.random.randint(1, 7)]
    return kept


@njit(cache=True)
def learn_from_roll(board, codes, empty, most, prices, nets, best, places, chosen, targets, step):
    """Have all networks learn from the roll whose best sets are in `best`; `targets` is room for what each learns."""
    for p in range(most + 1):
        targets[p] = best[p].max()
        if targets[p] == -1e9:
            targets[p] = best_ruin(board, codes, empty, nets, p, places, chosen)
        if p:
            targets[p] = max(targets[p], value(nets[p - 1], codes, empty, places) - prices[p])
    for p in range(most + 1):
        learn(nets[p], codes, empty, places, targets[p], step)


@njit(cache=True)
def train(nets, minimum, prices, most, games, step, temper, full, seed):
    """Play games against the dice and learn from them; return the sum of the scores.

    With at most `full` cells empty, a board is learnt from all rolls; with more, from the roll at hand. All networks
    learn, whatever Powers are left in the game. Half of the games begin with all Powers, the others with any number.
    `temper` is the scale of the noise with which boards are chosen.
    """
    np.random.seed(seed)
    places = np.empty(PARTS, np.int64)
    best, worth, targets = np.empty((4, SETS)), np.empty((4, SETS)), np.empty(4)
    noise, sets = np.empty(1), np.zeros(1, np.int64)
    chosen, board, codes = np.zeros((1, 16), np.int64), np.zeros(16, np.int64), np.zeros(16, np.int64)
    scores = 0.0
    for _ in range(games):
        board[:], codes[:] = 0, 0
        power, empty, paid = most, 16, 0
        if np.random.random() < 0.5:
            power = np.random.randint(0, most + 1)
        while empty:
            wide = empty <= full
            least = min(minimum, empty)
            if wide:
                turn_values(board, codes, empty, most, minimum, prices, nets, best, worth, places, chosen, noise, sets)
                for p in range(most + 1):
                    learn(nets[p], codes, empty, places, worth[p, 0], step)
            use = 0
            while use >= 0:
                roll = throw(use)
                all_sets(
                    board, codes, COUNTS[roll].copy(), least, nets, power, best, chosen, noise, places, temper, sets
                )
                target, use = best[power].max(), -1
                if target == -1e9:
                    target = best_ruin(board, codes, empty, nets, power, places, chosen)
                if power and wide:
                    for inside in PARTS_OF[roll]:
                        if inside >= 0 and worth[power - 1, inside] - prices[power] > target:
                            target, use = worth[power - 1, inside] - prices[power], inside
                    for changed in CHANGED[roll]:
                        if changed >= 0 and worth[power - 1, changed] - prices[power] > target:
                            target, use = worth[power - 1, changed] - prices[power], changed
                elif power and value(nets[power - 1], codes, empty, places) - prices[power] > target:
                    use = 0
                if not wide:
                    meant = chosen[0].copy()
                    learn_from_roll(board, codes, empty, most, prices, nets, best, places, chosen, targets, step)
                    chosen[0] = meant
                if use >= 0:
                    paid += prices[power]
                    power -= 1
            empty = follow(board, codes, chosen[0])
        scores += score(codes) - paid
    return scores


@njit(cache=True)
def ahead(board, codes, power, minimum, prices, nets, best, worth, places, chosen, noise, sets):
    """Return the value of a board at the end of a turn, seen over all its rolls."""
    empty = 0
    for cell in range(16):
        empty += board[cell] == EMPTY
    if empty == 0:
        return score(codes)
    turn_values(board, codes, empty, power, minimum, prices, nets, best, worth, places, chosen, noise, sets)
    return worth[power, 0]


@njit(cache=True)
def candidates(board, codes, empty, roll, power, minimum, nets, room):
    """Fill the room with the best boards that a roll can end in without a Power, and what the network says of them."""
    best, _, places, noise, chosen, sets, _, _ = room
    least = min(minimum, empty)
    all_sets(board, codes, COUNTS[roll].copy(), least, nets[power:], 0, best, chosen, noise, places, 0.0, sets)
    if noise[0] > -1e9:
        return
    for cell in range(16):
        if board[cell] == EMPTY:
            put(board, codes, cell, RUIN)
            seemed = value(nets[power], codes, empty - 1, places)
            keep(board, seemed, chosen, noise)
            put(board, codes, cell, -RUIN)


@njit(cache=True)
def look(power, minimum, prices, nets, room):
    """See the candidates over all their rolls; return the value of the best, which comes first in the room."""
    best, worth, places, noise, chosen, sets, other, lines = room
    seen, boards, target = noise.copy(), chosen.copy(), -1e9
    for at in range(len(seen)):
        if seen[at] == -1e9:
            break
        other[:], lines[:] = 0, 0
        follow(other, lines, boards[at])
        found = ahead(other, lines, power, minimum, prices, nets, best, worth, places, chosen, noise, sets)
        if found > target:
            target = found
            boards[0] = boards[at]
    chosen[0] = boards[0]
    return target


@njit(cache=True)
def decide(board, codes, empty, roll, power, minimum, prices, nets, top, fewer, room):
    """Make the best of a roll: the chosen board stands first in the room; return what a Power keeps, or -1 for none.

    The best `top` boards are seen over all their rolls; with 0 the network's best is taken. `fewer` is what each
    multiset is worth with a Power less.
    """
    candidates(board, codes, empty, roll, power, minimum, nets, room)
    target, use = room[3][0], -1
    if top:
        target = look(power, minimum, prices, nets, room)
    if power:
        if fewer[0] - prices[power] > target:
            target, use = fewer[0] - prices[power], 0
        for number in range(24):
            to = PARTS_OF[roll, number] if number < 16 else CHANGED[roll, number - 16]
            if to >= 0 and fewer[to] - prices[power] > target:
                target, use = fewer[to] - prices[power], to
    return use


@njit(cache=True)
def play(nets, minimum, prices, most, games, top, seed, start):
    """Return the scores of games in which each turn is decided as `decide` does, and the same without the luck.

    They begin with the board `start`.

    The luck of a roll is what the network says with it beyond what it says before it: its mean is 0, whatever it says.
    """
    np.random.seed(seed)
    kept = max(top, 1)
    room = (
        np.empty((4, SETS)),
        np.empty((4, SETS)),
        np.empty(PARTS, np.int64),
        np.empty(kept),
        np.zeros((kept, 16), np.int64),
        np.zeros(1, np.int64),
        np.zeros(16, np.int64),
        np.zeros(16, np.int64),
    )
    best, _, places, noise, chosen, sets, _, _ = room
    board, codes, worth, first = (
        np.zeros(16, np.int64),
        np.zeros(16, np.int64),
        np.empty((4, SETS)),
        np.empty((4, SETS)),
    )
    empty = follow(board, codes, start)
    turn_values(board, codes, empty, most, minimum, prices, nets, best, first, places, chosen, noise, sets)
    scores = np.zeros((2, games))
    for game in range(games):
        board[:], codes[:] = 0, 0
        power, empty, paid, luck = most, follow(board, codes, start), 0, 0.0
        begun = empty
        while empty:
            if empty == begun:
                worth[:] = first
            else:
                turn_values(board, codes, empty, power, minimum, prices, nets, best, worth, places, chosen, noise, sets)
            use = 0
            while use >= 0:
                roll = throw(use)
                luck += worth[power, roll] - worth[power, use]
                use = decide(board, codes, empty, roll, power, minimum, prices, nets, top, worth[power - 1], room)
                if use >= 0:
                    paid += prices[power]
                    power -= 1
            empty = follow(board, codes, chosen[0])
        scores[0, game] = score(codes) - paid
        scores[1, game] = score(codes) - paid - luck
    return scores
