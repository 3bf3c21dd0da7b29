"""Playing a game at the table, from wherever its session stands to its end, or until the player leaves.

One loop for every game: the game's module (see `protocol.py`) says what is shown and what can be chosen, a prompter
(see `prompter.py`) asks, and what was chosen is handed to the session as action text.
"""

from __future__ import annotations

import random
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any

from cubiri_cli.games.game import IllegalActionError
from cubiri_cli.replays.replay import Problem
from cubiri_cli.replays.session import FullRecordError
from cubiri_cli.table.drawing import Line, Span, line, to_text, wrap_line
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain, nearly_full, not_stored, table_of
from cubiri_cli.table.naming import names_shown
from cubiri_cli.table.protocol import View
from cubiri_cli.table.rulebook import rules_lines
from cubiri_cli.table.style import STYLE
from cubiri_cli.table.typed import MistypedError, Typed, blame, complete, read_next, words_of
from cubiri_cli.terminal.opening import open_prompter
from cubiri_cli.terminal.printing import print_lines
from cubiri_cli.terminal.prompter import HELP, QUIT, TYPE, Offer, Reply, Scene, Typing
from cubiri_cli.terminal.signals import SignalledError, ending_signals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.games.game import Game
    from cubiri_cli.replays.session import Session
    from cubiri_cli.table.protocol import Choice, Table
    from cubiri_cli.terminal.prompter import Prompter

FRAME = 0.06
"""How long, in seconds, one picture of falling dice is shown; five make a throw."""


class Left(Enum):
    """Why the table was left."""

    ENDED = "the game ended"
    SAVED = "the player saved and quit"
    INTERRUPTED = "Ctrl-C, Ctrl-D, or a signal to end"


def play(session: Session) -> Left:
    """Play a session, new or resumed, until its game ends or the player leaves; the terminal is left as it was.

    The session keeps its record after every action, so leaving loses nothing, whichever way it happens.
    """
    try:
        with ending_signals(), open_prompter() as prompter:
            sitting = Sitting(session, prompter)
            left = sitting.play()
    except (KeyboardInterrupt, EOFError, SignalledError):
        return Left.INTERRUPTED
    if left is Left.ENDED and sitting.news:  # what ended it: there is no question any more above which it would stand
        print_lines([*sitting.news, []])
    return left


def _no_advice(typed: Typed) -> MistypedError:
    """Return why `hint` is not taken from a person: nobody would answer, and the game would count as assisted."""
    reason = _("there is no advice to be had; hint would only mark the game as assisted")
    return MistypedError(typed.words[0].start, typed.words[-1].end, reason)


class Sitting:
    """One game being played at one terminal."""

    def __init__(self, session: Session, prompter: Prompter) -> None:
        self.session = session
        self.prompter = prompter
        self.table: Table = table_of(session.replay.game)
        self.names = names_shown([player.name for player in session.replay.players])
        self.steps: list[Any] = []
        self.news: list[Line] = []
        self.thrown: tuple[int, ...] = ()
        self._told = 0
        self._failure_told = self._fullness_told = False

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.session.game

    def play(self) -> Left:
        """Ask, and do what is answered, until the game is over or the player leaves."""
        pointed = ""
        while not self.game.over:
            question = self.table.ask(self.game, self.names, self.steps[-1] if self.steps else None)
            answer = self.prompter.choose(question, self._scene(), pointed)
            pointed = ""
            if answer.key == QUIT:
                return Left.SAVED
            chosen = next((choice for choice in question.choices if choice.key == answer.key), None)
            if chosen is not None:
                self._follow(chosen)
                pointed = chosen.key if chosen.ticks else ""
            else:
                self._answer_otherwise(answer)
        return Left.ENDED

    def _answer_otherwise(self, answer: Reply) -> None:
        if answer.is_back:
            self.steps = self.steps[:-1]
        elif answer.key == HELP:
            self.prompter.page(_("Keys and rules"), self._help)
        elif answer.typed and answer.key != TYPE:
            self._run(answer.typed)
        else:
            self._type(answer.typed or "")

    def _follow(self, choice: Choice) -> None:
        """Go on with a choice: execute what it does, or ask the question it leads to."""
        if not choice.actions:
            kept = self.steps[:-1] if choice.ticks else self.steps
            self.steps = [*kept, choice.step]
            return
        self._begin()
        self._do_all(choice.actions)

    def _begin(self) -> None:
        self.steps, self.news, self._told = [], [], 0

    def _do(self, action: str) -> None:
        """Execute one action and say what came of it. Raises `IllegalActionError`."""
        before = self.game.copy()
        outcome = self.session.try_out(action)
        if outcome.dice:
            self._show_throw(len(outcome.dice))
        outcome = self.session.do(action)
        self.thrown = outcome.dice
        told = self.table.tell(before, action, outcome, self.game, self.names)
        self.news += told
        if any(span.style == "cheer" for one in told for span in one):
            self._cheer()
        self._warn_of_record()

    def _warn_of_record(self) -> None:
        """Say that the record cannot be stored, or will soon be full: each once, it is said again where it matters."""
        if self.session.failure is not None and not self._failure_told:
            self._failure_told = True
            self.news.append(line(Span(not_stored(self.session.failure), "bad")))
        if self.session.is_nearly_full and not self._fullness_told:
            self._fullness_told = True
            self.news.append(line(Span(nearly_full(), "bad")))

    def _do_all(self, actions: Sequence[str] = ()) -> None:
        """Execute actions, then what follows by itself, as long as there is room in the record."""
        try:
            for action in actions:
                self._do(action)
            while not self.game.over and (action := self.table.next_action(self.game) or ""):
                self._do(action)
        except FullRecordError as error:
            self.news.append(line(Span(explain(Problem(error.reason, error.details)), "bad")))

    # Typed actions

    def _type(self, text: str) -> None:
        """Ask for typed actions until they are done, or the player goes back."""
        error: Sequence[str] = ()
        while not self.game.over:
            typing = Typing(_("Actions:"), text, error=error, complete=partial(complete, self.game, self.table))
            typed = self.prompter.type_text(typing, self._scene())
            if not typed:
                return
            if typed == HELP:
                self.prompter.page(_("Keys and rules"), self._help)
                continue
            mistake = self._execute(typed)
            if mistake is None:
                return
            text, error = mistake

    def _run(self, typed: str) -> None:
        """Execute actions that were typed where a choice was asked for; a mistake joins the news."""
        mistake = self._execute(typed)
        if mistake is not None:
            text, error = mistake
            self.news += [line(text), *(line(Span(one, "bad")) for one in error)]
            self._told = min(self._told, max(0, len(self.news) - 1 - len(error)))

    def _execute(self, typed: str) -> tuple[str, list[str]] | None:
        """Execute typed actions one after the other.

        Return None where all went well; else what is left from the wrong action on, and what is wrong with it: a line
        that points at the wrong word, and a line that says why. Nothing from there on has been executed.
        """
        self._begin()
        try:
            for part in words_of(typed):
                rest = part
                while rest:
                    action = read_next(self.game, self.table, rest)
                    if action.action == "hint":
                        raise _no_advice(action)
                    try:
                        self._do(action.action)
                    except IllegalActionError as error:
                        raise blame(self.game, action, error, self.session.replay.game) from None
                    rest = rest[len(action.words) :]
        except MistypedError as error:
            left = typed[rest[0].start :]
            shift = error.start - rest[0].start
            return left, [" " * shift + "^" * (error.end - error.start), error.reason]
        self._do_all()
        return None

    # What is shown

    def _scene(self) -> Scene:
        return Scene(
            picture=self._picture,
            words=self._words,
            offers=(
                Offer(TYPE, _("type actions"), _("type")),
                Offer(HELP, _("keys and rules"), _("help")),
                Offer(QUIT, _("save and quit"), _("quit")),
            ),
            has_back=bool(self.steps),
        )

    def _picture(self, width: int, height: int, pointed: Any) -> list[Line]:
        step = self.steps[-1] if self.steps else None
        view = View(step, pointed, self.news, self.thrown)
        return self.table.picture(self.game, self.names, width, height, view)

    def _words(self) -> list[str]:
        """Return what has happened since the last question, then the state; while choosing, only what is new."""
        news = [to_text(one) for one in self.news[self._told :]]
        self._told = len(self.news)
        step = self.steps[-1] if self.steps else None
        return [*news, *self.table.describe(self.game, self.names, View(step, None, self.news, self.thrown))]

    def _help(self, width: int) -> list[Line]:
        keys = [
            _("Each choice shows its key in brackets: it accepts at once. Arrows and Enter choose as well."),
            _("Escape goes back, q saves and quits, : takes typed actions, ? shows this page."),
            *map(_, self.table.HELP),
        ]
        lines = [part for text in keys for part in wrap_line(text, width, indent="  ")]
        return [*lines, [], *rules_lines(self.session.replay.game, width)]

    def _show_throw(self, count: int) -> None:
        """Show falling dice: faces by chance, never the game's."""
        if not STYLE.animation:
            return
        chance = random.Random()
        faces = [tuple(chance.randint(1, 6) for _die in range(count)) for _frame in range(5)]
        self.prompter.animate([partial(self._rolling, shown) for shown in faces], FRAME)

    def _rolling(self, faces: tuple[int, ...], width: int, height: int) -> list[Line]:
        return self.table.picture(self.game, self.names, width, height, View(None, None, self.news, (), faces))

    def _cheer(self) -> None:
        """Let what deserves it flash."""
        if STYLE.animation:
            self.prompter.animate([partial(self._flashing, lit) for lit in (True, False) * 3], 2 * FRAME)

    def _flashing(self, lit: bool, width: int, height: int) -> list[Line]:
        news = [
            [span if lit or span.style != "cheer" else Span(span.text, "bold") for span in one] for one in self.news
        ]
        return self.table.picture(self.game, self.names, width, height, View(None, None, news, self.thrown))
