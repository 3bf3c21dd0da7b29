"""What is wrong, said in one line: the words for the codes of problems and refusals.

A game's own reasons stand in its module in `table/`, as `REASONS`.
"""

from __future__ import annotations

import datetime
import itertools
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from cubiri_cli import games
from cubiri_cli.games.problem import Problem, ProblemError
from cubiri_cli.replays.names import harmless, is_name, normal
from cubiri_cli.store import StoreError
from cubiri_cli.table.language import N_, _, learn, pgettext

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cubiri_cli.replays.verifying import Verdict
    from cubiri_cli.table.protocol import Table

MESSAGES = {
    # reading a file
    "missing": N_("there is no such file or folder"),
    "cannot-open": N_("cannot be read: {error}"),
    "no-file": N_("not a regular file"),
    "outside": N_("a link out of the folder; nothing is read through it"),
    "too-large": N_("larger than {largest} bytes"),
    "took-too-long": N_("took too long"),
    "not-utf-8": N_("not UTF-8 text (byte {position})"),
    "not-toml": N_("not TOML: {error} (at line {line}, column {column})"),
    "long-key": N_("not TOML as it is read here: a key of more than {most} parts (at line {line}, column {column})"),
    "too-deep": N_("not TOML as it is read here: nested too deeply"),
    "too-long-number": N_("not TOML as it is read here: a number of too many digits"),
    "unsupported": N_("{found} is not known here; this program knows {known}"),
    # its form
    "unknown-key": N_("unknown key {key}"),
    "missing-key": N_("the key {key} is missing"),
    "wrong-type": N_("expected {expected}, found {found}"),
    "wrong-value": N_("expected {expected}, found {found}"),
    "wrong-form": N_("{found} is not of the right form"),
    "unknown-game": N_("{found} is not a game; choose from {known}"),
    "no-seed": N_("{found} is not a seed: 1 to 64 of the characters a-z, 0-9 and -"),
    "no-time": N_("{found} is not a time in UTC and whole seconds"),
    "no-comment": N_("not a text of printable characters: {found}"),
    "no-name": N_("{found} is not a name: 1 to 32 printable characters without blanks around them"),
    "duplicate-name": N_("{found} is the name of two players"),
    "no-turns": N_("no turn and no action in it"),
    "empty-log": N_("a turn in which nothing was done"),
    "no-seat": N_("player {found} of {seats}"),
    "unknown-entry": N_("{entry} is not how an action and its dice are written in this game"),
    # options of a game
    "no-such-option": N_("this game has no such option"),
    "choice": N_("expected one of {values}, found {found}"),
    "whole": N_("expected a whole number from {low} to {high}, found {found}"),
    "seats": N_("{found} players; this game takes at most {most}"),
    # settings, what is stored, the leaderboard
    "system": "{error}",
    "no-seconds": N_("expected seconds since 1970, found {found}"),
    "no-home": N_("there is no home folder; CUBIRI_HOME can name one"),
    "no-free-name": N_("no free name in the folder"),
    "being-played": N_("this game is being played in another terminal"),
    "changed-by-others": N_("another program has changed it"),
    "not-permitted": N_("no permission, or another program is using it"),
    "others-write": N_("other processes are writing to it"),
    "not-rebuilt": N_("it could not be rebuilt"),
    "no-sqlite": N_("this Python has no SQLite"),
    "no-setting": N_("no such setting; choose from {known}"),
    "bot-played": N_("a bot played in it; such games are not ranked"),
    "from-replays": N_("the leaderboard cannot be used: {reason}; these results come from the replays"),
    "damaged": N_("{path} is damaged; it is now {aside}, and the leaderboard is rebuilt from the replays"),
    "foreign-database": N_("{path} is not a leaderboard; it is now {aside}, and one is built from the replays"),
    "newer-database": N_(
        "{path} is of a newer version of this program; it is now {aside}, and the leaderboard is rebuilt from the"
        " replays"
    ),
    # what simulation finds
    "unfinished": N_("the game is not finished"),
    "claim": N_("{found} is claimed, {expected} is right"),
    "claim-missing": N_("the game is over, but its result is missing"),
    "claim-too-early": N_("a result is claimed, but the game is not over"),
    "wrong-dice": N_("the dice are {expected}, not {found}"),
    "not-your-turn": N_("it is the turn of player {expected}, not of player {player}"),
    "turn-goes-on": N_("the previous turn has not ended"),
    "turn-ended": N_("the turn has ended"),
    "game-over": N_("the game is over"),
    "unknown-action": N_("{action} is not an action of this game"),
    "roll-first": N_("the dice have to be rolled first"),
    # what is wrong with a bot, and what programs do wrong
    "bot-no-command": N_("{found} names neither a level nor a program"),
    "bot-open-quotation": N_("a quotation in {found} is not closed"),
    "bot-no-name": N_("{found} begins with no name: 1 to 32 printable characters without blanks around them"),
    "bot-not-started": N_("{command} cannot be started: {error}"),
    "bot-ended": N_("it ended before it answered (status {status})"),
    "bot-late": N_("no answer within {seconds} seconds"),
    "bot-too-long": N_("an answer of more than {most} bytes"),
    "bot-extra": N_("more than one line for one question: {found}"),
    "bot-not-utf-8": N_("an answer that is not UTF-8: {found}"),
    "bot-no-action": N_("{found} is not an action as a replay writes it"),
    "bot-illegal": N_("{action} is not legal here"),
    "endless-turn": N_("its turn has not ended after {most} actions"),
    "endless-game": N_("the game has not ended after {most} actions"),
    # what nobody here can do
    "no-level": N_("{game} has the levels {known}"),
    "no-advice": N_("there is no advice for {game}: nobody here can judge it"),
    # what the record has no room for
    "record-full": N_("the game stays as it is: with this, its record would be larger than {largest} bytes"),
}

SYSTEM = (
    N_("No such file or directory"),
    N_("Permission denied"),
    N_("Is a directory"),
    N_("Not a directory"),
    N_("File exists"),
    N_("File name too long"),
    N_("No space left on device"),
    N_("Read-only file system"),
)
"""What the system says where it refuses something; what else it says is told as it is."""

_PLACE = re.compile(r"turn (\d+)(?:, entry (\d+))?|player (\d+)")

KINDS = {
    "text": N_("a text"),
    "whole-number": N_("a whole number"),
    "list": N_("a list"),
    "table": N_("a table"),
}


def explain(problem: Problem, game: str | None = None) -> str:
    """Return in one line what is wrong, in the language spoken now. Whatever the file held is shown harmlessly."""
    template = MESSAGES.get(problem.code)
    if template is None and game in games.MODULES:
        template = table_of(game).REASONS.get(problem.code)
    if template is None:
        template = problem.code
    return _(template).format_map({name: _shown(name, value) for name, value in problem.details.items()})


def explain_at(problem: Problem | None, game: str | None = None) -> str:
    """Return in one line where something is wrong and what is wrong there; empty where nothing is."""
    if problem is None:
        return ""
    where = f"{harmless(place_in_words(problem.where), longest=200)}: " if problem.where else ""
    return where + explain(problem, game)


def place_in_words(where: str) -> str:
    """Return the place of an entry, a turn or a player in the language spoken now; a key is one in every language.

    >>> place_in_words("turn 3, entry 2"), place_in_words("result.score")
    ('turn 3, entry 2', 'result.score')
    """
    found = _PLACE.fullmatch(where)
    if found is None:
        return where
    turn, entry, seat = found.groups()
    if seat:
        return _("player {seat}").format(seat=seat)
    return (_("turn {turn}, entry {entry}") if entry else _("turn {turn}")).format(turn=turn, entry=entry)


def status_in_words(status: str) -> str:
    """Return a status of cli.md in a word for people; programs are told the statuses themselves."""
    return {
        "verified": pgettext("verdict", "verified"),
        "mismatch": pgettext("verdict", "mismatch"),
        "dice": pgettext("verdict", "dice"),
        "illegal": pgettext("verdict", "illegal"),
        "unfinished": pgettext("verdict", "unfinished"),
        "unsupported": pgettext("verdict", "unsupported"),
        "malformed": pgettext("verdict", "malformed"),
        "unreadable": pgettext("verdict", "unreadable"),
        "unwanted": pgettext("verdict", "unwanted"),
    }[status]


def cannot_resume(verdict: Verdict) -> str:
    """Return in one line why a game cannot be resumed: what is wrong where, and the status that earns."""
    reason = explain_at(verdict.problem, verdict.game)
    return _("cannot be resumed: {reason} [{status}]").format(reason=reason, status=status_in_words(verdict.status))


def verdict_in_words(verdict: str) -> str:
    """Return what is said of a program that failed in a word for people."""
    return {
        "crashed": _("crashed"),
        "timeout": _("timeout"),
        "garbled": _("garbled"),
        "illegal": _("illegal"),
    }[verdict]


def explain_failure(name: str, error: ProblemError) -> str:
    """Return in one line why a bot cannot go on: how a program failed, with the last line of what it complained of.

    Or why its action was refused: there is no room for it in the record.
    """
    from cubiri_cli.players.player import BotError  # most games are played without

    if not isinstance(error, BotError):
        return f"{harmless(name)}: {explain(error.problem)}"
    text = f"{harmless(name)}: {explain(error.problem)} [{verdict_in_words(error.verdict)}]"
    complaints = error.stderr.split("\n")
    last = next((one.strip() for one in reversed(complaints) if one.strip()), "")
    return f"{text}: {harmless(last, longest=200)}" if last else text


def why(error: OSError) -> str:
    """Return why the system or the store refused something, in the language spoken now as far as it is known."""
    return explain(error.problem) if isinstance(error, StoreError) else _(error.strerror or str(error))


def unexpected(error: Exception) -> str:
    """Return in a few words that something happened which should not have."""
    return _("unexpected {error}").format(error=f"{type(error).__name__}: {error}")


def not_stored(error: OSError) -> str:
    """Return in one line that a game could not be stored, and why."""
    return _("The game could not be stored: {reason}").format(reason=why(error))


def nearly_full() -> str:
    """Return in one line that the record of a game is nearly as large as it may be."""
    return _("The record of this game is nearly full: soon no action will fit in any more.")


def wrong_names(names: Sequence[str]) -> str:
    """Return in one line what is wrong with players' names that somebody typed; empty where nothing is."""
    for name in names:
        if not is_name(name):
            return explain(Problem("no-name", {"found": name}))
    return _("two players with the same name") if len(set(map(normal, names))) < len(names) else ""


def table_of(game: str) -> Table:
    """Return what says how a game looks and speaks, its words learnt."""
    table: Table = import_module(games.MODULES[game].format("table")).TABLE
    learn_words(game)
    return table


def learn_words(game: str) -> None:
    """Take the words of a game that lives elsewhere from the catalogues it brings."""
    learn(folder_of(game) / "locale")


def folder_of(game: str) -> Path:
    """Return the folder of a game's table module: what a game brings for people lies in folders beside it."""
    spec = find_spec(games.MODULES[game].format("table"))
    assert spec is not None
    return Path(str(spec.origin)).parent


def summary(actions: Iterable[str]) -> str:
    """Return actions in short: those that differ in their last word only are written together.

    >>> summary(["place 3 a1", "place 3 b2", "confirm"])
    'place 3 a1|b2, confirm'
    """
    parts = []
    for start, group in itertools.groupby(actions, key=lambda action: action.rpartition(" ")[0]):
        ends = "|".join(action.rpartition(" ")[2] for action in group)
        parts.append(f"{start} {ends}" if start else ends.replace("|", ", "))
    return ", ".join(parts)


def _shown(name: str, value: object) -> str:
    """Return a value of a file as text that is harmless on a terminal and short."""
    if name == "expected" and isinstance(value, str) and value in KINDS:
        return _(KINDS[value])
    if isinstance(value, Problem):
        return explain(value)
    if isinstance(value, OSError):
        return why(value)
    if value in SYSTEM:
        return _(str(value))
    if name in ("path", "aside"):
        return harmless(str(value), longest=4096)
    if name in ("found", "entry", "action", "key") or isinstance(value, list):
        return harmless(_literal(value))
    if isinstance(value, tuple):  # all that there is to choose from
        return ", ".join(harmless(str(item)) for item in value)
    return harmless(str(value))


def _literal(value: object, depth: int = 0) -> str:
    """Return a value nearly as TOML writes it, the beginning of one that is long or deep.

    Texts are in quotes, so that blanks at their ends are seen.
    """
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return str(value)
    if isinstance(value, dict):
        return "{…}" if value else "{}"
    if isinstance(value, list):
        shown = [_literal(item, depth + 1) for item in value[:10]] if depth < 2 else ["…"] * bool(value)
        return f"[{', '.join(shown)}{', …' if len(value) > len(shown) else ''}]"
    try:
        return str(value)
    except ValueError:  # more digits than Python converts
        return "…"
