"""Makes the pages of `man` when the package is built, from the texts that `cubiri help` shows.

The Markdown is read by markdown-it-py; here its tokens become the macros of man(7), as groff and mandoc like them.
"""

from __future__ import annotations

import re
import sys
import tempfile
import textwrap
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

ROOT = Path(__file__).parent.parent

NAMED = {"0300": "`", "0301": "'", "0302": "^", "0303": "~", "0308": ":"}
"""Accent → how letters of Latin-1 that wear it are named in roff."""

ACCENTS = {"0301": r"\(aa", "030C": r"\(ah", "030A": r"\(ao", "030B": r'\(a"', "0306": r"\(ab"}
"""Accent → its sign in roff."""


class ManualPages(BuildHookInterface[Any]):
    """Puts the manual pages of all languages into the wheel, for `share/man`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the pages to a folder that lasts as long as the build."""
        self.folder = tempfile.TemporaryDirectory()
        for name, text in pages().items():
            path = Path(self.folder.name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "ascii")
            build_data["shared_data"][str(path)] = f"share/man/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder."""
        self.folder.cleanup()


def pages() -> dict[str, str]:
    """Return the pages of all languages: path below the folder of manual pages → roff."""
    if str(ROOT) not in sys.path:  # where pip builds, what is built is not installed
        sys.path.insert(0, str(ROOT))
    from cubiri_cli.table import language, manual

    date = re.search(r"^## .*\((\d{4}-\d\d-\d\d)\)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    found, before = {}, language.spoken()
    for code in language.LANGUAGES:
        language.speak(code)
        for name in manual.PAGES:
            text = roff(manual.page_text(name), date[1] if date else "")
            section = text.partition(".TH ")[2].split()[1]
            found[f"{'' if code == 'en' else code + '/'}man{section}/{name}.{section}"] = text
    language.speak(before)
    return found


def roff(text: str, date: str) -> str:
    """Return a page in Markdown as roff: headings, paragraphs, lists and examples; `ValueError` for anything else."""
    lines = [*_fallbacks(text), *_blocks(MarkdownIt().parse(text), date)]
    return "\n".join(lines) + "\n"


def _fallbacks(text: str) -> list[str]:
    """Return what stands for characters beyond Latin-1 where the fonts of a printer lack them."""
    from cubiri_cli.table.drawing import degrade

    lines = []
    for letter in sorted({one for one in text if one > "\xff"}):
        base, _, accent = unicodedata.decomposition(letter).partition(" ")
        likeness = f"\\o'{chr(int(base, 16))}{ACCENTS[accent]}'" if accent in ACCENTS else degrade(letter, "ascii")
        lines.append(f".fchar {_escaped(letter)} {likeness}")
    return [".if t \\{\\", *lines, ".\\}"] if lines else []


def _blocks(tokens: list[Token], date: str) -> Iterator[str]:
    """Yield the lines of a page. What is said in a list of definitions is set as tagged paragraphs."""
    label, after_heading = "", False  # `label`: how the next paragraph of an item begins
    marks: list[str] = []  # the lists that are open: a bullet, a number, or "" for definitions
    for index, token in enumerate(tokens):
        kind = token.type
        if kind == "heading_open":
            yield from _heading(token.tag, tokens[index + 1], date)
        elif kind in ("bullet_list_open", "ordered_list_open"):
            marks.append("" if _defines(tokens, index) else r"\(bu 2" if kind.startswith("bullet") else "%s 4")
        elif kind in ("bullet_list_close", "ordered_list_close"):
            marks.pop()
        elif kind == "list_item_open":
            label = ".TP" if not marks[-1] else ".IP " + marks[-1].replace("%s", f"{token.info}.")
        elif kind == "paragraph_open":
            if label or not after_heading:
                yield label or (".IP" if marks else ".PP")
            yield from _paragraph(tokens[index + 1], is_tagged=label == ".TP")
            label = ""
        elif kind == "code_block":
            yield from [*([] if after_heading else [".PP"]), ".EX"]
            yield from (
                _line(f"    {_escaped(one, literally=True)}" if one else "") for one in token.content.splitlines()
            )
            yield ".EE"
        elif kind not in ("heading_close", "list_item_close", "paragraph_close", "inline"):
            raise ValueError(f"a manual page has no {kind}")
        after_heading = kind == "heading_close"


def _heading(level: str, inline: Token, date: str) -> Iterator[str]:
    if level != "h1":
        yield f'.S{"H" if level == "h2" else "S"} "{_inline(inline)}"'
        return
    name, section, volume = re.fullmatch(r"(.+)\((\d)\) (.+)", inline.content).groups()  # type: ignore[union-attr]
    yield f'.TH {_escaped(name.upper())} {section} {date} cubiri\\-cli "{_escaped(volume)}"'
    yield from (".nh", ".nr HY 0")


def _defines(tokens: list[Token], start: int) -> bool:
    """Tell whether each item of a list begins with something literal, and a colon ends what is said beside it."""
    end = next(i for i in range(start, len(tokens)) if tokens[i].level == tokens[start].level and tokens[i].nesting < 0)
    firsts = [tokens[i + 2] for i in range(start, end) if tokens[i].type == "list_item_open"]
    return all((one.children or [])[:1] and one.children[0].type == "code_inline" and _colon(one) for one in firsts)  # type: ignore[index]


def _colon(inline: Token) -> int:
    """Return the number of the first piece of a text in which a colon ends something; 0 where none does."""
    pieces = inline.children or []
    return next((i for i, one in enumerate(pieces) if one.type == "text" and ": " in one.content + " "), 0)


def _paragraph(inline: Token, is_tagged: bool) -> Iterator[str]:
    """Yield the lines of a paragraph: each sentence begins one, none is longer than 78."""
    text = _inline(inline)
    if is_tagged:
        tag, _, text = text.partition(": ")
        yield _line(tag)
    for sentence in re.split(r"(?<=[.?!]) (?=[A-Z]|\\\[u|\\f)", text):
        wrapped = textwrap.wrap(sentence, 78, break_long_words=False, break_on_hyphens=False)
        yield from (_line(one + (r"\&" if one[-1:] in ".?!" and one is not wrapped[-1] else "")) for one in wrapped)


def _inline(inline: Token) -> str:
    parts = []
    for piece in inline.children or []:
        if piece.type == "code_inline":
            parts.append(rf"\fB{_escaped(piece.content, literally=True)}\fR")
        elif piece.type in ("text", "text_special"):
            parts.append(_escaped(piece.content))
        elif piece.type in ("em_open", "em_close"):
            parts.append(r"\fI" if piece.nesting > 0 else r"\fR")
        else:
            raise ValueError(f"a line of a manual page has no {piece.type}")
    return "".join(parts)


def _escaped(text: str, literally: bool = False) -> str:
    """Return a text in ASCII, as groff, mandoc and man-db all understand it."""
    signs = {"\\": r"\e", "-": r"\-", '"': r"\(dq"}
    if literally:
        signs |= {"'": r"\(aq", "^": r"\(ha", "~": r"\(ti", "`": r"\(ga"}
    return "".join(signs.get(one) or (one if one.isascii() else _letter(one)) for one in text)


def _letter(letter: str) -> str:
    """Return a letter beyond ASCII by its number, or by a name where `apropos` knows no other: `\\('a`."""
    base, _, accent = unicodedata.decomposition(letter).partition(" ")
    if letter <= "\xff" and accent in NAMED:
        return rf"\({NAMED[accent]}{chr(int(base, 16))}"
    return f"\\[u{ord(letter):04X}]"


def _line(text: str) -> str:
    """Return a line of text that is none of macros."""
    return rf"\&{text}" if text[:1] in (".", "'") else text
