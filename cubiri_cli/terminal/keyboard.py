"""Keys out of what a terminal sends, however it comes in: the code of a key in pieces is still that key.

Right is sent as `ESC [ C`, and a lone Escape as `ESC`. Over a slow line the code may come in pieces with pauses between
them, and prompt_toolkit would then take the rest for letters typed: `[`, and `C`, which confirms a turn. Here an ESC
waits a moment for the rest. A code that has begun waits for its end, however long that takes, and one that nobody knows
is no key. Where the moment was too short, Escape has been pressed; `[` or `O` directly after it is the rest of a key.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prompt_toolkit.application import Application
    from prompt_toolkit.key_binding import KeyPress

ESCAPE_WAIT = 0.3
"""How long, in seconds, an ESC waits for the rest of a key's code; then it is the key Escape."""

# The forms: `ESC [ [ A` (Linux console), `ESC [ M` and three characters (an old mouse), `ESC [ 1 ; 5 C`, `ESC O C`.
_CODE = re.compile(r"\x1b(?:\[(?:\[.|M...|[0-?]+[ -/]*[@-~]|[ -/]*[@-LN-Z\\-~])|O[0-9;]*[@-~])", re.DOTALL)
_BEGUN = re.compile(r"\x1b(?:\[(?:\[|M.{0,2}|[0-?]*[ -/]*)|O[0-9;]*)?", re.DOTALL)

_PASTE, _PASTED = "\x1b[200~", "\x1b[201~"
"""What stands before and after what is pasted."""


def open_keyboard() -> Any:
    """Return the input of prompt_toolkit that reads the keys of this terminal."""
    from prompt_toolkit.input import create_input

    source: Any = create_input(sys.stdin)
    if hasattr(source, "vt100_parser"):  # Windows hands over keys, not codes
        source.vt100_parser = _Parser(source.vt100_parser)
    return source


def attend(app: Application[Any]) -> None:
    """Let an application read its keys as they are meant here; its input is one of `open_keyboard`."""
    app.ttimeoutlen = ESCAPE_WAIT

    async def flush() -> None:
        import asyncio

        await asyncio.sleep(ESCAPE_WAIT)
        app.key_processor.feed_multiple(app.input.flush_keys())
        app.key_processor.process_keys()

    def begin() -> None:
        # An Escape that was read together with the key that ended the prompt before: nothing else would flush it.
        if getattr(getattr(app.input, "vt100_parser", None), "holds_escape", False):
            app.create_background_task(flush())

    app.pre_run_callables.append(begin)


def without_codes(text: str) -> str:
    """Return a line that was typed without the codes of the keys that type nothing, such as the arrows.

    >>> without_codes("3b2\\x1b[D ok\\x1b[1;5C"), without_codes("\\x1b")
    ('3b2 ok', '\\x1b')
    """
    return re.sub(rf"{_CODE.pattern}|\x1b[\[O][0-?]*$", "", text, flags=re.DOTALL)


class _Parser:
    """What stands before a parser of prompt_toolkit, and hands over to it one whole key at a time."""

    def __init__(self, parser: Any) -> None:
        self._parser = parser
        self._give = parser.feed_key_callback
        self._held = ""
        self._is_after_escape = False
        parser.feed_key_callback = self._take
        self._taken: list[KeyPress] = []

    @property
    def holds_escape(self) -> bool:
        """Whether ESC has been read and not yet what it is."""
        return self._held == "\x1b"

    def feed(self, data: str) -> None:
        """Take what has been read, and hand over the keys in it as far as they are whole."""
        if self._is_after_escape and data:
            self._is_after_escape = False
            data = "\x1b" + data if data[0] in "[O" else data
        text, at = self._held + data, 0
        self._held = ""
        while at < len(text):
            if text[at] != "\x1b":
                end = text.find("\x1b", at)
                end = len(text) if end < 0 else end
                self._hand_over(text[at:end])
            elif text.startswith(_PASTE, at):
                end = text.find(_PASTED, at)
                if end < 0:
                    break
                end += len(_PASTED)
                self._hand_over(text[at:end])
            elif code := _CODE.match(text, at):
                end = code.end()
                self._hand_over(code[0])
            elif (begun := _BEGUN.match(text, at)) and begun.end() == len(text):
                break
            elif begun and len(begun[0]) > 1:  # broken off: no key
                end = begun.end()
            else:
                end = at + 1
                self._hand_over("\x1b")
            at = end
        self._held = text[at:]

    def flush(self) -> None:
        """Take an ESC that waited in vain for Escape."""
        if self.holds_escape:
            self._held, self._is_after_escape = "", True
            self._hand_over("\x1b")

    def feed_and_flush(self, data: str) -> None:
        """Take what has been read, and wait for nothing."""
        self.feed(data)
        self.flush()

    def reset(self, request: bool = False) -> None:
        """Forget what has begun."""
        self._held, self._is_after_escape = "", False
        self._parser.reset(request)

    def _hand_over(self, code: str) -> None:
        """Hand over characters, or one key's code that is whole; nothing where nobody knows it."""
        from prompt_toolkit.keys import Keys

        self._taken = []
        self._parser.feed_and_flush(code)
        keys = self._taken
        if code[0] == "\x1b" and len(keys) > 1:
            # With Alt, an Escape comes before the key: nobody has pressed it. Letters come out of no key's code.
            keys = keys[1:] if all(isinstance(one.key, Keys) for one in keys) else []
        for one in keys:
            self._give(one)

    def _take(self, key: KeyPress) -> None:
        self._taken.append(key)
