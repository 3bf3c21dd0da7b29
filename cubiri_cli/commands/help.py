"""`cubiri help`: the manual pages, where `man` does not reach."""

from __future__ import annotations

from typing import Annotated

from cubiri_cli.commands import COMMANDS
from cubiri_cli.commands.output import DONE, UsageError
from cubiri_cli.commands.parameters import Argument
from cubiri_cli.table.language import N_, _
from cubiri_cli.table.manual import PAGES, page_text, section_text


def help(
    topic: Annotated[
        str, Argument(metavar="[TOPIC]", help=_("A page (cubiri, cubiri-replay), or a command."))
    ] = "cubiri",
) -> int:
    """Show a manual page, or what it says about a command."""
    from cubiri_cli.table.rulebook import set_markdown
    from cubiri_cli.terminal.opening import show_text

    if topic not in PAGES and topic not in COMMANDS:
        known = ", ".join([*PAGES, *COMMANDS])
        raise UsageError(_("there is no page {topic}; choose from {known}").format(topic=topic, known=known))
    text = page_text(topic) if topic in PAGES else section_text(page_text("cubiri"), f"cubiri {topic}")
    show_text(topic, lambda columns: list(set_markdown(text, columns)))
    return DONE


HELP = (
    N_("Show a manual page, or what it says about a command."),
    N_("cubiri is the page of the program, cubiri-replay that of recorded games and the dice."),
)

COMMAND = help
