r"""What a CI runner takes for a command where it finds it in a log, and how to write the same so that none does.

GitHub takes `::name::…` at the start of a line, whatever blanks stand before it, and `##[name]…` anywhere in one; Azure
and TeamCity take `##vso[…]` and `##teamcity[…]`; GitLab and Travis fold at `section_start:…` and `travis_fold:…`.
GitHub's runner compares texts as people do: signs that have no look of their own do not count.

>>> print(disarmed("##[set-env name=A]b"), disarmed("  ::error::c"), disarmed("a::b"), sep="|")
##\u005bset-env name=A]b|  :\u003aerror::c|a::b
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_UNSEEN = "\ufe0e\ufe0f\u200d"
"""What may stand in a name without a look of its own (replay.md)."""

_LEAD = rf"(?:[^\S\n]|[{_UNSEEN}]|\x1b\[[0-9;]*m)*"
"""What may stand before a command at the start of a line: blanks, and colours."""

_COMMAND = rf"(?im)#[{_UNSEEN}]*#[\w.\-{_UNSEEN}]{{0,64}}\[|^{_LEAD}:[{_UNSEEN}]*:|(?:section|travis)_[a-z]{{1,8}}:"
"""Compiled when there may be one: that takes longer than all else here, and most programs never see a sign of one."""
_SIGN = re.compile(rf":[{_UNSEEN}]*:|#")
_FOLDS = ("section_", "travis_")
_LEADING = re.compile(_LEAD)
_LONGEST = 256
"""Longer than everything in a line that is the beginning of a command, but for what stands before it."""


def disarmed(text: str, spell: Callable[[str], str] = lambda sign: f"\\u{ord(sign):04x}") -> str:
    """Return a text in which no runner finds a command: the last sign that makes one is written by `spell`."""
    if _SIGN.search(text) is None:  # nearly always, and found out in a tenth of the time
        lower = text.lower()
        if not any(fold in lower for fold in _FOLDS):
            return text
    return re.sub(_COMMAND, lambda found: found[0][:-1] + spell(found[0][-1]), text)


def line_begun(text: str) -> str:
    """Return what of the line that a text leaves open may be the beginning of a command, as short as can be."""
    begun = text[text.rfind("\n") + 1 :]
    begun = begun[_LEADING.match(begun).end() :]  # type: ignore[union-attr]
    return begun if len(begun) <= _LONGEST else "-" + begun[-_LONGEST:]
