"""The manual pages as tests read them: chapters, parts and what is defined in them; and as `man` gets them."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from cubiri_cli.table import language, manual
from man import roff
from tests.support.words import speaking

every_page = pytest.mark.parametrize("language", language.LANGUAGES)

CHECKS = pytest.mark.parametrize(
    "command",
    [["groff", "-man", "-ww", "-z"], ["groff", "-man", "-ww", "-Tutf8", "-z"], ["mandoc", "-T", "lint"]],
    ids=["printed", "shown", "mandoc"],
)
"""What has to say nothing about a page of roff."""

_LIST = re.compile(r"(?:^- .*\n)+", re.MULTILINE)
_TAG = re.compile(r"- (`[^`]+`(?:`[^`]+`|[^`:])*): ")


class Part(NamedTuple):
    """What stands under a heading: the number of its chapter, from 0, the heading, and the text."""

    chapter: int
    heading: str
    text: str


def page(code: str, name: str) -> str:
    """Return the page of this name in a language, as it is written."""
    with speaking(code):
        return manual.page_text(name)


def as_roff(code: str, name: str) -> str:
    """Return the page of this name in a language as `man` gets it."""
    return roff.pages()[man_path(code, name)]


def man_path(code: str, name: str) -> str:
    """Return where a page is below the folder of manual pages."""
    section = re.search(r"\((\d)\)", page(code, name))
    assert section
    return f"{'' if code == 'en' else code + '/'}man{section[1]}/{name}.{section[1]}"


def parts(text: str) -> list[Part]:
    """Return the chapters and what is below their further headings, in order."""
    found: list[Part] = []
    chapter = -1
    for one in re.split(r"^(?=##)", text, flags=re.MULTILINE)[1:]:
        heading, _, below = one.partition("\n")
        chapter += not heading.startswith("###")
        found.append(Part(chapter, heading.lstrip("# "), below))
    return found


def tags(text: str) -> list[str]:
    """Return what the paragraphs of a text are about that define something, as it is written."""
    lists = [[_TAG.match(line) for line in one.splitlines()] for one in _LIST.findall(text + "\n")]
    return [found[1] for one in lists if all(one) for found in one if found]


def literals(text: str) -> list[str]:
    """Return what stands in a text as it is typed."""
    return re.findall(r"`([^`\n]+)`", text)


def terms(text: str) -> list[str]:
    """Return what a text defines."""
    return [word for tag in tags(text) for word in literals(tag)]


def examples(text: str) -> list[str]:
    """Return the examples, without their indent."""
    found = re.findall(r"(?:^(?:    .*)?\n)+", text + "\n", re.MULTILINE)
    blocks = ["".join(line.removeprefix("    ") + "\n" for line in one.strip("\n").split("\n")) for one in found]
    return [one for one in blocks if one.strip()]


def layout(text: str) -> list[str]:
    """Return what kind of line each line of a page is."""
    return [re.match(r"#*|- |\d+\. |    |", line)[0] or "text" * bool(line) for line in text.split("\n")]  # type: ignore[index]
