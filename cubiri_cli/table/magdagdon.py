"""MAGDAGDON at the table: its words, and what can be chosen; `magdagdon_picture` has how it looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from cubiri_cli.games.magdagdon import (
    CELL,
    CELLS,
    EMPTY,
    FOUR_OF_A_KIND,
    LINES,
    RUIN,
    RUIN_PENALTY,
    STRAIGHT,
    TWO_PAIRS,
    line_bonus,
)
from cubiri_cli.table.drawing import Line, Span, line, pad
from cubiri_cli.table.language import N_, _, decimal, ngettext, percent, remembered, signed
from cubiri_cli.table.magdagdon_lines import prospects
from cubiri_cli.table.magdagdon_picture import (
    BONUSES,
    CELL_KEYS,
    HEADING,
    Intent,
    draw,
    hopes,
    line_name,
    lying,
    must_accept,
    place,
    powers_left,
    why_magdagdon,
)
from cubiri_cli.table.protocol import BAD, FAIR, GREAT, HIGH, NEUTRAL, Choice, Mark, Moment, Question, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.games.game import Outcome
    from cubiri_cli.games.magdagdon import Magdagdon
    from cubiri_cli.players.advice import Reason
    from cubiri_cli.replays.history import Step
    from cubiri_cli.table.magdagdon_lines import Prospect
    from cubiri_cli.table.scene import Piece

MARKS = {
    STRAIGHT: (GREAT, N_("straight")),
    FOUR_OF_A_KIND: (HIGH, N_("four of a kind")),
    TWO_PAIRS: (FAIR, N_("two pairs")),
    0: (NEUTRAL, N_("no bonus")),
}
"""What stands for the bonus of a line in a shared game."""


class MagdagdonTable(Table):
    """MAGDAGDON at the table."""

    TITLE = HEADING
    ABOUT = N_("fill a board with dice; for one player")
    FIGURES: ClassVar = {"score": N_("score"), "powers": N_("Powers"), "ruins": N_("ruins")}
    FEATS: ClassVar = {"six-straights": N_("Your first board with six straights!")}
    REASONS: ClassVar = {
        "already-rolled": N_("the dice of this turn have already been rolled"),
        "not-available": N_("no available die shows {die}"),
        "magdagdon": N_("this is MAGDAGDON: nothing can be staged, use a Power or accept a ruin"),
        "taken": N_("{cell} is taken"),
        "differs": N_("{cell} touches the {number} on {neighbour}; a {die} may differ from it by 1 at most"),
        "not-connected": N_("{cell} touches no number"),
        "not-staged": N_("no die is staged on {cell}"),
        "no-power-left": N_("no Majda Power is left"),
        "out-of-range": N_("a {die} cannot be changed by {change}"),
        "too-few-staged": N_("{staged} staged, {required} needed"),
        "no-magdagdon": N_("this is not MAGDAGDON: the required number ({required}) can be placed"),
    }
    LABELS: ClassVar = {
        "difficulty": N_("difficulty"),
        "peaceful": N_("2 dice a turn, three Powers"),
        "survival": N_("2 dice a turn, one Power"),
        "nightmare": N_("3 dice a turn, no Power"),
    }
    CLAIMS: ClassVar = {
        "score": N_("`base` + `bonuses` − `ruin_penalty` − `power_penalty`; it can be negative."),
        "base": N_("The sums of all rows and all columns together, that is twice the sum of all numbers on the board."),
        "bonuses": N_("The bonuses of all rows and columns."),
        "ruin_penalty": N_("15 for each ruin, as a positive number."),
        "power_penalty": N_("The prices of the Powers used, as a positive number."),
        "turns": N_("How many turns were played, those that ended in a ruin included."),
        "ruins": N_("How many ruins are on the board."),
        "powers": N_("How many Majda Powers were used."),
    }
    ROLLS: ClassVar = {
        "magdagdon/TURN/K": N_(
            "The turn counts from 1. *K* is 0 for the turn's four dice, and 1, 2, 3 ... for the rerolls of that "
            "turn in order. A reroll throws as many dice as it names values; the first die thrown replaces the "
            "first value named, and so on."
        ),
    }
    ADVICE: ClassVar = {
        "look-power": N_("Compare the price of a Power with what this roll can be made of."),
        "look-ruin": N_("Look at the cells in which a ruin breaks the fewest lines."),
        "look-line": N_("Look at {line}."),
        "look-die": N_("Look at where the {die} goes."),
        "completes": N_("{line} gets its bonus of {bonus} now"),
        "misses": N_("{line} does not get its bonus of {bonus} now"),
        "fits": N_("{chance} of all rolls can be placed next turn, not {other}"),
        "line": N_("the next roll can complete {line} (+{bonus}) with a chance of {chance}, not {other}"),
        "open": N_("straights stay possible: {count} lines, not {other}"),
        "power": N_("the Power brings it to {with}; without one it is {without}, the price of {price} counted"),
        "no-power": N_("a Power, its price of {price} counted, comes to {with}; this comes to {without}"),
        "equal": N_("both are worth the same"),
        "change": N_("the changed die lets {line} get its bonus of {bonus}; the Power costs {price}"),
        "powers": N_("this Power comes to {with} on average, the other to {without}"),
        "average-more": N_("over all rolls that can follow it scores {points} more on average"),
        "average-less": N_("over all rolls that can follow it scores {points} less on average"),
    }
    PICTURE_HELP = (
        N_("Arrows move over the board and along the dice as well, as they look."),
        N_("On the board: 3 is permanent, (3) is staged and can be taken back, X or ▒ is a ruin."),
        N_("Below a die: the cell it is staged on, ▲ where it is the chosen one, – where no cell takes it now."),
        N_("The cells where the chosen die may go show their keys: ·e· means press e. The one pointed at is ▐ 3 ▌."),
        N_("Beside each row and below each column: its sum, and +60 for a bonus it has, 60? for the best it can get."),
    )
    HELP = (
        N_("Choose a die by its value, then a cell by its key or its name."),
        N_("Typed: 3b2 places, -b2 takes back, +3 or -3 changes a die, r16 rerolls, xb2 makes a ruin, ok confirms."),
    )

    def ask(self, game: Magdagdon, names: Sequence[str], step: Intent | None) -> Question:
        """Return the question at this point."""
        if not game.in_turn:
            text = _("Turn {turn}: roll the four dice").format(turn=game.turn + 1)
            return Question(text, (Choice("r", _("roll"), ("roll",)),))
        kind = step.kind if step else ""
        if step is not None and kind == "die":
            return _ask_cell(game, step.value)
        if kind == "back":
            return _ask_which_back(game)
        if kind == "power":
            return _ask_power(game)
        if step is not None and kind == "reroll":
            return _ask_reroll(game, step)
        if kind == "ruin" or must_accept(game):
            cells = [cell for cell in range(16) if game.board[cell] == EMPTY]
            text = _("MAGDAGDON: which cell becomes a ruin (−{price})?").format(price=RUIN_PENALTY)
            return Question(text, tuple(_cell_choice("ruin", cell) for cell in cells))
        return _ask_turn(game)

    def tell(
        self, before: Magdagdon, action: str, outcome: Outcome, after: Magdagdon, names: Sequence[str]
    ) -> list[Line]:
        """Return what an action led to."""
        word, *rest = action.split()
        if word == "power":
            return _tell_power(before, rest, outcome, after)
        if word == "ruin":
            return [
                line(Span(_("{cell} is a ruin: −{points} points").format(cell=rest[0], points=RUIN_PENALTY), "ruin"))
            ]
        if word == "return":
            cells = [CELLS[cell] for event in outcome.events for cell in event.what]
            return [line(_("No longer legal, back as well: {cells}").format(cells=", ".join(cells)))] if cells else []
        if word == "confirm":
            return _tell_confirm(before, after)
        return []

    def marks(self, steps: Sequence[Step]) -> list[tuple[str, list[Mark]]]:
        """Return a mark for each row from the top, then for each column from the left."""
        board = cast("Magdagdon", steps[-1].game).board
        lines = [_shared(tuple(board[cell] for cell in cells)) for cells in LINES]
        return [(_("rows"), lines[:4]), (_("columns"), lines[4:])]

    def decided(self, game: Magdagdon, actions: Sequence[str]) -> str:
        """Return the cells that get numbers, those staged already among them; the ruin; or the Power.

        >>> from cubiri_cli.games.magdagdon import Magdagdon
        >>> game = Magdagdon.start({"difficulty": "survival"})
        >>> _ = game.apply("roll", lambda roll, count: (2, 2, 4, 3))
        >>> TABLE.decided(game, ["place 3 b3", "place 2 b2", "confirm"]), TABLE.decided(game, ["power reroll 2 4"])
        ('b2 2, b3 3', 'reroll 2 4')
        """
        word, *rest = actions[-1].split(" ")
        if word == "ruin":
            return _("ruin on {cell}").format(cell=rest[0])
        if word == "power":
            if rest[0] == "reroll":
                return _("reroll {dice}").format(dice=" ".join(rest[1:]))
            return _("make the {die} a {new}").format(die=rest[1], new=int(rest[1]) + int(rest[0]))
        trial = game.copy()
        for action in actions[:-1]:
            trial.apply(action, lambda roll, count: ())
        return ", ".join(f"{CELLS[cell]} {die}" for cell, die in sorted(trial.staged.items()))

    def reason(self, reason: Reason) -> str:
        """Return in words why something is better, or what to look at."""
        details: dict[str, Any] = dict(reason.details)
        if "line" in details:
            details["line"] = line_name(details["line"])
        if isinstance(details.get("chance"), float):
            details |= {name: percent(details[name]) for name in ("chance", "other")}
        details |= {name: decimal(details[name]) for name in ("with", "without", "price", "points") if name in details}
        return _(self.ADVICE[reason.code]).format(**details)

    def count(self, name: str, number: int) -> str:
        """Return so many ruins or Powers in words; that no Power was used is nothing to tell."""
        if name == "ruins":
            return ngettext("{count} ruin", "{count} ruins", number).format(count=number) if number else _("no ruin")
        return ngettext("{count} Power used", "{count} Powers used", number).format(count=number) if number else ""

    def shorthand(self, game: Magdagdon, words: Sequence[str]) -> str | None:
        """Return the action of a short form.

        `3b2` places, `-b2` takes back, `xb2` makes a ruin, `+3` and `-3` change, `r16` throws again, `ok` confirms.
        Words in full may hold the values of a reroll in any order.

        >>> from cubiri_cli.games.magdagdon import Magdagdon
        >>> game = Magdagdon.start({"difficulty": "survival"})
        >>> [TABLE.shorthand(game, [word]) for word in ("3b2", "-b2", "xb2", "+3", "r61", "ok", "b2")]
        ['place 3 b2', 'return b2', 'ruin b2', 'power +1 3', 'power reroll 1 6', 'confirm', None]
        """
        if words[:2] == ["power", "reroll"] and all(word.isdecimal() for word in words[2:]):
            return " ".join([*words[:2], *sorted(words[2:])])
        if len(words) != 1:
            return None
        word = words[0]
        head, rest = word[:1], word[1:]
        if word in _WORDS:
            return _WORDS[word]
        if rest in CELL:
            return {"-": f"return {rest}", "x": f"ruin {rest}"}.get(head) or (
                f"place {word[0]} {rest}" if _dice(head) else None
            )
        if head in "+-" and len(rest) == 1 and _dice(rest):
            return f"power {head}1 {rest}"
        if head == "r" and _dice(rest):
            return "power reroll " + " ".join(sorted(rest))
        return None

    def next_action(self, game: Magdagdon) -> str | None:
        """Return `roll` between two turns: there is nothing to decide before it."""
        return "roll" if game.turn and not game.in_turn and not game.over else None

    def picture(self, game: Magdagdon, names: Sequence[str], width: int, height: int, moment: Moment) -> list[Line]:
        """Return the board with its sums, the dice, and all that is needed for the next choice."""
        return draw(game, width, height, moment)

    def scene(self, game: Magdagdon, names: Sequence[str], moment: Moment) -> list[Piece]:
        """Return the state as pieces of a picture on a page."""
        from cubiri_cli.table.magdagdon_scene import scene  # not for the table

        return scene(game, moment)

    def describe(self, game: Magdagdon, names: Sequence[str], moment: Moment) -> list[str]:
        """Return the state in words, in reading order; nothing on the way to an action: the question says it all."""
        if moment.step is not None:
            return []
        hoped = (hope + "." for hope in hopes(game.board_if_confirmed()))
        lines = [_turn_in_words(game), *_board_in_words(game), *hoped]
        if game.in_turn:
            lines.append(_("Dice: {dice}.").format(dice=", ".join(_dice_in_words(game))))
            if game.is_magdagdon:
                lines.append(f"MAGDAGDON: {why_magdagdon(game)}.")
        return lines

    def progress(self, game: Magdagdon) -> str:
        """Return the score so far."""
        return f"{_(self.FIGURES['score'])}: {decimal(game.score().total)}"

    def breakdown(self, game: Magdagdon, names: Sequence[str]) -> list[Line]:
        """Return the lines that explain the score: of the whole game, or of the game so far."""
        lines = [line(Span(self.TITLE, "title"), f" · {game.difficulty} · {names[0]}"), []]
        shown = _filled(game)
        widest = max((len(line_name(index)) for index, _one in shown), default=0)
        for index, one in shown:
            numbers = " ".join(
                {EMPTY: ".", RUIN: "X"}.get(game.board[cell], str(game.board[cell])) for cell in LINES[index]
            )
            bonus = Span(f" +{one.bonus} {_(BONUSES[one.bonus])}", "good") if one.bonus else Span("")
            lines.append(line(f"{pad(line_name(index), widest)}  {numbers}  {one.sum:>2}", bonus))
        rows = _sums(game)
        widest = max((len(label) for label, _points in rows), default=0)
        lines += [[]] if shown else []
        lines += [line(f"{pad(label, widest)}  {points:>5}") for label, points in rows]
        return [*lines, *map(line, _state(game)), line(Span(_total(game), "bold"))]

    def breakdown_words(self, game: Magdagdon, names: Sequence[str]) -> list[str]:
        """Return the same to be read aloud: a cell without a number is a word."""
        texts = [f"{self.TITLE} · {game.difficulty} · {names[0]}"]
        words = {EMPTY: _("empty"), RUIN: _("ruin")}
        for index, one in _filled(game):
            shown = ", ".join(words.get(game.board[cell], str(game.board[cell])) for cell in LINES[index])
            bonus = f" +{one.bonus} {_(BONUSES[one.bonus])}" if one.bonus else ""
            texts.append(f"{line_name(index)}: {shown}; {one.sum}{bonus}")
        texts += [f"{label}: {points}" for label, points in _sums(game)]
        return [*texts, *_state(game), _total(game)]


def _filled(game: Magdagdon) -> list[tuple[int, Prospect]]:
    """Return the rows and columns that hold anything, by index, with what they are worth."""
    lines = enumerate(prospects(game.board))
    return [(index, one) for index, one in lines if any(game.board[cell] != EMPTY for cell in LINES[index])]


def _state(game: Magdagdon) -> list[str]:
    """Return how many turns there were; of a turn that is still going on the dice, and that nothing lies there yet."""
    if not game.in_turn:
        return [ngettext("{count} turn", "{count} turns", game.turn).format(count=game.turn)]
    dice = _("Dice: {dice}.").format(dice=", ".join(_dice_in_words(game)))
    return [
        *([] if _filled(game) or game.staged_cells else [_("The board is empty.")]),
        _("Turn {turn}.").format(turn=game.turn) + f" {dice}",
    ]


def _sums(game: Magdagdon) -> list[tuple[str, str]]:
    """Return what the score is made of: for each part what it is, and its points; as long as it grows, no zeros."""
    score = game.score()
    ruins = ngettext("{count} ruin", "{count} ruins", game.ruins).format(count=game.ruins)
    powers = ngettext("{count} Power used", "{count} Powers used", game.powers).format(count=game.powers)
    parts = [
        (_("rows and columns"), score.base, f"{score.base}"),
        (_("bonuses"), score.bonuses, f"+{score.bonuses}"),
        (ruins, game.ruins, decimal(-score.ruin_penalty)),
        (powers, game.powers, decimal(-score.power_penalty)),
    ]
    return [(label, text) for label, amount, text in parts if amount or game.over]


def _total(game: Magdagdon) -> str:
    title = _("Final score: {score}") if game.over else _("Score so far: {score}")
    return title.format(score=decimal(game.score().total))


def _shared(line: tuple[int, ...]) -> Mark:
    """Return what stands for a row or column: its bonus, or that a ruin is in it."""
    if RUIN in line:
        return Mark(BAD, _("ruin"))
    emoji, word = MARKS[line_bonus(line)]
    return Mark(emoji, _(word))


TABLE = MagdagdonTable()


# What can be chosen


def _ask_turn(game: Magdagdon) -> Question:
    choices = [*_confirm_choices(game), *_die_choices(game)]
    fits = any(choice.step for choice in choices)
    choices += _other_choices(game)
    if game.is_magdagdon:
        label = _("accept MAGDAGDON: a ruin (−{price})").format(price=RUIN_PENALTY)
        choices.append(Choice("x", label, step=Intent("ruin")))
        return Question(_("What will you do?"), tuple(choices))
    if game.can_confirm:
        text = _("Confirm, or place another die?") if fits else _("Confirm?")
    else:
        text = _("Which die will you place?") if fits else _("No die fits any more: take one back")
    return Question(text, tuple(choices))


def _other_choices(game: Magdagdon) -> list[Choice]:
    """Return what can be done besides placing a die: to take one back, to use a Power."""
    choices = []
    if game.staged_cells:
        only = game.staged_cells[0]
        label = _("take back the {die} on {cell}").format(die=game.staged[only], cell=CELLS[only])
        choices.append(
            Choice("u", label, (f"return {CELLS[only]}",))
            if len(game.staged_cells) == 1
            else Choice("u", _("take a die back"), step=Intent("back"))
        )
    if game.prices and game.available:
        label = _("use a Majda Power (−{price})").format(price=game.prices[0])
        choices.append(Choice("p", label, step=Intent("power")))
    return choices


def _confirm_choices(game: Magdagdon) -> list[Choice]:
    return [Choice("c", _confirm_label(game), ("confirm",), also=("ok",))] if game.can_confirm else []


def _confirm_label(game: Magdagdon) -> str:
    gain = game.score(game.board_if_confirmed()).total - game.score().total
    return ngettext("confirm ({gain} point)", "confirm ({gain} points)", abs(gain)).format(gain=signed(gain))


def _ask_cell(game: Magdagdon, value: int) -> Question:
    cells = [_cell_choice(f"place {value}", cell) for cell in game.legal_cells(value)]
    others = [choice for choice in _die_choices(game, is_instead=True) if choice.key != str(value)]
    return Question(
        _("Where does the {die} go?").format(die=value),
        (*cells, *others, *_confirm_choices(game), *_other_choices(game)),
    )


def _die_choices(game: Magdagdon, is_instead: bool = False) -> list[Choice]:
    """Return a choice for each value that can be placed; `is_instead` where another die has been chosen already."""
    return [
        Choice(
            str(value),
            _("place the {die}").format(die=value),
            step=Intent("die", value),
            ticks=is_instead,
            at=None if is_instead else (lying(game, value)[0], 0),
        )
        for value in sorted(set(game.available))
        if game.legal_cells(value)
    ]


def _cell_choice(action: str, cell: int) -> Choice:
    return Choice(CELL_KEYS[cell], CELLS[cell], (f"{action} {CELLS[cell]}",), also=(CELLS[cell],), at=place(cell))


def _ask_which_back(game: Magdagdon) -> Question:
    choices = [
        Choice(
            CELL_KEYS[cell],
            _("the {die} on {cell}").format(die=game.staged[cell], cell=CELLS[cell]),
            (f"return {CELLS[cell]}",),
            also=(CELLS[cell],),
            at=place(cell),
        )
        for cell in reversed(game.staged_cells)
    ]
    return Question(_("Which die do you take back?"), tuple(choices))


def _ask_power(game: Magdagdon) -> Question:
    keys = iter("abcdefghijkl")
    choices = []
    changes = {"-1": _("−1: the {die} becomes a {new}"), "+1": _("+1: the {die} becomes a {new}")}
    for change in changes:
        for value in sorted(set(game.available)):
            new = value + int(change)
            if 1 <= new <= 6:
                label = changes[change].format(die=value, new=new)
                action = f"power {change} {value}"
                choices.append(Choice(next(keys), label + _warning(game, action), (action,)))
    ticked = (game.is_magdagdon or len(game.available) == 1,) * len(game.available)
    choices.append(Choice("r", _("reroll dice …"), step=Intent("reroll", ticked=ticked)))
    text = _("Which Power, for {price} points? It cannot be taken back.").format(price=game.prices[0])
    # Enter is never pointed at a change that helps nothing.
    good = [choice.key for choice in choices if not any(_warning(game, action) for action in choice.actions)]
    return Question(text, tuple(choices), default=good[0])


def _warning(game: Magdagdon, action: str) -> str:
    """Return a warning where a change of one die leads into MAGDAGDON, or does not lead out of it."""
    after = game.copy()
    after.apply(action, lambda roll, count: (1,) * count)  # a change by one throws no dice
    if not after.is_magdagdon:
        return ""
    return " – " + (_("still MAGDAGDON") if game.is_magdagdon else _("leads to MAGDAGDON"))


def _ask_reroll(game: Magdagdon, step: Intent) -> Question:
    dice = game.available
    choices = []
    picked = [value for value, is_ticked in zip(dice, step.ticked, strict=True) if is_ticked]
    if picked:
        shown = " ".join(map(str, picked))
        choices.append(Choice("r", _("reroll {dice}").format(dice=shown), (f"power reroll {shown}",)))
    for index, (value, is_ticked) in enumerate(zip(dice, step.ticked, strict=True)):
        ticked = (*step.ticked[:index], not is_ticked, *step.ticked[index + 1 :])
        label = f"({'x' if is_ticked else ' '}) {value}"
        at = lying(game, value)[dice[:index].count(value)], 0
        choices.append(Choice("abcd"[index], label, step=step._replace(ticked=ticked), ticks=True, at=at))
    return Question(_("Which dice do you reroll?"), tuple(choices))


_WORDS = {"ok": "confirm", "c": "confirm", "r": "roll"}


def _dice(text: str) -> bool:
    return bool(text) and all(character in "123456" for character in text)


# What has happened


def _tell_power(before: Magdagdon, words: Sequence[str], outcome: Outcome, after: Magdagdon) -> list[Line]:
    price = before.prices[0]
    if words[0] == "reroll":
        text = _("Power (−{price}): {dice} rerolled: {new}").format(
            price=price, dice=" ".join(words[1:]), new=" ".join(map(str, outcome.dice))
        )
    else:
        text = _("Power (−{price}): the {die} is now a {new}").format(
            price=price, die=words[1], new=int(words[1]) + int(words[0])
        )
    lines = [line(text)]
    if before.is_magdagdon and not after.is_magdagdon:
        lines.append(line(Span(_("The Power rescued the roll!"), "good")))
    if after.is_magdagdon and not before.is_magdagdon:
        lines.append(line(Span(_("The Power killed the roll."), "bad")))
    return lines


def _tell_confirm(before: Magdagdon, after: Magdagdon) -> list[Line]:
    gain = after.score().total - before.score().total
    placed = ", ".join(
        _("{die} on {cell}").format(die=value, cell=CELLS[cell]) for cell, value in before.staged.items()
    )
    lines = [line(_confirmed(gain).format(placed=placed, gain=signed(gain)))]
    pairs = zip(prospects(before.board), prospects(after.board), strict=True)
    for index, (old, new) in enumerate(pairs):
        if new.bonus and not old.bonus:
            text = f" {line_name(index)}: {_(BONUSES[new.bonus])} +{new.bonus} "
            lines.append(line(Span(text, "cheer")))
    return lines


def _confirmed(gain: int) -> str:
    return ngettext("Confirmed: {placed} ({gain} point)", "Confirmed: {placed} ({gain} points)", abs(gain))


# In words


def _turn_in_words(game: Magdagdon) -> str:
    """Return the turn, the score, how many dice are needed, and what is left to use."""
    texts = [_("Turn {turn}.").format(turn=game.turn)] if game.turn else []
    texts.append(_("Score {score}.").format(score=decimal(game.score().total)))
    if game.in_turn:
        staged = len(game.staged_cells)
        texts.append(_("Needed: {required}, staged: {staged}.").format(required=game.required, staged=staged))
        if game.can_confirm:
            then = game.score(game.board_if_confirmed()).total
            texts.append(_("Score if confirmed: {score}.").format(score=decimal(then)))
    powers = powers_left(game)
    return " ".join([*texts, powers[:1].upper() + powers[1:] + "."])


def _board_in_words(game: Magdagdon) -> list[str]:
    """Return a line for each row, and one for the columns that hold anything."""
    board = game.board_if_confirmed()
    worth = prospects(board)
    lines = [
        _row_in_words(row, game.board[4 * row : 4 * row + 4], board[4 * row : 4 * row + 4], worth[row])
        for row in range(4)
    ]
    columns = [
        _column_in_words(column, worth[4 + column])
        for column in range(4)
        if any(board[cell] != EMPTY for cell in LINES[4 + column])
    ]
    return [*lines, " ".join(columns)] if columns else lines


@remembered
def _row_in_words(row: int, shown: tuple[int, ...], then: tuple[int, ...], worth: Prospect) -> str:
    """Return a row as it is `shown` and as it is `then`, if confirmed: what differs is staged."""
    name = _("Row {name}").format(name=row + 1)
    if not any(then):
        return _("{row}: empty.").format(row=name)
    cells = zip(CELLS[4 * row :], map(_cell_in_words, shown, then), strict=False)
    return f"{name}: {', '.join(map(' '.join, cells))}; {_worth_in_words(worth)}."


def _cell_in_words(shown: int, then: int) -> str:
    if shown != then:
        return _("{die} staged").format(die=then)
    return _("empty") if shown == EMPTY else _("ruin") if shown == RUIN else str(shown)


@remembered
def _column_in_words(column: int, worth: Prospect) -> str:
    return _("Column {name}: {worth}.").format(name="abcd"[column], worth=_worth_in_words(worth))


def _worth_in_words(one: Prospect) -> str:
    if one.bonus:
        return _("sum {sum}, bonus {bonus}").format(sum=one.sum, bonus=one.bonus)
    if one.reachable:
        return _("sum {sum}, bonus of {bonus} possible").format(sum=one.sum, bonus=one.reachable)
    return _("sum {sum}, no bonus").format(sum=one.sum)


def _dice_in_words(game: Magdagdon) -> list[str]:
    return [
        str(value) if spot is None else _("{die} on {cell}").format(die=value, cell=CELLS[spot])
        for value, spot in zip(game.dice, game.spots, strict=True)
    ]
