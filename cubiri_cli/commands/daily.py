"""`cubiri daily`: the challenge of the day, the same for everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.commands.day import look_at_today
from cubiri_cli.commands.output import DONE, TO_MENU
from cubiri_cli.table.language import N_, _
from cubiri_cli.table.today import today_lines
from cubiri_cli.terminal.printing import is_terminal, print_texts

if TYPE_CHECKING:
    from cubiri_cli.store.saved import Keeper
    from cubiri_cli.table.today import Today


def daily() -> int:
    """Play today's challenge, or see how it went."""
    from cubiri_cli.commands.sitting import need_terminal

    today = look_at_today()
    print_texts(today_lines(today))
    if today.counting is None:
        need_terminal(_("cubiri play --daily --script FILE plays without one"))
    return play_today(today) if is_terminal() else DONE


HELP = (
    N_("Play today's challenge, or see how it went."),
    N_("One game a day for everybody, with the same dice, by the date in UTC. The first one that you finish counts."),
)

COMMAND = daily


def play_today(today: Today, from_menu: bool = False) -> int:
    """Play the challenge at the prompt, or go on with it; where it is finished, ask what the player would like to do.

    Return the exit status, or `TO_MENU`.
    """
    from cubiri_cli.commands.newgame import Order, keeper_of
    from cubiri_cli.commands.resume import open_game
    from cubiri_cli.commands.sitting import play_at_table

    following: Keeper | int
    if today.counting is not None:
        following = _ask_after(today, from_menu)
    elif today.unfinished is not None:
        following = open_game(today.unfinished.path)
    else:
        options = {name: str(value) for name, value in today.challenge.options.items()}
        order = Order(today.challenge.game, options, [today.player], seed=today.challenge.seed)
        following = keeper_of(order.begin(), None)
    return following if isinstance(following, int) else play_at_table(following, from_menu=from_menu)


def _ask_after(today: Today, from_menu: bool) -> Keeper | int:
    """Ask what to do on a day whose game is finished."""
    from cubiri_cli.commands.after import look_back, show_shared
    from cubiri_cli.commands.browsing import watch
    from cubiri_cli.commands.newgame import again, keeper_of
    from cubiri_cli.replays.reading import read_file
    from cubiri_cli.terminal.menu import menu_scene
    from cubiri_cli.terminal.opening import open_prompter
    from cubiri_cli.terminal.questions import pick, quit_offer

    assert today.counting is not None
    path = today.counting.path
    replay = read_file(path)
    choices = [
        ("s", _("share it"), "share"),
        ("w", _("watch it"), "watch"),
        ("p", _("play it again, for practice"), "practice"),
        ("m", _("menu"), "menu"),
    ]
    notes = today_lines(today)
    look_back(replay, notes)
    while True:
        with open_prompter() as prompter:
            chosen = pick(prompter, _("What next?"), choices, menu_scene(notes, (quit_offer(),), changes=True))
            if chosen == "share":
                show_shared(prompter, replay)
        if chosen == "practice":
            return keeper_of(again(replay, same_dice=True).begin(), None)
        if chosen == "watch":
            watch(path)
        elif chosen in ("menu", None):
            return TO_MENU if from_menu or chosen == "menu" else DONE
