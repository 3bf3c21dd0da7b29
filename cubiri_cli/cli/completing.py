"""What may come next on a command line, for the shells: `cubiri --complete` WORDS.

A tab must be answered at once, so nothing slow is imported: neither typer nor a command. Which commands and options
there are stands in `option_table`, which is made from them; the rest is asked of the games, the settings and the disk.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.cli.option_table import ARGUMENTS, OF_GAMES, OPTIONS
from cubiri_cli.commands import SHELLS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


PAGES = ("cubiri", "cubiri-replay")
"""The manual pages."""

NEWEST = 100
"""How many of the games played last are looked at for their seeds."""

_SEED = re.compile(rb'^seed = "([0-9a-z-]{1,64})"', re.MULTILINE)


class Place(NamedTuple):
    """Where on a command line something is to be completed."""

    command: str
    """The command; empty before there is one."""
    arguments: tuple[str, ...]
    """What the command was given before, without its options."""
    word: str
    """The word as far as it is typed."""
    metavar: str | None
    """What the word stands for, as the help shows it; None where options or arguments may come."""
    option: str = ""
    """The option whose value the word is, if any."""
    also: str = ""
    """What further words stand for after an option that takes several, such as `--add FILE...`."""


class Answer(NamedTuple):
    """The words to choose from, and whether they are files and folders."""

    words: list[str]
    are_files: bool = False


def main(arguments: Sequence[str]) -> None:
    """Print what may stand in place of the last of the words: `files` or `words` first, then one choice a line."""
    *before, word = arguments or [""]
    answer = complete(before, word)
    try:
        print("files" if answer.are_files else "words", *answer.words, sep="\n", flush=True)
    except UnicodeEncodeError:  # a file whose name the encoding lacks
        print("words")
    except OSError:  # nobody reads, or a full disk: a line of a prompt is no place for that
        sys.stdout = None  # what is left would be tried again at the end


def complete(before: Sequence[str], word: str) -> Answer:
    """Return the choices for `word` after the words before it (without the program's name).

    >>> complete(["verify-score", "--format"], "j").words
    ['jsonl', 'junit']
    >>> complete([], "re").words
    ['resume', 'replay']
    """
    before, start = _joined(before), ""
    if word == "=" and before and before[-1].startswith("--"):  # where bash, for which = ends a word, has it alone
        word = ""
    elif word.startswith("--") and "=" in word:
        option, _, word = word.partition("=")
        before, start = [*before, option], f"{option}="
    answer = _choices(_place(before, word))
    return answer._replace(words=[start + choice for choice in answer.words if "\n" not in choice])


def _joined(words: Sequence[str]) -> list[str]:
    """Return the words with each `--option=value` as two, also where bash made it three."""
    found: list[str] = []
    for index, word in enumerate(words):
        option, sign, value = word.partition("=")
        if word == "=" and index and words[index - 1].startswith("--"):
            continue
        found += [option, value] if sign and option.startswith("--") else [word]
    return found


def _place(before: Sequence[str], word: str) -> Place:
    command, also = "", ""
    arguments: list[str] = []
    metavar, option = None, ""
    rest = iter(before)
    for typed in rest:
        if typed == "--":
            return Place(command, (*arguments, *rest), word, _argument(command, len(arguments), also), "--", also)
        if typed.startswith("-") and typed != "-":
            metavar = _options(command).get(typed) or None
            if metavar is not None and metavar.endswith("..."):
                also = metavar
            if metavar is not None and next(rest, None) is None:
                option = typed
                break
            metavar = None
        elif command:
            arguments.append(typed)
        else:
            command = typed
    return Place(command, tuple(arguments), word, metavar, option, also)


def _options(command: str) -> dict[str, str]:
    """Return the options of a command with what they take (nothing: a switch), those of all games included."""
    found = {**OPTIONS.get(command, {}), **OPTIONS[""]}
    if command in OF_GAMES:
        found |= {f"--{name}": "|".join(values) or "N" for name, values in _game_options().items()}
    return found


def _game_options() -> dict[str, list[str]]:
    """Return the options of the games with the words they can be; none for numbers."""
    from cubiri_cli import games

    return {
        name: list(dict.fromkeys(value for option in found.values() for value in getattr(option, "values", ())))
        for name, found in games.options().items()
    }


def _argument(command: str, index: int, also: str = "") -> str:
    """Return what the argument of this number stands for; the last of several stands for all that follow."""
    wanted = ARGUMENTS.get(command, ())
    if index >= len(wanted) and not (wanted and wanted[-1].endswith("...")):
        return also
    return wanted[min(index, len(wanted) - 1)]


def _choices(place: Place) -> Answer:
    if place.metavar is not None:
        return _values(place, place.metavar)
    if place.word.startswith("-"):
        return Answer(_beginning(_options(place.command), place.word))
    if not place.command:
        return Answer(_beginning(ARGUMENTS, place.word))
    if place.command not in ARGUMENTS:
        return Answer([])
    wanted = _argument(place.command, len(place.arguments), place.also)
    answer = _values(place, wanted) if wanted else Answer(_beginning(_options(place.command), place.word))
    if place.also and wanted != place.also:
        others = _values(place, place.also)
        return Answer([*answer.words, *others.words], bool(others.words) and not answer.words)
    return answer


def _beginning(choices: Iterable[str], word: str) -> list[str]:
    return [choice for choice in choices if choice.startswith(word)]


def _values(place: Place, metavar: str) -> Answer:
    """Return the choices where a value is wanted, by the word that stands for it in the help."""
    if "|" in metavar:
        return Answer(_beginning(metavar.split("|"), place.word))
    if place.option == "--seed":
        return Answer(_beginning(_seeds(), place.word.lower()))
    name = metavar.strip("[]{}.")
    if name in ("FILE", "REPLAY", "PATH"):
        return Answer(list(_replays(place.word)), are_files=True)
    words = _WORDS.get(name)
    return Answer(_beginning(words(place), place.word) if words else [])


def _games(place: Place) -> list[str]:
    from cubiri_cli import games

    return games.names()


def _settings(place: Place) -> list[str]:
    from cubiri_cli.store.settings import known

    return list(known())


def _setting_values(place: Place) -> list[str]:
    from cubiri_cli.store.settings import known

    return list(getattr(known().get(place.arguments[0]), "values", None) or ())


_WORDS: dict[str, Callable[[Place], Sequence[str]]] = {
    "GAME": _games,
    "KEY": _settings,
    "VALUE": _setting_values,
    "SHELL": lambda place: SHELLS,
    "TOPIC": lambda place: [*PAGES, *ARGUMENTS],
}
"""Word in the help → what can be typed for it."""


# What is on disk


def _kept() -> list[str]:
    """Return the games in the home folder, the one written last first."""
    from cubiri_cli.store.home import recent

    return list(map(str, recent()))


def _replays(word: str) -> Iterator[str]:
    """Yield folders and replays that a path may go on with; then the games in the home folder, by path or by name."""
    folder, name = os.path.split(word)
    try:
        # Path.expanduser would lose what was typed, and pathlib takes longer than all the rest.
        with os.scandir(os.path.expanduser(folder) or ".") as entries:  # noqa: PTH111
            found = sorted((entry.name, entry.is_dir()) for entry in entries if entry.name.startswith(name))
    except OSError:
        found = []
    shown = [
        (folder if folder.endswith("/") or not folder else f"{folder}/") + one + "/" * is_folder
        for one, is_folder in found
        if (is_folder or one.endswith(".toml")) and (name.startswith(".") or not one.startswith("."))
    ]
    yield from shown
    for path in _kept():
        begins = path.startswith(word) or ("/" not in word and os.path.basename(path).startswith(word))  # noqa: PTH119
        if begins and path not in shown:
            yield path


def _seeds() -> list[str]:
    """Return today's seed and those of the games played last, each once."""
    from cubiri_cli.replays.clock import InvalidClockError, daily_seed

    seeds = []
    with contextlib.suppress(InvalidClockError):
        seeds.append(daily_seed())
    for path in _kept()[:NEWEST]:
        try:
            with open(path, "rb") as file:  # noqa: PTH123
                found = _SEED.search(file.read(4096))
        except OSError:
            continue
        if found:
            seeds.append(found[1].decode("ascii"))
    return list(dict.fromkeys(seeds))
