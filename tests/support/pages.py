"""Pages as a parser of HTML reads them: for tests of what they hold, and of what they must not hold."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from typing import NamedTuple

SCRIPTED = re.compile(r"^on|^style$|^srcdoc$|^action$|^formaction$|^src$|^background$|^poster$")
"""Attributes that run something, look like something, or ask for something."""

ELEMENTS = """
    html head meta title link style body header main section nav h1 h2 h3 p strong blockquote ol ul li
    div span b small kbd code pre a dl dt dd table caption thead tbody tr th td svg rect path polyline
    circle line button input select option output label details summary time
"""
"""All that our pages are made of; no frame, no object, no form, no picture."""

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)//",
    "</style><img src=x onerror=a()>",
    "</title><svg onload=a()>",
    "\"><img src=x onerror='a()'>",
    "' onmouseover='a()",
    "javascript:alert(1)",
    "--><script>a()</script>",
    "<!--",
    "]]><![CDATA[",
    "&lt;b&gt; &#60;i&#62;",
    "{{7*7}} ${7*7} <%= 7 %>",
    "`${alert(1)}`",
    "::error::x ##[error]y",
    "<a href=//x.example>",
    "data:text/html,<b>",
)
"""Names and comments that try to be markup, a script, or a command."""


class Element(NamedTuple):
    """A start tag: its name and attributes."""

    tag: str
    attributes: dict[str, str]


class Page(HTMLParser):
    """A page that was parsed: its elements, and its text outside of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.texts: list[str] = []
        self.raw: dict[str, str] = {"script": "", "style": ""}
        self.comments: list[str] = []
        self._within = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))
        self._within = tag

    def handle_endtag(self, tag: str) -> None:
        self._within = ""

    def handle_data(self, data: str) -> None:
        if self._within in self.raw:
            self.raw[self._within] += data
        else:
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def all(self, tag: str, **attributes: str) -> list[Element]:
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [one for one in self.elements if one.tag == tag and wanted.items() <= one.attributes.items()]


def hash_of(text: str) -> str:
    """Return the hash by which a policy allows a script or a style."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def check_page(text: str) -> Page:
    """Return the page, after seeing that all it runs and looks like is its own, and that it asks for nothing."""
    page = Page(text)
    assert {one.tag for one in page.elements} - set(ELEMENTS.split()) == {"script"}
    assert len(page.all("script")) == 1
    assert len(page.all("style")) == 1
    [policy] = [one.attributes["content"] for one in page.all("meta") if "http-equiv" in one.attributes]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["script-src"] == hash_of(page.raw["script"])
    assert rules["style-src"] == hash_of(page.raw["style"])
    assert "unsafe" not in policy
    for one in page.elements:
        for name, value in one.attributes.items():
            assert not SCRIPTED.match(name), one
            if name in ("href", "xlink:href"):
                assert re.match(r"#|data:application/toml;base64,|data:image/svg\+xml,|[a-z0-9/.]+$|\.\./", value), one
    assert not re.search(r"url\(|@import|https?:", page.raw["style"] + page.raw["script"])
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(", page.raw["script"])
    return page
