"""The main menu, and the lists of games. They only ask; what was chosen is carried out elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.games.problem import Problem
from cubiri_cli.replays.clock import written
from cubiri_cli.replays.names import harmless
from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import ReplayError
from cubiri_cli.replays.verifying import verify_file
from cubiri_cli.table.drawing import Line, Span, cut, line, wrap_line
from cubiri_cli.table.language import _, decimal, ngettext, pgettext
from cubiri_cli.table.messages import cannot_resume, explain, table_of
from cubiri_cli.table.today import headline, status
from cubiri_cli.terminal.new_game import games_page
from cubiri_cli.terminal.prompter import LongText, Offer, Scene
from cubiri_cli.terminal.questions import ask_text, help_offer, pick, quit_offer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cubiri_cli.replays.replay import Replay
    from cubiri_cli.replays.verifying import Verdict
    from cubiri_cli.store.saved import Saved
    from cubiri_cli.table.today import Today
    from cubiri_cli.terminal.prompter import Prompter

TYPED, OLDER = object(), object()
"""Answers that are no files: to type the path of one, and to see the games before these."""

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


def menu_scene(notes: Sequence[str] = (), offers: Sequence[Offer] = (), page: LongText | None = None) -> Scene:
    """Return a scene that shows the name of the games, and notes; `page` is what the help shows."""
    return Scene(
        picture=lambda width, height, _pointed: _picture(width, height, notes),
        words=lambda: ["CUBIRI", *notes],
        offers=tuple(offers),
        page=page,
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
    below = [part for note in notes for part in wrap_line(note, width)]
    return [*head, [], *below][: max(1, height)]


# The main menu


def ask_main(prompter: Prompter, saves: Sequence[Saved], today: Today, notes: Sequence[str] = ()) -> str | None:
    """Ask what to do; of the unfinished games, the one played last that can be resumed is offered, and a choice of all.

    The answers are `resume`, `unfinished`, `new`, `daily`, `replay`, `leaderboard`, `rules` and `settings`.
    """
    choices = [
        ("d", _("Today's game: {game}").format(game=headline(today)), "daily"),
        ("n", _("New game"), "new"),
        ("w", _("Watch a replay"), "replay"),
        ("b", _("Best results"), "leaderboard"),
        ("r", _("Rules"), "rules"),
        ("s", _("Settings"), "settings"),
    ]
    game = next((saved.path for saved in saves if saved.can_resume), None)
    problems = [describe_save(saved) for saved in saves if not saved.can_resume]
    if problems or len(saves) > 1:
        choices.insert(0, ("u", _("All unfinished games ({count})").format(count=len(saves)), "unfinished"))
    notes = [*notes, _("Today: {status}").format(status=status(today)), *_in_short(problems)]
    if game is not None:
        notes.append(left_alone(game))
        choices.insert(0, ("g", _("Go on with {game}").format(game=name_game(game)), "resume"))
    page = games_page()
    scene = menu_scene(notes, (help_offer(page), quit_offer()), page)
    chosen: str | None = pick(prompter, _("What shall it be?"), choices, scene)
    return chosen


def left_alone(path: Path) -> str:
    """Say that an unfinished game stays as it is, whatever is chosen for a new one."""
    return _("A new game leaves {game} as it is; it can be gone on with.").format(game=name_game(path))


def name_game(path: Path) -> str:
    """Return in a few words which game a file holds; its name where it holds none."""
    try:
        replay = read_file(path)
    except ReplayError:
        return harmless(path.name)
    date = replay.started.date().isoformat() if replay.started else ""
    turn = _("turn {number}").format(number=len(replay.turns))
    return _joined(*_which(replay), turn, date)


def _which(replay: Replay) -> tuple[str, str, str]:
    """Return in words which game it is, with which options, and who plays."""
    names = ", ".join(player.name for player in replay.players)
    options = _joined(*map(str, replay.options.values()))
    return table_of(replay.game).TITLE, options, cut(names, 24)


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


# Which game


class _Games:
    """A list of games that are chosen from, a page at a time: only those of the page are read."""

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
    """Ask which of these unfinished games is meant; one that cannot be resumed says why, and is none."""
    listed = _Games(_("Go on with which game?"), saves, describe_save)
    notes: list[str] = []
    while (chosen := listed.ask(prompter, notes)) is not None:
        if chosen.can_resume:
            path: Path = chosen.path
            return path
        notes = [describe_save(chosen)]
    return None


def describe_save(saved: Saved) -> str:
    """Return in one line which unfinished game it is, or why it cannot be resumed."""
    if saved.can_resume:
        return name_game(saved.path)
    return f"{harmless(saved.path.name)}: {cannot_resume(saved.verdict)}"


def _in_short(problems: Sequence[str]) -> list[str]:
    """Return lines of problems for above the menu: where they are many, how many more there are."""
    if len(problems) <= MOST_PROBLEMS:
        return list(problems)
    more = len(problems) - MOST_PROBLEMS + 1
    text = ngettext("{count} more game cannot be resumed.", "{count} more games cannot be resumed.", more)
    return [*problems[: MOST_PROBLEMS - 1], text.format(count=more)]


def ask_replay(prompter: Prompter, paths: Sequence[Path]) -> Picked | None:
    """Ask which of these files is meant, or for the path of another; where its game is unfinished, also what for."""
    listed = _Games(_("Which replay?"), paths, _entry, [("t", _("type the path of a file"), TYPED)])
    while (chosen := listed.ask(prompter)) is not None:
        picked = _picked(prompter, _typed_path(prompter) if chosen is TYPED else chosen)
        if picked is not None:
            return picked
    return None


def _entry(path: Path) -> str:
    """Return in one line which game a file holds, when it was begun and what it came to; its name where it is none."""
    verdict = verify_file(path)
    if verdict.replay is None:
        return harmless(path.name)
    started = verdict.replay.started
    return _joined(*_which(verdict.replay), f"{written(started)[:-3]} UTC" if started else "", _came_to(verdict))


def _came_to(verdict: Verdict) -> str:
    """Return what a game came to, recomputed: the first figure of its standing, or that it came to no end."""
    if verdict.status == "unfinished":
        return pgettext("verdict", "unfinished")
    if verdict.status != "verified" or verdict.game is None:
        return _("does not verify")
    name = next(iter(verdict.standing.figures))
    return f"{_(table_of(verdict.game).FIGURES[name])}: {decimal(verdict.standing.score)}"


def _typed_path(prompter: Prompter) -> Path | None:
    """Ask for the path of a replay; None to go back."""
    typed = ask_text(prompter, _("File:"), _wrong_file, menu_scene())
    return None if typed is None else Path(typed).expanduser()


def _picked(prompter: Prompter, path: Path | None) -> Picked | None:
    """Return what is to be done with the game in a file, asking where it is unfinished; None to go back."""
    if path is None:
        return None
    if verify_file(path).status != "unfinished":
        return Picked(path, goes_on=False)
    choices = [("g", _("go on"), True), ("w", _("watch it as far as it goes"), False)]
    question = _("This game is unfinished: go on with it, or watch it?")
    goes_on: bool | None = pick(prompter, question, choices, menu_scene([name_game(path)]))
    return None if goes_on is None else Picked(path, goes_on)


def _wrong_file(text: str) -> str:
    try:
        read_file(Path(text).expanduser())
    except ReplayError as error:
        return f"{harmless(text)}: {explain(error.problem)}"
    except RuntimeError:  # `~somebody` who is not there
        return f"{harmless(text)}: " + explain(Problem("no-file"))
    return ""
