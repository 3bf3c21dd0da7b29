"""Pictures as lines of styled spans, and what a terminal makes of them. Nothing here knows a game or a prompt.

A picture is a list of lines, a line a list of spans, a span a text with the name of a style. Colour never carries
anything alone: everything a style says is said by a character or a word too.

>>> [to_text(line) for line in beside([line("a"), line("b")], [line(Span("c", "bold"))], 3)]
['a   c', 'b']
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Span(NamedTuple):
    """A piece of a line in one style, a name from `STYLES`."""

    text: str
    style: str = ""


Line = list[Span]
"""One line of a picture, from the left."""

STYLES = {
    # name: the parameters of the terminal's code SGR
    "": "",
    "title": "1",
    "bold": "1",
    "dim": "2",
    "key": "1;36",
    "staged": "1;33",
    "legal": "1;32",
    "chosen": "1;7",
    "ruin": "31",
    "good": "1;32",
    "bad": "1;31",
    "cheer": "1;7;32",
    "alarm": "1;7;31",
    "bar": "36",
    "risk": "33",
}

COLORS = {"31": (160, "#d70000"), "32": (28, "#008700"), "33": (130, "#af5f00"), "36": (30, "#008787")}
"""What the colours are on a terminal: the number among its 256, and its red, green and blue.

The first 16 are the terminal's own, and its green, yellow and cyan are as good as white on white. These stand out from
white and from black alike, nearly 4 : 1 at least.
"""

# What stands for a drawing character where the encoding lacks it: one column for one column, so that nothing moves.
_ASCII = str.maketrans(
    {
        **dict.fromkeys("─═", "-"),
        "│": "|",
        "▐": "[",
        "▌": "]",
        **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"),
        **dict.fromkeys("█▓▒", "#"),
        "░": ":",
        "×": "x",
        "·": ".",
        "−": "-",
        "–": "-",
        "—": "-",
        "≥": ">",
        "▶": ">",
        "»": ">",
        "→": ">",
        "←": "<",
        "↑": "^",
        "↓": "v",
        "▲": "^",
        "…": ".",
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "ß": "s",
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "\u00a0": " ",
    }
)


# Latin letters with what they wear, and what pictures are drawn with: one column each. Measured here: most texts
# are of these, and the tables of all other characters take their time to load.
_NARROW = re.compile("[ -~\u00a0-\u02ff\u2010-\u2027\u2190-\u21ff\u2212\u2265\u2500-\u25f7]*")


_LONG = 512
"""Texts of more characters are none of those that come again and again."""
_WORD = re.compile(r"\S+")


def line(*parts: Span | str) -> Line:
    """Return a line of these spans and plain texts; empty ones are left out."""
    spans = [part if isinstance(part, Span) else Span(part) for part in parts]
    return [span for span in spans if span.text]


def to_text(spans: Iterable[Span]) -> str:
    """Return the text of a line without its styles."""
    return "".join(span.text for span in spans)


def width(text: str) -> int:
    """Return how many columns `text` takes on a terminal: a wide character two, a combining one none.

    >>> width("Väinö"), width("数独")
    (5, 4)
    """
    return _width(text) if len(text) <= _LONG else _width.__wrapped__(text)


@lru_cache(maxsize=4096)
def _width(text: str) -> int:
    if _NARROW.fullmatch(text):
        return len(text)
    from wcwidth import wcwidth

    return sum(max(0, wcwidth(character)) for character in text)


def line_width(spans: Iterable[Span]) -> int:
    """Return how many columns a line takes."""
    return sum(width(span.text) for span in spans)


def cut(text: str, columns: int) -> str:
    """Return `text` in at most `columns` columns; what is cut off is marked by `…`.

    >>> cut("Väinämöinen", 6), cut("数独数独", 4)
    ('Väinä…', '数…')
    """
    if width(text) <= columns:
        return text
    kept, used = "", 1
    for character in text:
        used += width(character)
        if used > columns:
            break
        kept += character
    return kept + "…" if columns > 0 else ""


def pad(text: str, columns: int, align: str = "<") -> str:
    """Return `text` in exactly `columns` columns: cut, or filled with blanks (`align`: `<`, `>` or `^`)."""
    text = cut(text, columns)
    room = columns - width(text)
    before = {"<": 0, ">": room, "^": room // 2}[align]
    return " " * before + text + " " * (room - before)


def cut_line(spans: Iterable[Span], columns: int) -> Line:
    """Return a line in at most `columns` columns; what is cut off is marked by `…`."""
    spans = list(spans)
    if line_width(spans) <= columns:
        return spans
    kept: Line = []
    room = columns
    for span in spans:
        if width(span.text) >= room:
            kept.append(Span(cut(span.text + " " * (room + 1), room), span.style))
            break
        kept.append(span)
        room -= width(span.text)
    return kept


def ends(left: Iterable[Span], right: Iterable[Span], columns: int) -> Line:
    """Return one line with `left` at its beginning and `right` at its end; `left` is cut where they do not fit."""
    right = list(right)
    left = cut_line(left, columns - line_width(right) - 1) if right else cut_line(left, columns)
    gap = columns - line_width(left) - line_width(right)
    return [*left, *([Span(" " * gap)] if right and gap > 0 else []), *right]


def beside(left: Sequence[Line], right: Sequence[Line], gap: int, columns: int | None = None) -> list[Line]:
    """Return two pictures beside each other, `gap` columns between them; the left one `columns` wide if given."""
    edge = gap + (max(map(line_width, left), default=0) if columns is None else columns)
    lines = []
    for index in range(max(len(left), len(right))):
        first = left[index] if index < len(left) else []
        second = right[index] if index < len(right) else []
        lines.append([*first, Span(" " * (edge - line_width(first))), *second] if second else list(first))
    return lines


def wrap(text: str, columns: int, indent: str = "") -> list[str]:
    """Return `text` in lines of at most `columns` columns, broken at blanks (and within words that are longer).

    All lines but the first begin with `indent`. A line has at least one character, however narrow a terminal is.
    """
    return list(_wrapped(text, columns, indent) if len(text) <= _LONG else wrapped(text, columns, indent))


@lru_cache(maxsize=1024)
def _wrapped(text: str, columns: int, indent: str) -> tuple[str, ...]:
    return tuple(wrapped(text, columns, indent))


def wrapped(text: str, columns: int, indent: str = "") -> Iterator[str]:
    """Yield the lines of `wrap` one after the other, as few as are wanted of a text of any length."""
    room = max(1, columns)
    later = max(1, room - width(indent))
    before, current = "", ""
    for found in _WORD.finditer(text):
        word = found[0]
        if current and width(current) + 1 + width(word) > room:
            yield before + current
            before, current, room = indent, "", later
        if width(word) > room:
            *heads, word = _cut_up(word, room, later)
            for head in heads:
                yield before + head
                before, room = indent, later
        current = f"{current} {word}" if current else word
    if current or not before:
        yield before + current


def _cut_up(word: str, first: int, later: int) -> Iterator[str]:
    """Yield the parts of a word: the first as wide as fits into so many columns, the others as wide as later lines."""
    start = used = 0
    room = first
    for end, character in enumerate(word):
        wide = width(character)
        if used + wide > room and end > start:
            yield word[start:end]
            start, used, room = end, 0, later
        used += wide
    yield word[start:]


def wrap_line(text: str, columns: int, style: str = "", indent: str = "") -> list[Line]:
    """Return `text` as lines in one style; all but the first begin with `indent`."""
    return [line(Span(part, style)) for part in wrap(text, columns, indent)]


def fold(spans: Line, columns: int, indent: str = "") -> list[Line]:
    """Return a line as it is where it fits; else in as many as it needs, each style in lines of its own.

    >>> [to_text(one) for one in fold([Span("Ada banks 12 and has 30")], 12, "  ")]
    ['Ada banks 12', '  and has 30']
    """
    if line_width(spans) <= columns:
        return [spans]
    return [part for span in spans for part in wrap_line(span.text.strip(), columns, span.style, indent)]


def latest(entries: Sequence[Sequence[Line]], room: int) -> list[Line]:
    """Return the last of several entries of lines, whole ones, as many as `room` lines hold; at least some of the last.

    >>> latest([[[Span("a")]], [[Span("b")], [Span("c")]]], 2)
    [[Span(text='b', style='')], [Span(text='c', style='')]]
    """
    shown: list[Line] = []
    for entry in reversed(entries):
        if shown and len(shown) + len(entry) > room:
            break
        shown = [*entry, *shown]
    return shown[: max(0, room)]


def encoding_of(stream: object) -> str:
    """Return the encoding of a stream of text; ASCII where it has none."""
    return getattr(stream, "encoding", None) or "ascii"


@lru_cache(maxsize=4096)
def degrade(text: str, encoding: str) -> str:
    """Return `text` in the characters that `encoding` has: others by their likes, width for width.

    >>> degrade("│ 4 × Väinö │", "ascii"), degrade("│ Väinö", "latin-1")
    ('| 4 x Vaino |', '| Väinö')
    >>> degrade("❤️", "ascii")
    '<3'
    """
    if text.isascii():
        return text
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return "".join(_degrade_one(character, encoding) for character in text.replace("❤\ufe0f", "<3"))
    return text


def _degrade_one(character: str, encoding: str) -> str:
    like = character.translate(_ASCII)
    base = "".join(part for part in unicodedata.normalize("NFKD", like) if not unicodedata.combining(part))
    for candidate in (character, like, base):
        try:
            candidate.encode(encoding)
        except (UnicodeEncodeError, LookupError):
            continue
        if width(candidate) == width(character):
            return candidate
    return "?" * width(character)


def to_ansi(spans: Iterable[Span], color: bool = True, encoding: str = "utf-8") -> str:
    """Return a line as a terminal takes it, with its styles as codes; without colour, bold and reverse stay.

    >>> to_ansi([Span("4", "staged"), Span(" ", "")], color=False)
    '\\x1b[1m4\\x1b[0m '
    """
    texts = []
    for span in spans:
        codes = [_code(code) for code in STYLES[span.style].split(";") if code and (color or code not in COLORS)]
        text = degrade(span.text, encoding)
        texts.append(f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes else text)
    return "".join(texts)


def _code(code: str) -> str:
    return f"38;5;{COLORS[code][0]}" if code in COLORS else code


def screen_encoding(is_ascii: bool) -> str:
    """Return the encoding that pictures are fitted to: standard output's, or ASCII where that is wanted."""
    return "ascii" if is_ascii else encoding_of(sys.stdout)
