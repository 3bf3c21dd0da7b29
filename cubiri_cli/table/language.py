"""The language people are spoken to in: English, Finnish or Slovak.

Texts are marked with `_`, or with `N_` where they are translated later; the catalogues are gettext's.
"""

from __future__ import annotations

import gettext
from pathlib import Path

LANGUAGES = ("en", "fi", "sk")
LOCALE = Path(__file__).parent / "locale"

_current: gettext.NullTranslations = gettext.NullTranslations()
_code = "en"


def speak(code: str) -> None:
    """Speak the language `code` (`en`, `fi`, `sk`) from now on."""
    global _current, _code
    _code = code if code in LANGUAGES else "en"
    if _code == "en":
        _current = gettext.NullTranslations()
    else:
        _current = gettext.translation("cubiri", LOCALE, languages=[_code], fallback=True)


def spoken() -> str:
    """Return the code of the language spoken now."""
    return _code


def _(text: str) -> str:
    """Return `text` in the language spoken now."""
    return _current.gettext(text) if text else ""


def ngettext(one: str, many: str, count: int) -> str:
    """Return the form of a text for `count`, in the language spoken now; Slovak has three."""
    return _current.ngettext(one, many, count)


def N_(text: str) -> str:  # noqa: N802 - the name gettext's tools look for
    """Mark `text` for translation and return it as it is: it is translated where it is shown."""
    return text


def decimal(number: float) -> str:
    """Return a number of points as people write it: `0.5`, in Finnish and Slovak `0,5`; whole ones without a fraction.

    >>> decimal(0.5), decimal(12.0)
    ('0.5', '12')
    """
    text = f"{number:.1f}".removesuffix(".0")
    return text if _code == "en" else text.replace(".", ",")


def points(half_points: int) -> str:
    """Return half-points as points, as people write them.

    >>> points(3)
    '1.5'
    """
    return decimal(half_points / 2)
