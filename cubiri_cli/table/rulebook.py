"""The rules pages: one file a game and language in `rules/` beside the game's table module, set for the width at hand.

They, and the manual pages, are written in a small part of Markdown: headings, paragraphs (one line each), lists, tables
and indented examples; within lines `what is typed` and *what it stands for*.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from cubiri_cli.table.drawing import Line, Span, line, pad, to_text, width, wrap
from cubiri_cli.table.language import spoken
from cubiri_cli.table.messages import folder_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LISTED = re.compile(r"- |\d+\. ")
_EMPHASIS = re.compile(r"\*([^*\s][^*]*)\*")


def rules_text(game: str) -> str:
    """Return the rules of a game in the language spoken now, or in English where they lack it, as they are written."""
    folder = folder_of(game) / "rules"
    page = folder / f"{game}.{spoken()}.md"
    return (page if page.exists() else folder / f"{game}.en.md").read_text("utf-8").rstrip()


def rules_lines(game: str, columns: int) -> list[Line]:
    """Return the rules of a game in the language spoken now, set for `columns` columns."""
    return list(set_markdown(rules_text(game), columns))


def aim_lines(game: str, columns: int) -> list[Line]:
    """Return what a game is about, set for `columns` columns: the first section of its rules, without its heading."""
    section = rules_text(game).split("\n## ")[1]
    return list(set_markdown(section.partition("\n")[2].strip(), columns))


def set_markdown(text: str, columns: int) -> Iterator[Line]:
    """Yield the lines of a text in Markdown, set for `columns` columns.

    >>> from cubiri_cli.table.drawing import to_text
    >>> [to_text(one) for one in set_markdown("# Aim\\n\\n- Fill the board.", 10)]
    ['Aim', '', '- Fill the', '  board.']
    """
    table: list[list[str]] = []
    for source in text.split("\n"):
        if source.startswith("|"):
            table.append([cell.strip() for cell in source.strip().strip("|").split("|")])
            continue
        if table:
            yield from _set_table(table, columns)
            table = []
        yield from _set_line(source, columns)
    if table:
        yield from _set_table(table, columns)


def _set_line(source: str, columns: int) -> list[Line]:
    if source.startswith("#"):
        return _set_text(source.lstrip("#").strip(), columns, "title")
    if source.startswith("    "):  # an example: kept as it is, but for its indent where room is short
        return [line(source if width(source) <= columns else source.strip())]
    listed = _LISTED.match(source)
    return _set_text(source, columns, indent=" " * len(listed[0]) if listed else "")


def _set_text(text: str, columns: int, style: str = "", indent: str = "") -> list[Line]:
    """Return a text as lines, what is typed in bold; all but the first begin with `indent`."""
    spans = _spans(text, style)
    styles = iter([span.style for span in spans for character in span.text if not character.isspace()])
    lines = []
    for part in wrap(to_text(spans), columns, indent):
        each = [style if character.isspace() else next(styles) for character in part]
        runs = groupby(zip(part, each, strict=True), lambda pair: pair[1])
        lines.append(line(*(Span("".join(character for character, _one in run), one) for one, run in runs)))
    return lines


def _spans(text: str, style: str = "") -> Line:
    """Return a text without its marks.

    >>> _spans("see `cubiri` *FILE*.")
    [Span(text='see ', style=''), Span(text='cubiri', style='bold'), Span(text=' FILE.', style='')]
    """
    parts = re.split("`([^`]+)`", text)
    return line(
        *(Span(part, "bold") if odd % 2 else Span(_EMPHASIS.sub(r"\1", part), style) for odd, part in enumerate(parts))
    )


def _set_table(rows: Sequence[Sequence[str]], columns: int) -> Iterator[Line]:
    """Yield the lines of a table; the last column takes what room is left and is broken where it has to be."""
    head, *rest = rows
    body = [row for row in rest if not all(set(cell) <= set("-:") for cell in row)]
    widths = [max(width(row[index]) for row in (head, *body)) for index in range(len(head))]
    room = columns - sum(widths[:-1]) - 2 * (len(widths) - 1)
    widths[-1] = min(widths[-1], max(room, 10))
    for number, row in enumerate((head, *body)):
        style = "bold" if number == 0 else ""
        start = "  ".join(pad(cell, room) for cell, room in zip(row[:-1], widths[:-1], strict=True))
        gap = "  " if len(row) > 1 else ""
        for index, part in enumerate(wrap(row[-1], widths[-1])):
            yield line(Span((start if index == 0 else " " * width(start)) + gap + part, style))
        if number == 0:
            yield line("  ".join("─" * room for room in widths))
