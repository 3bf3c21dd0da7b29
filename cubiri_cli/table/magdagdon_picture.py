"""How MAGDAGDON looks: the board with what its lines are worth, the dice, and what can be chosen now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.games.magdagdon import CELLS, EMPTY, FOUR_OF_A_KIND, LINES, RUIN, STRAIGHT, TWO_PAIRS
from cubiri_cli.table.drawing import Line, Span, beside, ends, fold, latest, line, pad, wrap_line
from cubiri_cli.table.language import N_, _, decimal, ngettext, remembered
from cubiri_cli.table.magdagdon_lines import prospects

if TYPE_CHECKING:
    from cubiri_cli.games.magdagdon import Magdagdon
    from cubiri_cli.table.magdagdon_lines import Prospect
    from cubiri_cli.table.protocol import Moment

HEADING = "MAGDAGDON"

BONUSES = {STRAIGHT: N_("STRAIGHT"), FOUR_OF_A_KIND: N_("FOUR OF A KIND"), TWO_PAIRS: N_("TWO PAIRS")}

# A cell has the same key in every turn: letters in reading order, shown on the board where the die may go. Not those
# that name columns (whoever types b2 would place elsewhere at the b), nor those that mean something in other questions.
CELL_KEYS = "efgzijklmnostvwy"
"""The keys of the cells in reading order: none that is an offer of the table, such as h."""


class Intent(NamedTuple):
    """What was chosen on the way to an action."""

    kind: str
    """`die` (with its value), `back`, `power`, `reroll` (with what is ticked), `ruin`."""
    value: int = 0
    ticked: tuple[bool, ...] = ()
    """Which of the available dice (in ascending order) are to be thrown again."""


_WIDE = 72
_CELL = 5
_SIDE = 42


def draw(game: Magdagdon, width: int, height: int, moment: Moment) -> list[Line]:
    """Return the board with its sums, the dice, and all that is needed for the next choice."""
    head = _title(game, width)
    wide = width >= _WIDE
    if wide:
        board = _board(
            game, moment, _CELL, "full" if height >= 13 else "light" if height >= 10 else "bare", marks=height >= 8
        )
        side = _side(game, moment, width - _SIDE, min(height, 13) - 1, boxes=height >= 10)
        return [head, *beside(board, side, 0, columns=_SIDE)][:height]
    kind = "full" if height >= 20 else "light" if height >= 14 else "bare"
    board = _board(game, moment, 3, kind, marks=height >= 12)
    return [head, *board, *_side(game, moment, width, height - 1 - len(board), boxes=False)][:height]


def _title(game: Magdagdon, width: int) -> Line:
    text = score_text(game, is_short=width < _WIDE)
    turn = _("turn {turn}").format(turn=max(1, game.turn))
    left = line(Span(HEADING, "title"), f" · {game.difficulty} · {turn}")
    if width < 50:
        left = line(Span(game.difficulty, "title"), f" · {turn}")
    return ends(left, line(Span(text, "bold")), width)


def score_text(game: Magdagdon, is_short: bool = False) -> str:
    """Return the score, and what it would be if the turn were confirmed now."""
    score = decimal(game.score().total)
    if not (game.in_turn and game.can_confirm):
        return _("score {score}").format(score=score)
    text = _("score {score} → {then}") if is_short else _("score {score} → {then} if confirmed")
    return text.format(score=score, then=decimal(game.score(game.board_if_confirmed()).total))


def _board(game: Magdagdon, moment: Moment, cell: int, kind: str, marks: bool) -> list[Line]:
    """Return the board with its coordinates, sums and bonuses.

    `cell` is how wide a cell is; `kind` is `full` (framed), `light` (framed around), `bare` (no frame); `marks` shows
    the columns' bonuses.
    """
    shown = prospects(game.board_if_confirmed())
    edge = " " if kind == "bare" else "│"
    lines = [line("    " + " ".join(pad(name, cell, "^") for name in "abcd"), Span("   " + _("sum"), "dim"))]
    for row in range(4):
        if (kind != "bare" and row == 0) or kind == "full":
            lines.append(_rule("├┼┤" if row else "┌┬┐", cell))
        spans: Line = [Span(f" {row + 1} " + edge)]
        for column in range(4):
            spans += [_cell(game, moment, 4 * row + column, cell), Span(edge)]
        lines.append([*spans, Span(f"{shown[row].sum:>3} ", "bold"), worth_mark(shown[row])])
    lines += [_rule("└┴┘", cell)] if kind != "bare" else []
    lines.append(line(Span("    " + " ".join(pad(str(one.sum), cell, "^") for one in shown[4:]), "bold")))
    if marks:
        below = [mark._replace(text=pad(mark.text, cell, "^")) for mark in map(worth_mark, shown[4:])]
        lines.append([Span("    "), *(span for mark in below for span in (mark, Span(" ")))])
    return lines


def _rule(corners: str, cell: int) -> Line:
    """Return a line of the frame with these at its left end, between two cells, and at its right end."""
    return line(f"   {corners[0]}{corners[1].join(['─' * cell] * 4)}{corners[2]}")


def worth_mark(one: Prospect) -> Span:
    """Return the bonus a line has (`+60`), or can still get (`60?`), or that it gets none."""
    if one.bonus:
        return Span(f"+{one.bonus}", "good")
    return Span(f"{one.reachable}?", "") if one.reachable else Span("–", "dim")


def _cell(game: Magdagdon, moment: Moment, cell: int, width: int) -> Span:
    """Return a cell: a number, a staged die in brackets, a ruin, or the key of a cell that can be chosen.

    The cell pointed at is lit, and shows what is chosen there.
    """
    if moment.pointed is not None and moment.pointed.at == place(cell) and is_asked_on_board(game, moment.step):
        return Span(f"▐{pad(_there(game, moment, cell, width), width - 2, '^')}▌", "chosen")
    value = game.board[cell]
    if value == RUIN:
        return Span(pad("▒▒▒", width, "^"), "ruin")
    if value != EMPTY:
        return Span(pad(str(value), width, "^"), "bold")
    if cell in game.staged_cells:
        return Span(pad(f"({game.staged[cell]})", width, "^"), "staged")
    if cell in _cells_of_step(game, moment.step):
        return Span(pad(f"·{CELL_KEYS[cell]}·", width, "^"), "legal")
    if moment.pointed is not None and cell in _cells_of_step(game, moment.pointed.step):
        return Span(pad("·", width, "^"), "legal")
    return Span(" " * width)


def _there(game: Magdagdon, moment: Moment, cell: int, width: int) -> str:
    """Return what is chosen on a cell: the die to place there, the staged die to take back, or a ruin."""
    if cell in game.staged_cells:
        return f"({game.staged[cell]})" if width >= _CELL else str(game.staged[cell])
    return str(moment.step.value) if isinstance(moment.step, Intent) and moment.step.kind == "die" else "▒▒▒"


def place(cell: int) -> tuple[int, int]:
    """Return where a cell lies on the board, as column and row."""
    return cell % 4, cell // 4


def lying(game: Magdagdon, value: int) -> list[int]:
    """Return where the dice that show `value` and can be had lie in the row of dice."""
    return [
        at for at, (die, spot) in enumerate(zip(game.dice, game.spots, strict=True)) if die == value and spot is None
    ]


def is_asked_on_board(game: Magdagdon, step: Any) -> bool:
    """Tell whether it is cells that can be chosen, not dice."""
    return must_accept(game) if step is None else isinstance(step, Intent) and step.kind in ("die", "back", "ruin")


def _cells_of_step(game: Magdagdon, step: Any) -> list[int]:
    if step is None and must_accept(game):
        step = Intent("ruin")
    if not isinstance(step, Intent) or not game.in_turn:
        return []
    if step.kind == "die":
        return game.legal_cells(step.value)
    return [cell for cell in range(16) if game.board[cell] == EMPTY] if step.kind == "ruin" else []


def _side(game: Magdagdon, moment: Moment, width: int, height: int, boxes: bool) -> list[Line]:
    """Return what stands beside or below the board: dice, what is needed, Powers, news, and what lines can become."""
    lines = _dice_boxes(game, moment) if boxes else [_dice_line(game, moment)]
    lines += status(game, width)
    room = height - len(lines)
    news = latest([fold(entry, width, "  ") for entry in moment.news], room)
    if news:
        lines += [*([[]] if room > len(news) + 1 else []), *news]
    room = height - len(lines)
    chances = [wrap_line(hope, width, indent="  ") for hope in hopes(game.board_if_confirmed())]
    if room > 2 and chances and not game.over:
        lines += [[], *reversed(latest([entry[::-1] for entry in reversed(chances)], room - 1))]
    legend = wrap_line(_("(3) staged · ·e· possible · ▒ ruin"), width, "dim")
    if boxes and game.in_turn and height - len(lines) > len(legend):
        lines += [[], *legend]
    return lines[:height]


def faces(game: Magdagdon, moment: Moment) -> list[tuple[str, str, str]]:
    """Return for each die its face, its state below, and the style: staged (its cell), chosen, without a place."""
    if moment.rolling:
        return [(str(face), "", "") for face in moment.rolling]
    chosen = moment.step.value if isinstance(moment.step, Intent) and moment.step.kind == "die" else 0
    is_pointed = moment.pointed is not None and not is_asked_on_board(game, moment.step)
    pointed = moment.pointed.at if is_pointed and moment.pointed is not None else None
    faces = []
    for index, (value, spot) in enumerate(zip(game.dice, game.spots, strict=True)):
        if spot is not None:
            faces.append((str(value), CELLS[spot], "staged"))
        elif pointed == (index, 0):
            faces.append((str(value), "", "chosen"))
        elif value == chosen:
            faces.append((str(value), "▲", "chosen"))
            chosen = 0  # of equal dice one is meant
        else:
            faces.append((str(value), "" if game.legal_cells(value) else "–", ""))
    return faces


def _dice_boxes(game: Magdagdon, moment: Moment) -> list[Line]:
    lines: list[Line] = [[], [], [], []]
    for face, state, style in faces(game, moment):
        middle = f"▐ {face} ▌" if style == "chosen" else f"│({face})│" if style == "staged" else f"│ {face} │"
        lines[0].append(Span("┌───┐ "))
        lines[1] += [Span(middle, style), Span(" ")]
        lines[2].append(Span("└───┘ "))
        lines[3].append(Span(pad(state, 5, "^") + " ", style if style == "staged" else ""))
    return lines if game.in_turn or moment.rolling else []


def _dice_line(game: Magdagdon, moment: Moment) -> Line:
    spans: Line = [Span(_("dice:"))]
    for face, state, style in faces(game, moment):
        shown = f"▐{face}▌" if style == "chosen" else f"({face}){state}" if style == "staged" else f" {face}{state} "
        spans += [Span(" "), Span(shown, style)]
    return spans if game.in_turn or moment.rolling else []


def status(game: Magdagdon, width: int) -> list[Line]:
    """Return how many dice are staged and needed, or why it is MAGDAGDON; and the Powers left."""
    lines: list[Line] = []
    if game.in_turn and game.is_magdagdon:
        lines.append(line(Span(" MAGDAGDON ", "alarm")))
        lines += wrap_line(why_magdagdon(game), width, "bold")
    elif game.in_turn:
        text = _("{staged} staged, {required} needed").format(staged=len(game.staged_cells), required=game.required)
        lines.append(line(Span(text, "good" if game.can_confirm else "")))
    lines += wrap_line(powers_left(game), width, "dim")
    return lines


def why_magdagdon(game: Magdagdon) -> str:
    """Return why the turn is in the state MAGDAGDON."""
    return ngettext("no die can be placed", "the {count} dice needed cannot be placed", game.required).format(
        count=game.required
    )


def powers_left(game: Magdagdon) -> str:
    """Return how many Powers are left, and what the next one costs."""
    return _powers_in_words(game.prices)


@remembered
def _powers_in_words(prices: tuple[int, ...]) -> str:
    if not prices:
        return _("no Power left")
    count = len(prices)
    text = ngettext("{count} Power left, it costs {price}", "{count} Powers left, the next costs {price}", count)
    return text.format(count=count, price=prices[0])


@remembered
def hopes(board: tuple[int, ...]) -> tuple[str, ...]:
    """Return for each line of a board that lacks one number what would complete it, the highest bonus first."""
    found = []
    for index, one in enumerate(prospects(board)):
        gaps = [place for place, cell in enumerate(LINES[index]) if board[cell] == EMPTY]
        if one.reachable and len(gaps) == 1:
            gap = gaps[0]
            numbers = "-".join(str(board[cell]) if board[cell] != EMPTY else "?" for cell in LINES[index])
            text = _("{line}: {numbers} + {die} on {cell}: {bonus} +{points}").format(
                line=line_name(index),
                numbers=numbers,
                die=one.filled[gap],
                cell=CELLS[LINES[index][gap]],
                bonus=_(BONUSES[one.reachable]),
                points=one.reachable,
            )
            found.append((-one.reachable, index, text))
    return tuple(text for _points, _index, text in sorted(found))


def must_accept(game: Magdagdon) -> bool:
    """Tell whether accepting MAGDAGDON is all that can be done; then its cell is asked for at once."""
    return game.is_magdagdon and not game.prices


def line_name(index: int) -> str:
    """Return the name of a line, counted as in `LINES`."""
    if index < 4:
        return _("row {name}").format(name="1234"[index])
    return _("column {name}").format(name="abcd"[index - 4])
