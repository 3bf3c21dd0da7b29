"""What a replay is (contract, replay.md): its parts, and the errors of reading one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from cubiri_cli import games
from cubiri_cli.games import dice
from cubiri_cli.games.problem import Problem, ProblemError
from cubiri_cli.replays.names import normal

if TYPE_CHECKING:
    from datetime import datetime

    from cubiri_cli.games.game import Game

FORMAT = "cubiri-replay"
VERSION = 1
LARGEST = 1024 * 1024
"""The largest file, in bytes, that is read at all."""


class ReplayError(ProblemError):
    """A file that cannot be taken as a replay."""

    status: ClassVar[str]
    """What that is as a verdict (cli.md)."""

    def __init__(self, where: str | None, code: str, **details: object) -> None:
        super().__init__(Problem(code, details, where))


class MalformedReplayError(ReplayError):
    """A file that is no replay."""

    status = "malformed"


class UnsupportedReplayError(ReplayError):
    """A replay of a version, or with rules or dice, that this program does not know."""

    status = "unsupported"


class UnreadableReplayError(ReplayError):
    """A file that could not be read: missing, too large, no permission."""

    status = "unreadable"


@dataclass(slots=True)
class Player:
    """Who sat in a seat; `bot` is the level of the bot that played for it, None for a person."""

    name: str
    bot: str | None = None


@dataclass(slots=True)
class Turn:
    """One turn: whose (the seat, from 1), and its entries as `action` or `action -> dice`."""

    player: int
    log: list[str] = field(default_factory=list)
    comment: str | None = None


@dataclass
class Replay:
    """A recorded game. `result` is None while it is unfinished; its claims are as written, not trusted.

    A script is one with holes (`script`): no players, an empty seed, turns of player 0 where it leaves these open.
    """

    game: str
    seed: str
    options: dict[str, Any]
    players: list[Player]
    turns: list[Turn] = field(default_factory=list)
    started: datetime | None = None
    comment: str | None = None
    result: dict[str, Any] | None = None
    version: int = VERSION
    rules: int = 1
    dice: str = dice.NAME

    @property
    def game_class(self) -> type[Game]:
        """Its game, by the rules it was played by."""
        return games.load(self.game, self.rules)

    def beginning(self) -> Game:
        """Return the game as it is before the first entry."""
        return self.game_class.start(self.options, len(self.players))

    @property
    def is_assisted(self) -> bool:
        """Whether a player asked for a hint."""
        return any("hint" in turn.log for turn in self.turns)

    def turns_of_seats(self) -> tuple[int, ...]:
        """Return how many turns each seat has had."""
        begun = [turn.player for turn in self.turns]
        return tuple(map(begun.count, range(1, len(self.players) + 1)))

    def _repr_html_(self) -> str | None:
        from cubiri_cli.replays.showing import to_html  # late, because verifying needs it not

        return to_html(self)

    @property
    def digest(self) -> str:
        """The SHA-256 of what makes it this game: game, rules, dice, options, seed, names and logs, as hexadecimal.

        Times, comments and claims play no part, nor how the file is spelled.
        """
        import json  # late, because verifying needs no digest

        content = {
            "game": self.game,
            "rules": self.rules,
            "dice": self.dice,
            "options": self.options,
            "seed": self.seed,
            "players": [normal(player.name) for player in self.players],
            "turns": [[turn.player, turn.log] for turn in self.turns],
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode("utf-8")).hexdigest()


LONGEST_PLACE = 200
"""How many characters the name of a place has at most (contract, cli.md): a file may hold keys of any length."""


def place_of_key(key: str) -> str:
    """Return how the place of a key that may be anything is named: as it is, cut where it is long."""
    return key if len(key) <= LONGEST_PLACE else key[: LONGEST_PLACE - 1] + "…"


def place(turn: int, entry: int | None = None) -> str:
    """Return how a place in a replay is named: `turn 3, entry 2`, or `turn 3`."""
    return f"turn {turn}" if entry is None else f"turn {turn}, entry {entry}"
