"""Best results as people read them: tables for the terminal and as Markdown, and the place of a new entry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.replays.clock import local
from cubiri_cli.table.drawing import pad, width, wrap
from cubiri_cli.table.language import _, decimal, ngettext
from cubiri_cli.table.messages import explain_at, table_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cubiri_cli.store.leaderboard.board import Place, Ranking, Row
    from cubiri_cli.store.leaderboard.entries import Refusal

ASSISTED = "*"
"""The mark of an entry whose player asked for hints."""

NEW = ">"
"""The mark of an entry that is new."""


KEPT, SHORTEST = 4, 8
"""How many columns are shown however little room there is, and how short a player's name may be cut there."""


class Column(NamedTuple):
    """One column of a table: its heading, its cells from the top, and whether they are numbers."""

    heading: str
    cells: list[str]
    is_number: bool = True


def title(table: Ranking) -> str:
    """Return what a table is of, such as `MAGDAGDON · survival`."""
    kind = [] if table.is_solo else [_("several players")]
    kind += [] if table.rules == 1 else [_("rules version {rules}").format(rules=table.rules)]
    return " · ".join([table_of(table.game).TITLE, *(str(value) for value in table.options.values()), *kind])


def columns(table: Ranking, rows: Sequence[Row], is_here: bool) -> list[Column]:
    """Return the columns in which entries are shown, the seed last; dates in local time where it is shown here."""
    words = table_of(table.game)
    names = rows[0].figures if rows else ()
    figures = [name for name in names if not (table.is_solo and name in words.OF_SEVERAL)]
    shown = [
        Column(_(words.FIGURES[one]), [decimal(float(row.figures.get(one, 0))) for row in rows]) for one in figures
    ]
    return [
        Column("#", [str(row.rank) for row in rows]),
        Column(_("player"), [f"{row.player} {ASSISTED}" if row.assisted else row.player for row in rows], False),
        *shown[:1],
        Column(_("turns"), [str(row.turns) for row in rows]),
        *shown[1:],
        Column(_("date"), [(local(row.date) if is_here else row.date).date().isoformat() for row in rows], False),
        Column(_("seed"), [row.seed for row in rows], False),
    ]


def as_text(table: Ranking, rows: Sequence[Row], room: int | None = None, new: Collection[str] = ()) -> list[str]:
    """Return a table as lines. New entries are marked; what does not fit into `room` columns is left out or cut.

    Left out are the last columns first; rank, player, result and turns stay.
    """
    shown = columns(table, rows, is_here=True)
    widths = [max(map(width, [column.heading, *column.cells])) for column in shown]
    if room is not None and 2 + sum(widths) + 2 * len(widths) > room:
        shown, widths = shown[:-1], widths[:-1]
        while len(shown) > KEPT and 2 + sum(widths) + 2 * len(widths) - widths[1] + SHORTEST > room:
            shown, widths = shown[:-1], widths[:-1]
        widths[1] = max(SHORTEST, min(widths[1], room - 2 - 2 * len(widths) - sum(widths) + widths[1]))
    lines = [title(table), _row("  ", [column.heading for column in shown], shown, widths)]
    for index, row in enumerate(rows):
        mark = f"{NEW} " if row.digest in new else "  "
        lines.append(_row(mark, [column.cells[index] for column in shown], shown, widths))
    return lines


def describe_row(table: Ranking, row: Row) -> str:
    """Return in one line which entry of a table it is."""
    name, value = next(iter(row.figures.items()))
    figure = f"{_(table_of(table.game).FIGURES[name])}: {decimal(float(value))}"
    turns = ngettext("{count} turn", "{count} turns", row.turns).format(count=row.turns)
    return f"{title(table)} · {row.rank}. {row.player} · {figure} · {turns}"


def _row(mark: str, cells: Sequence[str], shown: Sequence[Column], widths: Sequence[int]) -> str:
    texts = [
        pad(cell, columns, ">" if column.is_number else "<")
        for cell, column, columns in zip(cells, shown, widths, strict=True)
    ]
    return (mark + "  ".join(texts)).rstrip()


def as_markdown(table: Ranking, rows: Sequence[Row]) -> list[str]:
    """Return a table in Markdown, with a heading. Names are shown as they are, whatever they hold."""
    shown = columns(table, rows, is_here=False)
    lines = [f"## {title(table)}", ""]
    lines.append("| " + " | ".join(column.heading for column in shown) + " |")
    lines.append("|" + "|".join("---:" if column.is_number else ":---" for column in shown) + "|")
    for index in range(len(rows)):
        lines.append("| " + " | ".join(literal(column.cells[index]) for column in shown) + " |")
    return lines


_BREAK = "<!-- -->"
"""What nobody sees, and no mention, address or reference goes across: these are found in the text once it is set."""

_FOUND_LATER = re.compile(r"@(?=\S)|#(?=\w)|(?:[Gg][Hh]|[A-Z])-(?=\d)|[0-9A-Fa-f]{6}(?=[0-9A-Fa-f])")
"""What mail addresses, mentions, numbers of issues (`#1`, `GH-1`) and names of commits are broken behind."""

_SIGN = re.compile(r"[^\w\s,-]|_|(?<!\w)-|-(?!\w)")
"""What may mean something in Markdown: it is spelled as a number."""


def literal(text: str) -> str:
    """Return Markdown that shows `text` itself: no table cell, link, HTML or mention ends or begins in it.

    >>> literal("a|b <img> [c](d) e-f")
    'a&#124;b &#60;img&#62; &#91;c&#93;&#40;d&#41; e-f'
    >>> literal("me@example.org, #1")
    'me&#64;<!-- -->example&#46;org, &#35;<!-- -->1'
    """
    pieces = _FOUND_LATER.sub(lambda found: found.group() + "\0", text).split("\0")
    return _BREAK.join(_SIGN.sub(lambda found: f"&#{ord(found.group())};", piece) for piece in pieces)


def notes(rows: Sequence[Row], total: int) -> list[str]:
    """Return what stands below a table: what the mark means, and how many entries are not shown."""
    lines = []
    if any(row.assisted for row in rows):
        lines.append(_("{mark} asked for hints").format(mark=ASSISTED))
    more = total - len(rows)
    if more > 0:
        text = ngettext("{count} more (--limit)", "{count} more (--limit)", more)
        lines.append(text.format(count=more))
    return lines


def place_lines(place: Place, digest: str, room: int | None = None, among_others: bool = True) -> list[str]:
    """Return where a game has got to: its place in a sentence, then the entries around it with the new one marked."""
    text = ngettext("Place {rank} of {total} in {table}.", "Place {rank} of {total} in {table}.", place.total)
    sentence = text.format(rank=place.rank, total=place.total, table=title(place.table))
    if any(row.digest == digest and row.assisted for row in place.around):
        sentence += " " + _("Games with hints are ranked only with --assisted.")
    told = [sentence] if room is None else wrap(sentence, room)
    return [*told, *as_text(place.table, place.around, room, (digest,))[1:]] if among_others else told


def why_not_ranked(refusal: Refusal) -> str:
    """Return in one line why a file makes no entry."""
    return explain_at(refusal.problem, refusal.game)
