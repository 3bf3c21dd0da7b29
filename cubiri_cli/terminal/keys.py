"""What the keys do at the prompts of a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.key_binding import KeyBindings, KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys

from cubiri_cli.table.language import LANGUAGES, spoken
from cubiri_cli.terminal.prompter import TYPE, Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cubiri_cli.terminal.pointing import Pointer
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


def answering_keys(pointer: Pointer, scene: Scene) -> KeyBindings:
    """Return the keys that answer a question: each choice's own, Enter, Space, Escape, and what else is offered."""
    bindings = leaving_keys()
    keys = [choice.key for choice in pointer.choices]
    offered = [offer.key for offer in scene.offers]

    def reply(event: KeyPressEvent, reply: Reply) -> None:
        event.app.exit(result=reply._replace(pointed=pointer.choice.key))

    def answer(answer: Reply) -> Callable[[KeyPressEvent], None]:
        return lambda event: reply(event, answer)

    def accept(event: KeyPressEvent) -> None:
        reply(event, Reply(pointer.choice.key))

    def paste(event: KeyPressEvent) -> None:
        if TYPE in offered:
            reply(event, Reply(TYPE, typed=event.data.replace("\r", "\n").strip()))

    for key in [*keys, *offered]:
        for spelled in {key, key.upper(), *_aliases(key, keys)}:
            bindings.add(spelled, eager=True)(answer(Reply(key)))
    for name in (*ENTER_KEYS, " "):
        bindings.add(name, eager=True)(accept)
    for name in (Keys.Escape, Keys.Backspace) if scene.has_back else ():
        bindings.add(name, eager=True)(answer(Reply(is_back=True)))
    bindings.add(Keys.BracketedPaste, eager=True)(paste)
    return bindings


def pointing_keys(
    step: Callable[[int], None], move: Callable[[int, int], None], refuse: Callable[[str], None]
) -> KeyBindings:
    """Return the keys that leave a question as it is.

    `step` points at the next choice or the one before (Tab), `move` at the one to the right of here, or below (arrows);
    `refuse` gets the name of any other key.
    """
    bindings = KeyBindings()

    def stepping(by: int) -> Callable[[KeyPressEvent], None]:
        return lambda event: step(by)

    def moving(right: int, down: int) -> Callable[[KeyPressEvent], None]:
        return lambda event: move(right, down)

    def unknown(event: KeyPressEvent) -> None:
        if name := shown_name(event.key_sequence[0]):
            refuse(name)

    for key, by in ((Keys.Tab, 1), (Keys.BackTab, -1)):
        bindings.add(key, eager=True)(stepping(by))
    for key, (right, down) in _ARROWS.items():
        bindings.add(key, eager=True)(moving(right, down))
    bindings.add(Keys.Any, eager=True)(unknown)
    return bindings


def _aliases(key: str, taken: Sequence[str]) -> Iterator[str]:
    """Yield the characters that stand for a key on the keyboard of the language spoken."""
    # On some keyboards the keys of digits give letters; the digits are wanted.
    for typed, meant in zip(LANGUAGES[spoken()].upper_row, "234567890", strict=False):
        if meant == key and typed not in taken:
            yield typed


_ARROWS = {Keys.Right: (1, 0), Keys.Left: (-1, 0), Keys.Down: (0, 1), Keys.Up: (0, -1)}


def shown_name(press: KeyPress) -> str:
    """Return the name of a key as it stands on the keyboard; empty for what is no key.

    >>> [shown_name(KeyPress(key)) for key in ("z", Keys.F1, Keys.ControlT, Keys.Escape, Keys.Tab, Keys.CPRResponse)]
    ['z', 'F1', 'Ctrl-T', 'Esc', 'Tab', '']
    """
    name = name_of(press)
    if len(name) == 1:
        return name if name.isprintable() else ""
    if name.startswith("<"):
        return ""
    *held, last = _ON_KEYBOARDS.get(name, name).split("-")
    return "-".join([*(_HELD.get(one, one) for one in held), last.capitalize() if len(last) > 1 else last.upper()])


_ON_KEYBOARDS = {"escape": "Esc", "c-i": "Tab"}
_HELD = {"c": "Ctrl", "s": "Shift"}
