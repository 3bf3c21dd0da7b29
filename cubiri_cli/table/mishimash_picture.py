"""How MISHIMASH looks: everybody's points, the dice by combination, and what is at risk."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.table.drawing import Line, Span, cut_line, ends, fold, latest, line, line_width, pad, width, wrap_line
from cubiri_cli.table.language import _, points
from cubiri_cli.table.mishimash_race import FINAL_ROUND, IN_SIGHT, SUDDEN_DEATH, outlook, phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.games.mishimash import Mishimash
    from cubiri_cli.table.protocol import Moment

HEADING = "MISHIMASH"

_WIDE = 60
SHORTEST_BAR = 8
"""How many columns a bar has at least: less would say less than the number beside it."""


class Ticks(NamedTuple):
    """Which combinations of the roll are ticked, in the order of `Mishimash.combinations`."""

    ticked: tuple[bool, ...]


def kept_dice(game: Mishimash, step: object = None) -> tuple[int, ...]:
    """Return the dice of the combinations that are ticked in `step` (a `Ticks`; all, where it is none), ascending."""
    ticked = ticked_in(game, step)
    parts = zip(game.combinations, ticked, strict=True)
    return tuple(sorted(die for part, is_ticked in parts if is_ticked for die in part.dice))


def ticked_in(game: Mishimash, step: object) -> tuple[bool, ...]:
    """Return which combinations are ticked in `step` (a `Ticks`; all, where it is none)."""
    return step.ticked if isinstance(step, Ticks) else (True,) * len(game.combinations)


def draw(game: Mishimash, names: Sequence[str], columns: int, height: int, moment: Moment) -> list[Line]:
    """Return everybody's points, the dice by combination, and what is at risk."""
    head = [_title(game, moment, columns)]
    faces = groups_of(game, moment)
    below = points_at_risk(game, moment, columns)
    entries = [fold(entry, columns) for entry in moment.news]
    told = sum(map(len, entries))
    boxes = _boxes(faces, columns) if faces else []
    slim = _slim_dice(faces, columns) if faces else []
    # What matters less gives way: first the blank lines, then the boxes of the dice, then old news, then the bars.
    players = _players(game, names, columns, moment.chances)
    room = height - len(head) - len(players)
    if room - len(below) - min(told, 2) < len(boxes):
        boxes = slim
    if room < len(boxes) + len(below) + min(told, 3):
        players = _players_in_columns(game, names, columns, moment.chances)
        room = height - len(head) - len(players)
        if room < len(boxes) + len(below) + told:  # the choices say what each part is worth, the news what was lost
            below = points_at_risk(game, moment, columns, is_short=True)
            boxes = boxes if game.must_select or moment.rolling else []
    news = latest(entries, max(1, room - len(boxes) - len(below)))
    sections = [section for section in (head, players, boxes, below, news) if section]
    spare = height - sum(map(len, sections))
    lines: list[Line] = []
    for index, section in enumerate(sections):
        if index and spare > 0:
            lines.append([])
            spare -= 1
        lines += section
    return [cut_line(one, columns) for one in lines][:height]


def _title(game: Mishimash, moment: Moment, columns: int) -> Line:
    """Return the game, and how near its end is; alone, first of all which turn it is: that is what is ranked."""
    named, left = Span(HEADING, "title"), line(_("to {target}").format(target=game.target))
    right = round_mark(game, turn_would_be(game, moment))
    if game.seats == 1:
        turn = _("turn {turn}").format(turn=max(1, game.turns[0]))
        left = line(Span(turn, "bold"), " · ", *left)
        right = line(Span(_("the fewer turns, the better"), "dim"))
    whole = [named, Span(" · "), *left]
    if game.seats == 1 and line_width([*whole, *right]) >= columns:
        right = []
    return ends(whole if line_width([*whole, *right]) < columns else left, right, columns)


def round_mark(game: Mishimash, turn: int = 0) -> Line:
    """Return the alarm of sudden death or the final round, or that it is in sight; nothing in other rounds.

    `turn` are the half-points of the turn so far.
    """
    marks = {
        SUDDEN_DEATH: Span(" " + _("sudden death") + " ", "alarm"),
        FINAL_ROUND: Span(" " + _("final round") + " ", "alarm"),
        IN_SIGHT: Span(_("final round in sight"), "bold"),
    }
    return line(marks.get(phase(game, turn), ""))


def _players(game: Mishimash, names: Sequence[str], columns: int, chances: Sequence[str]) -> list[Line]:
    """Return a line for each player: whose turn it is, name, bar towards the target with what is at risk, points.

    The chances to win stand where the turns do.
    """
    rows = [player_texts(game, names, seat) for seat in range(1, game.seats + 1)]
    if chances:
        shown = [_("{chance} to win").format(chance=chance) for chance in chances]
        rows = [(*row[:3], chance) for row, chance in zip(rows, shown, strict=True)]
    tail = max(width(total) for _mark, _name, total, _turn in rows)
    turns = max(width(turn) for *_rest, turn in rows)
    room = columns - 2 - tail - turns - 4
    most = max(width(name) for _mark, name, *_rest in rows)
    named = min(most, 20 if columns >= _WIDE else room)
    lines = []
    for seat, (mark, name, total, turn) in enumerate(rows, 1):
        style = player_style(game, seat)
        spans = [Span(f"{mark} {pad(name, named)} ", style)]
        if room - named - 1 >= SHORTEST_BAR:
            spans += _bar(game, seat, room - named - 1)
            spans.append(Span(" "))
        lines.append([*spans, Span(pad(total, tail, ">"), style), Span(f"  {pad(turn, turns, '>')}", "dim")])
    return lines


def player_texts(game: Mishimash, names: Sequence[str], seat: int) -> tuple[str, str, str, str]:
    """Return the mark of who is on turn or out, the name, the points, and the turn."""
    is_out = bool(game.contenders) and seat not in game.contenders
    mark = "▶" if seat == game.seat and not game.over else "×" if is_out else " "
    turn = _("turn {turn}").format(turn=game.turns[seat - 1])
    return mark, names[seat - 1], points(game.totals[seat - 1]), turn


def player_style(game: Mishimash, seat: int) -> str:
    """Return the style of a player: who is out is dim, who is on turn or has won is bold."""
    if game.contenders and seat not in game.contenders:
        return "dim"
    return "bold" if seat == game.seat or seat == game.winner else ""


def _bar(game: Mishimash, seat: int, columns: int) -> Line:
    """Return a bar of `columns` columns towards the target (or the highest total, where that is more)."""
    total, then, full = bar_of(game, seat)
    solid = total * columns // full
    shaded = then * columns // full - solid
    rest = columns - solid - shaded
    return [
        span for span in (Span("█" * solid, "bar"), Span("░" * shaded, "risk"), Span("·" * rest, "dim")) if span.text
    ]


def bar_of(game: Mishimash, seat: int) -> tuple[int, int, int]:
    """Return a player's total, the total with what is at risk, and what a full bar is, all in half-points."""
    total = game.totals[seat - 1]
    then = total + (game.at_risk if seat == game.seat else 0)
    return total, then, max(2 * game.target, *game.totals, then)


def _players_in_columns(game: Mishimash, names: Sequence[str], columns: int, chances: Sequence[str]) -> list[Line]:
    """Return the players in two columns, for a terminal of few lines."""
    rows = [player_texts(game, names, seat) for seat in range(1, game.seats + 1)]
    each = columns // 2 - 1
    widest = max(map(width, chances), default=0)
    cells = []
    for seat, (mark, name, total, _turn) in enumerate(rows, 1):
        tail = f"{total} {pad(chances[seat - 1], widest, '>')}" if chances else total
        text = f"{mark}{pad(name, each - width(tail) - 2)} {tail}"
        cells.append(Span(pad(text, each), player_style(game, seat)))
    half = (len(cells) + 1) // 2
    return [line(cells[index], "  ", cells[index + half] if index + half < len(cells) else "") for index in range(half)]


class Group(NamedTuple):
    """Dice that are shown side by side: a combination, or those that score nothing."""

    dice: tuple[int, ...]
    label: str
    style: str
    """`chosen` for what is ticked, `dim` for what scores nothing."""
    is_pointed: bool = False


def groups_of(game: Mishimash, moment: Moment) -> list[Group]:
    """Return the dice of the roll by combination, what is left over last; after a bust the dice that lost it."""
    if moment.rolling:
        return [Group((face,), "", "") for face in moment.rolling]
    if not game.must_select:
        return [Group(tuple(sorted(moment.thrown)), _("nothing"), "dim")] if moment.thrown and not game.in_turn else []
    parts = game.combinations
    ticked = ticked_in(game, moment.step)
    pointed = moment.pointed.at if moment.pointed is not None else None
    groups = [
        Group(part.dice, points(part.worth), "chosen" if is_ticked else "", pointed == (index, 0))
        for index, (part, is_ticked) in enumerate(zip(parts, ticked, strict=True))
    ]
    rest = list(game.roll)
    for part in parts:
        for die in part.dice:
            rest.remove(die)
    return [*groups, *([Group(tuple(sorted(rest)), "–", "dim")] if rest else [])]


def _boxes(groups: Sequence[Group], columns: int) -> list[Line]:
    """Return the dice as boxes, ticked ones `▐ 4 ▌`, with the points of each combination below.

    What is pointed at has a `▲` in its lower edge.
    """
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
        below = "└─▲─┘" if group.is_pointed else "└───┘"
        style = "dim" if group.style == "dim" else "bold" if group.is_pointed else ""
        lines[2].append(Span(pad(below * count, each), style))
        label = group.label if width(group.label) > 5 * count else pad(group.label, 5 * count, "^")
        lines[3].append(Span(pad(label, each), "bold" if group.style == "chosen" else "dim"))
    return lines


def _slim_dice(groups: Sequence[Group], columns: int) -> list[Line]:
    """Return the dice in one line, ticked ones in brackets, `▶` before what is pointed at."""
    spans: Line = []
    for group in groups:
        text = " ".join(map(str, group.dice))
        spans += [Span("▶" if group.is_pointed else " ", "key")] if groups[0].label else []
        spans.append(Span(f"[{text}]" if group.style == "chosen" else f" {text} ", group.style))
    return [spans]


def turn_would_be(game: Mishimash, moment: Moment) -> int:
    """Return the half-points of the turn, with what is ticked."""
    return game.taking(kept_dice(game, moment.step)).at_risk if game.must_select else game.at_risk


def points_at_risk(game: Mishimash, moment: Moment, columns: int, is_short: bool = False) -> list[Line]:
    """Return what the turn is worth, and what is needed or what a bank would come to."""
    needed = outlook(game, turn_would_be(game, moment))
    turn = points_of_turn(game, moment, columns, is_short)
    return [*turn, *(wrap_line(needed, columns, "bold") if needed else [])]


def points_of_turn(game: Mishimash, moment: Moment, columns: int, is_short: bool = False) -> list[Line]:
    """Return the roll, what is at risk, and what the turn would be with what is ticked; nothing between turns.

    Where it is to be short, what this roll adds is left out.
    """
    if not game.in_turn or moment.rolling:
        return []
    roll = _("roll {roll}, ×{multiplier}").format(roll=game.rolls, multiplier=game.rolls)
    texts = [roll, _("at risk {points}").format(points=points(game.at_risk))]
    if game.must_select:
        then = game.taking(kept_dice(game, moment.step))
        if not is_short:
            texts.append(_("this roll {product}").format(product=product(then.worth, game.rolls)))
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


def product(worth: int, multiplier: int) -> str:
    """Return points (half-points inside) times the number of the roll, as people write it."""
    return f"{points(worth)} × {multiplier} = {points(worth * multiplier)}"
