"""Asking line by line: words in reading order, choices with their keys, `input()`. No cursor movement, no colour."""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from cubiri_cli.replays.names import harmless, mended
from cubiri_cli.table.drawing import degrade, to_text, wrap
from cubiri_cli.table.language import _
from cubiri_cli.terminal.keyboard import without_codes
from cubiri_cli.terminal.listing import SHORT
from cubiri_cli.terminal.printing import read_out, terminal_size
from cubiri_cli.terminal.prompter import HELP, TYPE, NoScreenError, Reply, Scene, Typing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cubiri_cli.table.drawing import Line
    from cubiri_cli.table.protocol import Choice, Question
    from cubiri_cli.terminal.prompter import Display, Offer

BACK = "0"
"""What is typed to go back; `back` and `esc` do as well."""


_MARK = "> "
"""What stands where a line is to be typed."""


def say(text: str = "") -> None:
    """Print one line in ASCII; on a terminal that is narrower it goes on in the next, not within a word."""
    text = degrade(read_out(text), "ascii")
    room = _room()
    if len(text) <= room:
        print(text)
        return
    words = text.lstrip()
    indent = text[: len(text) - len(words)]
    for part in wrap(words, room - len(indent)):
        print(indent + part)


def _say_beside(texts: Sequence[str]) -> None:
    """Print short texts side by side; one that does not fit on the line begins the next."""
    room, shown = _room(), ""
    for text in texts:
        if shown and len(shown) + 3 + len(text) > room:
            say(shown)
            shown = ""
        shown = f"{shown}   {text}" if shown else f"  {text}"
    if shown:
        say(shown)


def _is_short(choice: Choice) -> bool:
    """Tell whether a choice may share a line with others: one on the picture, with a label as short as a cell's."""
    return choice.at is not None and len(choice.label) <= SHORT


def _room() -> int:
    """Return how many columns a line may have: those of the terminal; elsewhere there is no end to them."""
    return terminal_size().columns if sys.stdout.isatty() else sys.maxsize


class Plain:
    """A terminal that prints lines and reads lines."""

    has_screen: bool = False

    def choose(self, question: Question, scene: Scene, pointed: str = "") -> Reply:
        """Ask for one of the choices, by its key or by words."""
        say()
        for text in scene.words():
            say(text)
        self._list(question, scene)
        while True:
            typed = self._read()
            if not typed:
                self._list(question, scene)
                continue
            reply = self._understand(typed, question, scene)
            if reply.typed is None or TYPE in {offer.key for offer in scene.offers}:
                return reply
            say(_("{typed} does nothing here.").format(typed=harmless(typed)))
            self._list(question, scene)

    def _list(self, question: Question, scene: Scene) -> None:
        say(question.text)
        for choice in question.choices:
            if not _is_short(choice):
                say(f"  {choice.key}) {choice.label}")
            elif choice is next(one for one in question.choices if _is_short(one)):
                _say_beside([f"{one.key}) {one.label}" for one in question.choices if _is_short(one)])
        # Without the bracket of the choices: `:)` would be a face.
        offers = [f"{offer.key} {offer.label}" for offer in scene.offers]
        _say_beside([*offers, *([f"{BACK} " + _("back")] if scene.has_back and not scene.is_way_out else [])])

    def _understand(self, typed: str, question: Question, scene: Scene) -> Reply:
        word = typed.lower()
        if word in (BACK, "back", "esc", "\x1b"):
            return Reply(is_back=True)
        for choice in question.choices:
            if word == choice.key or word in choice.also:
                return Reply(choice.key)
        if word in {offer.key for offer in scene.offers}:
            return Reply(word)
        return Reply(typed=typed.removeprefix(":").strip())

    def type_text(self, typing: Typing, scene: Scene) -> str | None:
        """Ask for a text; an empty line takes the default, or is the way back."""
        for text in typing.error(_room()) if typing.error else ():
            say(text)
        hint = _("{prompt} (an empty line goes back)")
        if typing.default:
            hint = _("{prompt} (an empty line takes what is in brackets, 0 goes back)")
        say(hint.format(prompt=typing.prompt))
        for offer in scene.offers:
            if offer.key == HELP:
                say(f"  {offer.key} {offer.label}")
        typed = self._read()
        if typing.default:
            return None if typed == BACK else typed
        return typed or None

    def page(self, title: str, lines: Callable[[int], list[Line]], offers: Sequence[Offer] = ()) -> str:
        """Print a long text, a screenful at a time; what is offered comes below it."""
        size = terminal_size()
        room = max(4, size.lines - 2)
        text = [title, *map(to_text, lines(min(size.columns - 1, 80)))]
        for start in range(0, len(text), room):
            for one in text[start : start + room]:
                say(degrade(read_out(one), "ascii"))  # here already, column for column: there are tables among these
            if start + room < len(text):
                say(_("-- Enter: next page, 0: back"))
                if self._read() == BACK:
                    return ""
        keys = {offer.key for offer in offers}
        while offers:
            _say_beside([*(f"{offer.key} {offer.label}" for offer in offers), f"{BACK} " + _("back")])
            typed = self._read().lower()
            if typed in keys:
                return typed
            if typed in (BACK, "q", ""):
                break
        return ""

    def show(self, display: Display) -> None:
        """Raise `NoScreenError`: nothing can be drawn in place."""
        raise NoScreenError

    def animate(self, frames: Sequence[Callable[[int, int], list[Line]]], seconds: float) -> None:
        """Do nothing: lines stand still."""

    def _read(self) -> str:
        print(_MARK, end="", flush=True)
        _wait_for_input()
        return mended(without_codes(input()).strip())


def _wait_for_input() -> None:
    """Wait until a line can be read, or a signal came in.

    `input` alone misses a signal that comes in just before it begins to wait; here it leaves a byte in a pipe. When the
    program goes on after Ctrl-Z, the line is asked for once more.
    """
    if os.name == "nt":
        return
    here, there = os.pipe()
    os.set_blocking(there, False)
    before = signal.set_wakeup_fd(there, warn_on_full_buffer=False)
    stopped = signal.signal(signal.SIGCONT, _ask_again)
    try:
        while sys.stdin not in select.select([sys.stdin, here], [], [])[0]:
            if set(os.read(here, 64)) != {signal.SIGCONT}:
                break
    finally:
        signal.signal(signal.SIGCONT, stopped)
        signal.set_wakeup_fd(before)
        os.close(here)
        os.close(there)


def _ask_again(number: int, frame: object) -> None:
    """Ask for the line once more, past what is buffered; after a hang-up, which sends this signal too, in vain."""
    with suppress(OSError):
        os.write(sys.stdout.fileno(), _MARK.encode())
