"""What a game must define to be played at the table, watched and explained: the one place that says so.

A game's module in this folder (`games.MODULES` finds it) defines what `Table` lists, and nothing more; it knows the
game, but no terminal. Everything else in this folder knows terminals, but no game.

Beside the module lie the rules pages, `rules/NAME.LANGUAGE.md` (English has to be there), and the catalogues of its
words, `locale/LANGUAGE/LC_MESSAGES/cubiri.mo`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cubiri_cli.games.game import Outcome
    from cubiri_cli.table.drawing import Line


@dataclass(frozen=True)
class Choice:
    """Something the player can choose now: `actions` to execute in order, or else a `step` on the way to an action."""

    key: str
    """The one key that accepts it at once. Not one of `: ? q`, which the table keeps for itself."""
    label: str
    actions: tuple[str, ...] = ()
    step: Any = None
    """What was chosen on the way, as the game's module likes to hold it; the next question is asked with it."""
    ticks: bool = False
    """Whether the step changes the question at hand (a tick set or taken away), so that there is no way back to it."""
    also: tuple[str, ...] = ()
    """Other words that choose it where words are typed, such as the name of a cell."""


@dataclass(frozen=True)
class Question:
    """What the player is asked at this point. `default` is the key of the choice that Enter takes, else the first."""

    text: str
    choices: tuple[Choice, ...]
    default: str = ""


@dataclass(frozen=True)
class View:
    """What a picture shows besides the state of the game."""

    step: Any = None
    """What was chosen on the way to an action (see `Choice`)."""
    pointed: Any = None
    """The step of the choice that is pointed at."""
    news: Sequence[Line] = field(default=())
    """What has just happened; the last line is the latest."""
    thrown: tuple[int, ...] = ()
    """The dice that answered the latest action, which the game itself may have put away already (after a bust)."""
    rolling: tuple[int, ...] | None = None
    """Faces to show in place of the dice while they are being thrown: for show, never the game's."""


class Table(Protocol):
    """A module of this folder that seats a game at the table. Texts are in the language spoken now."""

    TITLE: str
    """The name of the game as people write it."""
    ABOUT: str
    """What kind of game it is, in a few words, marked for translation."""
    REASONS: Mapping[str, str]
    """For each code the game refuses actions with, the words: marked for translation, with the details as fields."""
    FIGURES: Mapping[str, str]
    """For each figure of the game's `Standing`, the heading of its column: marked for translation."""

    def picture(self, game: Any, names: Sequence[str], width: int, height: int, view: View) -> list[Line]:
        """Return the state of the game as a picture of at most `width` columns and `height` lines.

        It has to be able to do with 36 columns and 10 lines.
        """

    def describe(self, game: Any, names: Sequence[str], view: View) -> list[str]:
        """Return the state of the game in words, in reading order, complete; with a step only what that changes."""

    def ask(self, game: Any, names: Sequence[str], step: Any) -> Question:
        """Return the question at this point; `step` is that of the choice made last, None at first."""

    def tell(self, before: Any, action: str, outcome: Outcome, after: Any, names: Sequence[str]) -> list[Line]:
        """Return what an action led to, one line each; nothing where the state says it all."""

    def shorthand(self, game: Any, words: Sequence[str]) -> str | None:
        """Return the action that these words (lower case) are short for; None where they are no short form."""

    def next_action(self, game: Any) -> str | None:
        """Return the action that follows by itself because nobody has anything to decide or to look at before it."""

    def breakdown(self, game: Any, names: Sequence[str]) -> list[Line]:
        """Return the lines that explain the score of a finished game, or where an unfinished one stands."""

    def option_labels(self) -> Mapping[str, str]:
        """Return for values of the game's options (such as `peaceful`) what they mean, in a few words."""

    def help_lines(self) -> list[str]:
        """Return the lines that explain this game's keys, picture and short forms."""
