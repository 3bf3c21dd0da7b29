"""Names in a Markdown table are text, whatever they hold: as GitHub sets Markdown, and in what it finds in it then."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cubiri_cli.replays.names import is_name
from cubiri_cli.replays.writing import write
from cubiri_cli.store.leaderboard.board import Ranking, Row
from cubiri_cli.table.standings import as_markdown
from tests.support.running import cubiri
from tests.support.strategies import magdagdon, play

HOSTILE = [
    *("me@evil.example", "a.b+c@evil.example", "mailto:me@evil.example", "xmpp:me@evil.example/x", "me@evil.example."),
    *("www.evil.example", "(www.evil.example)", "WWW.evil.example", "www.a_b.example", "www.", "x www.evil.example"),
    *("http://evil.example", "https://evil.example/a?b=c", "ftp://evil.example", "HTTP://EVIL.EXAMPLE", "http://"),
    *("<http://evil.example>", "<me@evil.example>", "[a](http://b.example)", "![a](b.png)", "[a]: http://b.example"),
    *("[^1]", "[a][b]", "[ ] task", "[x] task", "<b>bold</b>", "<script>alert(1)</script>", "<!-- hidden", "-->"),
    *("<img src=x onerror=y>", "<?php", "<![CDATA[x]]>", "&amp;", "&lt;b&gt;", "&#64;", "&#x40;user", "&nbsp;", "&"),
    *("a|b", "|", "a\\|b", "\\", "\\\\|", "`a|b`", "`code`", "``", "```", "*a*", "**a**", "_a_", "__a__", "***"),
    *("~~a~~", "~a~", "==a==", "# a", "## a", "- a", "+ a", "1. a", "1) a", "> a", "---", ":---", "===", ":-:", "$a$"),
    *("$$a$$", "@user", "@org/team", "a@user", "#1", "x#1", "org/repo#1", "GH-1", "gh-12", "JIRA-7", "a5c3785ed8d6"),
    *("1234567", "org/repo@a5c3785ed8d6", "deadbeef", ":smile:", ":+1:", "'quoted'", '"quoted"', "...", "--", "(c)"),
    *("a  b", "5 < 6", "Väinö", "山田太郎", "Zuzka ❤\ufe0f", "1\u2009000", "e\u0301", "a/b", "C:\\x", "{{ x }}"),
    *("{% x %}", "${{ x }}", "%0A"),
]

FOUND = {
    "a mention": re.compile(r"@[\w-]"),
    "the number of an issue": re.compile(r"#\w|\b(?:GH|[A-Z]+)-\d|\bgh-\d"),
    "a commit": re.compile(r"\b[0-9a-f]{7,40}\b", re.IGNORECASE),
}
"""What GitHub makes links of in each piece of text, once Markdown is set."""


class Cells(HTMLParser):
    """The cells of the last row of a table: the pieces of text in each, and the elements."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[list[str]] = []
        self.elements: list[str] = []
        self._is_within = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.cells = []
        elif tag == "td":
            self.cells.append([])
            self._is_within = True
        elif self._is_within:
            self.elements.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self._is_within = self._is_within and tag != "td"

    def handle_data(self, data: str) -> None:
        if self._is_within:
            self.cells[-1].append(data)

    def handle_decl(self, decl: str) -> None:
        self.elements.append(decl)

    def handle_pi(self, data: str) -> None:
        self.elements.append(data)


def set_by_github(markdown: str, options: int = 0) -> Cells:
    cells = Cells()
    cells.feed(cmarkgfm.github_flavored_markdown_to_html(markdown, options=options))
    cells.close()
    return cells


def check(name: str, seed: str = "42") -> None:
    """Check that the table of one entry shows its name and seed, and nothing but these."""
    row = Row(
        1, name, datetime(2026, 11, 30, tzinfo=UTC), 6, seed, False, "d" * 64, {"score": 1, "powers": 0, "ruins": 0}
    )
    table = Ranking("magdagdon", {"difficulty": "peaceful"}, True, 1)
    markdown = "\n".join(as_markdown(table, [row])) + "\n"
    for options in (0, Options.CMARK_OPT_UNSAFE, Options.CMARK_OPT_FOOTNOTES | Options.CMARK_OPT_SMART):
        found = set_by_github(markdown, options)
        assert found.elements == [], markdown
        assert ["".join(cell) for cell in found.cells] == ["1", name, "1", "6", "0", "0", "2026-11-30", seed], markdown
        for piece in (piece for cell in found.cells for piece in cell):
            assert not [what for what, pattern in FOUND.items() if pattern.search(piece)], (piece, markdown)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_text(name: str) -> None:
    assert is_name(name)
    check(name)


SIGNS = st.sampled_from("@#.:/|`*_~<>[]()&;!\\-+=^$%{}'\"?, 1")
WORDS = st.sampled_from(
    ["www", "http", "https", "mailto", "a", "evil", "example", "com", "GH", "gh", "abcdef0", "X", "ä", "❤"]
)


@given(st.lists(SIGNS | SIGNS | WORDS, min_size=1).map("".join).map(str.strip).filter(is_name))
@settings(max_examples=1500)
@example("@a@a.a")
def test_a_name_made_of_signs_is_text(name: str) -> None:
    check(name)


@given(st.text(min_size=1, max_size=32).map(str.strip).filter(is_name))
@settings(max_examples=300)
def test_a_name_of_any_characters_is_text(name: str) -> None:
    check(name)


@given(st.from_regex(r"[a-z0-9-]{1,64}", fullmatch=True))
@settings(max_examples=300)
@example("gh-1")
@example("daily-2026-11-30")
@example("a5c3785ed8d6a35868bc169f07e40e889087fd2e")
def test_a_seed_is_text(seed: str) -> None:
    check("Ada", seed)


@pytest.mark.parametrize("name", ["me@evil.example", "www.evil.example"])
def test_a_name_is_text_in_what_the_command_prints(name: str, tmp_path: Path) -> None:
    session = play(magdagdon("peaceful", "md"), random.Random(1))
    session.replay.players[0].name = name
    (tmp_path / "game.toml").write_text(write(session.replay), encoding="utf-8")
    ran = cubiri("leaderboard", "--from", tmp_path, "--assisted", "--format", "markdown")
    assert (ran.status, ran.err) == (0, "")
    found = set_by_github(ran.out)
    assert "".join(found.cells[1]).removesuffix(" *") == name
    assert found.elements == []
