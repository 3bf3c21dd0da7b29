"""Playing the challenge of the day."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cubiri_cli.commands.after import ask_until_left, look_back, play_again
from cubiri_cli.commands.newgame import Order, keeper_of
from cubiri_cli.commands.resume import open_game
from cubiri_cli.commands.sitting import play_at_table
from cubiri_cli.replays.reading import read_file
from cubiri_cli.table.language import _
from cubiri_cli.table.today import today_lines
from cubiri_cli.terminal.menu import menu_scene
from cubiri_cli.terminal.questions import quit_offer

if TYPE_CHECKING:
    from cubiri_cli.store.saved import Keeper
    from cubiri_cli.table.today import Today


def play_today(today: Today, from_menu: bool = False) -> int:
    """Play the challenge at the prompt, or go on with it; where it is finished, ask what the player would like to do.

    Return the exit status, or `TO_MENU`.
    """
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
    scene = menu_scene(notes, (quit_offer(),), changes=True)
    practice = {"practice": partial(play_again, replay, same_dice=True)}
    return ask_until_left(replay, path, choices, scene, practice, from_menu)
