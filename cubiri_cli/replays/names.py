"""Which texts from people may stand in a replay: names and comments, because they are shown on terminals."""

from __future__ import annotations

import unicodedata

LONGEST_NAME = 32

# Control, formatting (bidi overrides, zero-width), surrogate and private characters, line and paragraph separators. Not
# "unassigned": what is assigned depends on the Python version, and a verdict must not.
_REFUSED_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))

# Letters and marks that are drawn as nothing (Default_Ignorable_Code_Point in the Unicode data, beyond category Cf).
_INVISIBLE = frozenset(
    [
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0),
        *range(0x180B, 0x1810),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
        *range(0xFFF0, 0xFFF9),
    ]
)


def _is_shown(character: str) -> bool:
    code = ord(character)
    category = unicodedata.category(character)
    if category in _REFUSED_CATEGORIES or code in _INVISIBLE or 0xE0000 <= code <= 0xE0FFF:
        return False
    return category != "Zs" or character == " "


def is_name(text: object) -> bool:
    """Tell whether `text` is a player's name: 1 to 32 printable characters without surrounding blanks.

    >>> is_name("Väinö"), is_name(" Ada"), is_name("a\\x1b[31m"), is_name("a\\u202eb")
    (True, False, False, False)
    """
    if not isinstance(text, str) or not 1 <= len(text) <= LONGEST_NAME or text != text.strip():
        return False
    return (text.isascii() and text.isprintable()) or all(map(_is_shown, text))


def is_comment(text: object) -> bool:
    """Tell whether `text` may be a comment: printable characters and newlines."""
    return isinstance(text, str) and all(map(_is_shown, text.replace("\n", "")))


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


def harmless(text: str, longest: int = 60) -> str:
    r"""Return `text` fit to be shown on one line of a terminal, whatever it holds: escaped, and cut where it is long.

    >>> print(harmless("red \x1b[31m\n"))
    red \x1b[31m\n
    """
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(c if _is_shown(c) else c.encode("unicode_escape").decode("ascii") for c in cut)
