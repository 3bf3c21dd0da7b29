"""Bots on turn at a terminal: their moves at a pace one can follow, or as fast as one likes."""

from __future__ import annotations

import random
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from cubiri_cli.players.seats import view_of
from cubiri_cli.table.drawing import Span, cut_line, line
from cubiri_cli.table.language import _
from cubiri_cli.table.pages import move_seconds
from cubiri_cli.table.style import STYLE
from cubiri_cli.terminal.footers import first_that_fits, joined, key_label
from cubiri_cli.terminal.sizes import PROMPT_HEIGHT, is_too_small, too_small_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cubiri_cli.players.bots import SeatedBot
    from cubiri_cli.players.player import View
    from cubiri_cli.table.dialogue import Dialogue
    from cubiri_cli.table.drawing import Line

FRAME, FRAMES = 0.06, 5
"""How long, in seconds, one picture of falling dice is shown, and how many make a throw."""
POLL = 0.03
"""How often, in seconds, it is looked whether a bot has made up its mind."""
SETTLING = 0.7
"""For how many seconds after the end of a game keys are still those of somebody who skips."""
SLOWEST, FASTEST = 0.125, 16.0
"""The bounds of the speed; 1 is the usual one."""


class _Thought(Thread):
    """A bot's choice, while it is made and afterwards."""

    def __init__(self, bot: SeatedBot, view: View) -> None:
        super().__init__(daemon=True)
        self._bot, self._view = bot, view
        self.action = ""
        self.error: Exception | None = None

    def run(self) -> None:
        """Choose."""
        try:
            self.action = self._bot.choose(self._view)
        except Exception as error:  # told by whoever asked
            self.error = error


class BotsTurn:
    """What is seen while bots are on turn, one after the other: changed by `press` and time, shown by `draw`.

    It is over (`left`) once a person is on turn, the player leaves (`quits`), or something has gone wrong (`error`);
    where the game has ended, once a key is pressed.
    """

    def __init__(self, dialogue: Dialogue, bots: Mapping[int, SeatedBot], speed: float = 1.0) -> None:
        self._dialogue = dialogue
        self._bots = bots
        self.left = False
        self.quits = False
        """Whether the player would like to save and quit."""
        self.error: Exception | None = None
        """Why the game cannot go on: a `BotError`, or a record that has no room."""
        self.speed = speed
        """How fast it goes; 1 is the usual speed."""
        self._skips = False
        """Whether there are no pauses until a person is on turn, or the turn of a bot that plays alone has ended."""
        self._thought: _Thought | None = None
        self._due = 0.0
        """When the next move is to be made; after the end, when a key means that the game is left."""
        self._frames: list[tuple[int, ...]] | None = None
        """The pictures of falling dice that are still to be shown before the move; None where none was begun."""
        self._moves: list[str] = []
        self._ends: list[Line] = []
        """How the turns ended that were seen or skipped: told together where a person is on turn again."""

    def tell(self, say: Callable[[str], None]) -> None:
        """Make all moves at once, and tell each in a line: where nothing can be drawn."""
        game = self._dialogue.game
        try:
            while not game.over and game.seat in self._bots:
                action = self._bots[game.seat].choose(view_of(self._dialogue.session))
                say(self._dialogue.make(action)[0])
        except ValueError as error:
            self.error = error

    def _think(self) -> None:
        """Have the bot on turn choose; leave where none is."""
        self._frames = None
        game = self._dialogue.game
        if game.over:
            self._thought, self._due = None, monotonic() + SETTLING
        elif game.seat in self._bots:
            self._thought = _Thought(self._bots[game.seat], view_of(self._dialogue.session))
            self._thought.start()
        else:
            self._dialogue.news, self.left = self._ends, True

    @property
    def _action(self) -> str | None:
        """What the bot on turn has chosen; None while it thinks."""
        return None if self._thought is None or self._thought.is_alive() else self._thought.action

    # What time does

    def wait(self) -> float | None:
        """Return in how many seconds something changes by itself; None where nothing does."""
        if self._dialogue.is_over or self.left:
            return None
        if self._thought is None:
            self._due = monotonic() + self._pause([], False)
            self._think()
        if self._action is None:
            return POLL
        return FRAME / self.speed if self._frames else max(0.0, self._due - monotonic())

    def advance(self) -> None:
        """Go on: show the next picture of falling dice, or make the move that is due."""
        if self._thought is None or (action := self._action) is None:
            return
        if self._thought.error is not None:
            self.error, self.left = self._thought.error, True
        elif monotonic() < self._due:
            self._dialogue.point_out(action)
        elif not self._is_falling(action):
            self._move(action)

    def _is_falling(self, action: str) -> bool:
        """Show dice that fall, faces by chance, as long as an action has any to throw."""
        if self._frames is None:
            count = 0 if self._skips or not STYLE.animation else self._dialogue.game.dice_for(action)
            chance = random.Random()
            frames = range(FRAMES if count else 0)
            self._frames = [tuple(chance.randint(1, 6) for _die in range(count)) for _frame in frames]
        else:
            self._frames = self._frames[1:]
        return bool(self._frames)

    def _move(self, action: str) -> None:
        """Make a move, and have the next one thought of."""
        before = self._dialogue.game.seat
        try:
            text, told = self._dialogue.make(action)
        except ValueError as error:  # no room in the record
            self.error, self.left = error, True
            return
        self._moves.append(text)
        game = self._dialogue.game
        if not game.in_turn:
            self._ends += self._dialogue.news
        if len(self._bots) == game.seats and not game.in_turn:
            self._skips = False
        self._due = monotonic() + self._pause([text] * told, bool(self._dialogue.thrown))
        if before != game.seat and game.seat in self._bots and not self._skips:
            self._moves = self._moves[-1:]
        self._think()

    def _pause(self, texts: list[str], has_dice: bool) -> float:
        return 0.0 if self._skips else move_seconds(texts, has_dice) / self.speed

    # What keys do

    def press(self, key: str) -> None:
        """Do what a key stands for."""
        if self._dialogue.is_over:
            self.left = monotonic() >= self._due and not key.startswith("<")  # a paste is no key
        elif key in ("q", "Q"):
            self.quits = self.left = True
        elif key in ("enter", " ", "s", "S"):
            self._skips, self._due, self._frames = True, 0.0, []
        elif key in ("right", "down", "n", "N"):
            self._due, self._frames = 0.0, []
        elif key in ("+", "="):
            self.speed = min(FASTEST, self.speed * 2)
        elif key in ("-", "−", "_"):
            self.speed = max(SLOWEST, self.speed / 2)

    # How it looks

    def draw(self, columns: int, rows: int) -> list[Line]:
        """Return the whole screen: at most `rows` lines of at most `columns` columns."""
        if is_too_small(columns, rows):
            return too_small_lines(columns, rows)
        rolling = self._frames[0] if self._frames else None
        picture = self._dialogue.picture(columns, rows - PROMPT_HEIGHT, rolling=rolling)
        room = rows - len(picture) - 4
        moves = [line(" ", Span("» ", "dim"), text) for text in self._moves[-room:]]
        body = [*picture, [], line(" ", Span(self._status(), "bold")), *moves][: rows - 2]
        return [*(cut_line(one, columns) for one in body), *([[]] * (rows - 1 - len(body))), self._keys(columns)]

    def _status(self) -> str:
        if self._dialogue.is_over:
            return _("The game has ended.")
        name = self._dialogue.names[self._dialogue.game.seat - 1]
        return (_("{name} is thinking") if self._action is None else _("{name} is on turn")).format(name=name)

    def _keys(self, columns: int) -> Line:
        """Return the line at the bottom that says which keys there are."""
        if self._dialogue.is_over:
            return cut_line(line(" ", *key_label("Enter", " " + _("continue"))), columns)
        skip = _("skip this turn") if len(self._bots) == self._dialogue.game.seats else _("skip to your turn")
        keys = [("Enter", skip), ("→", _("next move")), ("+ −", _("speed")), ("q", _("save and quit"))]
        short = [("Enter", _("skip")), ("→", _("next")), ("+ −", _("speed")), ("q", _("quit"))]
        ways = [joined([key_label(key, f" {label}") for key, label in one], "  ") for one in (keys, short)]
        tight = joined([key_label(key, label) for key, label in short], " ")
        return first_that_fits([line(" ", *one) for one in ways] + [tight], columns)
