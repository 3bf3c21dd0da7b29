"""Asking on a screen: questionary's prompts below a picture, the two drawn as one, always in place.

The alternate screen is entered once and left once. Every prompt is an application of its own that draws the whole
screen in one write; what it would erase when it is done stays, until the next one draws over it. So nothing flickers,
nothing scrolls, and a change of size draws everything anew.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from typing import TYPE_CHECKING, Any

import questionary
from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.application.current import create_app_session
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.layout.containers import HSplit, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style as PromptStyle

from cubiri_cli.table.drawing import (
    Line,
    degrade,
    line,
    line_width,
    screen_encoding,
    to_ansi,
    wrap_line,
)
from cubiri_cli.table.drawing import width as text_width
from cubiri_cli.table.language import _
from cubiri_cli.table.style import STYLE
from cubiri_cli.terminal.completer import WordCompleter, complete_at_once
from cubiri_cli.terminal.footers import refusal, scene_footer
from cubiri_cli.terminal.fragments import prompt_style, to_fragments
from cubiri_cli.terminal.keyboard import attend, open_keyboard
from cubiri_cli.terminal.keys import answering_keys, dead_keys, leaving_keys, name_of, pointing_keys
from cubiri_cli.terminal.listing import POINTER, arrange, list_lines
from cubiri_cli.terminal.pages import Page
from cubiri_cli.terminal.pointing import Pointer
from cubiri_cli.terminal.prompter import HELP, NoScreenError, Reply, Scene, Typing
from cubiri_cli.terminal.signals import end_on_signal, give_back_modes, hold_signals, take_modes
from cubiri_cli.terminal.sizes import LEAST_WIDTH, PROMPT_HEIGHT, is_too_small, too_small_lines

if TYPE_CHECKING:
    from asyncio import TimerHandle
    from collections.abc import Callable, Iterator, Sequence

    from prompt_toolkit.formatted_text import AnyFormattedText

    from cubiri_cli.table.protocol import Question
    from cubiri_cli.terminal.prompter import Display, Offer

_ENTER = "\x1b[?1049h\x1b[H\x1b[2J"
_LEAVE = "\x1b[?2004l\x1b[?1l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
"""What takes the alternate screen, and what gives the terminal back."""

REDRAWN = 0.25
"""After how many seconds what may change by itself is drawn again."""

_STYLE = PromptStyle(
    [
        ("qmark", prompt_style("key")),
        ("question", "bold"),
        ("answer", ""),
        ("pointer", prompt_style("key")),
        ("selected", ""),
        ("instruction", ""),
    ]
)


class _Output(Vt100_Output):
    """Output to the terminal that leaves the picture of a finished prompt where it is."""

    app: Application[Any] | None = None

    def enter_alternate_screen(self) -> None:
        """Begin at the top left: the alternate screen is entered once for all prompts."""
        self.write_raw("\x1b[H")

    def quit_alternate_screen(self) -> None:
        """Do nothing: the alternate screen is left once, at the end."""

    def flush(self) -> None:
        """Write what has been drawn; drop what a prompt that is done would do to the screen."""
        if self.app is not None and self.app.is_done:
            self._buffer = []
        super().flush()


def _open_output() -> Any:
    """Return the output of prompt_toolkit that draws on this terminal.

    Windows' own is one for its console (sizes, modes), and one for the codes of terminals where that understands them.
    """
    if os.name != "nt":
        return _Output.from_pty(sys.stdout, os.environ.get("TERM"))
    output: Any = create_output(sys.stdout)
    if hasattr(output, "vt100_output"):
        output.vt100_output = _Output(sys.stdout, output.get_size)
    return output


class Screen:
    """A terminal with a cursor. Made by `open`, given back by `close`."""

    has_screen: bool = True

    def __init__(self) -> None:
        self._output: Any = None
        self._input: Any = None
        self._modes: Any = None
        self._session = contextlib.ExitStack()
        self._app: Application[Any] | None = None
        self._measured: tuple[int | None, tuple[int, int]] = None, (0, 0)
        """Which picture the terminal was measured for last, and its size."""
        self._is_away = False
        self._on_return: Callable[[], None] | None = None
        """What is to be done where the program was stopped and goes on."""

    @classmethod
    def open(cls) -> Screen:
        """Take over the terminal. Raises `NoScreenError` where it cannot be."""
        screen = cls()
        screen._session.enter_context(hold_signals())
        try:
            screen._output = _open_output()
            screen._input = open_keyboard()
            screen._modes = take_modes(screen._input)
        except Exception as error:  # whatever the platform has against it: there is still the plain way
            screen._session.close()
            raise NoScreenError(str(error)) from error
        screen._session.enter_context(create_app_session(input=screen._input, output=screen._output))
        screen._session.enter_context(screen._stopping())
        screen._raw(_ENTER)
        return screen

    def close(self) -> None:
        """Give the terminal back as it was: its modes, its screen, its cursor."""
        self._draw_for(None)
        with contextlib.suppress(OSError):  # after a hang-up there may be no terminal any more
            self._raw(_LEAVE)
        give_back_modes(self._modes)
        self._session.close()

    def _suspend(self) -> None:
        """Stop the program, the terminal as it was found, until the shell goes on with it (Ctrl-Z, `fg`)."""
        self._is_away = True
        self._raw(_LEAVE)
        give_back_modes(self._modes)
        handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, handler)
        self._modes = take_modes(self._input)
        self._raw(_ENTER)
        self._is_away = False
        if self._on_return is not None:
            self._on_return()

    @contextlib.contextmanager
    def _stopping(self) -> Iterator[None]:
        """Stop well where another process says so (SIGTSTP), and draw anew after a stop that nobody told of (SIGCONT).

        Outside of a prompt there is nothing to be told: what comes next draws the whole screen.
        """
        if not hasattr(signal, "SIGTSTP") or signal.getsignal(signal.SIGTSTP) == signal.SIG_IGN:
            yield
            return

        def stop(number: int, frame: object) -> None:
            if not self._soon(lambda: run_in_terminal(self._suspend)):
                self._suspend()

        def go_on(number: int, frame: object) -> None:
            if not self._is_away and not self._soon(self._come_back):
                self._come_back()

        before = [signal.signal(*one) for one in ((signal.SIGTSTP, stop), (signal.SIGCONT, go_on))]
        try:
            yield
        finally:
            for number, handler in zip((signal.SIGTSTP, signal.SIGCONT), before, strict=True):
                signal.signal(number, handler)

    def _soon(self, do: Callable[[], object]) -> bool:
        """Let the prompt that runs do something; tell whether one runs."""
        app = self._app
        if app is None or app.loop is None or app.context is None or app.is_done:
            return False
        app.loop.call_soon_threadsafe(do, context=app.context.copy())
        return True

    def _come_back(self) -> None:
        """Take the terminal again, whatever was done with it meanwhile."""
        take_modes(self._input)
        self._raw(_ENTER)
        if self._app is not None and not self._app.is_done:
            self._app.renderer.clear()
            self._app.invalidate()
        if self._on_return is not None:
            self._on_return()

    # The three ways of asking

    def choose(self, question: Question, scene: Scene, pointed: str = "") -> Reply:
        """Ask for one of the choices."""
        asked = _Asked(self, question, scene, pointed)
        prompt = questionary.select(
            question.text,
            choices=[questionary.Choice(choice.label, value=choice.key) for choice in question.choices],
            default=asked.pointer.choice.key,
            qmark="",
            instruction=" ",
            use_jk_keys=False,
            use_emacs_keys=False,
            style=_STYLE,
            erase_when_done=True,
            color_depth=self._color_depth(),
        )
        app = prompt.application
        app.refresh_interval = REDRAWN if scene.changes else None
        # Drawn anew for every size, and not as questionary would: nothing of a choice is cut.
        text = Window(self._control(asked.text), height=lambda: len(asked.text()))
        choices = Window(self._control(asked.choices, focusable=True))
        footer = Window(self._control(asked.below), height=lambda: len(asked.below()))
        app.layout = Layout(HSplit([self._picture(asked.draw), text, choices, footer]), focused_element=choices)
        added = [answering_keys(asked.pointer, scene), pointing_keys(asked.step, asked.move, asked.refuse)]
        app.key_bindings = merge_key_bindings([*_present(app.key_bindings), *added])
        answer: Reply = self._run(prompt)
        return answer

    def lines_of(self, text: str) -> list[Line]:
        """Return a question, broken between words where it is longer than a line."""
        return [line(" ", *one) for one in wrap_line(text, self.size()[0] - 2, "bold")]

    def type_text(self, typing: Typing, scene: Scene) -> str | None:
        """Ask for a text below the picture."""
        is_short = text_width(typing.prompt) <= LEAST_WIDTH // 2
        prompt = questionary.text(
            self._fit(typing.prompt if is_short else POINTER),
            default=typing.text,
            qmark="",
            style=_STYLE,
            completer=WordCompleter(typing.complete) if typing.complete else None,
            complete_while_typing=True,
            reserve_space_for_menu=3 if typing.complete else 0,
            erase_when_done=True,
            color_depth=self._color_depth(),
        )
        app = prompt.application

        def notes() -> list[Line]:
            """Return what was wrong, and where; else what can be done; and the question."""
            asked = [] if is_short else self.lines_of(typing.prompt)
            columns = self.size()[0] - 2
            if typing.error:
                *shown, reason = typing.error(columns)
                told = [*map(line, shown), *wrap_line(reason, columns, "bad")]
                return [line(" ", *one) for one in told][:5] + asked
            return [*(line(" ", *one) for one in wrap_line(_typing_hint(typing, scene), columns, "dim")), *asked]

        above = Window(self._control(notes), height=lambda: Dimension.exact(len(notes())))
        picture = self._picture(lambda width, height: scene.picture(width, height, None))
        inner = app.layout.container
        app.layout = Layout(HSplit([picture, above, inner, Window()]), focused_element=app.layout.current_window)
        keys = leaving_keys()
        keys.add(Keys.Escape, eager=True)(lambda event: event.app.exit(result=None))
        if typing.complete is not None:
            keys.add(Keys.Tab, eager=True)(complete_at_once(typing.complete))
        if _offers_help(scene):
            is_empty = Condition(lambda: not app.current_buffer.text)
            keys.add(HELP, filter=is_empty, eager=True)(lambda event: event.app.exit(result=HELP))
        app.key_bindings = merge_key_bindings([*_present(app.key_bindings), keys])
        text: str | None = self._run(prompt)
        return text

    def page(self, title: str, lines: Callable[[int], list[Line]], offers: Sequence[Offer] = ()) -> str:
        """Show a long text, a screenful at a time."""
        page = Page(title, lines, offers)
        self.show(page)
        return page.chosen

    def show(self, display: Display) -> None:
        """Show what fills the screen and takes every key, until it has been left."""
        timer: TimerHandle | None = None

        def begin() -> None:
            """Begin the time after which the display goes on by itself; each key begins it anew."""
            nonlocal timer
            if timer is not None:
                timer.cancel()
            seconds = display.wait()
            timer = app.loop.call_later(seconds, go_on) if app.loop is not None and seconds is not None else None

        def go_on() -> None:
            display.advance()
            app.invalidate()
            begin()
            leave_once_left()

        def press(event: KeyPressEvent) -> None:
            display.press(name_of(event.key_sequence[0]))
            begin()
            leave_once_left()

        def leave_once_left() -> None:
            if display.left and not app.is_done:
                app.exit()

        keys = KeyBindings()
        keys.add(Keys.Any, eager=True)(press)
        picture = self._control(lambda: display.draw(*self.size()))
        app: Application[None] = Application(
            Layout(Window(picture, always_hide_cursor=True)),
            key_bindings=merge_key_bindings([keys, leaving_keys()]),
            erase_when_done=True,
            color_depth=self._color_depth(),
        )
        app.pre_run_callables.append(begin)
        self._on_return = begin
        try:
            self._run(app)
        finally:
            self._on_return = None
            if timer is not None:
                timer.cancel()

    def animate(self, frames: Sequence[Callable[[int, int], list[Line]]], seconds: float) -> None:
        """Show pictures one after the other; a key, typed before or meanwhile, ends it."""
        encoding = screen_encoding(STYLE.ascii)
        for frame in frames:
            if self._codes is None or self._is_typed():
                return
            columns, rows = self.size()
            if is_too_small(columns, rows):
                return
            drawn = [to_ansi(one, STYLE.color, encoding) for one in frame(columns, rows - PROMPT_HEIGHT)]
            # Each line is cleared before it is drawn: after a full one, that would take its last character away.
            self._raw("\x1b[?25l\x1b[H" + "".join(f"\x1b[K{one}\r\n" for one in drawn) + "\x1b[J")
            if self._is_typed(seconds):
                return

    # The terminal

    def _run(self, prompt: Any) -> Any:
        """Run a prompt, or an application, to its answer."""
        app = prompt if isinstance(prompt, Application) else prompt.application
        app.full_screen = app.renderer.full_screen = True
        app.key_bindings = merge_key_bindings([*_present(app.key_bindings), self._suspending_keys(), dead_keys()])
        attend(app)
        self._app, self._measured = app, (None, self.size())
        self._draw_for(app)
        try:
            with end_on_signal(app):
                return app.run(handle_sigint=False)
        finally:
            self._app = None
            self._draw_for(None)

    @property
    def _codes(self) -> _Output | None:
        """What takes the codes of terminals; None on a console of Windows that knows none."""
        output = getattr(self._output, "vt100_output", self._output)
        return output if isinstance(output, _Output) else None

    def _draw_for(self, app: Application[Any] | None) -> None:
        """Tell the output which prompt draws now."""
        if self._codes is not None:
            self._codes.app = app

    def _suspending_keys(self) -> KeyBindings:
        """Return the key that suspends the program, where the system can."""
        keys = KeyBindings()

        def suspend(event: KeyPressEvent) -> None:
            if hasattr(signal, "SIGTSTP"):
                run_in_terminal(self._suspend)

        keys.add(Keys.ControlZ, eager=True)(suspend)
        return keys

    def _is_typed(self, seconds: float = 0) -> bool:
        """Tell whether a key has been typed that no prompt has seen, waiting for one as long as `seconds`."""
        waiting = get_typeahead(self._input)
        store_typeahead(self._input, waiting)
        if waiting or os.name == "nt":
            return bool(waiting)
        return bool(select.select([sys.stdin], [], [], seconds)[0])

    def _picture(self, draw: Callable[[int, int], list[Line]]) -> Window:
        """Return a picture for above a prompt, drawn anew for every size of the terminal and whatever is pointed at."""

        def lines() -> list[Line]:
            return self.picture_lines(draw)

        return Window(self._control(lines), height=lambda: Dimension.exact(len(lines())))

    def picture_lines(self, draw: Callable[[int, int], list[Line]]) -> list[Line]:
        """Return a picture for the size of the terminal; where it is too small, the words for that."""
        columns, rows = self.size()
        if is_too_small(columns, rows):
            return too_small_lines(columns, rows)
        return draw(columns, rows - PROMPT_HEIGHT) or [[]]

    def _control(self, lines: Callable[[], list[Line]], focusable: bool = False) -> FormattedTextControl:
        """Return what prompt_toolkit draws lines with; where it has the focus, the cursor is at what is pointed at."""

        def fragments() -> AnyFormattedText:
            return list(to_fragments(lines(), screen_encoding(STYLE.ascii)))

        if not focusable:
            return FormattedTextControl(fragments)
        return FormattedTextControl(fragments, focusable=True, get_cursor_position=lambda: _cursor(lines()))

    def _fit(self, text: str) -> str:
        return degrade(text, screen_encoding(STYLE.ascii))

    def _raw(self, codes: str) -> None:
        """Write codes; on a console that knows none, each prompt takes the screen and gives it back by itself."""
        if self._codes is not None:
            self._output.write_raw(codes)
            self._output.flush()

    def size(self) -> tuple[int, int]:
        """Return the columns and lines of the terminal: for all parts of a picture the same, also while they change."""
        picture = None if self._app is None else self._app.render_counter
        if picture is None or picture != self._measured[0]:
            size = self._output.get_size()
            self._measured = picture, (size.columns, size.rows)
        return self._measured[1]

    def _color_depth(self) -> ColorDepth | None:
        return None if STYLE.color else ColorDepth.DEPTH_1_BIT


class _Asked:
    """A question with its choices as it stands on the screen: what is pointed at, and the key that was refused."""

    def __init__(self, screen: Screen, question: Question, scene: Scene, pointed: str) -> None:
        self._screen, self._question, self._scene = screen, question, scene
        keys = [choice.key for choice in question.choices]
        default = next(key for key in (pointed, question.default, keys[0]) if key in keys)
        self.pointer = Pointer(question.choices, keys.index(default))
        self._refused = ""

    def draw(self, width: int, height: int) -> list[Line]:
        """Return the picture above the question."""
        return self._scene.picture(width, height, self.pointer.choice)

    def text(self) -> list[Line]:
        """Return the question itself."""
        return self._screen.lines_of(self._question.text)

    def choices(self) -> list[Line]:
        """Return the choices, as many as there is room for."""
        return list_lines(self._question.choices, self.pointer.at, self._screen.size()[0], self._room())

    def below(self) -> list[Line]:
        """Return what stands below the choices: why a key was refused, and what else can be done."""
        columns = self._screen.size()[0]
        told = refusal(self._refused, self._question, columns) if self._refused else []
        return [*told, *scene_footer(self._question, self._scene, columns)]

    def _room(self) -> int:
        """Return how many lines are left for the choices."""
        others = len(self._screen.picture_lines(self.draw)) + len(self.text()) + len(self.below())
        return max(1, self._screen.size()[1] - others)

    def move(self, right: int, down: int) -> None:
        """Point at what lies there, as the choices are arranged now."""
        self.refuse("")
        self.pointer.move(right, down, arrange(self._question.choices, self._screen.size()[0], self._room()))

    def step(self, by: int) -> None:
        """Point at a choice after or before."""
        self.refuse("")
        self.pointer.step(by)

    def refuse(self, key: str) -> None:
        """Say from now on that a key does nothing here; nothing of the kind where it is empty."""
        self._refused = key


def _present(bindings: Any) -> list[Any]:
    return [] if bindings is None else [bindings]


def _cursor(lines: Sequence[Line]) -> Point:
    """Return where the cursor belongs: behind the mark of the choice that is pointed at."""
    for y, one in enumerate(lines):
        for number, span in enumerate(one):
            if span.text.strip() == POINTER:
                return Point(line_width(one[: number + 1]) - 1, y)
    return Point(0, 0)


def _offers_help(scene: Scene) -> bool:
    return any(offer.key == HELP for offer in scene.offers)


def _typing_hint(typing: Typing, scene: Scene) -> str:
    """Return what can be done where a text is asked for."""
    enter = _("Enter takes what is in brackets") if typing.default else _("Enter confirms")
    hints = [enter, _("Esc goes back")]
    hints += [_("Tab completes")] if typing.complete else []
    hints += [f"{offer.key} {offer.label}" for offer in scene.offers if offer.key == HELP]
    return ", ".join(hints)
