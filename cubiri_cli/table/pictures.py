"""Recorded games as files to be shown elsewhere: a state as SVG, a whole game as an asciinema recording.

Both are made of the lines a terminal shows, are plain ASCII whatever the names hold, and come out the same every time.
"""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.table.drawing import STYLES, Line, to_ansi, width
from cubiri_cli.table.language import _, spoken
from cubiri_cli.table.markup import safe
from cubiri_cli.table.pages import page_lines, seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cubiri_cli.table.transcript import Recording

COLUMNS, ROWS = 80, 24
"""The size of both, in characters."""

LAST_PAGE = 5.0
"""How many seconds a recording stays on its last picture, at speed 1."""

# SVG

CELL_WIDTH, CELL_HEIGHT, FONT_SIZE, MARGIN = 9, 20, 15, 12
"""The grid of an SVG in its units: where a character stands depends on these, never on the font."""

FONTS = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"

# Light and dark, by what the reader's system prefers: background, text, then the colours of SGR 31, 32, 33 and 36. All
# are told from the background by 4.5 : 1 at least.
_COLORS = ("31", "32", "33", "36")
_LIGHT = ("#ffffff", "#24292f", "#b3261e", "#116329", "#7d4e00", "#0b6478")
_DARK = ("#161b22", "#e6edf3", "#ff8f86", "#5fd37a", "#e3b341", "#5ccfe6")

# Frames and bars are drawn, not written: fonts leave gaps between lines. The arms of each, from the middle of its cell.
_ARMS = {
    "─": "lr",
    "│": "ud",
    "┌": "rd",
    "┐": "ld",
    "└": "ru",
    "┘": "lu",
    "├": "udr",
    "┤": "udl",
    "┬": "lrd",
    "┴": "lru",
    "┼": "lrud",
}
_BLOCKS = {"█": (0.0, 1.0, 1.0), "▒": (0.0, 1.0, 0.5), "░": (0.0, 1.0, 0.3), "▌": (0.0, 0.5, 1.0), "▐": (0.5, 0.5, 1.0)}
"""Where in its cell each block begins, how wide it is, and how much it covers."""


class _Mark(NamedTuple):
    """What a style means in a picture: its colour, `bold` and `dim`, and whether it is drawn on its own colour."""

    color: str
    weight: str
    reverse: bool


def svg(lines: Iterable[Line], words: Iterable[str], color: bool = True) -> str:
    """Return lines as an SVG, in ASCII: no scripts, no other files, readable on light and dark pages.

    `words` say the same in words; they become the title, which is what screen readers read.
    """
    rows = list(lines)
    while rows and not rows[-1]:
        rows.pop()
    columns = max((sum(width(span.text) for span in one) for one in rows), default=0)
    wide, high = columns * CELL_WIDTH + 2 * MARGIN, len(rows) * CELL_HEIGHT + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
        f' role="img" aria-labelledby="title" lang="{spoken()}">',
        f'<title id="title">{safe(" ".join(words))}</title>',
        f"<style>{_css(color)}</style>",
        f'<rect class="fb" width="{wide}" height="{high}" rx="8"/>',
        *(part for row, one in enumerate(rows) for part in _row(row, one)),
        "</svg>",
    ]
    return ("\n".join(parts) + "\n").encode("ascii", "xmlcharrefreplace").decode("ascii")


def _css(color: bool) -> str:
    """Return the style sheet: in light colours, and in dark ones where the reader's system asks for these."""
    letters = f"text{{font-family:{FONTS};font-size:{FONT_SIZE}px;white-space:pre}}"
    weights = ".bold{font-weight:bold}.dim{opacity:.75}"
    return f"{letters}{weights}{_colors(_LIGHT, color)}@media(prefers-color-scheme:dark){{{_colors(_DARK, color)}}}"


def _colors(colors: tuple[str, ...], color: bool) -> str:
    """Return the rules that fill (`f…`) and stroke (`s…`) in these colours: `b` the background, `t` the text."""
    names = dict(
        zip(("b", "t", *_COLORS), colors if color else (*colors[:2], *[colors[1]] * len(_COLORS)), strict=True)
    )
    return "".join(f".f{name}{{fill:{value}}}.s{name}{{stroke:{value}}}" for name, value in names.items())


def _row(row: int, spans: Line) -> Iterator[str]:
    """Yield the elements of one line: each span's ground, frames, blocks and text."""
    column, top = 0, MARGIN + row * CELL_HEIGHT
    for span in spans:
        mark = _mark(span.style)
        left, wide = MARGIN + column * CELL_WIDTH, width(span.text)
        if mark.reverse:
            size = f'width="{wide * CELL_WIDTH}" height="{CELL_HEIGHT}"'
            yield f'<rect class="f{mark.color}" x="{left}" y="{top}" {size}/>'
        yield from _pieces(span.text, left, top, mark)
        column += wide


def _pieces(text: str, left: int, top: int, mark: _Mark) -> Iterator[str]:
    """Yield the elements of a span: its words as texts, each at its place, and frames and blocks as drawings."""
    ink = "b" if mark.reverse else mark.color
    drawn: list[tuple[str, int]] = []
    blocks: list[tuple[str, int, int]] = []
    word, start, x = "", left, left
    for character in [*text, " "]:
        wide = width(character) * CELL_WIDTH
        if character == " " or character in _ARMS or character in _BLOCKS:
            if word:
                yield _text(word, start, top, f"f{ink} {mark.weight}".rstrip())
            word, start = "", x + wide
        else:
            word += character
        if character in _ARMS:
            drawn.append((_ARMS[character], x))
        elif character in _BLOCKS:
            if blocks and blocks[-1][0] == character and blocks[-1][2] == x:
                blocks[-1] = (character, blocks[-1][1], x + wide)
            else:
                blocks.append((character, x, x + wide))
        x += wide
    if not mark.reverse:  # on a ground of their colour they would be holes in it
        yield from (_block(*one, top, ink) for one in blocks)
    if drawn:
        classes = f"s{ink} {'dim' if 'dim' in mark.weight else ''}".rstrip()
        pen = 'fill="none" stroke-width="1.4" stroke-linecap="square"'
        yield f'<path class="{classes}" {pen} d="{_path(drawn, top)}"/>'


def _block(character: str, left: int, right: int, top: int, ink: str) -> str:
    """Return a run of one block character as a rectangle."""
    begin, size, cover = _BLOCKS[character]
    opacity = "" if cover == 1 else f' fill-opacity="{cover}"'
    wide = right - left
    place = f'x="{left + begin * wide:g}" y="{top + 1}" width="{size * wide:g}" height="{CELL_HEIGHT - 2}"'
    return f'<rect class="f{ink}" {place}{opacity}/>'


def _text(word: str, left: int, top: int, classes: str) -> str:
    # The length is given, so that the grid holds with any font.
    length = f'textLength="{width(word) * CELL_WIDTH}" lengthAdjust="spacingAndGlyphs"'
    return f'<text class="{classes}" x="{left}" y="{top + 15}" {length}>{safe(word)}</text>'


def _path(drawn: list[tuple[str, int]], top: int) -> str:
    """Return the path of frame characters on one line, each with its arms and its left edge."""
    centre = top + CELL_HEIGHT / 2
    flat: list[list[float]] = []
    path = ""
    for arms, x in drawn:
        middle = x + CELL_WIDTH / 2
        begin, end = x if "l" in arms else middle, x + CELL_WIDTH if "r" in arms else middle
        if flat and flat[-1][1] == begin:
            flat[-1][1] = end
        elif begin < end:
            flat.append([begin, end])
        high, low = top if "u" in arms else centre, top + CELL_HEIGHT if "d" in arms else centre
        if high < low:
            path += f"M{middle:g} {high:g}V{low:g}"
    return "".join(f"M{begin:g} {centre:g}H{end:g}" for begin, end in flat) + path


def _mark(style: str) -> _Mark:
    codes = STYLES[style].split(";")
    names = {"1": "bold", "2": "dim"}
    color = next((code for code in codes if code in _COLORS), "t")
    return _Mark(color, " ".join(names[code] for code in codes if code in names), "7" in codes)


# asciinema


def cast(recording: Recording, speed: float, color: bool, encoding: str) -> Iterator[str]:
    """Yield the lines of an asciinema recording (version 2) of a whole game: the header, then an event a line.

    Each picture is drawn over the one before, only the lines that differ: so long games make no huge files. The last
    event gives the cursor back, after the breakdown was shown.
    """
    header: dict[str, object] = {"version": 2, "width": COLUMNS, "height": ROWS}
    if recording.replay.started is not None:
        header["timestamp"] = int(recording.replay.started.timestamp())
    names = ", ".join(recording.names)
    header["title"] = _("{game}: {names}").format(game=recording.table.TITLE, names=names)
    header["env"] = {"TERM": "xterm-256color"}
    yield json.dumps(header)
    now, shown = 0.0, list[Line]()
    for page in range(len(recording.steps) + 2):
        lines = page_lines(recording, page, COLUMNS, ROWS)
        drawn = _redrawn(shown, lines, color, encoding) if page else "\x1b[?25l" + _drawn(lines, color, encoding)
        yield json.dumps([round(now, 3), "o", drawn])
        shown = lines
        now += (seconds(recording, page) if page <= len(recording.steps) else LAST_PAGE) / speed
    yield json.dumps([round(now, 3), "o", "\x1b[?25h"])


def _drawn(lines: list[Line], color: bool, encoding: str) -> str:
    """Return what draws a picture on an empty screen."""
    return "\x1b[H\x1b[J" + "\r\n".join(to_ansi(one, color, encoding) for one in lines)


def _redrawn(shown: list[Line], lines: list[Line], color: bool, encoding: str) -> str:
    """Return what draws a picture over another one: the lines that differ; the cursor ends on its last line."""
    nothing: Line = []
    rows = enumerate(zip_longest(shown, lines, fillvalue=nothing), 1)
    changed = [f"\x1b[{row}H\x1b[K{to_ansi(one, color, encoding)}" for row, (before, one) in rows if before != one]
    return "".join(changed) + f"\x1b[{len(lines)}H"
