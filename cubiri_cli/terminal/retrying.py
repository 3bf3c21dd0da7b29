"""Marked moments of games as questions: the player decides again on the board, and is told what was better and why.

Nothing of it is recorded, and no die is thrown.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from cubiri_cli.players.advice import evaluator, within
from cubiri_cli.replays.replay import Turn
from cubiri_cli.replays.session import Session
from cubiri_cli.table.analysis import decided_worse
from cubiri_cli.table.drawing import Line, Span, line, to_text, wrap_line
from cubiri_cli.table.language import _, amount
from cubiri_cli.terminal.opening import open_prompter
from cubiri_cli.terminal.playing import Departure, Sitting
from cubiri_cli.terminal.prompter import NEW, QUIT, Offer, Scene
from cubiri_cli.terminal.questions import pick
from cubiri_cli.terminal.signals import ending_signals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cubiri_cli.players.advice import Alternative
    from cubiri_cli.players.analysis import JudgedMoment
    from cubiri_cli.replays.replay import Replay
    from cubiri_cli.table.protocol import Question
    from cubiri_cli.table.transcript import Recording
    from cubiri_cli.terminal.prompter import Prompter


class AnsweredError(Exception):
    """Not an error: the player has decided. Its argument is what."""


def retry(moments: Iterable[tuple[Recording, JudgedMoment, str]]) -> tuple[int, int]:
    """Ask one moment after the other, each with the unit of its values, until the player has enough.

    Return how many were asked, and how many answers were right. Raises `EOFError`, `KeyboardInterrupt` and
    `SignalledError` as a game at the table does.
    """
    asked = right = 0
    with ending_signals(), open_prompter() as prompter:
        for recording, moment, unit in moments:
            again = Again(recording, moment, prompter)
            chosen = again.decide()
            if chosen is None:
                break
            asked += 1
            right += again.is_right(chosen, unit)
            if not again.tell(chosen, unit):
                break
    return asked, right


class Again(Sitting):
    """A moment of a recorded game, to be decided again."""

    def __init__(self, recording: Recording, moment: JudgedMoment, prompter: Prompter) -> None:
        game = recording.game(moment.begun).copy()
        super().__init__(Session(_part(recording.replay, moment.begun), game), prompter)
        self._judge = evaluator(game.NAME)
        self._decision = self._judge.decision(game)
        self._recording, self._moment = recording, moment
        title = _("turn {turn}").format(turn=moment.turn) + f" · {recording.player(moment.seat)}"
        self.news = [line(Span(title, "title"), "  ", _("What would you do now?"))]

    @property
    def has_hints(self) -> bool:
        """Whether there are hints: they would be the answer."""
        return False

    def _scene(self, question: Question | None = None) -> Scene:
        scene = super()._scene(question)
        kept = tuple(offer for offer in scene.offers if offer.key not in (NEW, QUIT))
        return scene._replace(offers=(*kept, Offer(QUIT, _("enough"), _("enough"))))

    def decide(self) -> Alternative | None:
        """Return what the player decides; None where the player has enough."""
        try:
            left = self.play()
        except AnsweredError as answer:
            found: Alternative = answer.args[0]
            return found
        assert left is not Departure.ENDED
        return None

    def _do(self, action: str) -> None:
        """Execute an action; one that decides is the answer instead."""
        if self._judge.decides(action):
            raise AnsweredError(self._decision.chosen(self.game, action))
        super()._do(action)

    def is_right(self, chosen: Alternative, unit: str) -> bool:
        """Tell whether an answer is as good as the best one, within the error."""
        assert self._moment.best is not None
        return within(self._moment.best.value - chosen.value, self._moment.error, unit)

    def tell(self, chosen: Alternative, unit: str) -> bool:
        """Tell what the answer was worth, what was better and why, and what was played; tell whether to go on."""
        lines = self._told_of(chosen, unit)

        def picture(width: int, height: int, pointed: object) -> list[Line]:
            told = [part for one in lines for part in wrap_line(to_text(one), width, one[0].style, "  ")]
            board = self._recording.board(self._moment.begun, width)
            return [*board[: max(0, height - len(told) - 1)], [], *told]

        scene = super()._scene()._replace(picture=picture, words=partial(list, map(to_text, lines)), offers=())
        choices = [("c", _("the next moment"), True), ("q", _("enough"), False)]
        return bool(pick(self.prompter, _("Continue?"), choices, scene))

    def _told_of(self, chosen: Alternative, unit: str) -> list[Line]:
        moment, recording = self._moment, self._recording
        assert moment.best is not None
        before = recording.game(moment.begun)
        answer = recording.table.decided(before, chosen.actions)
        if self.is_right(chosen, unit):
            lines = [line(Span(_("Right: {choice}").format(choice=answer), "good"))]
        else:
            loss = amount(chosen.value - moment.best.value, unit)
            lines = [line(Span(_("{choice} loses something: {loss}").format(choice=answer, loss=loss), "bad"))]
            reason = recording.table.reason(self._decision.reason(moment.best, chosen))
            best = recording.table.decided(before, moment.best.actions)
            lines.append(line(_("better: {choice} ({reason})").format(choice=best, reason=reason)))
        return [*lines, line(decided_worse(recording, moment, unit))]


def _part(replay: Replay, entries: int) -> Replay:
    """Return a record up to an entry."""
    turns: list[Turn] = []
    for turn in replay.turns:
        if entries > 0:
            turns.append(Turn(turn.player, turn.log[:entries]))
            entries -= len(turn.log)
    return replace(replay, turns=turns, result=None)
