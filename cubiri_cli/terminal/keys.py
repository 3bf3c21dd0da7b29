"""What the keys do at the prompts of a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.key_binding import KeyBindings, KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys

from cubiri_cli.table.language import LANGUAGES, spoken
from cubiri_cli.terminal.prompter import TYPE, Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from questionary.prompts.common import InquirerControl

    from cubiri_cli.terminal.prompter import Scene

ENTER_KEYS = (Keys.ControlM, Keys.ControlJ)
"""Enter, and what a terminal makes of it when it is pressed between two prompts, before the next one is raw."""


def dead_keys() -> KeyBindings:
    """Return the keys that do nothing: in a line editor they search, or take the next key as it is.

    People press Ctrl-S by mistake, and Ctrl-Q to undo it; with questionary that would even leave.
    """
    keys = KeyBindings()
    for name in (Keys.ControlS, Keys.ControlQ, Keys.ControlR):
        keys.add(name, eager=True)(lambda event: None)
    return keys


def leaving_keys() -> KeyBindings:
    """Return the keys that leave any prompt: Ctrl-C, where it is no signal, and Ctrl-D."""
    keys = KeyBindings()
    keys.add(Keys.ControlC, eager=True)(lambda event: event.app.exit(exception=KeyboardInterrupt()))
    keys.add(Keys.ControlD, eager=True)(lambda event: event.app.exit(exception=EOFError()))
    return keys


def name_of(press: KeyPress) -> str:
    """Return the name of a key that was pressed: its character, or prompt_toolkit's name with the names below."""
    name = str(getattr(press.key, "value", press.key))
    return _NAMES.get(name, name)


_NAMES = {"c-m": "enter", "c-j": "enter", "c-h": "backspace", "s-left": "left", "s-right": "right"}
"""Keys that are the same as others, or that people call otherwise."""


def choosing_keys(
    control: InquirerControl, keys: Sequence[str], scene: Scene, move: Callable[[int], None]
) -> KeyBindings:
    """Return the keys of a question: each choice's own, arrows, Enter, Space, Escape, and what else is offered.

    `move` points at the choice so many lines further down.
    """
    bindings = leaving_keys()
    offered = [offer.key for offer in scene.offers]

    def answer(answer: Reply) -> Callable[[KeyPressEvent], None]:
        return lambda event: event.app.exit(result=answer)

    def point(event: KeyPressEvent) -> None:
        event.app.exit(result=Reply(_pointed(control)))

    def paste(event: KeyPressEvent) -> None:
        if TYPE in offered:
            event.app.exit(result=Reply(TYPE, typed=event.data.replace("\r", "\n").strip()))

    for key in [*keys, *offered]:
        for spelled in {key, key.upper(), *_aliases(key, keys)}:
            bindings.add(spelled, eager=True)(answer(Reply(key)))
    for name in (*ENTER_KEYS, " "):
        bindings.add(name, eager=True)(point)
    bindings.add(Keys.Down, eager=True)(lambda event: move(1))
    bindings.add(Keys.Up, eager=True)(lambda event: move(-1))
    bindings.add(Keys.Right, eager=True)(lambda event: control.select_next())
    bindings.add(Keys.Left, eager=True)(lambda event: control.select_previous())
    for name in (Keys.Escape, Keys.Backspace):
        bindings.add(name, eager=True)(answer(Reply(is_back=True)))
    bindings.add(Keys.BracketedPaste, eager=True)(paste)
    return bindings


def _aliases(key: str, taken: Sequence[str]) -> Iterator[str]:
    """Yield the characters that stand for a key on the keyboard of the language spoken."""
    # On some keyboards the keys of digits give letters; the digits are wanted.
    for typed, meant in zip(LANGUAGES[spoken()].upper_row, "234567890", strict=False):
        if meant == key and typed not in taken:
            yield typed


def _pointed(control: InquirerControl) -> str:
    """Return the key of the choice that is pointed at."""
    return str(control.get_pointed_at().value)
