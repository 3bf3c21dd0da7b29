"""What is asked before a new game: which game, its options, who plays."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli import games
from cubiri_cli.games.game import WordOption
from cubiri_cli.games.problem import Problem
from cubiri_cli.players import levels
from cubiri_cli.replays.names import typed_name
from cubiri_cli.store.remembered import last_game, last_option, last_players
from cubiri_cli.store.settings import default_name, default_options
from cubiri_cli.table.drawing import Line, wrap_line
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain, table_of, wrong_names
from cubiri_cli.table.rulebook import aim_lines, rules_lines
from cubiri_cli.terminal.prompter import LongText
from cubiri_cli.terminal.questions import ask_text, pick, title_scene, wrong_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.games.game import Game, WholeOption
    from cubiri_cli.players.bots import Bot
    from cubiri_cli.terminal.prompter import Prompter


def ask_game(prompter: Prompter) -> type[Game] | None:
    """Ask which game is played, the last one pointed at; None where none is."""
    choices = [("", f"{table_of(name).TITLE} – {_(table_of(name).ABOUT)}", name) for name in games.names()]
    last = last_game()
    scene = title_scene("CUBIRI", games_page())
    name = pick(prompter, _("Which game?"), choices, scene, None if last is None else last.game)
    return None if name is None else games.load(name)


def ask_option(prompter: Prompter, game: type[Game], option: WordOption | WholeOption) -> str | None:
    """Ask for an option of a game, what was chosen last or holds by default marked; None for back.

    Return what could have been typed for it.
    """
    scene = title_scene(table_of(game.NAME).TITLE, _rules_page(game))
    last, labels = last_option(game, option), table_of(game.NAME).LABELS
    default = default_options(game)[option.name] if last is None else last
    if not isinstance(option, WordOption):
        prompt = _("{option} ({low} to {high}) [{default}]:").format(
            option=_(labels.get(option.name, option.name)), low=option.low, high=option.high, default=default
        )
        return ask_text(prompter, prompt, lambda text: wrong_value(option, text), scene, str(default))
    mark = _("(default)") if last is None else _("(last time)")
    choices = [
        ("", _labelled(value, _(labels.get(value, "")), mark if value == default else ""), value)
        for value in option.values
    ]
    chosen: str | None = pick(
        prompter, _("Which {option}?").format(option=_(labels.get(option.name, option.name))), choices, scene, default
    )
    return chosen


def _labelled(value: str, label: str, mark: str) -> str:
    return f"{value} – {label} {mark}".rstrip() if label else f"{value} {mark}".rstrip()


class _Seats(NamedTuple):
    """Who is to play: the names of people, and levels."""

    people: tuple[str, ...]
    levels: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return who that is, with commas between them, as it can be typed."""
        return ", ".join([*self.people, *self.levels])


def ask_players(prompter: Prompter, game: type[Game]) -> tuple[list[str], list[Bot]] | None:
    """Ask who plays, where the game seats several: people and bots; None for back. By default who did last time."""
    if game.MOST_SEATS == 1:
        return [], []
    from cubiri_cli.players.bots import parse  # not before a game is begun

    name, opponents = default_name(), _opponents(game)
    alone = _Seats((name,))
    usual = _last_seats(game, opponents) or alone
    choices: list[tuple[str, str, _Seats | None]] = [("", _("{name} alone").format(name=name), alone)]
    for level in opponents:
        choices.append(("", _("{name} against {level}").format(name=name, level=level), _Seats((name,), (level,))))
    if usual not in [value for _key, _label, value in choices]:
        choices.insert(0, ("", f"{usual} " + _("(last time)"), usual))
    others = _Seats(())
    choices.append(("", _("others: type their names"), others))
    scene = title_scene(table_of(game.NAME).TITLE, _rules_page(game))
    while True:
        seats: _Seats | None = pick(prompter, _("Who plays?"), choices, scene, usual)
        if seats == others:
            seats = _type_players(prompter, game, usual, opponents)
            if seats is None:
                continue
        return None if seats is None else (list(seats.people), [parse(level) for level in seats.levels])


def _opponents(game: type[Game]) -> list[str]:
    """Return the levels that people may like to play against: one at random only where there is no other."""
    known = levels(game.NAME)
    return known[1:] or known


def _last_seats(game: type[Game], opponents: Sequence[str]) -> _Seats | None:
    """Return who played last; None where nobody did, or somebody who cannot be had again, such as a program."""
    last = last_players(game)
    people = tuple(name for name, bot in last if bot is None)
    bots = tuple(bot for _name, bot in last if bot is not None)
    return _Seats(people, bots) if people and set(bots) <= set(opponents) else None


def _type_players(prompter: Prompter, game: type[Game], usual: _Seats, opponents: Sequence[str]) -> _Seats | None:
    """Ask for the names of players, levels among them; None for back."""

    def seats_in(text: str) -> _Seats:
        names = _names(text)
        people = tuple(name for name in names if name not in opponents)
        return usual if text == str(usual) else _Seats(people, tuple(name for name in names if name in opponents))

    def wrong(text: str) -> str:
        seats = seats_in(text)
        if (count := len(seats.people) + len(seats.levels)) > game.MOST_SEATS:
            return explain(Problem("seats", {"found": count, "most": game.MOST_SEATS}))
        return wrong_names(seats.people)

    prompt = _("Names with commas between them, at most {most}; {levels} are bots [{default}]:").format(
        most=game.MOST_SEATS, levels=", ".join(opponents), default=usual
    )
    scene = title_scene(table_of(game.NAME).TITLE, _rules_page(game))
    typed = ask_text(prompter, prompt, wrong, scene, str(usual))
    return None if typed is None else seats_in(typed)


def _names(text: str) -> list[str]:
    return [typed_name(name.strip()) for name in text.split(",") if name.strip()]


def _rules_page(game: type[Game]) -> LongText:
    return LongText(_("rules"), _("Rules"), partial(rules_lines, game.NAME))


def games_page() -> LongText:
    """Return the page that says in short what the games are."""
    return LongText(_("what the games are"), _("The games"), _games_lines)


def _games_lines(width: int) -> list[Line]:
    lines: list[Line] = []
    for name in games.names():
        head = f"{table_of(name).TITLE} – {_(table_of(name).ABOUT)}"
        lines += [*wrap_line(head, width, "title"), [], *aim_lines(name, width), []]
    return [*lines, *wrap_line(_("Once a game is chosen, ? shows its rules in full."), width)]
