"""What may come next on a command line, for the shells: `cubiri --complete SHELL ...`.

typer finds out what the last word stands for; what that can be is asked of the games, the settings and the disk, by the
word that stands for it in the help: `GAME`, `FILE`, `en|fi|sk`. So new commands and options complete by themselves.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cubiri_cli.commands import COMMANDS, SHELLS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import typer

NEWEST = 100
"""How many of the games played last are looked at for their seeds."""

ENDED = {"resume": False, "hint": False, "share": True, "analyze": True}
"""Command → whether the games it takes have ended; the others take all."""

_SEED = re.compile(rb'^seed = "([0-9a-z-]{1,64})"', re.MULTILINE)


def main(arguments: Sequence[str]) -> None:
    """Print the choices for the last word of a command line, one a line.

    The arguments are `bash LINE WORD` (the line up to the cursor, and what the shell replaces of it) or `SHELL WORDS`.
    PowerShell, which loses empty arguments, has the words in `_CUBIRI_WORDS`, one a line.
    """
    shell, *words = arguments or [""]
    try:
        if shell == "bash":
            found = for_bash(*words[:2])
        elif shell == "powershell":
            found = complete(*_split(os.environ.get("_CUBIRI_WORDS", "").split("\n")))
        else:
            found = complete(*_split(words))
        for choice in found:
            sys.stdout.buffer.write(os.fsencode(choice) + b"\n")
        sys.stdout.flush()
    except Exception:  # a line of a prompt is no place for complaints
        if os.environ.get("CUBIRI_DEBUG"):
            raise
        sys.stdout = None  # what is left would be tried again at the end


def _split(words: Sequence[str]) -> tuple[list[str], str]:
    return list(words[:-1]), words[-1] if words else ""


def complete(before: Sequence[str], word: str) -> list[str]:
    """Return the choices for `word` after the words before it (without the program's name); folders end in `/`.

    >>> complete(["verify-score", "--format"], "j")
    ['jsonl', 'junit']
    >>> complete([], "re")
    ['resume', 'replay']
    """
    found = _ask(before, word)
    option, sign, _value = word.partition("=")
    start = option + sign if sign and option.startswith("--") else ""
    return [start + choice for choice in dict.fromkeys(found) if "\n" not in choice]


def _ask(before: Sequence[str], word: str) -> list[str]:
    """Ask typer as its own scripts do: for bash, which is told of nothing but the choices."""
    pairs = zip(["", *before], before, strict=False)
    command = next((one for previous, one in pairs if previous != "--lang" and not one.startswith("-")), None)
    if command is None and before[-1:] != ["--lang"] and not word.startswith("-"):
        return _beginning(COMMANDS, word)  # without typer, which takes longer to load than all the rest
    if command is not None and command not in COMMANDS:
        return []
    from cubiri_cli.cli.parsing import build

    app = build([command] if command else (), choices)
    words = ["cubiri", *before, word]
    kept = dict(os.environ)
    os.environ["_CUBIRI_COMPLETE"] = "complete_bash"
    os.environ.update(COMP_WORDS=shlex.join(words), COMP_CWORD=str(len(words) - 1))
    try:
        with contextlib.redirect_stdout(io.StringIO()) as answer, contextlib.suppress(SystemExit):
            app(args=[], prog_name="cubiri", complete_var="_CUBIRI_COMPLETE", standalone_mode=False)
    finally:
        os.environ.clear()
        os.environ.update(kept)
    return list(filter(None, answer.getvalue().splitlines()))


# What a word can be


def choices(ctx: typer.Context, name: str, metavar: str, word: str) -> list[str]:
    """Return the choices for a parameter of a command, known by its name and by the word that stands for it."""
    found = _values(ctx, name, metavar, word)
    # What may follow an option that takes several, such as `--add FILE...`, comes in the place of an argument.
    for other in ctx.command.params:
        more = getattr(other, "metavar", None) or ""
        if other.name != name and more.endswith("...") and ctx.params.get(other.name or ""):
            found += _values(ctx, other.name or "", more, word)
    return found


def _values(ctx: typer.Context, name: str, metavar: str, word: str) -> list[str]:
    if "|" in metavar:
        return _beginning(metavar.split("|"), word)
    if name == "seed":
        return _beginning(_seeds(), word)
    kind = metavar.strip("[]{}.")
    if kind in ("FILE", "REPLAY", "PATH", "FOLDER"):
        ended = ENDED.get(ctx.info_name or "")
        games = _games_at_home(word, name == "file", ended) if kind != "FOLDER" else []
        return _paths(word, kind == "FOLDER", ended) + games
    return _beginning(WORDS[kind](ctx), word) if kind in WORDS else []


def _beginning(choices: Iterable[str], word: str) -> list[str]:
    """Return the choices that begin with what is typed, in any case."""
    return [word + one[len(word) :] for one in choices if one.lower().startswith(word.lower())]


def _game_names(ctx: typer.Context) -> Sequence[str]:
    from cubiri_cli import games

    return games.names()


def _settings(ctx: typer.Context) -> Sequence[str]:
    from cubiri_cli.store.settings import known

    return list(known())


def _setting_values(ctx: typer.Context) -> Sequence[str]:
    from cubiri_cli.store.settings import known

    return list(getattr(known().get(str(ctx.params.get("key")).lower()), "values", None) or ())


def _levels(ctx: typer.Context) -> Sequence[str]:
    from cubiri_cli import games, players

    game = str(ctx.params.get("game")).lower()
    return players.levels(game) if game in games.names() else players.LEVELS


def _topics(ctx: typer.Context) -> Sequence[str]:
    from cubiri_cli.table.manual import PAGES

    return [*PAGES, *COMMANDS]


WORDS: dict[str, Callable[[typer.Context], Sequence[str]]] = {
    "BOT": _levels,
    "check": lambda ctx: ("check",),
    "GAME": _game_names,
    "KEY": _settings,
    "VALUE": _setting_values,
    "SHELL": lambda ctx: SHELLS,
    "TOPIC": _topics,
}
"""Word in the help → what can be typed for it."""


# What is on disk


def _kept() -> list[Path]:
    """Return the games in the home folder, the one written last first."""
    from cubiri_cli.store.home import recent

    try:
        return recent()
    except OSError:
        return []


def _paths(word: str, are_folders: bool, ended: bool | None) -> list[str]:
    """Return the folders, and unless only they are wanted the replays, that a path may go on with."""
    folder, name = os.path.split(word)
    start = folder + "/" * bool(folder and not folder.endswith("/"))
    try:
        with os.scandir(os.path.expanduser(folder) or ".") as entries:  # noqa: PTH111 - keeps what was typed
            found = sorted((one.name, one.is_dir(), one.path) for one in entries if one.name.startswith(name))
    except OSError:
        return []
    return [
        f"{start}{one}/" if is_folder else start + one
        for one, is_folder, path in found
        if name.startswith(".") or not one.startswith(".")
        if is_folder or (not are_folders and one.lower().endswith(".toml") and _is_wanted(path, ended))
    ]


def _games_at_home(word: str, by_name: bool, ended: bool | None) -> list[str]:
    """Return the games in the home folder by their paths, or by name where a command looks it up there."""
    shown = {path: path.name if by_name and os.sep not in word else str(path) for path in _kept()}
    return [one for path, one in shown.items() if one.startswith(word) and _is_wanted(str(path), ended)]


def _is_wanted(path: str, ended: bool | None) -> bool:
    """Tell whether a file is a replay that has ended, or has not, as is wanted: by its beginning and its end."""
    if ended is None:
        return True
    try:
        with Path(path).open("rb") as file:
            head = file.read(4096)
            file.seek(max(0, os.fstat(file.fileno()).st_size - 4096))
            return b'"cubiri-replay"' in head and (b"\n[result]" in file.read(4096)) is ended
    except OSError:
        return False


def _seeds() -> list[str]:
    """Return today's seed and those of the games played last, each once."""
    from cubiri_cli.replays.clock import InvalidClockError, daily_seed

    seeds = []
    with contextlib.suppress(InvalidClockError):
        seeds.append(daily_seed())
    for path in _kept()[:NEWEST]:
        with contextlib.suppress(OSError), path.open("rb") as file:
            found = _SEED.search(file.read(4096))
            seeds += [found[1].decode("ascii")] if found else []
    return list(dict.fromkeys(seeds))


# bash


def for_bash(line: str, replaced: str = "") -> list[str]:
    """Return the choices for the end of a line of bash, as they stand in it: quoted, and from where bash replaces it.

    bash parts words at `=` and `:` too, and replaces the last part only, which is `replaced`.

    >>> for_bash("cubiri verify-score --format=ju", "ju")
    ['junit']
    """
    words, raw, _quote = read_words(line)
    kept = raw[: len(raw) - len(replaced)] if raw.endswith(replaced) else ""
    [*_others, before], _raw, quote = read_words(kept) if kept else ([""], "", "")
    found = complete(words[1:-1], words[-1])
    return [quoted(one[len(before) :], quote) for one in found]


def read_words(line: str) -> tuple[list[str], str, str]:
    """Return the words of a line of bash, how the last one is written, and the quotation mark that is open in it.

    >>> read_words("replay my\\\\ game 'and a")
    (['replay', 'my game', 'and a'], "'and a", "'")
    """
    words, raw, quote = [""], "", ""
    characters = iter(line)
    for character in characters:
        if not quote and character in " \t":
            if raw:
                words.append("")
            raw = ""
            continue
        raw += character
        if character == "\\" and quote != "'":
            following = next(characters, "")
            raw += following
            words[-1] += following if not quote or following in '"\\$`' else character + following
        elif character == quote:
            quote = ""
        elif not quote and character in "'\"":
            quote = character
        else:
            words[-1] += character
    return words, raw, quote


def quoted(text: str, quote: str) -> str:
    """Return a text as it stands in a line of bash, where this quotation mark is open."""
    if quote == "'":
        return text.replace("'", "'\\''")
    if quote:
        return re.sub(r'([\\"$`])', r"\\\1", text)
    return re.sub(r"([^\w@%+,./:=~-])", r"\\\1", text)
