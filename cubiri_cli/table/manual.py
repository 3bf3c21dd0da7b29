"""The manual pages: one text a page and language, in `man/` beside this module, in the Markdown of the rules pages.

`cubiri help` shows them; the pages of `man` are made from them when the package is built (`hatch_build.py`).
"""

from __future__ import annotations

import re
from pathlib import Path

from cubiri_cli.table.language import spoken

PAGES = ("cubiri", "cubiri-replay")
"""The pages, by name."""

FOLDER = Path(__file__).parent / "man"


def page_text(name: str) -> str:
    """Return the page of this name in the language spoken now, or in English where that lacks it, as it is written."""
    page = FOLDER / f"{name}.{spoken()}.md"
    return (page if page.exists() else FOLDER / f"{name}.en.md").read_text("utf-8").rstrip()


def section_text(text: str, heading: str) -> str:
    """Return the part of a page under the heading that begins with the words of `heading`; empty where none does.

    >>> section_text("# A\\n\\n## B c\\n\\nd\\n\\n## B\\n\\ne", "B")
    '## B c\\n\\nd'
    """
    parts = re.split(r"\n+(?=#+ )", text)
    return next((one for one in parts if re.match(rf"#+ {re.escape(heading)}(\s|$)", one)), "")
