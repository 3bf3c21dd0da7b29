"""Random players and random damage: whole games of every kind, played through the same door as everybody's.

Everything here is decided by a `random.Random` or by hypothesis, so a failure can be played again.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any

import tomli_w
from hypothesis import strategies as st

from cubiri_cli import games
from cubiri_cli.games.game import WholeOption, WordOption
from cubiri_cli.games.mishimash import Mishimash
from cubiri_cli.replays.replay import Player, Turn
from cubiri_cli.replays.session import Session
from tests.support import reference

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from cubiri_cli.games.game import Game

NAMES = ["Ada", "Väinö", "Ľudmila", "山田", 'O"Neill \\ [b]', "x" * 32, "-", "Ada Lovelace"]
"""Eight names that have to be carried: quotes, a backslash, markup, other scripts, the longest."""

DIFFICULTIES = ("peaceful", "survival", "nightmare")


RULES = 1
"""The version of the rules that `tests/support/reference.py` knows, by which all these games are played."""

STARTED = datetime(2026, 11, 30, 18, 2, 11, tzinfo=UTC)
"""When a game began, where a test says so."""


@dataclass(frozen=True)
class Setup:
    """What a game starts with."""

    game: str
    options: tuple[tuple[str, Any], ...]
    seats: int
    seed: str

    def begin(self, **more: Any) -> Session:
        """Begin to play it."""
        players = [Player(name) for name in NAMES[: self.seats]]
        return Session.begin(self.game, dict(self.options), players, self.seed, rules=RULES, **more)

    def new_game(self) -> Game:
        """Return the bare game."""
        return games.load(self.game, RULES).start(dict(self.options), self.seats)


def magdagdon(difficulty: str, seed: str) -> Setup:
    return Setup("magdagdon", (("difficulty", difficulty),), 1, seed)


def mishimash(seats: int, target: int, seed: str) -> Setup:
    return Setup("mishimash", (("target", target),), seats, seed)


def values_of(option: WordOption | WholeOption) -> tuple[Any, ...]:
    """Return values of an option to play with: all its words, or small numbers, the smallest more often."""
    if isinstance(option, WordOption):
        return option.values
    return tuple(min(option.low + more, option.high) for more in (0, 0, 7, 30))


def setup_number(number: int) -> Setup:
    """Return one of endlessly many setups: every game in turn, with every number of players and all `values_of`."""
    names = games.names()[::-1]
    rest, index = divmod(number, len(names))
    game = games.load(names[index])
    rest, seat = divmod(rest, game.MOST_SEATS)
    options = []
    for option in game.OPTIONS:
        values = values_of(option)
        options.append((option.name, values[rest % len(values)]))
        rest //= len(values)
    return Setup(game.NAME, tuple(options), seat + 1, f"{game.NAME}-{number}")


def setup_of(game: str) -> Setup:
    """Return a setup of this game, for one player."""
    return next(setup for setup in map(setup_number, count()) if (setup.game, setup.seats) == (game, 1))


seeds = st.text(alphabet="abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=64)


def _any_value(option: WordOption | WholeOption) -> st.SearchStrategy[Any]:
    if isinstance(option, WordOption):
        return st.sampled_from(option.values)
    return st.integers(option.low, min(option.low + 20, option.high))


def _setups_of(name: str) -> st.SearchStrategy[Setup]:
    game = games.load(name)
    options = st.tuples(*[st.tuples(st.just(option.name), _any_value(option)) for option in game.OPTIONS])
    return st.builds(Setup, st.just(name), options, st.integers(1, game.MOST_SEATS), seeds)


setups = st.one_of(*map(_setups_of, games.names()))


def pick(game: Game, chance: random.Random, hints: float = 0.05) -> str:
    """Pick an action as a restless player would: every kind of action is as likely as any other, however rare.

    So dice are taken back, Powers used and lines banked early far more often than sense would have it.
    """
    if game.in_turn and chance.random() < hints:
        return "hint"
    actions = game.legal_actions()
    kind = chance.choice(sorted({action.split(" ")[0] for action in actions}))
    return chance.choice([action for action in actions if action.split(" ")[0] == kind])


def unaided(game: Game, chance: random.Random) -> str:
    """Pick any action but a hint, so that the game is ranked among all others."""
    return pick(game, chance, hints=0)


def pick_for_a_tie(game: Game, chance: random.Random) -> str:
    """Pick an action as a player would who wants sudden death: reach exactly what the best has, and bank there."""
    if not isinstance(game, Mishimash) or not (game.final_round or game.contenders):
        return pick(game, chance)
    missing = max(game.totals) - game.totals[game.seat - 1] - game.at_risk
    if game.must_select:
        worth = {picked: points * game.rolls for picked, points in game.selections.items()}
        exact = [picked for picked, points in worth.items() if points == missing]
        under = [picked for picked, points in worth.items() if points < missing]
        return "take " + " ".join(map(str, chance.choice(exact or under or list(worth))))
    if game.in_turn and missing == 0:
        return "bank"
    return "roll" if missing > 0 or not game.in_turn else "bank"


def play(
    setup: Setup,
    chance: random.Random,
    choose: Callable[[Game, random.Random], str] = pick,
    most: int = 10_000,
    after_each: Callable[[Session], None] | None = None,
    **more: Any,
) -> Session:
    """Play a game to its end, or for at most so many actions."""
    session = setup.begin(**more)
    for _ in range(most):
        if session.game.over:
            break
        session.do(choose(session.game, chance))
        if after_each is not None:
            after_each(session)
    return session


# Magdagdon in both languages: the product counts cells in reading order, the reference calls them by name.


def board_for_reference(cells: Sequence[int]) -> reference.Board:
    """Return a board of the product as the reference writes it."""
    names = [column + row for row in "1234" for column in "abcd"]
    return {name: "X" if mark == 7 else mark for name, mark in zip(names, cells, strict=True) if mark}


# Damage: one change to a document, of the kinds that cheats, slips of the pen and bad copies make.


def _entries(document: dict[str, Any]) -> list[tuple[list[str], int]]:
    return [(turn["log"], index) for turn in document["turns"] for index in range(len(turn["log"]))]


def change_a_die(document: dict[str, Any], chance: random.Random) -> None:
    """Change one recorded die."""
    log, index = chance.choice([(log, index) for log, index in _entries(document) if " -> " in log[index]])
    action, _, answer = log[index].partition(" -> ")
    faces = answer.split(" ")
    at = chance.randrange(len(faces))
    faces[at] = chance.choice([face for face in "123456" if face != faces[at]])
    log[index] = f"{action} -> {' '.join(faces)}"


def reorder_dice(document: dict[str, Any], chance: random.Random) -> None:
    """Write the dice of a roll in another order than that in which they fell (or do nothing, where all are alike)."""
    mixed = [(log, index) for log, index in _entries(document) if len(set(log[index].partition(" -> ")[2])) > 2]
    if not mixed:
        return
    log, index = chance.choice(mixed)
    action, _, answer = log[index].partition(" -> ")
    faces = answer.split(" ")
    while " ".join(faces) == answer:
        chance.shuffle(faces)
    log[index] = f"{action} -> {' '.join(faces)}"


def change_an_action(document: dict[str, Any], chance: random.Random) -> None:
    """Put another action in the place of one; mostly of the same kind, so that it is often legal too."""
    log, index = chance.choice(_entries(document))
    action, _, answer = log[index].partition(" -> ")
    others = [other for other in games.load(document["game"]).moves() if other != action]
    same_kind = [other for other in others if other.split(" ")[0] == action.split(" ")[0]]
    other = chance.choice(same_kind if same_kind and chance.random() < 0.8 else others)
    throws = games.load(document["game"]).moves()[other].throws
    log[index] = f"{other} -> {answer or '1'}" if throws else other


def drop_an_entry(document: dict[str, Any], chance: random.Random) -> None:
    """Leave out an entry; a turn that is then empty goes with it."""
    log, index = chance.choice(_entries(document))
    del log[index]
    document["turns"] = [turn for turn in document["turns"] if turn["log"]] or [{"player": 1, "log": ["hint"]}]


def double_an_entry(document: dict[str, Any], chance: random.Random) -> None:
    """Write an entry twice."""
    log, index = chance.choice(_entries(document))
    log.insert(index, log[index])


def swap_entries(document: dict[str, Any], chance: random.Random) -> None:
    """Exchange two entries that follow each other in a turn (or do nothing, in a game of single entries)."""
    pairs = [(log, index) for log, index in _entries(document) if index]
    if pairs:
        log, index = chance.choice(pairs)
        log[index - 1], log[index] = log[index], log[index - 1]


def split_a_turn(document: dict[str, Any], chance: random.Random) -> None:
    """Make two turns of one (or do nothing, in a game of single entries)."""
    at = chance.randrange(len(document["turns"]))
    turn = document["turns"][at]
    if len(turn["log"]) > 1:
        cut = chance.randrange(1, len(turn["log"]))
        halves = [{**turn, "log": turn["log"][:cut]}, {**turn, "log": turn["log"][cut:]}]
        document["turns"][at : at + 1] = halves


def merge_turns(document: dict[str, Any], chance: random.Random) -> None:
    """Make one turn of two (or do nothing, in a game of one turn)."""
    if len(document["turns"]) > 1:
        at = chance.randrange(1, len(document["turns"]))
        gone = document["turns"].pop(at)
        document["turns"][at - 1]["log"] += gone["log"]


def change_a_player(document: dict[str, Any], chance: random.Random) -> None:
    """Give a turn to another seat (or do nothing, in a solo game)."""
    turn = chance.choice(document["turns"])
    turn["player"] = chance.randint(1, len(document["players"]))


def change_a_claim(document: dict[str, Any], chance: random.Random) -> None:
    """Change one number in the result, by a little."""
    result = document["result"]
    alone = len(document["players"]) == 1
    name = chance.choice([name for name in result if name != "finished" and not (alone and name == "winner")])
    if name == "winner":
        result[name] = result[name] % len(document["players"]) + 1
    elif isinstance(result[name], list):
        at = chance.randrange(len(result[name]))
        result[name][at] += chance.choice([-1, 1]) * (0.5 if name == "scores" else 1)
    else:
        result[name] += chance.choice([-15, -1, 1, 15])


def change_the_seed(document: dict[str, Any], chance: random.Random) -> None:
    """Claim another seed."""
    document["seed"] = "other-" + document["seed"][:58]


def change_the_options(document: dict[str, Any], chance: random.Random) -> None:
    """Claim another value of an option, another difficulty or target."""
    option = chance.choice(games.load(document["game"]).OPTIONS)
    values = option.values if isinstance(option, WordOption) else range(option.low, option.low + 51)
    document["options"][option.name] = chance.choice([one for one in values if one != document["options"][option.name]])


DAMAGE = (
    change_a_die,
    reorder_dice,
    change_an_action,
    drop_an_entry,
    double_an_entry,
    swap_entries,
    split_a_turn,
    merge_turns,
    change_a_player,
    change_a_claim,
    change_the_seed,
    change_the_options,
)


def damaged(document: dict[str, Any], chance: random.Random, how: Callable[..., None] | None = None) -> dict[str, Any]:
    """Return a copy of a document with one change in it."""
    other = copy.deepcopy(document)
    (how or chance.choice(DAMAGE))(other, chance)
    return other


def to_bytes(document: dict[str, Any]) -> bytes:
    """Return a document as the bytes of a file."""
    return tomli_w.dumps(document).encode()


def plain(document: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return what `parse` returns as a parser of TOML does: with turns as tables."""
    if document is None or not isinstance(document.get("turns"), list):
        return document
    turns = [{"player": one.player, "log": one.log} if isinstance(one, Turn) else one for one in document["turns"]]
    return {**document, "turns": turns}
