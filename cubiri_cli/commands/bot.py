"""`cubiri bot`: the levels, and a try of a program as a player."""

from __future__ import annotations

from typing import Annotated

from cubiri_cli.commands.options import bot_timeout_option, game_named, parse_timeout
from cubiri_cli.commands.output import DONE, NO, UsageError, answering
from cubiri_cli.commands.parameters import Argument, CommandOption
from cubiri_cli.replays.names import harmless
from cubiri_cli.table.language import N_, _


def bot(
    check: Annotated[str | None, Argument(metavar="[check]", help=_("Try a program as a player."))] = None,
    command: Annotated[str | None, Argument(metavar="[COMMAND]", help=_("What starts the program, in quotes."))] = None,
    game: Annotated[
        str | None, CommandOption(metavar="GAME", help=_("Only this game; by default all it answers for."))
    ] = None,
    bot_timeout: Annotated[str | None, bot_timeout_option()] = None,
) -> int:
    """Show the levels of bots, or try a program."""
    if check is None:
        _show_levels()
        return DONE
    if check != "check":
        raise UsageError(_("expected {expected}, found {found}").format(expected="check", found=check))
    if command is None:
        raise UsageError(_("name the command of a program: cubiri bot check 'python rob.py'"))
    with answering():
        return DONE if _try(command, game_named(game).NAME if game is not None else None, bot_timeout) else NO


HELP = (
    N_("Show the levels of bots, or try a program."),
    N_("`check` lets a program play and says line by line what it does right and wrong; 0 means it may sit down."),
)

COMMAND = bot


def _show_levels() -> None:
    from cubiri_cli.table.bots import levels_lines
    from cubiri_cli.terminal.printing import print_lines

    print_lines(levels_lines())


def _try(command: str, game: str | None, bot_timeout: str | None) -> bool:
    """Try a program, say what is found as it is found, and tell whether it may sit down."""
    from cubiri_cli.commands.seating import parse_bot
    from cubiri_cli.players.bots import PROGRAM
    from cubiri_cli.players.checking import check_program
    from cubiri_cli.table.bots import finding_text
    from cubiri_cli.terminal.printing import pass_on, print_texts

    who, timeout = parse_bot(command), parse_timeout(bot_timeout)
    if who.kind != PROGRAM:
        raise UsageError(_("{name} is a level; only programs are tried").format(name=who.name))
    is_right = True
    for finding in check_program(who.command, game, timeout, pass_on):
        print_texts([finding_text(finding)])
        is_right = is_right and finding.is_right is not False
    text = _("{name} may sit down.") if is_right else _("{name} may not sit down yet.")
    print_texts([text.format(name=harmless(who.name))])
    return is_right
