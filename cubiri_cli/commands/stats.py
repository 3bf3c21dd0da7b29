"""`cubiri stats`: a player's own games in numbers."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from cubiri_cli.commands.options import GAMES, format_named, game_named
from cubiri_cli.commands.output import DONE, UsageError
from cubiri_cli.commands.parameters import Argument, CommandOption
from cubiri_cli.replays import clock
from cubiri_cli.replays.names import harmless
from cubiri_cli.store.settings import default_name
from cubiri_cli.table.language import N_, _
from cubiri_cli.table.style import STYLE
from cubiri_cli.terminal.printing import is_terminal, page_width, print_lines, print_texts

if TYPE_CHECKING:
    from cubiri_cli.store.statistics import Record
    from cubiri_cli.table.numbers import Numbers

FORMATS = ("text", "json")


def stats(
    game: Annotated[
        str | None, Argument(metavar="[GAME]", help=_("{games}; all by default.").format(games=GAMES))
    ] = None,
    player: Annotated[str | None, CommandOption(metavar="NAME", help=_("Whose games; by default yours."))] = None,
    format: Annotated[str, CommandOption("--format", metavar="|".join(FORMATS), help=_("The output format."))] = "text",
) -> int:
    """Show your own games in numbers."""
    from cubiri_cli.table.numbers import numbers_lines, numbers_words
    from cubiri_cli.terminal.opening import can_draw
    from cubiri_cli.terminal.signals import ending_signals

    format = format_named(format, FORMATS)
    name = game_named(game).NAME if game is not None else None
    numbers = collected(player, name)
    if format == "json":
        print(json.dumps(as_data(numbers), ensure_ascii=False))
        return DONE
    if (numbers.records or numbers.wins.played) and is_terminal():
        with ending_signals():
            browse_statistics(player, name)
        if not can_draw():  # then it stands there already
            return DONE
    if STYLE.plain:
        print_texts(numbers_words(numbers))
    else:
        print_lines(numbers_lines(numbers, page_width()))
    return DONE


HELP = (
    N_("Show your own games in numbers."),
    N_("How many, how good, how they are spread; days in a row; games won against others. Read from your replays."),
)

COMMAND = stats


def collected(player: str | None = None, game: str | None = None) -> Numbers:
    """Return the numbers of a player, by default of one's own name. Raises `UsageError` for one without games."""
    from cubiri_cli.store.days import days_of
    from cubiri_cli.store.played import games_played
    from cubiri_cli.store.statistics import records_of, wins_of
    from cubiri_cli.table.numbers import Numbers

    played = games_played()
    names = sorted({name for one in played for name in one.players})
    if player is not None and player not in names:
        known = ", ".join(map(harmless, names)) or _("nobody")
        text = _("{player} has no games here; there are games of: {names}")
        raise UsageError(text.format(player=harmless(player), names=known))
    name = player or default_name()
    return Numbers(
        name, records_of(played, name, game), wins_of(played, name, game), days_of(played, name), clock.today()
    )


def browse_statistics(player: str | None = None, game: str | None = None) -> None:
    """Show the numbers of a player, by default of one's own name; the games in them can be watched.

    Raises `UsageError` for a player without games.
    """
    from cubiri_cli.commands.browsing import browse, folded
    from cubiri_cli.store.played import games_played
    from cubiri_cli.table.numbers import numbers_lines, numbers_words

    numbers = collected(player, game)
    wanted = [one for one in games_played() if numbers.player in one.players and game in (None, one.game)]
    lines = partial(folded, numbers_words(numbers)) if STYLE.plain else partial(numbers_lines, numbers)
    browse(_("Statistics"), lines, wanted)


def as_data(numbers: Numbers) -> dict[str, Any]:
    """Return the numbers as programs read them (contract, cli.md)."""
    days = numbers.days
    today = days.counting.get(numbers.today)
    return {
        "player": numbers.player,
        "games": [_record(record) for record in numbers.records],
        "wins": numbers.wins._asdict(),
        "daily": {
            "streak": days.streak(numbers.today),
            "longest": days.longest,
            "days": len(days.counting),
            "today": None if today is None else today.result,
        },
    }


def _record(record: Record) -> dict[str, Any]:
    best = record.best
    return {
        "game": record.game,
        **record.options,
        "played": len(record.begun),
        "finished": len(record.finished),
        "best": None if best is None else best.standing.value,
        "mean": record.mean,
        "median": record.median,
        "histogram": [list(one) for one in record.histogram],
        "turns": record.turns,
        **record.counts,
    }
