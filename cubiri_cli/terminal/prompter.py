"""How people are asked, whatever the terminal: a screen with prompts (`screen.py`) or plain lines (`plain.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cubiri_cli.table.drawing import Line
    from cubiri_cli.table.protocol import Choice, Question

TYPE, HINT, CHANCES, HELP, QUIT, NEW = ":", "h", "c", "?", "q", "n"
"""The keys that mean the same wherever they are offered: type actions, a hint, the chances to win, keys and rules,
save and quit, a new game."""


class Offer(NamedTuple):
    """A key beyond the choices, its label, and a shorter label for where there is little room."""

    key: str
    label: str
    short: str


class LongText(NamedTuple):
    """A text of many lines: what it is called where it is offered, its title, and its lines for a width."""

    label: str
    title: str
    lines: Callable[[int], list[Line]]


class Scene(NamedTuple):
    """What is shown together with a question."""

    picture: Callable[[int, int, Choice | None], list[Line]]
    """The picture for a width, a height, and the choice that is pointed at."""
    words: Callable[[], list[str]]
    """The same in words, in reading order; what was said before is not said again."""
    offers: tuple[Offer, ...] = ()
    """What can be done beyond the choices."""
    has_back: bool = True
    """Whether there is a way back from here."""
    is_way_out: bool = False
    """Whether the way back leads out of the program."""
    page: LongText | None = None
    """What the help shows, where it is offered outside of a game."""
    changes: bool = False
    """Whether the picture may change without a key: then it is drawn again now and then."""


class Reply(NamedTuple):
    """What came of a question: the key of a choice or of an offer; `back`; or typed text."""

    key: str = ""
    is_back: bool = False
    typed: str | None = None
    pointed: str = ""
    """The key of the choice that was pointed at; empty where nothing is."""


class Typing(NamedTuple):
    """What is asked for where words are typed."""

    prompt: str
    text: str = ""
    """What stands there at first, to be corrected."""
    default: str = ""
    """What is taken where nothing is typed; the prompt says so. Empty where there is no such thing."""
    error: Callable[[int], list[str]] | None = None
    """What was wrong with it, for so many columns: the reason in the last line, above it perhaps where."""
    complete: Callable[[str], tuple[int, list[str]]] | None = None
    """For the text up to the cursor: how many of its last characters are replaced, and by which words."""


class Display(Protocol):
    """What fills a screen, takes every key, and may change by itself: the page of a text, a recorded game."""

    left: bool
    """Whether the viewer has left."""

    def draw(self, columns: int, rows: int) -> list[Line]:
        """Return the whole screen: at most `rows` lines of at most `columns` columns."""

    def press(self, key: str) -> None:
        """Do what a key stands for: a character, or a name such as `left`, `escape`, `enter`."""

    def wait(self) -> float | None:
        """Return in how many seconds it changes by itself; None where it does not."""

    def advance(self) -> None:
        """Change by itself."""


class NoScreenError(ValueError):
    """The terminal can print lines, but nothing more."""


class Prompter(Protocol):
    """A way of asking. Ctrl-C raises `KeyboardInterrupt`, Ctrl-D and the end of input `EOFError`."""

    has_screen: bool
    """Whether pictures are shown, and a key accepts at once; else everything is words, and lines are typed."""

    def choose(self, question: Question, scene: Scene, pointed: str = "") -> Reply:
        """Ask for one of the choices; the one with the key `pointed` is pointed at first."""

    def type_text(self, typing: Typing, scene: Scene) -> str | None:
        """Ask for a text; None is the way back, `?` alone asks for what the scene offers as help."""

    def page(self, title: str, lines: Callable[[int], list[Line]], offers: Sequence[Offer] = ()) -> str:
        """Show a long text, set for a width by `lines`, until the reader has enough.

        Return the key of the offer that was taken then, empty for none.
        """

    def show(self, display: Display) -> None:
        """Show what fills a screen until it has been left. Raises `NoScreenError` where nothing can be drawn."""

    def animate(self, frames: Sequence[Callable[[int, int], list[Line]]], seconds: float) -> None:
        """Show pictures one after the other, so many seconds each; any key ends it and counts as the next input."""
