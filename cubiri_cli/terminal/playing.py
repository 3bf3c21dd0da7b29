"""Playing a game at the table, from wherever its session stands to its end, or until the player leaves.

One loop for every game: a dialogue (see `table/dialogue.py`) has the questions, a prompter (see `prompter.py`) asks
them, and what is chosen or typed is the dialogue's answer.
"""

from __future__ import annotations

import random
from contextlib import contextmanager
from enum import Enum
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from cubiri_cli.players.advice import has_evaluator
from cubiri_cli.replays.names import harmless
from cubiri_cli.table.advice import chances_shown, has_chances, hint_for, hint_lines
from cubiri_cli.table.dialogue import Dialogue
from cubiri_cli.table.drawing import Line, Span, line, wrap_line
from cubiri_cli.table.language import _
from cubiri_cli.table.rulebook import rules_lines
from cubiri_cli.table.style import STYLE
from cubiri_cli.table.typed import MistypedError
from cubiri_cli.terminal.opening import can_draw, open_prompter
from cubiri_cli.terminal.plain import say
from cubiri_cli.terminal.printing import page_width, pass_on, print_lines, print_texts
from cubiri_cli.terminal.prompter import (
    CHANCES,
    HELP,
    HINT,
    NEW,
    QUIT,
    TYPE,
    NoScreenError,
    Offer,
    Reply,
    Scene,
    Typing,
)
from cubiri_cli.terminal.questions import pick
from cubiri_cli.terminal.signals import SignalledError, ending_signals
from cubiri_cli.terminal.thinking import think

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cubiri_cli.players.bots import Bot, SeatedBot
    from cubiri_cli.replays.session import Session
    from cubiri_cli.table.protocol import Question
    from cubiri_cli.terminal.prompter import Prompter

FRAME = 0.06
"""How long, in seconds, one picture of falling dice is shown; five make a throw."""


class Departure(Enum):
    """Why the table was left."""

    ENDED = "the game ended"
    SAVED = "the player saved and quit"
    NEW = "the player may want a new game"
    INTERRUPTED = "Ctrl-C, Ctrl-D, or a signal to end"


def play(session: Session, bots: Mapping[int, Bot] | None = None, timeout: float | None = None) -> Departure:
    """Play a session, new or resumed, until its game ends or the player leaves; the terminal is left as it was.

    The session keeps its record after every action, so leaving loses nothing, whichever way it happens. `bots` play in
    their seats; their programs have `timeout` seconds to answer (see `Program`). Raises `BotError` where one fails, and
    `FullRecordError` where there is no room for its move.
    """
    try:
        with _seated(session, bots or {}, timeout) as seated, ending_signals(), open_prompter() as prompter:
            sitting = Sitting(session, prompter, seated)
            left = sitting.play()
    except (KeyboardInterrupt, EOFError, SignalledError):
        return Departure.INTERRUPTED
    if left is Departure.ENDED and sitting.untold:
        # What ended it: there is no question any more above which it would stand.
        print_lines([*sitting.untold, []])
    return left


@contextmanager
def _seated(session: Session, bots: Mapping[int, Bot], timeout: float | None) -> Iterator[Mapping[int, SeatedBot]]:
    """Let bots sit down. What their programs complain of is passed on where lines are printed, not onto a picture."""
    if not bots:
        yield {}
        return
    from cubiri_cli.players.seats import seated_bots  # most games are played without

    with seated_bots(session, bots, timeout, None if can_draw() else pass_on) as seated:
        try:
            yield seated
        finally:
            for seat, bot in seated.items():
                if bot.is_asked:  # it gets a moment to end by itself, in which nothing else is to be seen
                    name = harmless(session.replay.players[seat - 1].name)
                    print_texts([_("{name} has not answered yet and is being ended …").format(name=name)])


class Sitting(Dialogue):
    """A game that is being played at a terminal."""

    def __init__(self, session: Session, prompter: Prompter, bots: Mapping[int, SeatedBot] | None = None) -> None:
        super().__init__(session)
        self.prompter = prompter
        self.bots = bots or {}
        self._speed = 1.0
        self._shows_chances = False

    @property
    def untold(self) -> list[Line]:
        """What has happened and has not been seen."""
        return self.news[self._told :]

    def play(self) -> Departure:
        """Ask, and do what is answered, until the game is over or the player leaves.

        Raises `BotError` where a bot fails, `FullRecordError` where there is no room for its move.
        """
        pointed = ""
        while not self.is_over:
            if self.game.seat in self.bots:
                if not self._let_bots_play():
                    return Departure.SAVED
                continue
            question = self.question()
            reply = self.prompter.choose(question, self._scene(question), pointed)
            if reply.key == QUIT:
                return Departure.SAVED
            chosen = next((choice for choice in question.choices if choice.key == reply.key), None)
            if chosen is None and reply.key == NEW:
                return Departure.NEW
            if chosen is None:
                pointed = self._do_otherwise(reply)
            else:
                self.answer(chosen.key)
                pointed = chosen.key if chosen.ticks else ""
        return Departure.ENDED

    def _let_bots_play(self) -> bool:
        """Show what bots do as long as they are on turn; tell whether the game goes on then."""
        from cubiri_cli.terminal.bots_turn import BotsTurn  # most games are played without

        turn = BotsTurn(self, self.bots, self._speed)
        try:
            self.prompter.show(turn)
        except NoScreenError:
            turn.tell(say)
        if turn.error is not None:
            raise turn.error
        self._speed = turn.speed
        return not turn.quits

    def _do_otherwise(self, reply: Reply) -> str:
        """Do what was replied that is none of the choices, and return the key of the choice to point at then."""
        if reply.is_back:
            return self.back() or reply.pointed
        if reply.key == HINT or (reply.typed == "hint" and self.has_hints):
            self._hint()
        elif reply.key == CHANCES:
            self._shows_chances = not self._shows_chances
        elif reply.key == HELP:
            self._help()
        elif reply.typed and reply.key != TYPE:
            try:
                self.type(reply.typed)
            except MistypedError as error:
                self.news += [line(Span(text, "bad")) for text in error.shown(page_width())]
        elif self._ask_for_actions(reply.typed or ""):
            return ""
        return reply.pointed

    def _ask_for_actions(self, text: str) -> bool:
        """Ask for a line of actions until one is done, or the player goes back; tell whether one was done."""
        typing = Typing(_("Actions:"), text, complete=self.complete)
        while not self.is_over and (typed := self.prompter.type_text(typing, self._scene())):
            if typed == HELP:
                self._help()
                continue
            if typed == "hint" and self.has_hints:
                self._hint()
                return True
            try:
                self.type(typed)
            except MistypedError as error:
                typing = typing._replace(text=error.line, error=error.shown)
            else:
                return True
        return self.is_over

    # What is shown

    def _scene(self, question: Question | None = None) -> Scene:
        taken = {choice.key for choice in question.choices} if question is not None else set()
        offers = (
            Offer(TYPE, _("type actions"), _("type")),
            *((Offer(HINT, _("hint"), _("hint")),) if self.has_hints else ()),
            *((Offer(CHANCES, _("chances"), _("chances")),) if has_chances(self.game) else ()),
            Offer(HELP, _("keys and rules"), _("help")),
            Offer(NEW, _("new game"), _("new")),
            Offer(QUIT, _("save and quit"), _("quit")),
        )
        return Scene(
            picture=self.picture,
            words=self.words,
            offers=tuple(offer for offer in offers if offer.key not in taken),
            has_back=self.has_back,
        )

    @property
    def chances(self) -> Sequence[str]:
        """The chances of all to win, in words, where they are switched on."""
        return self._chances(len(self.session.replay.turns), self._entries()) if self._shows_chances else ()

    def words(self) -> list[str]:
        """Return what is to be said, and the chances to win where they are switched on."""
        shown = ", ".join(f"{name} {chance}" for name, chance in zip(self.names, self.chances, strict=False))
        return [*super().words(), *([_("Chances to win: {chances}").format(chances=shown)] if shown else [])]

    def _entries(self) -> int:
        turns = self.session.replay.turns
        return len(turns[-1].log) if turns else 0

    @lru_cache(1)  # noqa: B019 - drawn often; a sitting lives as long as its game
    def _chances(self, turns: int, entries: int) -> Sequence[str]:
        """Return the chances of all after so many turns, the last of so many entries."""
        return chances_shown(self.game)

    def _hint(self) -> None:
        """Show what to look at, and asked again the best choices; the first time in a game that is asked before."""
        if not self.is_assisted and not self._is_sure():
            return
        think(self.prompter, partial(hint_for, self.game.copy(), self.table), self.picture)
        found = self.hint()
        if found is not None:
            self.prompter.page(_("Hint"), lambda width: hint_lines(found, self.game, self.table, width))

    def _is_sure(self) -> bool:
        """Ask whether the player wants a hint although the game is then marked."""
        text = _("Hints are recorded, and with one this game is ranked only with --assisted. Ask for one?")
        choices = [("y", _("yes, a hint"), True), ("n", _("no, continue without"), False)]
        return bool(pick(self.prompter, text, choices, self._scene()._replace(offers=())))

    def _help(self) -> None:
        self.prompter.page(_("Keys and rules"), self._help_lines)

    def _help_lines(self, width: int) -> list[Line]:
        keys = [
            _("Type the key in front of a choice, or actions, and press Enter; an empty line lists the choices again."),
            _("0 goes back, n starts a new game, q saves and quits, ? shows this page."),
        ]
        if self.prompter.has_screen:
            keys = [
                _("Each choice shows its key in brackets; the key chooses at once."),
                _("Arrows move among the choices, Tab to the next one; Enter chooses."),
                _("Esc goes back, n starts a new game, q saves and quits, : takes typed actions, ? shows this."),
                *map(_, self.table.PICTURE_HELP),
            ]
        if has_evaluator(self.session.replay.game):
            keys.append(_("h asks for a hint: first where to look, asked again the best choices. It is recorded."))
        if has_chances(self.game):
            keys.append(_("c shows the chances of all to win, or hides them. That is no hint."))
        keys += [
            *map(_, self.table.HELP),
            _("A typed line is played whole or not at all; what follows a roll is read once the dice have landed."),
        ]
        lines = [part for text in keys for part in wrap_line(text, width, indent="  ")]
        return [*lines, [], *rules_lines(self.session.replay.game, width)]

    def throwing(self, count: int) -> None:
        """Show falling dice: faces by chance, never the game's."""
        if STYLE.animation:
            chance = random.Random()
            faces = [tuple(chance.randint(1, 6) for _die in range(count)) for _frame in range(5)]
            self.prompter.animate([partial(self.picture, rolling=shown) for shown in faces], FRAME)

    def cheering(self) -> None:
        """Let what deserves it flash."""
        if STYLE.animation:
            unlit = [[span._replace(style=_UNLIT.get(span.style, span.style)) for span in one] for one in self.news]
            self.prompter.animate([partial(self.picture, news=news) for news in (self.news, unlit) * 3], 2 * FRAME)


_UNLIT = {"cheer": "bold"}
