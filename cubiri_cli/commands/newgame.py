"""A new game: what is to be played, as the command line, a recorded game, a script, the settings or the player say."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.commands.inputs import file_or_input, find_game
from cubiri_cli.commands.options import game_named, parse_options
from cubiri_cli.commands.output import UsageError, message
from cubiri_cli.games.game import InvalidOptionError
from cubiri_cli.replays import clock
from cubiri_cli.replays.reading import read_file
from cubiri_cli.replays.replay import Player, ReplayError
from cubiri_cli.replays.session import Session
from cubiri_cli.store.locks import CAN_LOCK, InUseError
from cubiri_cli.store.saved import OFTEN, Keeper
from cubiri_cli.store.settings import default_game, default_name, default_options, load, setting, settings_path
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain, explain_at, why, wrong_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from cubiri_cli.games.game import Game
    from cubiri_cli.players.bots import Bot
    from cubiri_cli.replays.replay import Replay


class Order(NamedTuple):
    """What is to be played, as far as somebody has said; what is left open is None or empty."""

    game: str | None = None
    options: Mapping[str, str] = MappingProxyType({})
    """Values of its options as they were typed."""
    players: Sequence[str] = ()
    """The names of the people."""
    bots: Sequence[Bot] = ()
    """Who plays besides, in the seats after theirs."""
    seats: Sequence[Player] = ()
    """Who sat in which seat of a game before, where the same shall sit there again."""
    seed: str | None = None
    like: Replay | None = None
    """The recorded game that is to be played again."""
    output: Path | None = None
    """Where it is to be kept, instead of in the home folder."""

    def wanted_game(self) -> type[Game] | None:
        """Return the game that is meant: the one named, the recorded one, or the default; None where none is.

        Raises `UsageError` where there is no such game, or the recorded one is of another.
        """
        if self.game is not None and self.like is not None and self.like.game != game_named(self.game).NAME:
            text = _("that is a game of {game}, not of {name}")
            raise UsageError("--like: " + text.format(game=self.like.game, name=self.game))
        chosen = self.game if self.game is not None else self.like.game if self.like is not None else default_game()
        return game_named(chosen) if chosen is not None else None

    def wanted_options(self, game: type[Game]) -> dict[str, Any]:
        """Return the options of a new game: those given, those of the recorded game, the default ones, in this order.

        Raises `UsageError`.
        """
        for error in load().wrong(setting(option.name) for option in game.OPTIONS):
            message(f"cubiri: {settings_path()}: {explain_at(error.problem)}; " + _("the default is used"))
        recorded = self.like.options if self.like is not None else {}
        return {**default_options(game), **recorded, **parse_options(game, self.options)}

    def wanted_players(self, game: type[Game] | None = None) -> list[Player]:
        """Return the players: people, then bots; where nobody is named, those of a recorded game of several.

        The player of settings or login sits down where there is a seat left for a person. Raises `UsageError` for a
        wrong name.
        """
        if wrong := wrong_names(self.players):
            raise UsageError(f"--player: {wrong}")
        recorded = self.seats or (self.like.players if self.like is not None and len(self.like.players) > 1 else ())
        if recorded and not self.players and not self.bots:
            return [Player(player.name, player.bot) for player in recorded]
        people = list(self.players) or [player.name for player in recorded if player.bot is None]
        if not people and not (game is not None and len(self.bots) >= game.MOST_SEATS):
            people = [default_name()]
        if not self.bots:
            return [*map(Player, people)]
        from cubiri_cli.players.bots import names_apart  # most games are played without

        names, kinds = names_apart([bot.name for bot in self.bots], people), [bot.kind for bot in self.bots]
        return [*map(Player, people), *map(Player, names, kinds)]

    def begin(self) -> Session:
        """Begin the game; nothing keeps it yet. What is still left open has to have a default. Raises `UsageError`."""
        game = self.wanted_game()
        assert game is not None  # or it has been asked for
        return _begin(game, self.wanted_options(game), self.wanted_players(game), self.seed)


def again(replay: Replay, same_dice: bool) -> Order:
    """Return the order of a game like this one: its options and players, and its dice or new ones."""
    return Order(
        replay.game,
        {name: str(value) for name, value in replay.options.items()},
        seats=replay.players,
        seed=replay.seed if same_dice else None,
    )


def changed(replay: Replay, option: str, value: str | int) -> Order:
    """Return the order of a game like this one with another value of one option, and new dice."""
    order = again(replay, same_dice=False)
    return order._replace(options={**order.options, option: str(value)})


def recorded_game(file: str) -> Replay:
    """Return the recorded game that is to be played again; `UsageError` where the file holds none."""
    path = find_game(file)
    try:
        return read_file(path)
    except ReplayError as error:
        raise UsageError(f"--like: {path}: {explain_at(error.problem)}") from None


def _begin(
    game: type[Game],
    options: Mapping[str, Any],
    players: Sequence[Player],
    seed: str | None,
    *,
    started: datetime | None = None,
    comment: str | None = None,
) -> Session:
    """Begin a new game, with a fresh seed where none is given. Raises `UsageError`."""
    try:
        chosen = seed or clock.fresh_seed()
        return Session.begin(game.NAME, options, players, chosen, started=started, comment=comment, rules=game.RULES)
    except InvalidOptionError as error:
        raise UsageError(explain_at(error.problem)) from None


def ask_order(order: Order) -> Order | None:
    """Ask which game is to be played, and what of its options and players is left open; None where none is."""
    from cubiri_cli.terminal.new_game import ask_game, ask_option, ask_players
    from cubiri_cli.terminal.opening import open_prompter
    from cubiri_cli.terminal.signals import ending_signals

    with ending_signals(), open_prompter() as prompter:
        while True:
            game = ask_game(prompter)
            if game is None:
                return None
            parse_options(game, order.options)  # what was given for another game is refused here
            answered = dict(order.options)
            for option in game.OPTIONS:
                if option.name in answered:
                    continue
                value = ask_option(prompter, game, option)
                if value is None:
                    break
                answered[option.name] = value
            else:
                chosen = order._replace(game=game.NAME, options=answered)
                if order.players or order.bots:
                    return chosen
                who = ask_players(prompter, game)
                if who is not None:
                    return chosen._replace(players=who[0], bots=who[1])


# Keeping it


def keeper_of(session: Session, output: Path | None, is_script: bool = False) -> Keeper:
    """Return what keeps a new game; `UsageError` where another process is playing into the same file."""
    warn_without_locks()
    try:
        return Keeper(session, output, every=OFTEN if is_script else 0.0, overwrites=is_script)
    except InUseError as error:
        raise UsageError(f"--output: {error.path}: {explain(error.problem)}") from None


def warn_without_locks() -> None:
    """Say once where this Python cannot lock files: everything else works."""
    if not CAN_LOCK:
        message("cubiri: " + _("this Python cannot lock files: do not play one game in two terminals at once"))


def check_output(output: Path, may_exist: bool) -> None:
    """Find out before the game whether it can be written there. `UsageError` where it cannot.

    A script may write over a file: it can be played again, and what was there is often its own replay. A person's game
    begins with a file of its own, because a game that is overwritten is lost.
    """
    problem = ""
    try:
        if not output.parent.is_dir():
            problem = _("there is no folder {path}").format(path=output.parent)
        elif output.is_dir():
            problem = _("{path} is a folder").format(path=output)
        elif output.exists() and not output.is_file():
            problem = _("{path} is not a regular file").format(path=output)
        elif output.is_symlink() and not output.exists():
            problem = _("{path} is a link that leads nowhere").format(path=output)
        elif output.exists() and not may_exist:
            problem = _("{path} exists; cubiri resume continues an unfinished game").format(path=output)
    except OSError as error:  # a name that is too long, a folder that may not be looked into
        problem = f"{output}: " + why(error)
    if problem:
        raise UsageError(f"--output: {problem}")


# From a script


class Script(NamedTuple):
    """The actions of a file, and the game they are for."""

    name: str
    """The file, as people are told."""
    replay: Replay
    """What it says, with its holes."""
    players: list[Player]

    def begin(self, order: Order) -> Session:
        """Begin the game of the script; nothing keeps it yet. Raises `UsageError`."""
        return _begin(
            self.replay.game_class,
            self.replay.options,
            self.players,
            self.replay.seed or order.seed,
            started=self.replay.started,
            comment=self.replay.comment,
        )


def read_script(file: str, order: Order) -> Script:
    """Return the script in a file (`-`: on standard input), what it leaves out filled in from the order.

    Raises `UsageError` where it cannot be read, or says something else than the order.
    """
    from cubiri_cli.replays import script

    shown = _("standard input") if file == "-" else file
    given: dict[str, Any] = {}
    wanted = order.wanted_game() if order.game is not None or order.like is not None else None
    if wanted is not None:
        given["game"] = wanted.NAME
        if order.options or order.like is not None:
            given["options"] = order.wanted_options(wanted)
    try:
        replay = script.read_script(file_or_input(file), given)
    except ReplayError as error:
        raise UsageError(f"{shown}: {explain_at(error.problem)}") from None
    options = given.pop("options", {})
    said = {"game": replay.game, **replay.options}
    for key, value in {**given, **options}.items():
        if said[key] != value:
            raise UsageError(_contradiction(shown, key, said[key], value))
    if order.seed and replay.seed not in ("", order.seed):
        raise UsageError(_contradiction(shown, "seed", replay.seed, order.seed))
    there, here = replay.players, order.wanted_players(replay.game_class)
    if there:
        for is_bot, is_given in ((False, order.players), (True, order.bots)):
            pair = [_listed(player for player in one if (player.bot is not None) == is_bot) for one in (there, here)]
            if is_given and pair[0] != pair[1]:
                raise UsageError(_contradiction(shown, "players", *pair))
    return Script(shown, replay, there or here)


def _listed(players: Iterable[Player]) -> str:
    return ", ".join(player.name if player.bot is None else f"{player.name} ({player.bot})" for player in players)


def _contradiction(script: str, key: str, there: object, here: object) -> str:
    """Return in one line where a script and the command line say different things."""
    text = _("{script}: the script says {key} = {there}, the command line {here}")
    return text.format(script=script, key=key, there=there, here=here)
