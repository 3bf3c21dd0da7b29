"""A recorded game page by page: what stands on each, whatever it is shown on, and how long it is to be read.

Pages are counted from 0: page N shows state N of the recording, and the page after the last state is the breakdown.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from cubiri_cli.table.drawing import Line, Span, cut, cut_line, ends, line, to_text, wrap, wrapped
from cubiri_cli.table.language import _

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cubiri_cli.table.transcript import Recording

PICTURE_LEAST, PICTURE_WHOLE = 10, 13
"""How many lines a picture must have, and how many it has before a comment may take any."""


def seconds(recording: Recording, page: int) -> float:
    """Return how long a page is shown at speed 1 before the next one comes: longer where there is more to read."""
    return reading_seconds(recording, page, [to_text(one) for one in recording.news(page)])


def reading_seconds(recording: Recording, page: int, news: Iterable[str]) -> float:
    """Return the same, given the news of the state."""
    step = recording.step(page)
    comment = recording.comment(page) if step is None or step.entry == 1 else ()
    return move_seconds([*news, *comment], bool(step and step.outcome.dice))


def move_seconds(texts: Iterable[str], has_dice: bool) -> float:
    """Return how long it takes to see what a move has led to, and to read about it."""
    return round(0.8 + (0.5 if has_dice else 0) + min(sum(map(len, texts)) / 25, 8), 2)


def page_lines(recording: Recording, page: int, columns: int, rows: int, state: str = "") -> list[Line]:
    """Return a page: at most `rows` lines of at most `columns` columns. `state` is said at its right top.

    All pages of states are laid out alike, whatever their comments, so that nothing jumps.
    """
    if page > len(recording.steps):
        return _ending(recording, columns, rows)
    step = recording.step(page)
    where = _("Before the first turn")
    if step is not None:
        where = _("turn {turn}/{turns} · {entry}/{entries}").format(
            turn=step.turn,
            turns=recording.turns,
            entry=step.entry,
            entries=len(recording.replay.turns[step.turn - 1].log),
        )
    whose = f" · {recording.whose(page)}" if step is not None else ""
    head = ends(line(Span(where, "dim"), whose), line(Span(state, "bold")), columns)
    entry = cut_line(line(Span("» ", "dim"), Span(recording.entry(page), "bold")), columns) if page else []
    comment_room = _comment_room(recording, columns, rows - 2)
    comment = _comment(recording, recording.turn(page), columns, comment_room)
    picture = recording.picture(page, columns, rows - 2 - (comment_room + 1 if comment_room else 0))
    body = [head, entry, *picture]
    gap = rows - len(body) - len(comment)
    return [*body, *([[]] * gap if comment else []), *comment]


def _ending(recording: Recording, columns: int, rows: int) -> list[Line]:
    """Return the breakdown; where there is no room for all of it, its end, which has the score."""
    lines = [cut_line(one, columns) for one in recording.breakdown()]
    if recording.complaint:
        lines += [[], *(line(Span(one, "bad")) for one in wrap(recording.complaint, columns))]
    return lines[-rows:]


@lru_cache(maxsize=8)
def _comment_room(recording: Recording, columns: int, rows: int) -> int:
    """Return how many lines comments get in this recording: what the longest needs, but never the picture's."""
    whole = PICTURE_WHOLE if rows >= PICTURE_WHOLE + 3 else PICTURE_LEAST
    most = max(0, rows - whole - 1)
    return max(len(_lines(comment, columns, most)) for comment in recording.comments())


@lru_cache(maxsize=8)
def _comment(recording: Recording, turn: int, columns: int, room: int) -> list[Line]:
    """Return the comment of a turn in at most `room` lines; what is cut off is marked by `…`."""
    lines = _lines(recording.comment_of(turn), columns, room + 1)
    if len(lines) > room > 0:
        lines = [*lines[: room - 1], cut(lines[room - 1] + " " * columns, columns)]
    return [line(one) for one in lines[:room]]


def _lines(comment: Iterable[str], columns: int, most: int) -> list[str]:
    """Return the first lines of a comment, which may be as long as a file can be."""
    return list(islice((part for text in comment for part in wrapped(text, columns)), most))
