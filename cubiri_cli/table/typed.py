"""Actions that are typed: in the replay's own language, or short; several in a line, with completion.

A line is done as a whole or not at all. Only what follows a throw can be judged no sooner than the dice lie; it is done
as a whole, up to the next throw, or not at all.
"""

from __future__ import annotations

import re
from functools import cache, partial
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.games.game import IllegalActionError
from cubiri_cli.games.problem import Problem
from cubiri_cli.players.advice import has_evaluator
from cubiri_cli.replays.names import harmless
from cubiri_cli.table.drawing import width
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.games.game import Game
    from cubiri_cli.table.protocol import Table

_WORD = re.compile(r"[^\s;,]+")
_END = re.compile(r"[;,\n]")


class Word(NamedTuple):
    """A word of a line, where it stands, and how many ends of a part (`;`, `,` or a new line) stand before it."""

    text: str
    start: int
    end: int
    part: int


class Typed(NamedTuple):
    """An action that was typed, and the words it was typed in."""

    action: str
    words: tuple[Word, ...]


class MistypedError(ValueError):
    """A line with something wrong in it: the line, where that stands, and why, in the language spoken now."""

    def __init__(self, line: str, start: int, end: int, reason: str) -> None:
        super().__init__(line, start, end, reason)
        self.line = line
        self.start = start
        self.end = end
        self.reason = reason

    def without(self, count: int) -> MistypedError:
        """Return the same error in the line without so many characters at its beginning."""
        return MistypedError(self.line[count:], self.start - count, self.end - count, self.reason)

    def shown(self, columns: int) -> list[str]:
        """Return the line, or as much of it as `columns` hold, what points at the wrong words, and the reason.

        >>> MistypedError("3b2 4c9 ok", 4, 7, "no").shown(20)
        ['3b2 4c9 ok', '    ^^^', 'no']
        >>> MistypedError("3b2 4c9 ok", 4, 7, "no").shown(6)
        ['…2 4c9', '   ^^^', 'no']
        """
        line, start, end = self.line.replace("\n", " "), self.start, self.end
        skipped = 0
        while width(line[skipped:end]) > columns - (skipped > 0) and skipped < start:
            skipped += 1
        shown = "…" + line[skipped:] if skipped else line
        before = width(shown[: start - skipped + (skipped > 0)])
        return [_first_columns(shown, columns), " " * before + "^" * max(1, width(line[start:end])), self.reason]


def _first_columns(text: str, columns: int) -> str:
    while width(text) > columns:
        text = text[:-1]
    return text


def words_of(line: str) -> list[Word]:
    """Return the words of a line.

    >>> [(word.text, word.part) for word in words_of("3b2 ok; roll")]
    [('3b2', 0), ('ok', 0), ('roll', 1)]
    """
    words: list[Word] = []
    position = part = 0
    for match in _WORD.finditer(line):
        part += bool(words and _END.search(line, position, match.start()))
        words.append(Word(match[0].lower().replace("−", "-"), match.start(), match.end(), part))
        position = match.end()
    return words


def read_next(game: Game, table: Table, line: str, words: Sequence[Word], at: int = 0) -> Typed:
    """Return the action that stands at `words[at]`, of the words of `line`: the longest that makes sense.

    Raises `MistypedError` where none does.
    """
    moves = game.moves()
    for count in range(min(len(words) - at, _longest(type(game))), 0, -1):
        chosen = words[at : at + count]
        texts = [word.text for word in chosen]
        joined = " ".join(texts) if chosen[0].part == chosen[-1].part else ""
        action = joined if joined in moves else table.shorthand(game, texts)
        if action is not None and action in moves:
            return Typed(action, tuple(chosen))
    raise _mistyped(game, line, words[at:])


def read_part(game: Game, table: Table, line: str, words: Sequence[Word], at: int = 0) -> tuple[list[Typed], int]:
    """Return the actions that stand from `words[at]` on up to the first that throws, and where the next one stands.

    Each is legal after those before it. Nothing is executed but on a copy. Raises `MistypedError` where one is wrong,
    or where a word of the line is in no action of the game.
    """
    begun, copy, read = at, game.copy(), list[Typed]()
    while at < len(words):
        typed = read_next(copy, table, line, words, at)
        if typed.action == "hint":  # nobody would answer, and the game would count as assisted
            reason = _("there is no advice to be had; hint would only mark the game as assisted")
            if has_evaluator(game.NAME):
                reason = _("a hint is asked for by itself, once there is something to decide")
            raise MistypedError(line, typed.words[0].start, typed.words[-1].end, reason)
        before = copy.copy()
        try:
            copy.apply(typed.action, _made_up)
        except IllegalActionError as error:
            raise _blame(copy, line, typed, error) from None
        read.append(typed)
        at += len(typed.words)
        if copy.moves()[typed.action].throws:
            if begun == 0:
                _check_words(before, typed.action, table, line, words[at:])
            break
    return read, at


def _check_words(game: Game, throw: str, table: Table, line: str, words: Sequence[Word]) -> None:
    """Raise `MistypedError` at the first of the words after a throw that is wrong whatever the dice will be.

    What is short depends on where the game stands, so it is tried with dice of each face; and one letter may be a key.
    """
    places = [game]
    for face in range(1, 7):
        places.append(game.copy())
        places[-1].apply(throw, partial(_made_up, face=face))
    known = _vocabulary(type(game))
    for word in words:
        shorts = (table.shorthand(place, [word.text]) for place in places if not place.over)
        if len(word.text) > 1 and word.text not in known and not any(shorts):
            reason = explain(Problem("unknown-action", {"action": harmless(word.text)}), game.NAME)
            raise MistypedError(line, word.start, word.end, reason)


@cache
def _vocabulary(game: type[Game]) -> frozenset[str]:
    """Return the words of all actions of a game."""
    return frozenset(word for action in game.moves() for word in action.split())


@cache
def _longest(game: type[Game]) -> int:
    """Return how many words the longest action of a game has; a paste may have thousands."""
    return max(len(action.split()) for action in game.moves())


def _made_up(roll: str, count: int, face: int = 1) -> tuple[int, ...]:
    """Throw dice that say nothing about those of the game."""
    return (face,) * count


def _mistyped(game: Game, line: str, words: Sequence[Word]) -> MistypedError:
    """Return the error that points at the first word with which nothing legal goes on, and says what would."""
    words = list(takewhile(lambda word: word.part == words[0].part, words))
    index = _first_wrong(words, game.legal_actions())
    wrong = words[index]
    possible = ", ".join(_next_words(game, [word.text for word in words[:index]]))
    reason = _("{word}: not possible here; possible: {words}").format(word=harmless(wrong.text), words=possible)
    if game.over:
        reason = explain(Problem("game-over"), game.NAME)
    return MistypedError(line, wrong.start, wrong.end, reason)


def _blame(game: Game, line: str, typed: Typed, error: IllegalActionError) -> MistypedError:
    """Return why a typed action is refused, pointing at the first word with which nothing legal goes on."""
    if " ".join(word.text for word in typed.words) == typed.action:
        wrong = typed.words[_first_wrong(typed.words, game.legal_actions())]
        start, end = wrong.start, wrong.end
    else:
        start, end = typed.words[0].start, typed.words[-1].end
    return MistypedError(line, start, end, explain(error.problem, game.NAME))


def _first_wrong(words: Sequence[Word], actions: Sequence[str]) -> int:
    """Return the index of the first word with which none of `actions` goes on; the last word if none stands out."""
    split = [action.split() for action in actions]
    for index in range(len(words)):
        begun = [word.text for word in words[: index + 1]]
        split = [action for action in split if action[: index + 1] == begun]
        if not split:
            return index
    return len(words) - 1


def complete(game: Game, table: Table, text: str) -> tuple[int, list[str]]:
    """Return how many of the last characters of `text` are replaced, and by which words.

    Only what is legal is offered. What was typed before is played on a copy; after a throw, whose dice nobody knows
    yet, nothing is offered.

    >>> from cubiri_cli.games.magdagdon import Magdagdon
    >>> from cubiri_cli.table.magdagdon import TABLE
    >>> game = Magdagdon.start({"difficulty": "survival"})
    >>> complete(game, TABLE, "r")
    (1, ['roll'])
    """
    open_word = re.search(r"[^\s;,]*$", text)[0]  # type: ignore[index]  # it always matches
    done = text[: len(text) - len(open_word)]
    place = _place_after(game, table, done)
    if place is None:
        return 0, []
    copy, begun = place
    return len(open_word), [word for word in _next_words(copy, begun) if word.startswith(open_word.lower())]


def _place_after(game: Game, table: Table, line: str) -> tuple[Game, list[str]] | None:
    """Return the game after the actions of a line, and the words of an action that has begun; None where none goes on.

    `take 1` is done, and may go on: the words at the end that something legal goes on from count as begun.
    """
    copy, words, at = game.copy(), words_of(line), 0
    is_ended = bool(words) and _END.search(line, words[-1].end)
    while at < len(words):
        begun = [word.text for word in words[at:]] if words[at].part == words[-1].part and not is_ended else None
        try:
            typed = read_next(copy, table, line, words, at)
        except MistypedError:
            return (copy, begun) if begun else None
        at += len(typed.words)
        if begun and at == len(words) and _next_words(copy, begun):
            return copy, begun
        if copy.moves()[typed.action].throws:
            return None
        try:
            copy.apply(typed.action, _made_up)
        except IllegalActionError:
            return None
    return copy, []


def _next_words(game: Game, begun: Sequence[str]) -> list[str]:
    """Return the words that may follow `begun` in a legal action, in the order of the legal actions."""
    count = len(begun)
    followers = [action.split() for action in game.legal_actions()]
    return list(
        dict.fromkeys(words[count] for words in followers if words[:count] == list(begun) and len(words) > count)
    )
