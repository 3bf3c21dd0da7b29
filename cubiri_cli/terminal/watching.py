"""Watching a recorded game on a terminal: what every key does, and how the screen looks.

Pages are counted from 0: page N shows state N of the recording, and the page after the last state is the breakdown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.table.drawing import Line, Span, cut_line, line, line_width, pad, wrap
from cubiri_cli.table.language import N_, _
from cubiri_cli.table.pages import page_lines, seconds
from cubiri_cli.terminal.footers import key_label
from cubiri_cli.terminal.opening import open_prompter
from cubiri_cli.terminal.signals import SignalledError, ending_signals
from cubiri_cli.terminal.sizes import is_too_small, too_small_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.table.transcript import Recording

SLOWEST, FASTEST = 0.05, 100.0
"""The bounds of the speed; 1 is the usual one."""


class Watcher:
    """What is being watched and how: changed by `press`, shown by `draw`. It knows no terminal."""

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
        if self.helping:
            self.helping = False
        elif self.typed is not None:
            self._press_number(key)
        elif key in _KEYS:
            getattr(self, _KEYS[key])()
        elif self.page == self.last and not key.startswith("<bracketed"):  # a paste is no key
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

    def draw(self, columns: int, rows: int) -> list[Line]:
        """Return the whole screen: at most `rows` lines of at most `columns` columns."""
        if is_too_small(columns, rows):
            return too_small_lines(columns, rows)
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
            return [cut_line(line(Span(question, "bold"), "  ", *key_label("Enter"), "  ", *key_label("Esc")), columns)]
        if self.helping:
            return [line(Span(_("Press any key to return to the game"), "dim"))]
        if self.page == self.last:
            offers = [("←", _("back")), ("Home", _("from the start")), ("q", _("leave (or any other key)"))]
        else:
            offers = [
                ("Space", _("continue") if self.paused else _("pause")),
                ("← →", _("step")),
                ("g", _("turn")),
                ("+ −", _("speed")),
                ("?", _("keys")),
                ("q", _("quit")),
            ]
        return _flow([key_label(key, f" {label}") for key, label in offers], columns)

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


def _flow(parts: Sequence[Line], columns: int) -> list[Line]:
    """Return parts side by side, two blanks between them, in as many lines as they need."""
    lines: list[Line] = [[]]
    for part in parts:
        if lines[-1] and line_width(lines[-1]) + 2 + line_width(part) > columns:
            lines.append([])
        lines[-1] += [*([Span("  ")] if lines[-1] else []), *part]
    return [cut_line(one, columns) for one in lines]


# On the terminal


def watch(recording: Recording, speed: float, paused: bool) -> bool:
    """Let a recorded game be watched until the viewer leaves; tell whether its end was seen.

    The terminal is left as it was found. Raises `NoScreenError` where nothing can be drawn, `KeyboardInterrupt` for
    Ctrl-C, SIGTERM and SIGHUP.
    """
    watcher = Watcher(recording, speed, paused)
    try:
        with ending_signals(), open_prompter() as prompter:
            prompter.show(watcher)
    except EOFError:  # nobody types any more
        pass
    except (OSError, SignalledError):  # after a hang-up there may be no terminal any more
        raise KeyboardInterrupt from None
    return watcher.ended
