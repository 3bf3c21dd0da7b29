"""Who is given as `--bot`: a level, or a program of one's own, and how it sits down in a game.

>>> parse("master"), parse("Rob=python rob.py")
(Bot(name='master', kind='master', command=''), Bot(name='Rob', kind='program', command='python rob.py'))
>>> parse("./weights --file=a.bin").name
'weights'
"""

from __future__ import annotations

import re
from pathlib import Path, PurePath, PureWindowsPath
from typing import TYPE_CHECKING, NamedTuple

from cubiri_cli.games.problem import Problem, ProblemError
from cubiri_cli.players import LEVELS, level, own_key
from cubiri_cli.players.programs import Farewell, Program, split_command
from cubiri_cli.replays.names import LONGEST_NAME, is_name, typed_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cubiri_cli.players.player import Player, View

__all__ = ["PROGRAM", "Bot", "SeatedBot", "WrongBotError", "names_apart", "parse"]

PROGRAM = "program"
"""What the record says of a bot that is no level."""

_NO_NAME = re.compile(r"(^|\s)-|[/\\]|\w\.\w")
"""What a command may hold before its first `=`, but no name of a bot does: an option, a path, the name of a file."""


class WrongBotError(ProblemError):
    """A text that stands for no bot."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(Problem(code, details))


class SeatedBot:
    """A bot in its seat: a player that has to be closed when the game is left, as `with` does."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def choose(self, view: View) -> str:
        """Return one of `view.legal`. Raises `BotError` where it fails; it can be asked again then."""
        return self._player.choose(view)

    @property
    def is_asked(self) -> bool:
        """Whether it is a program that has not answered yet."""
        return isinstance(self._player, Program) and self._player.is_asked

    def close(self) -> Farewell | None:
        """Let it get up. Of a program that ran, return how it took that."""
        return self._player.close() if isinstance(self._player, Program) else None

    def __enter__(self) -> SeatedBot:
        """Return itself."""
        return self

    def __exit__(self, *about: object) -> None:
        """Close it."""
        self.close()


class Bot(NamedTuple):
    """Somebody who can sit down in games: a level, or a program."""

    name: str
    kind: str
    """What the record says: the name of the level, or `program`."""
    command: str = ""
    """What starts the program; empty for a level."""

    def sit(
        self,
        game: str,
        seed: str,
        seat: int,
        timeout: float | None = None,
        made: int = 0,
        listen: Callable[[bytes], None] | None = None,
    ) -> SeatedBot:
        """Sit down in a seat (from 1) of a game and return who is to be asked, for every action of that seat.

        The seed is for the own chance of a level, which has made `made` choices in this game before; a program is not
        told it, and stays the same for any number of games. `timeout` and `listen` are those of `Program`.

        Raises `UnknownLevelError` where the game is not played at this level.
        """
        if self.kind == PROGRAM:
            return SeatedBot(Program(self.command, timeout, listen))
        return SeatedBot(level(self.kind, game, own_key(seed, seat), made))


def parse(text: str) -> Bot:
    """Return the bot that a person means: `LEVEL`, `COMMAND`, or either with `NAME=` before it.

    Raises `WrongBotError`.
    """
    name, command = _parts(text.strip())
    if name is not None and not is_name(name):
        raise WrongBotError("bot-no-name", found=text)
    if command in LEVELS:
        return Bot(name or command, command)
    try:
        words = split_command(command)
    except ValueError:
        raise WrongBotError("bot-open-quotation", found=text) from None
    if not words or not words[0]:
        raise WrongBotError("bot-no-command", found=text)
    return Bot(name or _named_after(words), PROGRAM, command)


def _parts(text: str) -> tuple[str | None, str]:
    """Return the name that was given, if any, and the rest."""
    name, equals, rest = text.partition("=")
    if not equals or _NO_NAME.search(name):
        return None, text
    return typed_name(name.strip()), rest.strip()


_INTERPRETER = re.compile(
    r"(?:python|pypy|node|deno|bun|ruby|perl|php|lua|java|julia|Rscript|dotnet|wine|env|(?:ba|da|z|fi|k)?sh)[\d.]*(?:\.exe)?"
)
"""What runs programs that are files of their own."""


def _named_after(words: list[str]) -> str:
    """Return the name of the program's file, which is not the one of what interprets it."""
    is_interpreted = _INTERPRETER.fullmatch(re.split(r"[/\\]", words[0])[-1]) is not None
    path = next((word for word in words[is_interpreted:] if Path(word).is_file()), words[0])
    name = typed_name(PureWindowsPath(path).name if "\\" in path else PurePath(path).name)[:LONGEST_NAME].strip()
    return name if is_name(name) else PROGRAM


def names_apart(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Return names for bots so that no two at a table are the same: a second one gets a number.

    >>> names_apart(["master", "master", "Rob"], ["Rob"])
    ['master', 'master 2', 'Rob 2']
    """
    found: list[str] = []
    for name in names:
        others, number, apart = {*taken, *found}, 1, name
        while apart in others:
            number += 1
            apart = f"{name[: LONGEST_NAME - len(f' {number}')].strip()} {number}"
        found.append(apart)
    return found
