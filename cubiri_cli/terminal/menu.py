"""The menus: what is asked between games. They only ask and change settings; what was chosen is carried out elsewhere.

Every question has a way back, which is None.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli import games
from cubiri_cli.replays.clock import written
from cubiri_cli.replays.names import harmless
from cubiri_cli.replays.reading import read_bytes, read_file
from cubiri_cli.replays.replay import Problem, ReplayError
from cubiri_cli.replays.verifying import read_verified, verify_file
from cubiri_cli.store import settings as store
from cubiri_cli.store.locks import InUseError
from cubiri_cli.store.saved import resumable
from cubiri_cli.table.drawing import Line, Span, cut, line, wrap_line
from cubiri_cli.table.language import N_, _, decimal, ngettext, pgettext, spoken
from cubiri_cli.table.messages import explain, table_of, why
from cubiri_cli.table.style import apply_settings
from cubiri_cli.terminal.asking import ask_text, explains, games_page, pick, quits, wrong_value
from cubiri_cli.terminal.prompter import LongText, Offer, Scene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.replays.replay import Replay
    from cubiri_cli.replays.verifying import Verdict
    from cubiri_cli.terminal.prompter import Prompter

DEFAULT, TYPED, OLDER = object(), object(), object()
"""Answers that are no values: to have the default again, to type the value, and to see the games before these."""

LISTED = 15
"""How many games a list of them shows at once: with the picture and the keys they fill a terminal of 24 lines."""

MEANINGS = {
    "language": N_("the language of everything people read"),
    "name": N_("your name in new games"),
    "game": N_("the game that is played where none is named"),
    "color": N_("colour on terminals"),
    "symbols": N_("drawn with unicode or ascii characters"),
    "animation": N_("thrown dice roll for a moment"),
    "plain": N_("plain text: ASCII, no animation, no cursor movement"),
}
"""What the settings mean; those that are not in here are options of games."""


class Picked(NamedTuple):
    """A game that was chosen from the list: to be watched, or gone on with."""

    path: Path
    goes_on: bool


class SettingsNotKeptError(ValueError):
    """The settings cannot be written. Its text is the one line that says why."""


def _scene(notes: Sequence[str] = (), offers: Sequence[Offer] = (), page: LongText | None = None) -> Scene:
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


def ask_main(prompter: Prompter, latest: Path | None, notes: Sequence[str] = ()) -> str | None:
    """Ask what to do. The answers are `resume`, `new`, `daily`, `replay`, `leaderboard`, `rules` and `settings`."""
    choices = [
        ("n", _("New game"), "new"),
        ("d", _("Today's game, the same dice for everybody"), "daily"),
        ("w", _("Watch a replay"), "replay"),
        ("b", _("Best results"), "leaderboard"),
        ("r", _("Rules"), "rules"),
        ("s", _("Settings"), "settings"),
    ]
    if latest is not None:
        notes = [*notes, _left_alone(latest)]
        choices.insert(0, ("g", _("Go on with {game}").format(game=name_game(latest)), "resume"))
    page = games_page()
    scene = _scene(notes, (explains(page), quits()), page)
    chosen: str | None = pick(prompter, _("What shall it be?"), choices, scene)
    return chosen


def _left_alone(path: Path) -> str:
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


def _ask_value(prompter: Prompter, one: store.Setting, present: Any, notes: Sequence[str]) -> Any:
    """Ask for the value of a setting: one of its words, or typed; `DEFAULT` to have none, None to go back."""
    label, scene = f"{one.name}:", _scene(notes)
    back_to_default = ("d", _("the default"), DEFAULT)
    if isinstance(one, store.Switch):
        return pick(prompter, label, [("1", "on", True), ("2", "off", False), back_to_default], scene, present)
    values = None if isinstance(one, store.Name) else one.values
    if values is not None:
        return pick(prompter, label, [*(("", value, value) for value in values), back_to_default], scene, present)
    chosen = pick(prompter, label, [("t", _("type it"), TYPED), back_to_default], scene)
    if chosen is not TYPED:
        return chosen
    typed = ask_text(prompter, label, lambda text: wrong_value(one, text), scene)
    return None if typed is None else one.parse(typed)


# Which replay


def ask_replay(prompter: Prompter, paths: Sequence[Path]) -> Picked | None:
    """Ask which of these files is meant, or for the path of another; where its game is unfinished, also what for.

    They are shown a page at a time, and only those of the page are read. The way back leads to the page before.
    """
    first, pointed = 0, None
    while True:
        chosen = pick(prompter, _("Which replay?"), _entries(paths, first), _scene(), pointed)
        if chosen is OLDER:
            first, pointed = first + LISTED, None
        elif chosen is not None:
            picked = _picked(prompter, _typed_path(prompter) if chosen is TYPED else chosen)
            if picked is not None:
                return picked
            pointed = chosen
        elif first:
            first, pointed = first - LISTED, OLDER
        else:
            return None


def _entries(paths: Sequence[Path], first: int) -> list[tuple[str, str, Any]]:
    """Return the choices of one page of games."""
    choices: list[tuple[str, str, Any]] = [("", _entry(path), path) for path in paths[first : first + LISTED]]
    older = len(paths) - first - LISTED
    if older > 0:
        label = ngettext("{count} older game", "{count} older games", older).format(count=older)
        choices.append(("o", label, OLDER))
    return [*choices, ("t", _("type the path of a file"), TYPED)]


def _entry(path: Path) -> str:
    """Return in one line which game a file holds, when it was begun and what it came to; its name where it is none."""
    try:
        replay, verdict = read_verified(read_bytes(path))
    except ReplayError:
        return harmless(path.name)
    started = f"{written(replay.started)[:-3]} UTC" if replay.started else ""
    return _joined(*_which(replay), started, _came_to(replay, verdict))


def _came_to(replay: Replay, verdict: Verdict) -> str:
    """Return what a game came to, recomputed: the first figure of its standing, or that it came to no end."""
    if verdict.status == "unfinished":
        return pgettext("verdict", "unfinished")
    if verdict.status != "verified" or verdict.result is None:
        return _("does not verify")
    standing = games.load(replay.game, replay.rules).standing(verdict.result, len(replay.players))
    name = next(iter(standing.figures))
    return f"{_(table_of(replay.game).FIGURES[name])}: {decimal(standing.score)}"


def _typed_path(prompter: Prompter) -> Path | None:
    """Ask for the path of a replay; None to go back."""
    typed = ask_text(prompter, _("File:"), _wrong_file, _scene())
    return None if typed is None else Path(typed).expanduser()


def _picked(prompter: Prompter, path: Path | None) -> Picked | None:
    """Return what is to be done with the game in a file, asking where it is unfinished; None to go back."""
    if path is None:
        return None
    if verify_file(path).status != "unfinished":
        return Picked(path, goes_on=False)
    choices = [("g", _("go on"), True), ("w", _("watch it as far as it goes"), False)]
    question = _("This game is unfinished: go on with it, or watch it?")
    goes_on: bool | None = pick(prompter, question, choices, _scene([name_game(path)]))
    return None if goes_on is None else Picked(path, goes_on)


def _wrong_file(text: str) -> str:
    try:
        read_file(Path(text).expanduser())
    except ReplayError as error:
        return f"{harmless(text)}: {explain(error.problem)}"
    except RuntimeError:  # `~somebody` who is not there
        return f"{harmless(text)}: " + explain(Problem("no-file", {}))
    return ""


# Settings


def shown_value(one: store.Setting, chosen: store.Settings) -> str:
    """Return the value of a setting as people type it."""
    value = chosen.get(one)
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is not None:
        return str(value)
    if isinstance(one, store.Name):
        return store.default_name()
    if isinstance(one, store.OptionDefault):
        return ", ".join(map(str, one.defaults))
    return spoken() if one.name == "language" else _("(asked)")


def meaning(name: str) -> str:
    """Return in a few words what a setting means."""
    return _(MEANINGS[name]) if name in MEANINGS else _("the {option} of new games").format(option=_(name))


def change_setting(name: str, value: str | int | bool | None) -> str:
    """Give a setting a value, or its default again where that is None; it holds at once.

    Return what else there is to say, if anything. Raises `SettingsNotKeptError`.
    """
    try:
        aside = store.change(name, value)
    except (OSError, InUseError) as error:
        reason = why(error) if isinstance(error, OSError) else _("other processes are writing it")
        raise SettingsNotKeptError(_("the settings cannot be written: {reason}").format(reason=reason)) from None
    apply_settings()
    if aside is None:
        return ""
    return _("the settings file could not be read; it is now {path}").format(path=aside)


def _before_change(one: store.Setting) -> list[str]:
    """Return what is said before a setting is changed: what it means, and what becomes of the game going on."""
    running = next(resumable(), None) if isinstance(one, store.OptionDefault) else None
    return [meaning(one.name), *([] if running is None else [_left_alone(running.path)])]


def choose_settings(prompter: Prompter) -> None:
    """Show the settings and change those that are chosen, until the player goes back."""
    news = ""
    pointed = None
    while True:
        chosen = store.load()
        width = max(map(len, store.known()))
        notes = [_("Settings hold from now on, in new games; a game that is going on keeps what it began with."), news]
        choices = [
            ("", f"{name.ljust(width)}  {shown_value(one, chosen)}  ({meaning(name)})", name)
            for name, one in store.known().items()
        ]
        pointed = pick(prompter, _("Change which?"), choices, _scene([note for note in notes if note]), pointed)
        if pointed is None:
            return
        one = store.setting(pointed)
        value = _ask_value(prompter, one, chosen.get(one), _before_change(one))
        if value is not None:
            try:
                news = change_setting(pointed, None if value is DEFAULT else value)
            except SettingsNotKeptError as error:
                news = str(error)
