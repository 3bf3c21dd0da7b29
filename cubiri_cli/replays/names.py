"""Which texts from people may stand in a replay: names and comments, because they are shown on terminals and pages.

Every character is judged by its code point (contract, replay.md: Texts that people wrote), and where a category or a
normal form is needed, by the tables of Unicode 3.2, which Python carries frozen: so a verdict is the same everywhere.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby
from unicodedata import ucd_3_2_0 as frozen

LONGEST_NAME = 32

_SELECTOR, _JOINER = "\ufe0f", "\u200d"  # what makes ❤ an emoji, and families of several: allowed between what is seen

_REFUSED = (
    *("\x00-\x1f", "\x7f-\x9f", "\ud800-\udfff"),
    *("\ufdd0-\ufdef", *(f"{chr(end - 1)}-{chr(end)}" for end in range(0xFFFF, 0x110000, 0x10000))),  # noncharacters
    *("\ue000-\uf8ff", "\U000f0000-\U0010ffff"),  # private use
    *("\u00ad", "\u034f", "\u0600-\u0605", "\u061c", "\u06dd", "\u070f", "\u0890-\u0891", "\u08e2", "\u115f-\u1160"),
    *("\u17b4-\u17b5", "\u180b-\u180f", "\u200b-\u200c", "\u200e-\u200f", "\u2028-\u202e", "\u2060-\u206f", "\u2800"),
    *("\u3164", "\ufe00-\ufe0e", "\ufeff", "\uffa0", "\ufff0-\ufffb", "\U000110bd", "\U000110cd"),
    *("\U00013430-\U0001345f", "\U0001bca0-\U0001bca3", "\U0001d159", "\U0001d173-\U0001d17a", "\U000e0000-\U000e0fff"),
)
_BLANKS = " \xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000"


@cache  # compiled late: most names are ASCII
def _unshown() -> re.Pattern[str]:
    """Return the expression for a character that may not stand where it does."""
    refused = "".join(_REFUSED)
    seen = f"[^{refused}{_JOINER}{_BLANKS}]"
    return re.compile(f"[{refused}]|(?<!{seen})[{_SELECTOR}{_JOINER}]|{_JOINER}(?!{seen})")


def _is_shown(text: str) -> bool:
    """Tell whether every character of a text may be shown where it stands."""
    return (text.isascii() and text.isprintable()) or _unshown().search(text) is None


def is_name(text: object) -> bool:
    """Tell whether `text` is a player's name: 1 to 32 characters, none refused, no blank at an end, not only marks.

    >>> is_name("Väinö"), is_name("Zuzka ❤\ufe0f"), is_name(" Ada"), is_name("a\\x1b[31m"), is_name("a\\u202eb")
    (True, True, False, False, False)
    """
    if not isinstance(text, str) or not 1 <= len(text) <= LONGEST_NAME:
        return False
    if text.strip(_BLANKS) != text or not _is_shown(text):
        return False
    return text.isascii() or any(
        character != _SELECTOR and frozen.category(character)[0] not in "MZ" for character in text
    )


def is_comment(text: object) -> bool:
    """Tell whether `text` may be a comment: characters that may be shown, and newlines."""
    return isinstance(text, str) and _is_shown(text.replace("\n", " "))


def normal(text: str) -> str:
    """Return a text in normal form C: two names that are equal in it are the same name.

    Characters that Unicode 3.2 did not have stay as they are: how they compose is in no frozen table.

    >>> normal("Va\u0308ino\u0308") == normal("Väinö")
    True
    """
    if text.isascii():
        return text
    runs = groupby(text, lambda character: frozen.category(character) == "Cn")
    return "".join("".join(run) if is_newer else frozen.normalize("NFC", "".join(run)) for is_newer, run in runs)


def mended(text: str) -> str:
    r"""Return text from outside as it was meant, where Python has read UTF-8 in a locale that knows only ASCII.

    Such text holds its bytes as lone surrogates, and no name may hold these. What is no UTF-8 stays as it is.

    >>> mended("V\udcc3\udca4in\udcc3\udcb6"), mended("Väinö"), mended("\udcff")
    ('Väinö', 'Väinö', '\udcff')
    """
    if text.isascii() or not any("\udc80" <= character <= "\udcff" for character in text):
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return text


def typed_name(text: str) -> str:
    """Return a name that a person typed as it is written from then on: mended, in normal form C."""
    return normal(mended(text))


def harmless(text: str, longest: int = 60) -> str:
    r"""Return `text` fit to be shown on one line of a terminal, whatever it holds: escaped, and cut where it is long.

    >>> print(harmless("red \x1b[31m\n"))
    red \x1b[31m\n
    """
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    if cut.isascii() and cut.isprintable():
        return cut
    return _unshown().sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), cut)
