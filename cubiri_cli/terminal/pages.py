"""A long text on a screen, read a screenful at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.table.drawing import Span, ends, line
from cubiri_cli.terminal.footers import page_footer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cubiri_cli.table.drawing import Line
    from cubiri_cli.terminal.prompter import Offer


class Page:
    """The part of a text that is shown: changed by `press`, shown by `draw`. It knows no terminal."""

    def __init__(self, title: str, lines: Callable[[int], list[Line]], offers: Sequence[Offer] = ()) -> None:
        self.title = title
        self.lines = lines
        self.offers = offers
        self.left = False
        self.chosen = ""
        """The key of the offer with which it was left."""
        self._top = self._length = self._last = 0
        """The first line that is shown, how many there are, and the first line of the last screenful."""
        self._room = 1

    def wait(self) -> None:
        """Return None: a text stands still."""

    def advance(self) -> None:
        """Do nothing: a text stands still."""

    def press(self, key: str) -> None:
        """Turn the pages, or leave."""
        if key.lower() in {offer.key for offer in self.offers}:
            self.chosen, self.left = key.lower(), True
        if key in ("escape", "q", "Q", "?"):
            self.left = True
        pages, lines = _STEPS.get(key, (0, 0))
        self._top = max(0, min(self._top + pages * max(1, self._room - 1) + lines, self._last))

    def draw(self, columns: int, rows: int) -> list[Line]:
        """Return the whole screen: the title, a part of the text, and the keys."""
        text = self.lines(min(columns - 1, 80))
        self._room = room = max(1, rows - 2)
        if self._length not in (0, len(text)):  # another width: stay at the same part of the text
            at_end = self._top == self._last
            self._top = len(text) if at_end else round(self._top * len(text) / self._length)
        self._length, self._last = len(text), max(0, len(text) - room)
        self._top = max(0, min(self._top, self._last))
        shown = text[self._top : self._top + room]
        part = f"{min(self._top + room, len(text))}/{len(text)}" if self._last else ""
        head = ends(line(Span(self.title, "title")), line(Span(part, "dim")), columns)
        return [head, *shown, *([[]] * (room - len(shown))), page_footer(columns, self.offers, self._last > 0)]


_FAR = 1_000_000

_STEPS = {
    **dict.fromkeys((" ", "pagedown", "f", "right"), (1, 0)),
    **dict.fromkeys(("b", "pageup", "left"), (-1, 0)),
    **dict.fromkeys(("down", "j", "enter"), (0, 1)),
    **dict.fromkeys(("up", "k"), (0, -1)),
    **dict.fromkeys(("home", "g"), (0, -_FAR)),
    **dict.fromkeys(("end", "G"), (0, _FAR)),
}
"""What a key moves by: so many screenfuls, of which one line is seen twice, and so many lines."""
