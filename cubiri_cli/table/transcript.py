"""A recorded game for people: its states with all there is to say about each, and the whole of it as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.replays.clock import NO_TIME, written
from cubiri_cli.replays.names import harmless
from cubiri_cli.table.drawing import Line, Span, line, line_width, pad, to_text, width, wrap, wrap_line
from cubiri_cli.table.language import _, ngettext
from cubiri_cli.table.messages import explain_at, table_of
from cubiri_cli.table.protocol import Moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cubiri_cli.games.game import Game
    from cubiri_cli.players.analysis import Analysis
    from cubiri_cli.replays.history import History, Step
    from cubiri_cli.replays.verifying import Verdict
    from cubiri_cli.table.protocol import Table
    from cubiri_cli.table.scene import Piece

INDENT = "  "

HEIGHT = 14
"""How many lines a picture in a text may take: enough for every board as a whole."""


class NoSuchTurnError(ValueError):
    """A turn that the replay does not hold. Its text is the line that says so."""


class Recording:
    """A replay, as far as it is right, state by state: state 0 is before the first entry, state N after the N-th.

    What comes from the file is harmless on a terminal, whatever the file holds.
    """

    def __init__(self, history: History) -> None:
        self.replay, verdict, self._beginning, self.steps = history
        self.names = [harmless(player.name) for player in self.replay.players]
        self.table: Table = table_of(self.replay.game)
        self._firsts = {step.turn: state for state, step in reversed(list(enumerate(self.steps, 1)))}
        self.verdict = verdict
        self.complaint = _complaint(verdict)
        """What is wrong with the replay and where, in one line; empty where nothing is."""
        self.advice: Mapping[int, Sequence[Line]] = {}
        """What is to be said of an entry besides what it brought about, by the state it led to; see `analysis`."""
        self.analysis: Analysis | None = None
        """The game judged, where that has been asked for."""

    @property
    def turns(self) -> int:
        """How many turns the file holds, right or not."""
        return len(self.replay.turns)

    def step(self, state: int) -> Step | None:
        """Return the step that led to a state; None for state 0."""
        return self.steps[state - 1] if state else None

    def game(self, state: int) -> Game:
        """Return the game in a state."""
        return self.steps[state - 1].game if state else self._beginning

    def turn(self, state: int) -> int:
        """Return the turn to which a state belongs; 0 for state 0."""
        return self.steps[state - 1].turn if state else 0

    def first_of(self, turn: int) -> int:
        """Return the state after the first entry of a turn; 0 for turn 0, the last state where that entry is wrong."""
        return self._firsts.get(turn, len(self.steps)) if turn > 0 else 0

    def last_of(self, turn: int) -> int | None:
        """Return the state after a turn, or after as much of it as was played; None where the turn is not right.

        Raises `NoSuchTurnError` beyond the last turn.
        """
        if not 0 <= turn <= self.turns:
            text = ngettext("this game has {count} turn", "this game has {count} turns", self.turns)
            raise NoSuchTurnError(text.format(count=self.turns))
        entries = sum(len(one.log) for one in self.replay.turns[:turn])
        return entries if entries <= len(self.steps) else None

    def entry(self, state: int) -> str:
        """Return the entry that led to a state, as logged; empty for state 0."""
        step = self.step(state)
        return self.replay.turns[step.turn - 1].log[step.entry - 1] if step else ""

    def comment(self, state: int) -> list[str]:
        """Return the paragraphs of the comment that belongs to a state: of its turn, or of the game for state 0."""
        return list(self.comment_of(self.turn(state)))

    def comment_of(self, turn: int) -> Iterator[str]:
        """Yield the paragraphs of the comment of a turn, or of the game for turn 0."""
        return paragraphs(self.replay.turns[turn - 1].comment if turn else self.replay.comment)

    def comments(self) -> Iterator[Iterator[str]]:
        """Yield the comment of the game and of every turn, each as paragraphs."""
        return map(self.comment_of, range(self.turns + 1))

    def news(self, state: int) -> list[Line]:
        """Return what the entry that led to a state brought about, in words."""
        step = self.step(state)
        if step is None:
            return []
        told = self.table.tell(self.game(state - 1), step.action, step.outcome, step.game, self.names)
        return [*told, *self.advice.get(state, ())]

    def moment(self, state: int) -> Moment:
        """Return what a picture of a state shows besides it: its news, and what the player is about to select."""
        step = self.step(state)
        following = self.steps[state].action if state < len(self.steps) else None
        return Moment(
            step=None if following is None else self.table.step_of(self.game(state), following),
            news=self.news(state),
            thrown=step.outcome.dice if step is not None else (),
        )

    def picture(self, state: int, width: int, height: int) -> list[Line]:
        """Return the picture of a state, of at most so many columns and lines."""
        return self.table.picture(self.game(state), self.names, width, height, self.moment(state))

    def board(self, state: int, width: int) -> list[Line]:
        """Return the picture of a state as it stands in a text, without its news."""
        moment = self.moment(state)
        return self.table.picture(
            self.game(state), self.names, width, HEIGHT, Moment(moment.step, None, (), moment.thrown)
        )

    def words(self, state: int) -> list[str]:
        """Return a state in words, in reading order, complete."""
        return self.words_of(state, self.moment(state))

    def words_of(self, state: int, moment: Moment) -> list[str]:
        """Return a state in words, given the moment that goes with it."""
        game = self.game(state)
        if moment.step is None:
            return self.table.describe(game, self.names, moment)
        words = self.table.describe(game, self.names, moment._replace(step=None))
        changed = self.table.describe(game, self.names, moment)
        return [*words[: len(words) - len(changed)], *changed]

    def scene(self, state: int, moment: Moment) -> list[Piece]:
        """Return the picture of a state on a page, given the moment that goes with it."""
        return self.table.scene(self.game(state), self.names, moment)

    def breakdown(self) -> list[Line]:
        """Return the lines that explain the score, or where an unfinished game stands."""
        return self.table.breakdown(self.game(len(self.steps)), self.names)

    def breakdown_words(self) -> list[Line]:
        """Return the same to be read aloud."""
        return [line(text) for text in self.table.breakdown_words(self.game(len(self.steps)), self.names)]

    def whose(self, state: int) -> str:
        """Return the name of the player who brought a state about, and whether a bot sat in; empty for state 0."""
        step = self.step(state)
        return self.player(step.seat) if step else ""

    def player(self, seat: int) -> str:
        """Return the name of the player in a seat, and whether a bot sat in for him."""
        return player_in_words(self.names[seat - 1], self.replay.players[seat - 1].bot)


def player_in_words(name: str, bot: str | None) -> str:
    """Return the name of a player, and which bot sat in, if one did."""
    return name if bot is None else _("{name} (bot: {level})").format(name=name, level=harmless(bot))


def paragraphs(text: str | None) -> Iterator[str]:
    """Yield the lines of a comment, harmless on a terminal; none where there is no comment."""
    for one in text.split("\n") if text else ():
        yield harmless(one, longest=len(one))


def facts(recording: Recording) -> list[tuple[str, str]]:
    """Return what is to be known about a recorded game before it begins: players, options, seed, when it began."""
    replay = recording.replay
    players = [recording.player(seat) for seat in range(1, len(recording.names) + 1)]
    rows = [
        (ngettext("player", "players", len(players)), ", ".join(players)),
        *((_(recording.table.LABELS.get(name, name)), harmless(str(value))) for name, value in replay.options.items()),
        (_("seed"), replay.seed),
    ]
    if replay.started not in (None, NO_TIME):
        rows.append((_("started"), f"{written(replay.started)} UTC"))
    return rows


def head(recording: Recording, columns: int) -> list[Line]:
    """Return what stands above a recorded game: what it is, the facts, its comment."""
    rows = facts(recording)
    label = max(width(name) for name, _value in rows) + 2
    lines = [line(Span(recording.table.TITLE, "title"))]
    for name, value in rows:
        first, *rest = wrap(value, columns - label)
        lines.append(line(Span(pad(f"{name}:", label), "dim"), first))
        lines += [line(" " * label, more) for more in rest]
    comment = _comment(recording.comment(0), columns, "")
    return [*lines, *([[], *comment[:-1]] if comment else [])]


def transcript(recording: Recording, columns: int, words: bool = False) -> Iterator[list[Line]]:
    """Yield a recorded game as text, piece by piece: the head, each turn, the breakdown.

    Each turn ends with its picture, or with the state in words where `words` is set.
    """
    yield [*head(recording, columns), []]
    turn = 0
    for state, step in enumerate(recording.steps, 1):
        lines = []
        if step.turn != turn:
            turn = step.turn
            lines += turn_head(recording, state, columns)
        lines.append(line(f"{INDENT}{step.entry:>2}  ", Span(recording.entry(state), "bold")))
        for one in recording.news(state):
            lines += _indented(one, columns, INDENT + "    ")
        if state == len(recording.steps) or recording.turn(state + 1) != turn:
            lines += [[], *_state(recording, state, columns, words), []]
        yield [_trimmed(one) for one in lines]
    yield recording.breakdown_words() if words else [_trimmed(one) for one in recording.breakdown()]


def turn_head(recording: Recording, state: int, columns: int) -> list[Line]:
    """Return the line that says which turn it is and whose, and the comment of the turn."""
    turn = recording.turn(state)
    title = _("Turn {turn} · {name}").format(turn=turn, name=recording.whose(state))
    return [*wrap_line(title, columns, "title"), *_comment(recording.comment(state), columns, INDENT)]


def state_text(recording: Recording, state: int, columns: int, words: bool = False) -> list[Line]:
    """Return one state of a recorded game as text: which it is, how it came about, and the picture or words."""
    title = (
        _("After turn {turn} of {turns} · {name}").format(
            turn=recording.turn(state), turns=recording.turns, name=recording.whose(state)
        )
        if state
        else ngettext("Before the first of {turns} turn", "Before the first of {turns} turns", recording.turns).format(
            turns=recording.turns
        )
    )
    lines = [*wrap_line(title, columns, "title"), *(_comment(recording.comment(state), columns, "") or [[]])]
    if words:
        lines += [part for one in recording.news(state) for part in _indented(one, columns, "")]
        return [*lines, *_state(recording, state, columns, words)]
    return [*lines, *map(_trimmed, recording.picture(state, columns, HEIGHT + 4))]


def _state(recording: Recording, state: int, columns: int, words: bool) -> list[Line]:
    if words:
        return [part for text in recording.words(state) for part in wrap_line(text, columns, indent=INDENT)]
    # What has happened is said beside the entries already.
    return [line(INDENT, *one) if one else [] for one in recording.board(state, columns - len(INDENT))]


def _comment(texts: list[str], columns: int, indent: str) -> list[Line]:
    lines = [
        line(indent, Span(part, "")) if part else [] for text in texts for part in wrap(text, columns - width(indent))
    ]
    return [*lines, []] if lines else []


def _indented(spans: Line, columns: int, indent: str) -> list[Line]:
    """Return a line of news indented: as it is where it fits, else wrapped in the style of its beginning."""
    spans = _trimmed([Span(spans[0].text.lstrip(), spans[0].style), *spans[1:]])
    if width(indent) + line_width(spans) <= columns:
        return [line(indent, *spans)]
    return [line(indent, Span(part, spans[0].style)) for part in wrap(to_text(spans), columns - width(indent))]


def _trimmed(spans: Line) -> Line:
    """Return a line without the blanks at its end."""
    spans = list(spans)
    while spans and not (kept := spans[-1].text.rstrip()):
        spans.pop()
    return [*spans[:-1], Span(kept, spans[-1].style)] if spans else []


def _complaint(verdict: Verdict) -> str:
    if verdict.status in ("verified", "unfinished"):
        return ""
    return explain_at(verdict.problem, verdict.game)
