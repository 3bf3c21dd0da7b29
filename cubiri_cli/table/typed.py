"""Actions that are typed: in the replay's own language, or short; several in a row, with completion."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.games.game import IllegalActionError
from cubiri_cli.replays.names import harmless
from cubiri_cli.replays.replay import Problem
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.games.game import Game
    from cubiri_cli.table.protocol import Table

_WORD = re.compile(r"[^\s;,]+")
_END = re.compile(r"[;,\n]")


class Word(NamedTuple):
    """A word of a text and where it stands."""

    text: str
    start: int
    end: int


class Typed(NamedTuple):
    """An action that was typed, and the words it was typed in."""

    action: str
    words: tuple[Word, ...]


class MistypedError(ValueError):
    """A word that is wrong: where it stands in the text, and why, in the language spoken now."""

    def __init__(self, start: int, end: int, reason: str) -> None:
        super().__init__(start, end, reason)
        self.start = start
        self.end = end
        self.reason = reason


def words_of(text: str) -> list[list[Word]]:
    """Return the words of `text`, those between two separators (`;`, `,` or a new line) together.

    >>> [[word.text for word in part] for part in words_of("3b2 ok; roll")]
    [['3b2', 'ok'], ['roll']]
    """
    parts: list[list[Word]] = [[]]
    position = 0
    for match in _WORD.finditer(text):
        if _END.search(text, position, match.start()):
            parts.append([])
        parts[-1].append(Word(match[0].lower().replace("−", "-"), match.start(), match.end()))
        position = match.end()
    return [part for part in parts if part]


def read_next(game: Game, table: Table, words: Sequence[Word]) -> Typed:
    """Return the action that stands at the beginning of `words`: the longest that makes sense.

    Raises `MistypedError` where none does.
    """
    moves = game.moves()
    longest = max(move.count(" ") for move in moves) + 1  # a paste may have thousands of words
    for count in range(min(len(words), longest), 0, -1):
        texts = [word.text for word in words[:count]]
        joined = " ".join(texts)
        action = joined if joined in moves else table.shorthand(game, texts)
        if action is not None and action in moves:
            return Typed(action, tuple(words[:count]))
    raise _mistyped(game, words)


def _mistyped(game: Game, words: Sequence[Word]) -> MistypedError:
    """Return the error that points at the first word with which nothing legal goes on, and says what would."""
    index = _first_wrong(words, game.legal_actions())
    wrong = words[index]
    possible = ", ".join(_next_words(game, [word.text for word in words[:index]]))
    reason = _("{word}: not possible here; possible: {words}").format(word=harmless(wrong.text), words=possible)
    return MistypedError(wrong.start, wrong.end, reason)


def blame(game: Game, typed: Typed, error: IllegalActionError, name: str) -> MistypedError:
    """Return why a typed action is refused, pointing at the first word with which nothing legal goes on."""
    texts = [word.text for word in typed.words]
    if " ".join(texts) == typed.action:
        wrong = typed.words[_first_wrong(typed.words, game.legal_actions())]
        start, end = wrong.start, wrong.end
    else:
        start, end = typed.words[0].start, typed.words[-1].end
    return MistypedError(start, end, explain(Problem(error.reason, error.details), name))


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
    open_word = "" if not text or text[-1] in " ;,\n" else text[len(text.rstrip()) - len(_tail(text)) :]
    done = text[: len(text) - len(open_word)]
    parts = words_of(done)
    begun: list[str] = []
    copy = game.copy()
    for index, part in enumerate(parts):
        rest = part
        while rest:
            try:
                typed = read_next(copy, table, rest)
            except MistypedError:
                is_last = index == len(parts) - 1 and not _END.search(done, rest[-1].end)
                begun = [word.text for word in rest] if is_last else ["?"]
                break
            # `take 1` may go on: the words of an unended part stand for what is begun as well as for what is done.
            if index == len(parts) - 1 and len(typed.words) == len(rest) and not _END.search(done, rest[-1].end):
                begun = [word.text for word in rest]
                if _next_words(copy, begun):
                    break
                begun = []
            if copy.moves()[typed.action].throws:
                return 0, []
            try:
                copy.apply(typed.action, lambda roll, count: (1,) * count)
            except IllegalActionError:
                return 0, []
            rest = rest[len(typed.words) :]
    words = [word for word in _next_words(copy, begun) if word.startswith(open_word.lower())]
    return len(open_word), words


def _tail(text: str) -> str:
    return str(_WORD.findall(text)[-1])


def _next_words(game: Game, begun: Sequence[str]) -> list[str]:
    """Return the words that may follow `begun` in a legal action, in the order of the legal actions."""
    count = len(begun)
    followers = [action.split() for action in game.legal_actions()]
    return list(
        dict.fromkeys(words[count] for words in followers if words[:count] == list(begun) and len(words) > count)
    )
