"""A game that is being played, as questions and answers: whoever answers, wherever the question is shown.

>>> from cubiri_cli.replays.replay import Player
>>> from cubiri_cli.replays.session import Session
>>> dialogue = Dialogue(Session.begin("mishimash", {"target": 10}, [Player("Ada")], "42"))
>>> dialogue.question().text
'Turn 1: roll the six dice'
>>> dialogue.answer("r")
>>> [choice.key for choice in dialogue.question().choices]
['1', '2', '3', 'r', 'b']
>>> dialogue.answer("b")
>>> dialogue.is_over, dialogue.words()[0]
(False, 'Ada banks 2.5 and has 2.5')
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from cubiri_cli.players.advice import evaluator, has_evaluator
from cubiri_cli.replays.session import FullRecordError
from cubiri_cli.table.advice import hint_for
from cubiri_cli.table.drawing import Line, Span, line, to_text
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain, nearly_full, not_stored, table_of
from cubiri_cli.table.naming import names_shown
from cubiri_cli.table.protocol import Moment
from cubiri_cli.table.typed import MistypedError, complete, read_part, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cubiri_cli.games.game import Game
    from cubiri_cli.replays.session import Session
    from cubiri_cli.table.advice import HintTexts
    from cubiri_cli.table.protocol import Choice, Question, Table


class NoChoiceError(ValueError):
    """A key that is none of the choices of the question at hand."""


class Dialogue:
    """A session that is played by answering what the game asks, with the news of what the answers led to.

    The answers are the key of a choice, the way back, a typed line, or actions as text.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.table: Table = table_of(session.replay.game)
        self.names = names_shown([player.name for player in session.replay.players])
        self.news: list[Line] = []
        """What the last answer led to."""
        self._steps: list[tuple[str, Any]] = []  # the choices on the way to an action: their keys and steps
        self.thrown: tuple[int, ...] = ()
        """The dice that answered the latest action."""
        self._told = 0  # how many lines of the news `words` has returned
        self._warned: set[str] = set()
        self._hinted: tuple[int, HintTexts] | None = None  # what was advised, and how many entries there were then

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.session.game

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, so that nothing is asked any more."""
        return self.game.over

    @property
    def has_back(self) -> bool:
        """Whether there is a way back: a choice on the way to an action that can be taken back."""
        return bool(self._steps)

    def question(self) -> Question:
        """Return what is asked now. The game must not be over."""
        return self.table.ask(self.game, self.names, self._step)

    def answer(self, key: str) -> None:
        """Take the choice of this key: execute what it does, or go on to the question it leads to.

        Raises `NoChoiceError` where there is none.
        """
        choice = next((choice for choice in self.question().choices if choice.key == key), None)
        if choice is None:
            raise NoChoiceError(key)
        if choice.actions:
            self.act(choice.actions)
        else:
            replaced = self._steps[-1:] if choice.ticks else []
            self._steps = [
                *self._steps[: len(self._steps) - len(replaced)],
                (replaced[0][0] if replaced else key, choice.step),
            ]

    def back(self) -> str:
        """Take the last choice on the way to an action back, and return its key; empty where there is none."""
        key = self._steps[-1][0] if self._steps else ""
        self._steps = self._steps[:-1]
        return key

    def type(self, text: str) -> None:
        """Execute a typed line: as a whole, but what follows a throw, once the dice lie, as a whole up to the next one.

        Raises `MistypedError` where anything is wrong, with what is left of the line: nothing of that has been done. A
        throw that passes the turn on is the last thing done: nobody means to play for somebody else.
        """
        words, at, seat = words_of(text), 0, self.game.seat
        while at < len(words):
            left = words[at].start
            if at and self.game.seat != seat:
                reason = _("the roll ended the turn; the rest of the line was not played")
                raise MistypedError(text[left:], 0, words[at].end - left, reason)
            try:
                typed, at = read_part(self.game, self.table, text, words, at)
            except MistypedError as error:
                raise error.without(left) from None
            if left == words[0].start:
                self._begin()
            for one in typed:
                seat = self.game.seat
                try:
                    self._do(one.action)
                except FullRecordError as error:
                    left = one.words[0].start
                    raise MistypedError(text, left, one.words[-1].end, _refusal(error)).without(left) from None
        if words:
            self._do_all(self._following())

    def complete(self, text: str) -> tuple[int, list[str]]:
        """Return how a typed line can go on: how many of its last characters are replaced, and by which words."""
        return complete(self.game, self.table, text)

    def act(self, actions: Iterable[str]) -> None:
        """Execute actions, and what follows by itself, as long as there is room in the record.

        Raises `IllegalActionError` at the first that the rules refuse.
        """
        self._begin()
        self._do_all(chain(actions, self._following()))

    def point_out(self, action: str) -> None:
        """Show what somebody else is about to do, where that is ticked on the way."""
        step = self.table.step_of(self.game, action)
        self._steps = [] if step is None else [("", step)]

    def make(self, action: str) -> tuple[str, bool]:
        """Execute one action of somebody else, nothing more.

        Return what is to be said of it in one line, and whether that is more than the action. What it led to counts as
        told. Raises `IllegalActionError` or `FullRecordError`.
        """
        name = self.names[self.game.seat - 1]
        self._begin()
        self._execute(action)
        self._told = len(self.news)
        told = [to_text(one).strip() for one in self.news]
        return f"{name}: " + "; ".join([self.session.replay.turns[-1].log[-1], *told]), bool(told)

    def _begin(self) -> None:
        self._steps, self.news, self._told = [], [], 0

    def _following(self) -> Iterator[str]:
        """Yield the actions that follow by themselves, each once the one before has been executed."""
        while not self.is_over and (action := self.table.next_action(self.game)) is not None:
            yield action

    def _do_all(self, actions: Iterable[str]) -> None:
        """Execute actions as long as there is room in the record; the news say where there is none."""
        try:
            for action in actions:
                self._do(action)
        except FullRecordError as error:
            self.news.append(line(Span(_refusal(error), "bad")))

    def _do(self, action: str) -> None:
        """Execute one action, and show what came of it."""
        count = self.game.dice_for(action)
        if count:
            self.throwing(count)
        if any(span.style == "cheer" for one in self._execute(action) for span in one):
            self.cheering()

    def _execute(self, action: str) -> list[Line]:
        """Execute one action; note what came of it, and return that."""
        before = self.game.copy()
        outcome = self.session.do(action)
        self.thrown = outcome.dice
        told = self.table.tell(before, action, outcome, self.game, self.names)
        self.news += told
        if self.session.failure is not None:
            self._warn("failure", not_stored(self.session.failure))
        if self.session.is_nearly_full:
            self._warn("full", nearly_full())
        return told

    def _warn(self, of: str, text: str) -> None:
        """Add a warning of the record to the news: once, it is said again where it matters."""
        if of not in self._warned:
            self._warned.add(of)
            self.news.append(line(Span(text, "bad")))

    # Hints

    @property
    def has_hints(self) -> bool:
        """Whether there is something to decide, and somebody who can advise."""
        return self.game.in_turn and has_evaluator(self.game.NAME)

    @property
    def is_assisted(self) -> bool:
        """Whether a player has asked for a hint in this game."""
        return any("hint" in turn.log for turn in self.session.replay.turns)

    def hint(self) -> HintTexts | None:
        """Log that a hint was asked for. The first time at a decision the news say what to look at.

        Asked again, return the best choices. There must be hints (`has_hints`).
        """
        asked = self._decisions()
        known = self._hinted[1] if self._hinted is not None and self._hinted[0] == asked else None
        found = known or hint_for(self.game, self.table)
        self.news, self._told = [], 0
        self._do_all(["hint"])
        if known is not None:
            return hint_for(self.game, self.table)
        if not self.news:
            self.news = [line(Span(found.nudge, "good"))]
            self._hinted = asked, found
        return None

    def _decisions(self) -> int:
        """Return how many entries there are that decided something, or threw dice."""
        judge, entries = evaluator(self.game.NAME), self.session.replay.turns
        actions = (entry.partition(" -> ")[0] for turn in entries for entry in turn.log)
        return sum(action == "roll" or judge.decides(action) for action in actions)

    # What somebody who shows the game may like to know in time

    def throwing(self, count: int) -> None:
        """Do something before so many dice are thrown: here nothing."""

    def cheering(self) -> None:
        """Do something because something is to be cheered at: here nothing."""

    # What there is to be seen

    @property
    def chances(self) -> Sequence[str]:
        """The chances of all to win, in words, where they are to be seen: here none."""
        return ()

    @property
    def _step(self) -> Any:
        return self._steps[-1][1] if self._steps else None

    def picture(
        self,
        width: int,
        height: int,
        pointed: Choice | None = None,
        *,
        rolling: tuple[int, ...] | None = None,
        news: Sequence[Line] | None = None,
    ) -> list[Line]:
        """Return the game as a picture of at most `width` columns and `height` lines.

        `pointed` is the choice pointed at. Dice that are still `rolling` may be shown in place of the
        game's, and other `news` in place of the news.
        """
        shown = self.news if news is None else news
        if rolling is None:
            moment = Moment(self._step, pointed, shown, self.thrown, chances=self.chances)
        else:
            moment = Moment(news=shown, rolling=rolling, chances=self.chances)
        return self.table.picture(self.game, self.names, width, height, moment)

    def words(self) -> list[str]:
        """Return what has happened since this was asked last, then the state; while choosing, only what is new."""
        news = [to_text(one) for one in self.news[self._told :]]
        self._told = len(self.news)
        moment = Moment(self._step, None, self.news, self.thrown)
        return [*news, *self.table.describe(self.game, self.names, moment)]


def _refusal(error: FullRecordError) -> str:
    return explain(error.problem)
