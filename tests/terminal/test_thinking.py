"""Where a thought takes a moment, the screen says so until it is there."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any, cast

from cubiri_cli.table.drawing import Line, line, to_text
from cubiri_cli.terminal import thinking
from cubiri_cli.terminal.prompter import NoScreenError, Prompter

if TYPE_CHECKING:
    import pytest


class Watching:
    """A prompter that shows what it is given: whoever looks at it lets the thought end."""

    def __init__(self, goes_on: Event, has_screen: bool = True) -> None:
        self.goes_on, self.has_screen, self.seen = goes_on, has_screen, ""

    def show(self, display: Any) -> None:
        if not self.has_screen:
            self.goes_on.set()
            raise NoScreenError
        while not display.left:
            display.press("q")
            self.seen = "\n".join(map(to_text, display.draw(80, 24)))
            self.goes_on.set()
            assert display.wait() <= 0.1
            display.advance()


def picture(columns: int, rows: int) -> list[Line]:
    return [line("the board")]


def think(watching: Watching) -> bool:
    """Have a thought that ends once it is let; tell whether it was there in the end."""
    done = []
    thinking.think(cast("Prompter", watching), lambda: done.append(watching.goes_on.wait()), picture)
    return done == [True]


def test_a_long_thought_is_told_below_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "MOMENT", 0.0)
    watching = Watching(Event())
    assert think(watching)
    assert watching.seen.split("\n") == ["the board", "", " Thinking…"]


def test_nothing_is_told_where_nothing_can_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "MOMENT", 0.0)
    assert think(Watching(Event(), has_screen=False))


def test_a_quick_thought_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "MOMENT", 60.0)
    quick = Watching(Event())
    quick.goes_on.set()
    assert think(quick)
    assert not quick.seen
