"""What a game must define to be played at the table, watched and explained: the one place that says so.

A game's module in this folder (`games.MODULES` finds it) holds a `TABLE`. It knows the game; but for those beside it
that bear the game's name, nothing else in this folder does.

Beside the module lie the rules pages, `rules/NAME.LANGUAGE.md` (English has to be there), and the catalogues of its
words, `locale/LANGUAGE/LC_MESSAGES/cubiri.mo`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from cubiri_cli.table.drawing import Line, Span, cut_line, line, pad, to_text, wrap_line
from cubiri_cli.table.language import _, decimal
from cubiri_cli.table.scene import DiceGroup, DiceRow, Piece

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cubiri_cli.games.game import Outcome
    from cubiri_cli.players.advice import Reason
    from cubiri_cli.replays.history import Step


LEAST_PICTURE = 36, 10
"""The smallest picture, in columns and lines, that a game has to be able to draw."""


class Choice(NamedTuple):
    """Something the player can choose now: `actions` to execute in order, or else a `step` on the way to an action."""

    key: str
    """The one key that accepts it at once. Not one of `: ? q`, which the table keeps for itself; `n` only where a new
    game need not be offered, `h` where a hint need not be."""
    label: str
    actions: tuple[str, ...] = ()
    step: Any = None
    """What was chosen on the way, as the game's module likes to hold it; the next question is asked with it."""
    ticks: bool = False
    """Whether the step changes the question at hand (a tick set or taken away), so that there is no way back to it."""
    also: tuple[str, ...] = ()
    """Other words that choose it where words are typed, such as the name of a cell."""
    at: tuple[int, int] | None = None
    """Where it lies on the picture, as column and row of a grid of the game's own: the arrows move among choices as
    they look, and the picture lights the one pointed at. None where it is only listed."""


class Question(NamedTuple):
    """What the player is asked at this point. `default` is the key of the choice that Enter takes, else the first."""

    text: str
    choices: tuple[Choice, ...]
    default: str = ""


class Moment(NamedTuple):
    """What a picture shows besides the state of the game."""

    step: Any = None
    """What was chosen on the way to an action (see `Choice`)."""
    pointed: Choice | None = None
    """The choice that is pointed at."""
    news: Sequence[Line] = ()
    """What has just happened; the last line is the latest."""
    thrown: tuple[int, ...] = ()
    """The dice that answered the latest action, which the game itself may have put away already (after a bust)."""
    rolling: tuple[int, ...] | None = None
    """Faces to show in place of the dice while they are being thrown: for show, never the game's."""
    chances: Sequence[str] = ()
    """The chances of all to win, in words, where they are to be seen."""


class Mark(NamedTuple):
    """A mark of a shared game: an emoji, and what it means in a word or two."""

    emoji: str
    word: str


GREAT, HIGH, FAIR, NEUTRAL, BAD = "🟪", "🟧", "🟦", "⬜", "⬛"
"""The emoji of marks, from the best down; each game says what they stand for."""


class Table(ABC):
    """How one game looks and asks at the table. Texts are in the language spoken now.

    A game's module derives from it and names the one object of its class `TABLE`. Only `TITLE`, `ABOUT`, `FIGURES`,
    `ask` and `describe` are wanted of every game; what is defined here will do for a simple one.
    """

    TITLE: ClassVar[str]
    """The name of the game as people write it."""
    ABOUT: ClassVar[str]
    """What kind of game it is, in a few words, marked for translation."""
    FIGURES: ClassVar[Mapping[str, str]]
    """For each figure of the game's `Standing`, the heading of its column, and what else it counts (`Game.counts`):
    marked for translation."""
    OF_SEVERAL: ClassVar[Collection[str]] = ()
    """The figures that say nothing where one player plays alone."""
    REASONS: ClassVar[Mapping[str, str]] = {}
    """For each code the game refuses actions with, the words: marked for translation, with the details as fields."""
    FEATS: ClassVar[Mapping[str, str]] = {}
    """For each feat of the game (`Game.feats`), what is said the first time: marked for translation."""
    LABELS: ClassVar[Mapping[str, str]] = {}
    """For the names of the game's options, and for their values, what they are: marked for translation. The name of an
    option is a noun; what stands beside a value (such as `peaceful`) says in a few words what it means."""
    CLAIMS: ClassVar[Mapping[str, str]] = {}
    """For each claim of the game's `RESULT`, what it says: marked for translation, in Markdown."""
    ROLLS: ClassVar[Mapping[str, str]] = {}
    """For each form of the names of rolls, such as `GAME/SEAT/ROLL`, what its parts are: marked in the same way."""
    ADVICE: ClassVar[Mapping[str, str]] = {}
    """For each code of a reason or a nudge of the game's evaluator, the words: marked, with the details as fields."""
    HELP: ClassVar[Sequence[str]] = ()
    """The lines that explain this game's keys and short forms, on a screen or not: marked for translation."""
    PICTURE_HELP: ClassVar[Sequence[str]] = ()
    """The lines that explain its picture, which there is on a screen only: marked for translation."""

    @abstractmethod
    def ask(self, game: Any, names: Sequence[str], step: Any) -> Question:
        """Return the question at this point; `step` is that of the choice made last, None at first."""

    @abstractmethod
    def describe(self, game: Any, names: Sequence[str], moment: Moment) -> list[str]:
        """Return the state of the game in words, in reading order, complete; with a step only what that changes.

        What a step changes are the last of the words.
        """

    def picture(self, game: Any, names: Sequence[str], width: int, height: int, moment: Moment) -> list[Line]:
        """Return the state of the game as a picture of at most `width` columns and `height` lines.

        It has to be able to do with `LEAST_PICTURE`. Here: the title, the state in words, the dice, the news.
        """
        dice = "  ".join(f"[{die}]" for die in moment.rolling or moment.thrown)
        words = [part for text in self.describe(game, names, Moment()) for part in wrap_line(text, width)]
        lines = [line(Span(self.TITLE, "title")), *words, line(Span(dice, "bold")), *list(moment.news)[-3:]]
        return [cut_line(one, width) for one in lines][:height]

    def scene(self, game: Any, names: Sequence[str], moment: Moment) -> list[Piece]:
        """Return the state of the game as pieces of a picture on a page, where the state in words stands below it.

        Here: the dice that were thrown.
        """
        return [DiceRow((DiceGroup(tuple(map(str, moment.thrown))),))] if moment.thrown else []

    def tell(self, before: Any, action: str, outcome: Outcome, after: Any, names: Sequence[str]) -> list[Line]:
        """Return what an action led to, one line each; nothing where the state says it all."""
        return []

    def step_of(self, game: Any, action: str) -> Any:
        """Return the step, made of ticks alone, in which `action` is what is ticked; None where nothing need be ticked.

        So a recorded choice among ticks is shown as it was made, and not as it is offered at first.
        """
        return None

    def shorthand(self, game: Any, words: Sequence[str]) -> str | None:
        """Return the action that these words (lower case) are short for; None where they are no short form.

        The words may have had commas or semicolons between them: `1,1,5` may be short for one action.

        Here: the key of a choice that is one action.
        """
        choices = self.ask(game, [""] * game.seats, None).choices
        return next((one.actions[0] for one in choices if [one.key] == list(words) and len(one.actions) == 1), None)

    def next_action(self, game: Any) -> str | None:
        """Return the action that follows by itself because nobody has anything to decide or to look at before it."""
        return None

    def kind(self, options: Mapping[str, Any]) -> str:
        """Return the game with its options, such as `MAGDAGDON survival`."""
        return " ".join([self.TITLE, *map(str, options.values())])

    def decided(self, game: Any, actions: Sequence[str]) -> str:
        """Return in short what actions decide together in a game, such as where dice go; here the actions."""
        return ", ".join(actions)

    def reason(self, reason: Reason) -> str:
        """Return in words why something is better, or what to look at; here `ADVICE` with the details as they are."""
        return _(self.ADVICE[reason.code]).format(**reason.details)

    def progress(self, game: Any) -> str:
        """Return how far an unfinished game is, in a few words, beyond its turns: here nothing."""
        return ""

    def marks(self, steps: Sequence[Step]) -> list[tuple[str, list[Mark]]]:
        """Return the marks of a finished game, in groups with a name each, from all its steps; none here.

        No mark gives a die away.
        """
        return []

    def count(self, name: str, number: int) -> str:
        """Return so many of what the game counts (`Game.counts`), such as `2 ruins`; empty where that tells nothing."""
        return f"{_(self.FIGURES.get(name, name))}: {decimal(number)}"

    def breakdown(self, game: Any, names: Sequence[str]) -> list[Line]:
        """Return the lines that explain the score of a finished game, or where an unfinished one stands.

        Here: the scores of all players (where the claims of the game's result hold `scores`, one a seat), who won, and
        the final score.
        """
        result = game.result()
        lines = [line(Span(self.TITLE, "title"))]
        scores = zip(names, result.get("scores", ()), strict=False)
        lines += [line(f"{pad(name, 20)} {decimal(score):>5}") for name, score in scores]
        if game.over:
            standing = game.standing(result, game.seats)
            if game.seats > 1:
                lines.append(line(_("Winner: {name}").format(name=names[standing.seat - 1])))
            lines.append(line(Span(_("Final score: {score}").format(score=decimal(standing.score)), "bold")))
        return lines

    def breakdown_words(self, game: Any, names: Sequence[str]) -> list[str]:
        """Return the breakdown to be read aloud; here its lines as they are."""
        return [text for one in self.breakdown(game, names) if (text := to_text(one))]
