"""Who sits in the seats that are no person's: bots as they were given, and as a record says they were."""

from __future__ import annotations

from difflib import get_close_matches
from shutil import which
from typing import TYPE_CHECKING

from cubiri_cli import players
from cubiri_cli.commands.output import UsageError
from cubiri_cli.players.bots import PROGRAM, Bot, WrongBotError, parse
from cubiri_cli.players.programs import split_command
from cubiri_cli.replays.names import harmless
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.replays.session import Session


def parse_bot(text: str) -> Bot:
    """Return the bot that a person means. Raises `UsageError`."""
    try:
        return parse(text)
    except WrongBotError as error:
        raise UsageError("--bot: " + explain(error.problem)) from None


def seat_bots(session: Session, given: Sequence[Bot] = ()) -> dict[int, Bot]:
    """Return who plays in each seat of a game that is no person's; its record says so from now on.

    Those given sit down where their names stand, else in order: first where a program sat, whose command no record
    holds, then where a level did. Levels come back by themselves. Raises `UsageError`.
    """
    replay = session.replay
    seats = {seat: one for seat, one in enumerate(replay.players, 1) if one.bot is not None}
    found: dict[int, Bot] = {}
    unnamed: list[Bot] = []
    for bot in given:
        named = next((seat for seat, one in seats.items() if one.name == bot.name and seat not in found), None)
        if named is None:
            unnamed.append(bot)
        else:
            found[named] = bot
    free = sorted(set(seats) - set(found), key=lambda seat: (seats[seat].bot != PROGRAM, seat))
    if len(unnamed) > len(free):
        raise UsageError("--bot: " + _("there is no seat for {name}").format(name=harmless(unnamed[len(free)].name)))
    found.update(zip(free, unnamed, strict=False))
    for seat, one in seats.items():
        bot = found.setdefault(seat, Bot(one.name, str(one.bot)))
        if bot.kind == PROGRAM and not bot.command:
            reason = _("{name} is a program; --bot COMMAND (of play and resume) says which")
            raise UsageError(reason.format(name=harmless(one.name)))
        check_level(bot, replay.game)
        if bot.kind != one.bot:
            session.seat_bot(seat, bot.kind)
    return found


def check_level(bot: Bot, game: str) -> None:
    """Raise `UsageError` where a bot is a level at which the game is not played, or no program that can be run."""
    known = players.levels(game)
    if bot.kind == PROGRAM and which(split_command(bot.command)[0]) is None:
        text = _("{found} is neither a level ({levels}) nor a program that can be run")
        said = text.format(found=harmless(bot.command), levels=", ".join(known))
        meant = get_close_matches(bot.command.lower(), known, 1)
        raise UsageError("--bot: " + "; ".join([said, *(_("did you mean {name}?").format(name=one) for one in meant)]))
    if bot.kind not in (PROGRAM, *known):
        raise UsageError("--bot: " + explain(players.UnknownLevelError(game).problem))
