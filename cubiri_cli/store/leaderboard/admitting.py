"""Admitting games to the stored leaderboard: file by file as they are judged, with the very bytes that verified."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.store.home import in_replays_folder
from cubiri_cli.store.leaderboard.entries import Entry
from cubiri_cli.store.leaderboard.opening import use
from cubiri_cli.store.saved import keep_new

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cubiri_cli.store.leaderboard.board import Leaderboard
    from cubiri_cli.store.leaderboard.entries import Judged
    from cubiri_cli.store.leaderboard.opening import Tell

_BATCH = 16
"""How many games are admitted in one transaction: others wait for so long."""


class Admission(NamedTuple):
    """What became of a judged file: whether its entry is a new one."""

    judged: Judged
    is_new: bool


def admit(judged: Iterable[Judged], tell: Tell) -> Iterator[Admission]:
    """Admit judged files to the stored leaderboard (see `opening.use`), and yield what became of each, in order.

    A new game that lies elsewhere is kept in the home folder: the leaderboard is an index of the replays there.
    Raises `LeaderboardError`, also where that cannot be done; then the last ones, at most 16, are not admitted.
    """
    files = iter(judged)
    while some := list(islice(files, _BATCH)):
        yield from use(lambda board, some=some: _admit(board, some), tell)  # type: ignore[misc]


def _admit(board: Leaderboard, some: list[Judged]) -> list[Admission]:
    with board.transaction():
        return [Admission(one, _add(board, one)) for one in some]


def _add(board: Leaderboard, judged: Judged) -> bool:
    is_new = isinstance(judged.outcome, Entry) and board.add(judged.outcome)
    if is_new and not in_replays_folder(judged.path):
        assert judged.verdict.replay is not None  # it makes an entry
        keep_new(judged.verdict.replay, judged.data, sync=False)[1].release()
    return is_new
