"""Watching a recorded game on a terminal: what every key does, how the screen looks, and the terminal itself.

Pages are counted from 0: page N shows state N of the recording, and the page after the last state is the breakdown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cubiri_cli.table.drawing import Line, Span, cut_line, line, line_width, pad, wrap
from cubiri_cli.table.language import N_, _
from cubiri_cli.table.pages import page_lines, seconds
from cubiri_cli.terminal.fragments import to_fragments
from cubiri_cli.terminal.keyboard import attend, open_keyboard
from cubiri_cli.terminal.signals import SignalledError, end_on_signal, ending_signals, give_back_modes, take_modes

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from prompt_toolkit.application import Application
    from prompt_toolkit.formatted_text import StyleAndTextTuples

    from cubiri_cli.table.transcript import Recording

LEAST_WIDTH, LEAST_HEIGHT = 36, 16
"""The smallest terminal, in columns and lines, that a game is shown on."""

SLOWEST, FASTEST = 0.05, 100.0
"""The bounds of the speed; 1 is the usual one."""


class Watcher:
    """What is being watched and how: changed by `press`, shown by `screen`. It knows no terminal."""

    def __init__(self, recording: Recording, speed: float = 1.0, paused: bool = False) -> None:
        self.recording = recording
        self.speed = speed
        self.paused = paused
        self.page = 0
        self.left = False
        """Whether the viewer has left."""
        self.ended = False
        """Whether the breakdown has been seen."""
        self.typed: str | None = None
        """The number of a turn as far as it is typed; None while none is asked for."""
        self.helping = False

    @property
    def last(self) -> int:
        """The page of the breakdown."""
        return len(self.recording.steps) + 1

    def wait(self) -> float | None:
        """Return in how many seconds the next page comes by itself; None where it does not."""
        if self.paused or self.helping or self.typed is not None or self.page == self.last:
            return None
        return seconds(self.recording, self.page) / self.speed

    def advance(self) -> None:
        """Go on to the next page by itself."""
        self._go(self.page + 1)

    def press(self, key: str) -> None:
        """Do what a key stands for. `key` is the character, or a name such as `left`, `escape`, `enter`."""
        if key == "c-d":
            self._quit()
        elif self.helping:
            self.helping = False
        elif self.typed is not None:
            self._press_number(key)
        elif key in _KEYS:
            getattr(self, _KEYS[key])()
        elif self.page == self.last and (len(key) == 1 or key == "enter"):
            self.left = True

    def _go(self, page: int) -> None:
        self.page = max(0, min(page, self.last))
        self.ended = self.ended or self.page == self.last

    # What the keys do

    def _pause(self) -> None:
        if self.page == self.last:
            self.left = True
        self.paused = not self.paused

    def _forward(self) -> None:
        self.paused = True
        self._go(self.page + 1)

    def _back(self) -> None:
        self.paused = True
        self._go(self.page - 1)

    def _turn_forward(self) -> None:
        turn = self.recording.turn(min(self.page, self.last - 1))
        following = self.recording.first_of(turn + 1)
        self._go(following if self.recording.turn(following) > turn else self.last)

    def _turn_back(self) -> None:
        first = self.recording.first_of(self.recording.turn(min(self.page, self.last - 1)))
        if self.page <= first:
            first = self.recording.first_of(self.recording.turn(first) - 1)
        self._go(first)

    def _first(self) -> None:
        self._go(0)

    def _last(self) -> None:
        self._go(self.last)

    def _faster(self) -> None:
        self.speed = min(FASTEST, self.speed * 2)

    def _slower(self) -> None:
        self.speed = max(SLOWEST, self.speed / 2)

    def _ask_turn(self) -> None:
        self.typed = ""

    def _help(self) -> None:
        self.helping = True

    def _quit(self) -> None:
        self.left = True

    def _press_number(self, key: str) -> None:
        """Take a key while the number of a turn is typed."""
        assert self.typed is not None
        if key == "enter":
            if self.typed:
                self._go(self.recording.first_of(min(int(self.typed), self.recording.turns)))
            self.typed = None
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key.isascii() and key.isdecimal() and len(self.typed + key) <= len(str(self.recording.turns)):
            self.typed += key
        elif key in ("escape", "q"):
            self.typed = None

    # How it looks

    def screen(self, columns: int, rows: int) -> list[Line]:
        """Return the whole screen: at most `rows` lines of at most `columns` columns."""
        if columns < LEAST_WIDTH or rows < LEAST_HEIGHT:
            text = _("This terminal has {columns}×{rows} characters; the picture needs {width}×{height}.").format(
                columns=columns, rows=rows, width=LEAST_WIDTH, height=LEAST_HEIGHT
            )
            return [line(one) for one in wrap(text, max(1, columns))][:rows]
        keys = self._keys(columns)
        room = rows - len(keys)
        if self.helping:
            shown = self._help_page(columns)
        else:
            shown = page_lines(self.recording, self.page, columns, room, self._state())
        shown = shown[:room]
        return [*shown, *([[]] * (room - len(shown))), *keys]

    def _state(self) -> str:
        """Return whether the game is moving, and how fast."""
        if self.page == self.last:
            return ""
        speed = f"×{self.speed:.3g}"
        return _("paused") + f" {speed}" if self.paused else f"▶ {speed}"

    def _keys(self, columns: int) -> list[Line]:
        """Return the lines at the bottom that say which keys there are."""
        if self.typed is not None:
            question = _("Go to turn (1 to {turns}): {typed}_").format(turns=self.recording.turns, typed=self.typed)
            return [cut_line(line(Span(question, "bold"), "  ", *_key("Enter"), "  ", *_key("Esc")), columns)]
        if self.helping:
            return [line(Span(_("Any key returns to the game"), "dim"))]
        if self.page == self.last:
            offers = [("←", _("back")), ("Home", _("from the start")), ("q", _("leave (or any other key)"))]
        else:
            offers = [
                ("Space", _("go on") if self.paused else _("pause")),
                ("← →", _("step")),
                ("g", _("turn")),
                ("+ −", _("speed")),
                ("?", _("keys")),
                ("q", _("quit")),
            ]
        return _flow([line(*_key(key), f" {label}") for key, label in offers], columns)

    def _help_page(self, columns: int) -> list[Line]:
        lines: list[Line] = [line(Span(_("Keys"), "title"))]
        for keys, label in HELP:
            text = wrap(_(label), columns - 19)
            lines.append(line(" ", Span(pad(_(keys), 17), "key"), " ", text[0]))
            lines += [line(" " * 19, more) for more in text[1:]]
        return lines


HELP = (
    (N_("Space"), N_("pause and go on")),
    ("→ ↓ n", N_("one step forward")),
    ("← ↑ p", N_("one step back")),
    (N_("PgDn PgUp"), N_("a turn forward, back")),
    ("g t", N_("go to a turn: type its number")),
    (N_("Home End"), N_("the start, the breakdown")),
    ("+ −", N_("faster, slower")),
    ("?", N_("these keys")),
    (N_("q Esc"), N_("quit")),
)

_KEYS = {
    " ": "_pause",
    **dict.fromkeys(("right", "down", "n", "N"), "_forward"),
    **dict.fromkeys(("left", "up", "p", "P"), "_back"),
    "pagedown": "_turn_forward",
    "pageup": "_turn_back",
    **dict.fromkeys(("g", "G", "t", "T"), "_ask_turn"),
    "home": "_first",
    "end": "_last",
    **dict.fromkeys("+=", "_faster"),
    **dict.fromkeys("-−_", "_slower"),
    **dict.fromkeys(("?", "h"), "_help"),
    **dict.fromkeys(("q", "Q", "escape"), "_quit"),
}


def _key(name: str) -> list[Span]:
    return [Span(f"[{name}]", "key")]


def _flow(parts: Sequence[Line], columns: int) -> list[Line]:
    """Return parts side by side, two blanks between them, in as many lines as they need."""
    lines: list[Line] = [[]]
    for part in parts:
        if lines[-1] and line_width(lines[-1]) + 2 + line_width(part) > columns:
            lines.append([])
        lines[-1] += [*([Span("  ")] if lines[-1] else []), *part]
    return [cut_line(one, columns) for one in lines]


# The terminal


def watch(recording: Recording, speed: float, paused: bool, color: bool, encoding: str) -> bool:
    """Let a recorded game be watched on the terminal until the viewer leaves; tell whether its end was seen.

    The terminal is left as it was found. Raises `KeyboardInterrupt` for Ctrl-C, SIGTERM and SIGHUP.
    """
    import asyncio

    watcher = Watcher(recording, speed, paused)
    touched = asyncio.Event()
    app = _application(watcher, touched, color, encoding)
    try:
        with ending_signals(), end_on_signal(app):
            modes = take_modes(app.input)
            try:
                asyncio.run(_run(watcher, touched, app))
            finally:
                give_back_modes(modes)
    except EOFError:  # nobody types any more
        pass
    except (OSError, SignalledError):  # after a hang-up there may be no terminal any more
        raise KeyboardInterrupt from None
    return watcher.ended


def _application(watcher: Watcher, touched: asyncio.Event, color: bool, encoding: str) -> Application[None]:
    """Return what shows the game and takes the keys; `touched` is set by each."""
    from prompt_toolkit.application import Application
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.keys import Keys
    from prompt_toolkit.layout import Layout, Window
    from prompt_toolkit.layout.controls import FormattedTextControl
    from prompt_toolkit.output import ColorDepth

    keys = KeyBindings()

    @keys.add(Keys.Any, eager=True)
    def _press(event: KeyPressEvent) -> None:
        pressed = event.key_sequence[0]
        watcher.press(_NAMES.get(str(getattr(pressed.key, "value", pressed.key)), pressed.data))
        touched.set()
        if watcher.left and not event.app.is_done:
            event.app.exit()

    def interrupt(_event: object = None) -> None:
        if not app.is_done:
            app.exit(exception=KeyboardInterrupt())

    keys.add(Keys.ControlC, eager=True)(interrupt)

    def draw() -> StyleAndTextTuples:
        size = app.output.get_size()
        return [*to_fragments(watcher.screen(size.columns, size.rows), encoding)]

    window = Window(FormattedTextControl(draw, show_cursor=False), always_hide_cursor=True, wrap_lines=False)
    app: Application[None] = Application(
        Layout(window),
        key_bindings=keys,
        full_screen=True,
        input=open_keyboard(),
        color_depth=None if color else ColorDepth.DEPTH_1_BIT,
    )
    attend(app)
    return app


async def _run(watcher: Watcher, touched: asyncio.Event, app: Application[None]) -> None:
    import asyncio

    playing = asyncio.create_task(_play(watcher, touched, app))
    try:
        await app.run_async(handle_sigint=False)
    finally:
        playing.cancel()


async def _play(watcher: Watcher, touched: asyncio.Event, app: Any) -> None:
    """Turn the pages as time goes by; a key begins the time of its page anew."""
    import asyncio

    while True:
        touched.clear()
        try:
            await asyncio.wait_for(touched.wait(), watcher.wait())
        except TimeoutError:
            watcher.advance()
        app.invalidate()


# prompt_toolkit's names of keys, where they differ from the character that is typed.
_NAMES = {
    **{name: name for name in ("left", "right", "up", "down", "home", "end", "pageup", "pagedown", "escape", "c-d")},
    "c-m": "enter",
    "c-j": "enter",
    "enter": "enter",
    "c-h": "backspace",
    "backspace": "backspace",
    "s-left": "left",
    "s-right": "right",
}
