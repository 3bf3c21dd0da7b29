"""`cubiri daily`: the challenge of the day, the same for everybody."""

from __future__ import annotations

from cubiri_cli.commands.day import look_at_today
from cubiri_cli.commands.output import DONE
from cubiri_cli.table.language import N_, _
from cubiri_cli.table.today import today_lines
from cubiri_cli.terminal.printing import is_terminal, print_texts


def daily() -> int:
    """Play today's challenge, or see how it went."""
    from cubiri_cli.commands import challenge, sitting  # not for a help page

    today = look_at_today()
    print_texts(today_lines(today))
    if today.counting is None:
        sitting.need_terminal(_("cubiri play --daily --script FILE plays without one"))
    return challenge.play_today(today) if is_terminal() else DONE


HELP = (
    N_("Play today's challenge, or see how it went."),
    N_("One game a day for everybody, with the same dice, by the date in UTC. The first one that you finish counts."),
)

COMMAND = daily
