"""The main menu, and the lists of games. They only ask; what was chosen is carried out elsewhere."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.games.problem import Problem
from cubiri_cli.replays.clock import NO_TIME, local_minute
from cubiri_cli.replays.names import harmless
from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import ReplayError
from cubiri_cli.replays.verifying import verify_file
from cubiri_cli.store.locks import InUseError
from cubiri_cli.store.unfinished import ChangedMeanwhileError, is_played_elsewhere, throw_away
from cubiri_cli.table.drawing import Line, Span, cut, fold, line
from cubiri_cli.table.language import _, ngettext
from cubiri_cli.table.messages import cannot_resume, explain, status_in_words, table_of, why
from cubiri_cli.table.sharing import result_words
from cubiri_cli.table.today import headline, status
from cubiri_cli.terminal.new_game import games_page
from cubiri_cli.terminal.prompter import LongText, Offer, Scene
from cubiri_cli.terminal.questions import ask_text, help_offer, pick, quit_offer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cubiri_cli.store.played import Played
    from cubiri_cli.store.unfinished import Saved
    from cubiri_cli.table.today import Today
    from cubiri_cli.terminal.prompter import Prompter

TYPED, OLDER, THROWN = object(), object(), object()
"""Answers that are no games: to type the path of one, to see those before these, and to throw one away."""

LISTED = 15
"""How many games a list of them shows at once: with the picture and the keys they fill a terminal of 24 lines."""


MOST_PROBLEMS = 3
"""How many games that cannot be resumed are named above the menu, so that it is seen whole on 24 lines."""


Entry = tuple[str, str, Any]
"""A choice of a list: its key, its label, and what it stands for."""


class Picked(NamedTuple):
    """A game that was chosen from the list: to be watched, or gone on with."""

    path: Path
    goes_on: bool


def menu_scene(
    notes: Sequence[str] = (), offers: Sequence[Offer] = (), page: LongText | None = None, changes: bool = False
) -> Scene:
    """Return a scene that shows the name of the games, and notes; `page` is what the help shows.

    With `changes` notes may be added while it is shown.
    """
    return Scene(
        picture=lambda width, height, _pointed: _picture(width, height, notes),
        words=lambda: ["CUBIRI", *notes],
        offers=tuple(offers),
        page=page,
        changes=changes,
    )


def _picture(width: int, height: int, notes: Sequence[str]) -> list[Line]:
    """Return the name in dice, and the notes below it."""
    letters = "CUBIRI"
    dice = [
        line(Span("┌───┐" * len(letters), "bar")),
        [span for letter in letters for span in (Span("│ ", "bar"), Span(letter, "title"), Span(" │", "bar"))],
        line(Span("└───┘" * len(letters), "bar")),
    ]
    head = dice if height >= 5 else [line(Span("CUBIRI", "title"))]
    below = [part for note in notes for part in fold(line(note), width)]  # what fits is left as it is: tables
    return [*head, [], *below][: max(1, height)]


# The main menu


def ask_main(prompter: Prompter, saves: Sequence[Saved], today: Today, notes: Sequence[str] = ()) -> str | None:
    """Ask what to do; of the unfinished games, the one played last that can be resumed is offered, and a choice of all.

    The answers are `resume`, `unfinished`, `new`, `daily`, `replay`, `leaderboard`, `statistics`, `rules` and
    `settings`.
    """
    choices = [
        ("d", _("Today's game: {game}").format(game=headline(today)), "daily"),
        ("n", _("New game"), "new"),
        ("w", _("Watch a replay"), "replay"),
        ("b", _("Best results"), "leaderboard"),
        ("t", _("Statistics"), "statistics"),
        ("r", _("Rules"), "rules"),
        ("s", _("Settings"), "settings"),
    ]
    latest = next((saved for saved in saves if saved.can_resume), None)
    problems = [describe_save(saved) for saved in saves if not saved.can_resume]
    if problems or len(saves) > 1:
        choices.insert(0, ("u", _("All unfinished games ({count})").format(count=len(saves)), "unfinished"))
    notes = [*notes, _("Today: {status}").format(status=status(today)), *_in_short(problems)]
    if latest is not None:
        notes.append(_("Unfinished games are saved; you can continue them later."))
        choices.insert(0, ("c", _("Continue {game}").format(game=describe_save(latest)), "resume"))
    page = games_page()
    scene = menu_scene(notes, (help_offer(page), quit_offer()), page)._replace(is_way_out=True)
    chosen: str | None = pick(prompter, _("What would you like to do?"), choices, scene)
    return chosen


def describe_save(saved: Saved) -> str:
    """Return in one line which unfinished game it is, how far, and when it was played; or why it cannot be resumed."""
    replay = saved.verdict.replay
    if replay is None or not saved.can_resume:
        return f"{harmless(saved.path.name)}: {cannot_resume(saved.verdict)}"
    table = table_of(replay.game)
    turn = _("turn {number}").format(number=max(replay.turns_of_seats()))
    names = [player.name for player in replay.players]
    return _joined(
        table.kind(replay.options), turn, table.progress(saved.game()), _who(names), local_minute(saved.date)
    )


def _who(names: Sequence[str]) -> str:
    """Return who plays, where that are several, in little room."""
    return cut(", ".join(map(harmless, names)), 24) if len(names) > 1 else ""


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


# Which game


class Games:
    """A list of games that are chosen from, a page at a time."""

    def __init__(
        self, question: str, games: Sequence[Any], label: Callable[[Any], str], others: Sequence[Entry] = ()
    ) -> None:
        self.question = question
        self.games = games
        self.label = label
        self.others = others
        self.first = 0
        self.pointed: object = None

    def ask(self, prompter: Prompter, notes: Sequence[str] = ()) -> Any:
        """Ask, where it was left before; return what is chosen, or None. The way back leads to the page before."""
        while True:
            chosen = pick(prompter, self.question, self._entries(), menu_scene(notes), self.pointed)
            self.pointed = chosen
            if chosen is OLDER:
                self.first, self.pointed = self.first + LISTED, None
            elif chosen is not None or not self.first:
                return chosen
            else:
                self.first, self.pointed = self.first - LISTED, OLDER

    def _entries(self) -> list[Entry]:
        entries: list[Entry] = [("", self.label(one), one) for one in self.games[self.first : self.first + LISTED]]
        older = len(self.games) - self.first - LISTED
        if older > 0:
            label = ngettext("{count} older game", "{count} older games", older).format(count=older)
            entries.append(("o", label, OLDER))
        return [*entries, *self.others]


def ask_unfinished(prompter: Prompter, saves: Sequence[Saved]) -> Path | None:
    """Ask which of these unfinished games is gone on with; None for none. One can be thrown away instead.

    One that cannot be resumed, or is being played elsewhere, says so, and is none.
    """
    left: list[Saved] = list(saves)
    notes: list[str] = []
    while left:
        listed = Games(_("Continue which game?"), left, describe_save, [("x", _("throw one away"), THROWN)])
        while (chosen := listed.ask(prompter, notes)) is not THROWN:
            if chosen is None:
                return None
            if not chosen.can_resume:
                notes = [describe_save(chosen)]
            elif is_played_elsewhere(chosen.path):
                notes = [_played_elsewhere(chosen)]
            else:
                path: Path = chosen.path
                return path
        notes = _ask_thrown(prompter, left)
    return None


def _ask_thrown(prompter: Prompter, saves: list[Saved]) -> list[str]:
    """Ask which game is thrown away, and once more whether that is meant; return what there is to say then.

    What is gone is taken off the list.
    """
    chosen = Games(_("Throw which game away?"), saves, describe_save).ask(prompter)
    if chosen is None:
        return []
    if is_played_elsewhere(chosen.path):
        return [_played_elsewhere(chosen)]
    file, folder = (harmless(str(part), longest=4096) for part in (chosen.path.name, chosen.path.parent))
    notes = [describe_save(chosen), _("Its file will be deleted for good: {file}").format(file=file)]
    notes.append(_("in the folder {folder}").format(folder=folder))
    choices = [("n", _("no, keep it"), False), ("y", _("yes, throw it away"), True)]
    if not pick(prompter, _("Throw this game away?"), choices, menu_scene(notes)):
        return []
    try:
        throw_away(chosen)
    except InUseError:
        return [_played_elsewhere(chosen)]
    except ChangedMeanwhileError:
        return [_("{file}: it has been continued meanwhile, so it is kept.").format(file=file)]
    except FileNotFoundError as error:
        saves.remove(chosen)
        return [f"{file}: {why(error)}"]
    except OSError as error:
        return [f"{file}: {why(error)}"]
    saves.remove(chosen)
    return [_("Thrown away: {file}").format(file=file)]


def _played_elsewhere(saved: Saved) -> str:
    return f"{harmless(saved.path.name)}: " + explain(Problem("being-played"))


def _in_short(problems: Sequence[str]) -> list[str]:
    """Return lines of problems for above the menu: where they are many, how many more there are."""
    if len(problems) <= MOST_PROBLEMS:
        return list(problems)
    more = len(problems) - MOST_PROBLEMS + 1
    text = ngettext("{count} more game cannot be resumed.", "{count} more games cannot be resumed.", more)
    return [*problems[: MOST_PROBLEMS - 1], text.format(count=more)]


def ask_replay(prompter: Prompter, played: Sequence[Played], is_watched: bool = False) -> Picked | None:
    """Ask which of these games is meant, or for the path of another; where it is unfinished, also what for.

    With `is_watched` that is known: it is watched.
    """
    listed = Games(_("Which replay?"), played, describe_game, [("t", _("type the path of a file"), TYPED)])
    while (chosen := listed.ask(prompter)) is not None:
        path = _typed_path(prompter) if chosen is TYPED else chosen.path
        picked = Picked(path, goes_on=False) if is_watched and path is not None else _picked(prompter, path)
        if picked is not None:
            return picked
    return None


def describe_game(played: Played) -> str:
    """Return in one line which game it is, what it came to, who played, and when; or why it is none."""
    when = local_minute(played.date) if played.date != NO_TIME else ""
    if not played.game:
        return _joined(harmless(played.name), status_in_words(played.status), when)
    kind = table_of(played.game).kind(played.options or {})
    if played.is_finished:
        came_to = result_words(played.standing)
    else:
        came_to = status_in_words("unfinished") if played.status == "unfinished" else _("does not verify")
    return _joined(kind, came_to, cut(", ".join(map(harmless, played.players)), 24), when)


def _typed_path(prompter: Prompter) -> Path | None:
    """Ask for the path of a replay; None to go back."""
    typed = ask_text(prompter, _("File:"), _wrong_file, menu_scene(), complete=_complete_path)
    return None if typed is None else Path(typed).expanduser()


def _complete_path(text: str) -> tuple[int, list[str]]:
    """Return how the path of a replay can go on: how many of its last characters are replaced, and by which names."""
    folder, name = os.path.split(text)
    try:
        with os.scandir(os.path.expanduser(folder) or ".") as entries:  # noqa: PTH111 - keeps what was typed
            found = [
                one.name + "/" * one.is_dir()
                for one in entries
                if one.name.startswith(name) and (name.startswith(".") or not one.name.startswith("."))
                if one.is_dir() or one.name.lower().endswith(".toml")
            ]
    except (OSError, ValueError):
        found = []
    return len(name), sorted(found)


def _picked(prompter: Prompter, path: Path | None) -> Picked | None:
    """Return what is to be done with the game in a file, asking where it is unfinished; None to go back."""
    if path is None:
        return None
    if verify_file(path).status != "unfinished":
        return Picked(path, goes_on=False)
    choices = [("c", _("continue"), True), ("w", _("watch it as far as it goes"), False)]
    question = _("This game is unfinished: continue it, or watch it?")
    goes_on: bool | None = pick(prompter, question, choices, menu_scene([harmless(path.name)]))
    return None if goes_on is None else Picked(path, goes_on)


def _wrong_file(text: str) -> str:
    try:
        read_file(Path(text).expanduser())
    except ReplayError as error:
        return f"{harmless(text)}: {explain(error.problem)}"
    except RuntimeError:  # `~somebody` who is not there
        return f"{harmless(text)}: " + explain(Problem("no-file"))
    return ""
