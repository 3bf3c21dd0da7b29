"""The language people are spoken to in, one of `LANGUAGES`.

Texts are marked with `_`, or with `N_` where they are translated later; the catalogues are gettext's. A game that lives
elsewhere brings its own catalogues, in the folder `locale` beside its table module.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from cubiri_cli.store.settings import LANGUAGES as LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from gettext import NullTranslations

Words = TypeVar("Words", bound="Callable[..., object]")

LOCALE = Path(__file__).parent / "locale"

_current: NullTranslations | None = None  # English stands in the sources: it needs no catalogue, and no gettext
_code = "en"
_folders = [LOCALE]
"""The folders of catalogues, in the order in which they are asked."""
_forgetting: list[Callable[[], None]] = []


def speak(code: str) -> None:
    """Speak the language `code`, such as `fi`, from now on."""
    global _current, _code
    for forget in _forgetting:
        forget()
    _code = code if code in LANGUAGES else "en"
    _current = None
    if _code != "en":
        import gettext

        _current = gettext.NullTranslations()
        for folder in _folders:
            _current.add_fallback(gettext.translation("cubiri", folder, languages=[_code], fallback=True))


def learn(folder: Path) -> None:
    """Take the words that are not known from the catalogues in `folder` as well, from now on."""
    if folder not in _folders:
        _folders.append(folder)
        speak(_code)


def spoken() -> str:
    """Return the code of the language spoken now."""
    return _code


def remembered(function: Words) -> Words:
    """Have a function asked once for what depends on what it is given and the language: most of it comes again."""
    kept = lru_cache(maxsize=4096)(function)
    _forgetting.append(kept.cache_clear)
    return cast("Words", kept)


def _(text: str) -> str:
    """Return `text` in the language spoken now."""
    return _current.gettext(text) if _current is not None and text else text


def pgettext(context: str, text: str) -> str:
    """Return `text` in the language spoken now, where it means something else in another `context`."""
    return text if _current is None else _current.pgettext(context, text)


def ngettext(one: str, many: str, count: int) -> str:
    """Return the form of a text for `count`, in the language spoken now; Slovak has three."""
    if _current is None:
        return one if count == 1 else many
    return _current.ngettext(one, many, count)


def N_(text: str) -> str:  # noqa: N802 - the name gettext's tools look for
    """Mark `text` for translation and return it as it is: it is translated where it is shown."""
    return text


def language_of_locale(environment: Mapping[str, str]) -> str:
    """Return the language of the locale as gettext reads it.

    Of LANGUAGE, LC_ALL, LC_MESSAGES and LANG the first that is set decides; LANGUAGE may list several, the best first.

    >>> language_of_locale({"LANG": "sk_SK.UTF-8"}), language_of_locale({"LANG": "sk_SK", "LANGUAGE": "sv:fi"})
    ('sk', 'fi')
    >>> language_of_locale({"LC_ALL": "C.UTF-8", "LANG": "fi_FI.UTF-8"}), language_of_locale({"LANG": "de_DE"})
    ('en', 'en')
    """
    set_to = (environment.get(name, "") for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))
    wanted = next(filter(None, set_to), "").split(":")
    codes = (re.split("[_.@-]", locale)[0].lower() for locale in wanted)
    return next((code for code in codes if code in LANGUAGES), "en")


def decimal(number: float) -> str:
    """Return a number of points as people write it: `0.5`, in most languages `0,5`; whole ones without a fraction.

    A negative number has the sign for minus, which becomes a hyphen where the encoding lacks it.

    >>> decimal(0.5), decimal(12.0), decimal(-10)
    ('0.5', '12', '−10')
    """
    return fixed(number, 1, exact=True)


def fixed(number: float, digits: int, exact: bool = False) -> str:
    """Return a number with so many decimals; of one that is `exact`, none where they would be zeros.

    >>> fixed(360.42, 1), fixed(12.0, 2), fixed(12.0, 1, exact=True)
    ('360.4', '12.00', '12')
    """
    text = f"{number:.{digits}f}".replace("-", "−")
    if exact:
        text = text.removesuffix("." + "0" * digits)
    return text.replace(".", LANGUAGES[_code].point)


def figure(number: float, digits: int, sign: str = "") -> str:
    """Return a number with so many digits behind the point, as people write it; `sign` is `+` where it is always said.

    >>> figure(-8.0, 1), figure(0.126, 2, "+")
    ('−8.0', '+0.13')
    """
    return f"{number:{sign}.{digits}f}".replace("-", "−").replace(".", LANGUAGES[_code].point)


def percent(chance: float) -> str:
    """Return a chance as people write it, in whole hundredths; what is neither 0 nor 1 is not said to be.

    >>> percent(0.444), percent(0.001), percent(0.9999)
    ('44%', '1%', '99%')
    """
    number = round(100 * chance) if chance in (0, 1) else min(max(round(100 * chance), 1), 99)
    return _("{number}%").format(number=number)


DIGITS = {"points": 1, "turns": 2, "chance": 1}
"""How many digits behind the point are shown of what is counted in a unit; of chances in hundredths."""


def worth(value: float, unit: str) -> str:
    """Return what something is worth in a unit: points of the final score, turns of the whole game, a chance to win.

    >>> worth(212.34, "points"), worth(-65.19, "turns"), worth(0.464, "chance")
    ('212.3', '65.19 turns', '46.4%')
    """
    if unit == "turns":
        number = figure(-value, DIGITS[unit])
        return _("{number} turns").format(number=number)
    return amount(value, unit)


def amount(value: float, unit: str, sign: str = "") -> str:
    """Return a difference in a unit, with the unit's digits; turns as they stand, the more the better.

    >>> amount(-8.0, "points", "+"), amount(0.034, "chance", "+")
    ('−8.0', '+3.4%')
    """
    if unit == "chance":
        return _("{number}%").format(number=figure(100 * value, DIGITS[unit], sign))
    return figure(value, DIGITS[unit], sign)


def error_of_values(error: float, unit: str) -> str:
    """Return how far values are out; of turns with a digit more than theirs, or it would be shown as none.

    >>> error_of_values(11.7, "points"), error_of_values(0.002, "turns"), error_of_values(0.015, "chance")
    ('11.7', '0.002', '1.5%')
    """
    return figure(error, DIGITS[unit] + 1) if unit == "turns" else amount(error, unit)


def signed(number: float) -> str:
    """Return a change of points with its sign, as people write it.

    >>> signed(7), signed(-2), signed(0)
    ('+7', '−2', '+0')
    """
    return decimal(number) if number < 0 else "+" + decimal(number)


@remembered
def points(half_points: int) -> str:
    """Return half-points as points, as people write them.

    >>> points(3)
    '1.5'
    """
    return decimal(half_points / 2)


@remembered
def counted_points(half_points: int) -> str:
    """Return half-points as so many points; halves have a form of their own in Slovak (`0,5 bodu`, `5 bodov`).

    >>> counted_points(2), counted_points(3), counted_points(0)
    ('1 point', '1.5 points', '0 points')
    """
    whole, half = divmod(half_points, 2)
    text = pgettext("half", "{count} points") if half else ngettext("{count} point", "{count} points", whole)
    return text.format(count=points(half_points))
