"""Words as the program says them, in any of its languages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cubiri_cli.table import language


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language in this process for a while."""
    before = language.spoken()
    language.speak(code)
    try:
        yield
    finally:
        language.speak(before)


def said(text: str, code: str) -> str:
    """Return a text of the sources in a language."""
    with speaking(code):
        return language._(text)
