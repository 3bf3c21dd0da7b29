r"""The manual pages, set for the width at hand where there is no `man`: the few macros and escapes that they use.

>>> from cubiri_cli.table.drawing import to_text
>>> [to_text(one) for one in page_lines('.SH NAME\n.B cubiri\n\\- p\\[u00E4]iv\\[u00E4]\n', 40)]
['NAME', '       cubiri - päivä']
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from cubiri_cli.table.drawing import Line, Span, line, width
from cubiri_cli.table.language import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PAGES = {"cubiri": "cubiri.6", "cubiri-replay": "cubiri-replay.5"}
"""Page → its file, in the folder of its language."""

_LEFT, _TAG = 7, 7  # columns before a text, and before the text of a tagged paragraph within it

_BOLD, _PLAIN = "\x01", "\x02"
_FONTS = {"B": _BOLD, "I": _PLAIN, "R": _PLAIN}
_NAMED = {
    "aq": "'",
    "dq": '"',
    "en": "–",
    "mi": "−",
    "mu": "×",
    "bu": "•",
    "lq": "“",
    "rq": "”",
    "Bq": "„",
    "ha": "^",
    "ti": "~",
}
_LETTERS = {"'a": "á", ":a": "ä"}
_ESCAPE = re.compile(r"\\(?:f([BIRP])|\[u([0-9A-F]{4,5})\]|\((..)|(.))")


def folder() -> Path:
    """Return the folder of the manual pages: in the package as it is installed, beside it in the repository."""
    package = Path(__file__).parent.parent
    return next((one for one in (package / "man", package.parent / "man") if one.is_dir()), package / "man")


def page_text(name: str) -> str:
    """Return the page of this name in the language spoken now, or in English where that lacks it, as it is written."""
    file = PAGES[name]
    translated = folder() / spoken() / file
    return (translated if translated.exists() else folder() / file).read_text("utf-8")


def section_lines(text: str, heading: str, columns: int) -> list[Line]:
    """Return the part of a page under the subheading that begins with `heading`, set for `columns` columns."""
    parts = re.split(r"^(?=\.S[SH] )", text, flags=re.MULTILINE)
    start = re.compile(rf'\.SS "{re.escape(heading)}[ "]')
    return [one for part in parts if start.match(part.replace(r"\-", "-")) for one in page_lines(part, columns)]


def page_lines(text: str, columns: int) -> list[Line]:
    """Return a page set for `columns` columns."""
    setter = _Setter(columns)
    for source in re.sub(r"^\.if t .*?^\.\\}\n", "", text, flags=re.MULTILINE | re.DOTALL).splitlines():
        setter.take(source)
    setter.end_paragraph()
    return setter.lines


def decode(text: str) -> str:
    r"""Return a text with its escapes as the characters they stand for, and fonts as control characters.

    >>> decode(r"p\[u00E4]iv\[u00E4] \-\-plain")
    'päivä --plain'
    """

    def meant(found: re.Match[str]) -> str:
        font, code, name, other = found.groups()
        if font:
            return _FONTS.get(font, _PLAIN)
        if code:
            return chr(int(code, 16))
        if name:
            return _NAMED.get(name) or _LETTERS[name]
        return {"-": "-", "e": "\\", " ": "\u00a0"}.get(other, "")

    return _ESCAPE.sub(meant, text)


class _Setter:
    """Sets the lines of a page one after the other."""

    def __init__(self, columns: int) -> None:
        self.lines: list[Line] = []
        self.columns = columns
        self.paragraph: list[str] = []
        self.indent = _LEFT
        self.tag: str | None = None  # what stands before the paragraph; "" where the next line says so
        self.is_example = False
        self.address = ""  # what the text until `.UE` links to

    def take(self, source: str) -> None:
        """Take the next line of the page."""
        macro, _, rest = source.partition(" ") if source.startswith(".") else ("", "", source)
        if self.is_example and macro != ".EE":
            text = decode(source).replace("\u00a0", " ")
            self.lines.append(line(" " * self.indent + re.sub(f"[{_BOLD}{_PLAIN}]", "", text)))
        elif not macro:
            self._add(decode(rest))
        elif macro[1:] in ("B", "I", "BR", "RB", "IR", "RI", "BI", "IB"):
            self._add(_alternating(macro[1:], _words(rest)))
        elif macro == ".UR":
            self.address = rest
        elif macro == ".UE":
            self._add(f"<{decode(self.address)}>")
        else:
            self._structure(macro, _words(rest))

    def _structure(self, macro: str, words: Sequence[str]) -> None:
        if macro in (".TH", ".nh", ".nr", '.\\"'):
            return
        self.end_paragraph()
        if macro in (".SH", ".SS"):
            if self.lines:
                self.lines.append([])
            title = " ".join(map(decode, words))
            self.lines.append(line(" " * (3 if macro == ".SS" else 0), Span(title, "title")))
            self.indent = _LEFT
            return
        if macro == ".EX":
            self.is_example = True
        elif macro == ".EE":
            self.is_example = False
            return
        self._blank()
        if macro == ".PP":
            self.indent = _LEFT
        elif macro == ".TP":
            self.tag, self.indent = "", _LEFT + _TAG
        elif macro == ".IP" and words:
            self.tag, self.indent = decode(words[0]), _LEFT + int(words[1]) + 1

    def _blank(self) -> None:
        """Leave a line empty, but not right below a heading or another empty one."""
        if self.lines and self.lines[-1] and self.lines[-1][-1].style != "title":
            self.lines.append([])

    def _add(self, text: str) -> None:
        if self.tag == "":
            self.tag = text
        else:
            self.paragraph.append(text)

    def end_paragraph(self) -> None:
        """Set what was gathered since the last macro of structure."""
        tag, self.tag = self.tag, None
        words = " ".join(self.paragraph).split(" ")
        self.paragraph = []
        first = " " * self.indent
        if tag:
            first = " " * _LEFT + tag
            if width(_bare(first)) >= self.indent:
                self.lines.append(_styled(first))
                first = " " * self.indent
            else:
                first += " " * (self.indent - width(_bare(first)))
        if words == [""]:
            return
        self.lines += _filled(first, words, self.indent, self.columns)


def _filled(first: str, words: Sequence[str], indent: int, columns: int) -> Iterator[Line]:
    """Yield the lines of a paragraph that begins with the text `first`; each further one is indented."""
    current, is_empty, is_bold = first, True, False
    for word in filter(None, words):
        if not is_empty and width(_bare(current)) + 1 + width(_bare(word)) > columns:
            yield _styled(current)
            current, is_empty = " " * indent + (_BOLD if is_bold else ""), True
        current += word if is_empty else f" {word}"
        is_empty = False
        marks = re.findall(f"[{_BOLD}{_PLAIN}]", word)
        is_bold = marks[-1] == _BOLD if marks else is_bold
    yield _styled(current)


def _words(text: str) -> list[str]:
    """Return the arguments of a macro: those in quotes as one."""
    # An escaped blank belongs to its word.
    lexer = shlex.shlex(text.replace("\\ ", "\\[u00A0]"), posix=True)
    lexer.whitespace_split, lexer.escape, lexer.quotes, lexer.commenters = True, "", '"', ""
    return list(lexer)


def _alternating(fonts: str, words: Sequence[str]) -> str:
    """Return the arguments of `.BR` and its like in their fonts; those of `.B` with blanks between them."""
    if len(fonts) == 1:
        return _FONTS[fonts] + decode(" ".join(words)) + _PLAIN
    return "".join(_FONTS[fonts[index % 2]] + decode(word) for index, word in enumerate(words)) + _PLAIN


def _bare(text: str) -> str:
    return re.sub(f"[{_BOLD}{_PLAIN}]", "", text)


def _styled(text: str) -> Line:
    spans: list[Span] = []
    style = ""
    for part in re.split(f"([{_BOLD}{_PLAIN}])", text.replace("\u00a0", " ")):
        if part in (_BOLD, _PLAIN):
            style = "bold" if part == _BOLD else ""
        elif part:
            spans.append(Span(part, style))
    return line(*spans)
