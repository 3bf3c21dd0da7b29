"""MISHIMASH at the table: its words, how it looks, and what can be chosen."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

from cubiri_cli.games.mishimash import combinations
from cubiri_cli.table.drawing import Line, Span, cut, cut_line, ends, fold, latest, line, pad, width
from cubiri_cli.table.language import N_, _, decimal, ngettext, points
from cubiri_cli.table.protocol import BAD, FAIR, GREAT, HIGH, Choice, Mark, Question, Table, View

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cubiri_cli.games.game import Event, Outcome
    from cubiri_cli.games.mishimash import Combination, Mishimash
    from cubiri_cli.replays.history import Step

SHARED, MANY = 20, 40
"""How many turns a shared game shows at most, and how many half-points make a good one."""

COMBINATIONS = {
    "single": N_("a single {face}"),
    "three": N_("three {face}s"),
    "four": N_("four {face}s"),
    "five": N_("five {face}s"),
    "six": N_("six {face}s"),
    "straight": N_("straight"),
    "three-pairs": N_("three pairs"),
}


class Ticks(NamedTuple):
    """Which combinations of the roll are ticked, in the order of `Mishimash.combinations`."""

    ticked: tuple[bool, ...]


@cache
def bust_chance(dice: int) -> tuple[int, int]:
    """Return how many of all rolls of `dice` dice hold no combination, and how many rolls there are.

    >>> bust_chance(2), bust_chance(6)
    ((16, 36), (1080, 46656))
    """
    busts = 0
    for roll in combinations_with_replacement(range(1, 7), dice):
        if not combinations(roll):
            busts += factorial(dice) // prod(factorial(roll.count(face)) for face in set(roll))
    return busts, 6**dice


def _percent(dice: int) -> str:
    busts, rolls = bust_chance(dice)
    return _("{number}%").format(number=decimal(round(100 * busts / rolls, 1)))


def kept_dice(game: Mishimash, step: object = None) -> tuple[int, ...]:
    """Return the dice of the combinations that are ticked in `step` (a `Ticks`; all, where it is none), ascending."""
    ticked = _ticked(game, step)
    parts = zip(game.combinations, ticked, strict=True)
    return tuple(sorted(die for part, is_ticked in parts if is_ticked for die in part.dice))


def _ticked(game: Mishimash, step: object) -> tuple[bool, ...]:
    return step.ticked if isinstance(step, Ticks) else (True,) * len(game.combinations)


def _take(dice: Sequence[int]) -> str:
    """Return the action that takes these dice."""
    return "take " + " ".join(map(str, sorted(dice)))


class MishimashTable(Table):
    """MISHIMASH at the table."""

    TITLE = "MISHIMASH"
    ABOUT = N_("push your luck with six dice, one to eight players")
    FIGURES: ClassVar = {"points": N_("points"), "players": N_("players")}
    OF_SEVERAL = ("players",)
    REASONS: ClassVar = {
        "select-first": N_("at least one combination of the roll has to be taken first"),
        "nothing-to-take": N_("there is no roll to take from"),
        "no-selection": N_("{dice}: no whole combinations of this roll"),
    }
    LABELS: ClassVar = {"target": N_("target")}
    CLAIMS: ClassVar = {
        "winner": N_("The winner's seat, 1 to the number of players."),
        "scores": N_("The total of each player in the order of the seats, in points; each is a multiple of 0.5."),
        "turns": N_("How many turns each player had, sudden death and busts included."),
    }
    ROLLS: ClassVar = {
        "mishimash/PLAYER/TURN/ROLL": N_(
            "The player's seat, that player's own turn (sudden death goes on counting), and the roll within the "
            "turn, all from 1."
        ),
    }
    HELP = (
        N_("Everything that scores is ticked at first: (x). A number key ticks or unticks a combination."),
        N_("r takes what is ticked and rolls the other dice; b takes what is ticked and banks the turn."),
        N_("In the bars, the shaded part is at risk: it is lost if the next roll is a bust."),
        N_("Typed: 1444 takes these dice, all takes all that scores, r rolls, b banks."),
    )

    def ask(self, game: Mishimash, names: Sequence[str], step: Ticks | None) -> Question:
        """Return the question at this point."""
        if not game.in_turn:
            turn = game.turns[game.seat - 1] + 1
            text = _("Turn {turn}: throw the six dice").format(turn=turn)
            if game.seats > 1:
                text = _("{name}, turn {turn}: throw the six dice").format(
                    name=cut(names[game.seat - 1], 24), turn=turn
                )
            return Question(text, (Choice("r", _("roll"), ("roll",)),))
        if not game.must_select:
            on = (_roll_choice(game.free_dice, game.rolls + 1, ()), _bank_choice(game, game.at_risk, ()))
            return Question(_("Roll on, or bank?"), on)
        ticked = _ticked(game, step)
        choices: tuple[Choice, ...] = tuple(
            Choice(
                str(index + 1), _tick_label(game, part, ticked[index]), step=Ticks(_flipped(ticked, index)), ticks=True
            )
            for index, part in enumerate(game.combinations)
        )
        if not any(ticked):
            return Question(_("Keep at least one combination"), choices)
        dice = kept_dice(game, step)
        then = game.taking(dice)
        roll = _roll_choice(then.free_dice, game.rolls + 1, (_take(dice),), then.bonus)
        bank = _bank_choice(game, then.at_risk, (_take(dice),))
        return Question(_("What do you keep?"), (*choices, roll, bank), default="r")

    def tell(
        self, before: Mishimash, action: str, outcome: Outcome, after: Mishimash, names: Sequence[str]
    ) -> list[Line]:
        """Return what an action led to."""
        lines = []
        for event in outcome.events:
            name = names[event.seat - 1] if event.seat else ""
            several = [names[seat - 1] for seat in event.what]
            lines += _tell_event(before, event.kind, name, event.amount, several, outcome.dice, after)
        return lines

    def kind(self, options: Mapping[str, Any]) -> str:
        """Return the game with its target."""
        return f"{self.TITLE} " + _("to {target}").format(target=options["target"])

    def marks(self, steps: Sequence[Step]) -> list[tuple[str, list[Mark]]]:
        """Return a mark for each of the winner's turns, the last `SHARED` of them."""
        winner = cast("Mishimash", steps[-1].game).winner
        turns: dict[int, list[Event]] = {}
        for step in steps:
            if step.seat == winner:
                turns.setdefault(step.turn, []).extend(step.outcome.events)
        return [(_("turns"), [_mark(events) for events in list(turns.values())[-SHARED:]])]

    def count(self, name: str, number: int) -> str:
        """Return so many busts in words."""
        return ngettext("{count} bust", "{count} busts", number).format(count=number) if number else _("no bust")

    def shorthand(self, game: Mishimash, words: Sequence[str]) -> str | None:
        """Return the action of a short form: faces are taken (`1444`, `1 4 4 4`), `all` is all that scores, `r`, `b`.

        >>> from cubiri_cli.games.mishimash import Mishimash
        >>> game = Mishimash.start({"target": 1000})
        >>> [TABLE.shorthand(game, words.split()) for words in ("4144", "take 4 1", "4 1", "b", "roll")]
        ['take 1 4 4 4', 'take 1 4', 'take 1 4', 'bank', None]
        """
        rest = words[1:] if words[:1] == ["take"] else words
        if rest == ["all"]:
            return _take(kept_dice(game)) if game.must_select else None
        if len(words) == 1 and words[0] in _WORDS:
            return _WORDS[words[0]]
        faces = "".join(rest)
        return _take(list(map(int, faces))) if faces and all(face in "123456" for face in faces) else None

    def step_of(self, game: Mishimash, action: str) -> Ticks | None:
        """Return what is ticked where `action` takes dice; None where all is. Of equal dice the last are."""
        rest = [int(face) for face in action.split()[1:]]
        if not rest or not game.must_select:
            return None
        ticked: list[bool] = []
        for part in reversed(game.combinations):
            is_kept = all(rest.count(die) >= part.dice.count(die) for die in part.dice)
            for die in part.dice if is_kept else ():
                rest.remove(die)
            ticked.insert(0, is_kept)
        return None if all(ticked) else Ticks(tuple(ticked))

    def next_action(self, game: Mishimash) -> str | None:
        """Return None: before every action there is something to decide, or somebody else to sit down."""
        return None

    def picture(self, game: Mishimash, names: Sequence[str], width: int, height: int, view: View) -> list[Line]:
        """Return everybody's points, the dice by combination, and what is at risk."""
        head = [_title(game, names, width)]
        faces = _groups(game, view)
        below = [*_points_at_risk(game, view, width)]
        entries = [fold(entry, width) for entry in view.news]
        told = sum(map(len, entries))
        boxes = _boxes(faces, width) if faces else []
        slim = _slim_dice(faces, width) if faces else []
        # What matters less gives way: first the blank lines, then the boxes of the dice, then old news, then the bars.
        players = _players(game, names, width)
        room = height - len(head) - len(players)
        if room - len(below) - min(told, 2) < len(boxes):
            boxes = slim
        if room < len(boxes) + len(below) + min(told, 3):
            players = _players_in_columns(game, names, width)
            room = height - len(head) - len(players)
        news = latest(entries, max(1, room - len(boxes) - len(below)))
        sections = [section for section in (head, players, boxes, below, news) if section]
        spare = height - sum(map(len, sections))
        lines: list[Line] = []
        for index, section in enumerate(sections):
            if index and spare > 0:
                lines.append([])
                spare -= 1
            lines += section
        return [cut_line(one, width) for one in lines][:height]

    def describe(self, game: Mishimash, names: Sequence[str], view: View) -> list[str]:
        """Return the state in words, in reading order; on the way to an action what is ticked."""
        if view.step is not None and game.must_select:
            return [_ticked_in_words(game, view)]
        lines = [_("Target {target}.").format(target=game.target)]
        for seat, name in enumerate(names, 1):
            total, turns = points(game.totals[seat - 1]), game.turns[seat - 1]
            text = ngettext(
                "{name}: {points} points in {turns} turn", "{name}: {points} points in {turns} turns", turns
            )
            lines.append(text.format(name=name, points=total, turns=turns) + ".")
        if game.contenders:
            lines.append(
                _("Sudden death: {names}.").format(names=", ".join(names[seat - 1] for seat in game.contenders))
            )
        elif game.final_round and not game.over:
            lines.append(_("Final round: {name} has reached the target.").format(name=names[game.final_round - 1]))
        if game.seats > 1 and not game.over:
            lines.append(_("On turn: {name}.").format(name=names[game.seat - 1]))
        if game.in_turn:
            lines += _turn_in_words(game, view)
        return lines

    def breakdown(self, game: Mishimash, names: Sequence[str]) -> list[Line]:
        """Return the lines with everybody's points: at the end, or so far."""
        head = line(Span(self.TITLE, "title"), " · " + _("to {target}").format(target=game.target))
        widest = max(width(name) for name in names)
        most = max(width(points(total)) for total in game.totals)
        lines = [head, []]
        for seat, name in enumerate(names, 1):
            turns = game.turns[seat - 1]
            text = ngettext("{count} turn", "{count} turns", turns).format(count=turns)
            total = pad(points(game.totals[seat - 1]), most, ">")
            lines.append(
                line(Span(f"{pad(name, widest)}  {total}", "bold" if seat == game.winner else ""), f"  {text}")
            )
        if game.in_turn:
            lines.append(line(_("at risk {points}").format(points=points(game.at_risk))))
        if game.over:
            if game.seats > 1:
                lines.append(line(_("Winner: {name}").format(name=names[game.winner - 1])))
            final = _("Final score: {score}").format(score=points(game.totals[game.winner - 1]))
            lines.append(line(Span(final, "bold")))
        return lines


def _mark(events: Sequence[Event]) -> Mark:
    """Return what stands for a turn in which this happened."""
    kinds = {event.kind: event.amount for event in events}
    if "banked" not in kinds:
        return Mark(BAD, _("bust"))
    if "mishimash" in kinds:
        return Mark(GREAT, "MISHIMASH")
    return Mark(HIGH, _("20 or more")) if kinds["banked"] >= MANY else Mark(FAIR, _("fewer"))


TABLE = MishimashTable()


# What can be chosen


def _flipped(ticked: tuple[bool, ...], index: int) -> tuple[bool, ...]:
    return (*ticked[:index], not ticked[index], *ticked[index + 1 :])


def _roll_choice(dice: int, multiplier: int, before: tuple[str, ...], bonus: int = 0) -> Choice:
    label = ngettext("roll {count} die ×{multiplier}", "roll {count} dice ×{multiplier}", dice)
    text = label.format(count=dice, multiplier=multiplier) + " "
    text += _("(bust {percent})").format(percent=_percent(dice))
    if bonus:
        text = f"MISHIMASH +{points(bonus)}, " + text
    return Choice("r", text, (*before, "roll"))


def _bank_choice(game: Mishimash, turn: int, before: tuple[str, ...]) -> Choice:
    label = _("bank {points}, {total} in all").format(
        points=points(turn), total=points(game.totals[game.seat - 1] + turn)
    )
    return Choice("b", label, (*before, "bank"))


def _tick_label(game: Mishimash, part: Combination, is_ticked: bool) -> str:
    return f"({'x' if is_ticked else ' '}) {_name(part)}: {_product(part.worth, game.rolls)}"


def _name(part: Combination) -> str:
    return _(COMBINATIONS[part.kind]).format(face=part.dice[0])


def _product(worth: int, multiplier: int) -> str:
    return f"{points(worth)} × {multiplier} = {points(worth * multiplier)}"


_WORDS = {"b": "bank", "r": "roll"}


# What has happened


def _tell_event(
    before: Mishimash,
    kind: str,
    name: str,
    amount: int,
    several: list[str],
    dice: tuple[int, ...],
    after: Mishimash,
) -> list[Line]:
    name = cut(name, 24)
    if kind == "bust":
        roll = " ".join(map(str, dice))
        lost = ngettext("{name} loses {points} point", "{name} loses {points} points", 1 if amount == 2 else 2)
        text = lost.format(name=name, points=points(amount))
        detail = _("roll {roll}: {dice} holds nothing").format(roll=before.rolls + 1, dice=roll)
        return [line(Span(" " + _("BUST") + " ", "alarm"), Span(" " + text, "bad")), line(detail)]
    if kind == "mishimash":
        text = _("six dice again")
        return [line(Span(f" MISHIMASH! +{points(amount)} ", "cheer"), Span(" " + text, "good"))]
    if kind == "banked":
        total = after.totals[before.seat - 1]
        text = _("{name} banks {points} and has {total}").format(name=name, points=points(amount), total=points(total))
        return [line(Span(text, "good"))]
    who = ", ".join(cut(one, 16) for one in several)
    texts = {
        "final-round": _("{name} has reached the target: those after have one more turn").format(name=name),
        "sudden-death": _("Tied for first: {names}").format(names=who),
        "sudden-death-goes-on": _("Still tied: {names}").format(names=who),
        "dropped-out": _("Out of the sudden death: {names}").format(names=who),
    }
    heads = {"final-round": _("FINAL ROUND"), "sudden-death": _("SUDDEN DEATH")}
    if kind not in texts:
        return []
    head = [line(Span(f" {heads[kind]} ", "alarm"))] if kind in heads else []
    return [*head, line(Span(texts[kind], "bold"))]


# How it looks

_WIDE = 60
SHORTEST_BAR = 8
"""How many columns a bar has at least: less would say less than the number beside it."""


def _title(game: Mishimash, names: Sequence[str], columns: int) -> Line:
    right: Line = []
    if game.contenders:
        right = line(Span(" " + _("sudden death") + " ", "alarm"))
    elif game.final_round and not game.over:
        right = line(Span(" " + _("final round") + " ", "alarm"))
    left = line(Span(TABLE.TITLE, "title"), " · " + _("to {target}").format(target=game.target))
    return ends(left, right, columns)


def _players(game: Mishimash, names: Sequence[str], columns: int) -> list[Line]:
    """Return a line for each player: whose turn it is, name, bar towards the target with what is at risk, points."""
    rows = [_player_texts(game, names, seat) for seat in range(1, game.seats + 1)]
    tail = max(width(total) for _mark, _name, total, _turn in rows)
    turns = max(width(turn) for *_rest, turn in rows)
    room = columns - 2 - tail - turns - 4
    most = max(width(name) for _mark, name, *_rest in rows)
    named = min(most, 20 if columns >= _WIDE else room)
    lines = []
    for seat, (mark, name, total, turn) in enumerate(rows, 1):
        style = _player_style(game, seat)
        spans = [Span(f"{mark} {pad(name, named)} ", style)]
        if room - named - 1 >= SHORTEST_BAR:
            spans += _bar(game, seat, room - named - 1)
            spans.append(Span(" "))
        lines.append([*spans, Span(pad(total, tail, ">"), style), Span(f"  {pad(turn, turns, '>')}", "dim")])
    return lines


def _player_texts(game: Mishimash, names: Sequence[str], seat: int) -> tuple[str, str, str, str]:
    is_out = bool(game.contenders) and seat not in game.contenders
    mark = "▶" if seat == game.seat and not game.over else "×" if is_out else " "
    turn = _("turn {turn}").format(turn=game.turns[seat - 1])
    return mark, names[seat - 1], points(game.totals[seat - 1]), turn


def _player_style(game: Mishimash, seat: int) -> str:
    if game.contenders and seat not in game.contenders:
        return "dim"
    return "bold" if seat == game.seat or seat == game.winner else ""


def _bar(game: Mishimash, seat: int, columns: int) -> Line:
    """Return a bar of `columns` columns towards the target (or the highest total, where that is more)."""
    total = game.totals[seat - 1]
    risk = game.at_risk if seat == game.seat else 0
    full = max(2 * game.target, *game.totals, total + risk)
    solid = total * columns // full
    shaded = (total + risk) * columns // full - solid
    rest = columns - solid - shaded
    return [
        span for span in (Span("█" * solid, "bar"), Span("░" * shaded, "risk"), Span("·" * rest, "dim")) if span.text
    ]


def _players_in_columns(game: Mishimash, names: Sequence[str], columns: int) -> list[Line]:
    """Return the players in two columns, for a terminal of few lines."""
    rows = [_player_texts(game, names, seat) for seat in range(1, game.seats + 1)]
    each = columns // 2 - 1
    cells = []
    for seat, (mark, name, total, _turn) in enumerate(rows, 1):
        text = f"{mark}{pad(name, each - width(total) - 2)} {total}"
        cells.append(Span(pad(text, each), _player_style(game, seat)))
    half = (len(cells) + 1) // 2
    return [line(cells[index], "  ", cells[index + half] if index + half < len(cells) else "") for index in range(half)]


class Group(NamedTuple):
    """Dice that are shown side by side: a combination, or those that score nothing."""

    dice: tuple[int, ...]
    label: str
    style: str
    """`chosen` for what is ticked, `dim` for what scores nothing."""


def _groups(game: Mishimash, view: View) -> list[Group]:
    """Return the dice of the roll by combination, what is left over last; after a bust the dice that lost it."""
    if view.rolling:
        return [Group((face,), "", "") for face in view.rolling]
    if not game.must_select:
        return [Group(tuple(sorted(view.thrown)), _("nothing"), "dim")] if view.thrown and not game.in_turn else []
    parts = game.combinations
    ticked = _ticked(game, view.step)
    groups = [
        Group(part.dice, points(part.worth), "chosen" if is_ticked else "")
        for part, is_ticked in zip(parts, ticked, strict=True)
    ]
    rest = list(game.roll)
    for part in parts:
        for die in part.dice:
            rest.remove(die)
    return [*groups, *([Group(tuple(sorted(rest)), "–", "dim")] if rest else [])]


def _boxes(groups: Sequence[Group], columns: int) -> list[Line]:
    """Return the dice as boxes, ticked ones `▐ 4 ▌`, with the points of each combination below."""
    wide = [max(5 * len(group.dice), width(group.label)) + 2 for group in groups]
    if sum(wide) > columns:
        return _slim_dice(groups, columns)
    lines: list[Line] = [[], [], [], []]
    for group, each in zip(groups, wide, strict=True):
        count = len(group.dice)
        lines[0].append(Span(pad("┌───┐" * count, each), "dim" if group.style == "dim" else ""))
        for die in group.dice:
            lines[1].append(Span(f"▐ {die} ▌" if group.style == "chosen" else f"│ {die} │", group.style))
        lines[1].append(Span(" " * (each - 5 * count)))
        lines[2].append(Span(pad("└───┘" * count, each), "dim" if group.style == "dim" else ""))
        label = group.label if width(group.label) > 5 * count else pad(group.label, 5 * count, "^")
        lines[3].append(Span(pad(label, each), "bold" if group.style == "chosen" else "dim"))
    return lines


def _slim_dice(groups: Sequence[Group], columns: int) -> list[Line]:
    """Return the dice in one line, ticked ones in brackets."""
    spans: Line = []
    for group in groups:
        text = " ".join(map(str, group.dice))
        spans += [Span(f"[{text}]" if group.style == "chosen" else f" {text} ", group.style), Span(" ")]
    return [spans]


def _points_at_risk(game: Mishimash, view: View, columns: int) -> list[Line]:
    if not game.in_turn or view.rolling:
        return []
    roll = _("roll {roll}, ×{multiplier}").format(roll=game.rolls, multiplier=game.rolls)
    texts = [roll, _("at risk {points}").format(points=points(game.at_risk))]
    if game.must_select:
        then = game.taking(kept_dice(game, view.step))
        texts.append(_("this roll {product}").format(product=_product(then.worth, game.rolls)))
        if then.bonus:
            texts.append(f"MISHIMASH +{points(then.bonus)}")
        texts.append(_("turn would be {points}").format(points=points(then.at_risk)))
    lines = [""]
    for text in texts:
        joined = f"{lines[-1]} · {text}" if lines[-1] else text
        if width(joined) <= columns:
            lines[-1] = joined
        else:
            lines.append(text)
    return [line(Span(text, "bold")) for text in lines]


# In words


def _turn_in_words(game: Mishimash, view: View) -> list[str]:
    lines = [_("Roll {roll}, multiplier {multiplier}.").format(roll=game.rolls, multiplier=game.rolls)]
    lines[0] += " " + _("At risk: {points}.").format(points=points(game.at_risk))
    if not game.must_select:
        return lines
    lines.append(_("Dice: {dice}.").format(dice=", ".join(map(str, game.roll))))
    return [*lines, _ticked_in_words(game, view)]


def _ticked_in_words(game: Mishimash, view: View) -> str:
    dice = kept_dice(game, view.step)
    then = game.taking(dice)
    text = _("Ticked: {dice}, {product}.") if dice else _("Nothing is ticked.")
    text = text.format(dice=" ".join(map(str, dice)), product=_product(then.worth, game.rolls))
    if then.bonus:
        text += " " + _("That is MISHIMASH: +{points}.").format(points=points(then.bonus))
    return text + " " + _("The turn would be {points}.").format(points=points(then.at_risk))
