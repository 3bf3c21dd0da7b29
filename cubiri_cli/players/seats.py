"""Bots at a game that is being recorded: they sit down, and play as long as it is their turn."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from cubiri_cli.players.player import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cubiri_cli.players.bots import Bot, SeatedBot
    from cubiri_cli.replays.session import Session


@contextmanager
def seated_bots(
    session: Session,
    bots: Mapping[int, Bot],
    timeout: float | None = None,
    listen: Callable[[bytes], None] | None = None,
) -> Iterator[dict[int, SeatedBot]]:
    """Let bots sit down at a game, by seat, wherever it stands; nothing of their programs is left afterwards.

    `timeout` and `listen` are those of `Program`. Raises `UnknownLevelError`.
    """
    replay = session.replay
    with ExitStack() as stack:
        seated = {}
        for seat, bot in bots.items():
            made = choices_made(session, seat)
            seated[seat] = stack.enter_context(bot.sit(replay.game, replay.seed, seat, timeout, made, listen))
        yield seated


def choices_made(session: Session, seat: int) -> int:
    """Return how many choices a seat has made so far: one for each of its entries but hints."""
    logs = (turn.log for turn in session.replay.turns if turn.player == seat)
    return sum(entry != "hint" for log in logs for entry in log)


def view_of(session: Session) -> View:
    """Return what whoever is on turn sees."""
    return View(session.game, [player.name for player in session.replay.players])


def play_bots(session: Session, seated: Mapping[int, SeatedBot]) -> None:
    """Let bots play as long as one of them is on turn.

    Raises `BotError`, or `FullRecordError` where the record has no room for their actions.
    """
    while not session.game.over and session.game.seat in seated:
        session.do(seated[session.game.seat].choose(view_of(session)))
