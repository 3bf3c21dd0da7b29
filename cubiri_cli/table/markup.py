"""HTML: texts made harmless, pictures on a page, and the frame of a page that asks for nothing from anywhere.

Nothing that a text holds becomes markup: `safe` spells whatever means something. What a page runs and how it looks
stands in itself, and its content security policy names both by their hashes; anything else the browser refuses.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from cubiri_cli import __version__
from cubiri_cli.table.language import _, spoken
from cubiri_cli.table.runners import disarmed
from cubiri_cli.table.scene import Bars, Board, DiceRow, Piece, Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cubiri_cli.table.drawing import Line
    from cubiri_cli.table.scene import Bar, DiceGroup, Square

_WEB = Path(__file__).parent / "web"

_NOT_SHOWN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""What neither XML nor HTML can hold."""

ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'%3E"
    "%3Crect width='9' height='9' rx='2' fill='%230b6478'/%3E"
    "%3Cpath d='M2.5 2.5h0M4.5 4.5h0M6.5 6.5h0' stroke='%23fff' stroke-width='2' stroke-linecap='round'/%3E%3C/svg%3E"
)
"""A die: with an icon of its own, a page makes browsers ask for none."""

_LONG = 256
"""Texts of more characters are none of those that come again and again."""

BY = f"cubiri {__version__}"
"""What says in each page which program made it."""


def safe(text: str) -> str:
    """Return a text as HTML and XML hold it, in elements and in quoted attributes; what they cannot hold is left out.

    >>> safe("<b onclick='a()'>"), safe("::error::x")
    ('&lt;b onclick=&#x27;a()&#x27;&gt;', ':&#58;error::x')
    """
    return _safe(text) if len(text) <= _LONG else _safe.__wrapped__(text)


@lru_cache(maxsize=8192)  # the same few texts stand in most states of a game, and in all its games
def _safe(text: str) -> str:
    return disarmed(escape(_NOT_SHOWN.sub("", text)), spell=lambda sign: f"&#{ord(sign)};")


def spans(line: Line) -> str:
    """Return a line of a picture as HTML."""
    return "".join(styled(span.text, span.style) for span in line)


def styled(text: str, style: str) -> str:
    """Return a text in a style of `drawing.STYLES`."""
    return f"<span class={style}>{safe(text)}</span>" if style else safe(text)


def paragraphs(lines: Iterable[str]) -> str:
    """Return texts as paragraphs."""
    return "".join(f"<p>{safe(one)}" for one in lines)


# Pictures


def drawn(piece: Piece) -> str:
    """Return a piece of a picture as one HTML element."""
    if isinstance(piece, Board):
        return f"<table class=board>{''.join(map(_row, piece.rows))}</table>"
    if isinstance(piece, DiceRow):
        return f"<div class=dice>{''.join(map(_group, piece.groups))}</div>"
    if isinstance(piece, Bars):
        return f"<table class=bars>{''.join(map(_bar, piece.bars))}</table>"
    assert isinstance(piece, Words)
    return f"<div>{''.join(f'<p>{spans(one)}' for one in piece.lines)}</div>"


@lru_cache(maxsize=4096)
def _row(squares: tuple[Square, ...]) -> str:
    return f"<tr>{''.join(map(_square, squares))}"


@lru_cache(maxsize=4096)
def _square(one: Square) -> str:
    tag = "td" if one.is_field else "th"
    note = f"<small{_class(one.note_style)}>{safe(one.note)}</small>" if one.note else ""
    return f"<{tag}{_class(one.style)}>{safe(one.text)}{note}"


@lru_cache(maxsize=4096)
def _group(one: DiceGroup) -> str:
    dice = "".join(f"<b>{safe(face)}</b>" for face in one.faces)
    return f"<span{_class(one.style)}>{dice}<small>{safe(one.label)}</small></span>"


@lru_cache(maxsize=256)
def _bar(one: Bar) -> str:
    parts = (("solid", 0.0, one.solid), ("shaded", one.solid, one.shaded))
    rects = "".join(
        f'<rect class={name} x="{100 * left:.4g}" width="{100 * size:.4g}" height="1"/>'
        for name, left, size in parts
        if size
    )
    bar = f'<svg viewBox="0 0 100 1" preserveAspectRatio="none">{rects}</svg>'
    name, value, note = map(safe, (one.name, one.value, one.note))
    return f"<tr{_class(one.style)}><td>{name}<td>{bar}<td>{value}<td class=dim>{note}"


def _class(style: str) -> str:
    return f" class={style}" if style else ""


# Pages


def back_link() -> str:
    """Return what leads from the page of a game to the first page of its site."""
    text = _("All results")
    return f"<nav><a href=../index.html>{safe(text)}</a></nav>\n"


def section(name: str, title: str, inner: str) -> str:
    """Return a section of a page with its heading, a text; `name` is its own in the page, `inner` is HTML."""
    return f"<section aria-labelledby={name}>\n<h2 id={name}>{safe(title)}</h2>\n{inner}</section>\n"


@cache
def part(name: str) -> str:
    """Return a style sheet or script of this program without comments and indents."""
    lines = (one.strip() for one in (_WEB / name).read_text("utf-8").splitlines())
    text = "\n".join(one for one in lines if one and not one.startswith(("//", "/*")))
    return re.sub(r"  // [^\n]*", "", text) + "\n"


def page(title: str, body: str, name: str, mark: str = "", head: str = "") -> str:
    """Return a whole page with the style sheet and the script of this name in `web/`; `body` and `head` are HTML.

    `title` is a text; `mark` is a comment at the beginning of the page.
    """
    style, script = part("page.css") + part(f"{name}.css"), part(f"{name}.js")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return (
        f"<!DOCTYPE html>{mark}\n<html lang={spoken()}>\n<head>\n<meta charset=utf-8>\n"
        f'<meta http-equiv=Content-Security-Policy content="{policy}">\n'
        '<meta name=viewport content="width=device-width, initial-scale=1">\n'
        f'<meta name=color-scheme content="light dark">\n<meta name=referrer content=no-referrer>\n'
        f'<meta name=generator content="{BY}">\n<title>{safe(title)}</title>\n'
        f'<link rel=icon href="{ICON}">\n{head}<style>{style}</style>\n</head>\n<body>\n{body}'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _hash(text: str) -> str:
    """Return the hash by which a content security policy knows a style sheet or script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
