"""A finished game in at most five lines to send to others: how it went, without giving its dice away."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from cubiri_cli import games
from cubiri_cli.players import levels
from cubiri_cli.replays import clock
from cubiri_cli.replays.names import harmless
from cubiri_cli.table.language import _, counted_points, decimal, ngettext
from cubiri_cli.table.messages import table_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.games.game import Game, Standing
    from cubiri_cli.replays.history import History, Step
    from cubiri_cli.replays.replay import Replay
    from cubiri_cli.replays.verifying import Verdict
    from cubiri_cli.store.news import News
    from cubiri_cli.table.protocol import Mark


def share_lines(history: History, streak: int = 0, words: bool = False) -> list[str]:
    """Return what is shared of a finished game that verified.

    `streak` is how many days in a row it makes, 0 where it does not count in one. With `words` the marks are words.
    """
    replay, verdict, _beginning, steps = history
    table, standing = table_of(replay.game), verdict.standing
    assert replay.result is not None
    finished = replay.result["finished"]
    day = clock.day_of_seed(replay.seed) or (finished.date() if finished != clock.NO_TIME else "")
    groups = table.marks(steps)
    result = standing_in_words(replay, standing)
    facts = [*_facts(replay, steps, standing), *([_("streak {count}").format(count=streak)] if streak else [])]
    if words:
        parts = [f"{name}: " + ", ".join(mark.word for mark in group) for name, group in groups]
        marks = "; ".join([*parts, result])
    else:
        marks = "  ".join([" ".join(_emoji(group) for _name, group in groups), result]).strip()
    head = f"CUBIRI {day}".rstrip() + f" · {table.kind(replay.options)}"
    return [head, marks, " · ".join(filter(None, facts)), command(replay)]


def _emoji(group: Sequence[Mark]) -> str:
    return "".join(mark.emoji for mark in group)


def standing_in_words(replay: Replay, standing: Standing) -> str:
    """Return the result of a game in a word or two; of several players with the winner's name."""
    value = result_words(standing)
    return value if len(replay.players) == 1 else f"{harmless(replay.players[standing.seat - 1].name)}: {value}"


def result_in_words(replay: Replay, final: Game) -> str:
    """Return the result of a game, given its last state, in a word or two; of several players with the winner."""
    return standing_in_words(replay, final.standing(final.result(), final.seats).counting(replay.turns_of_seats()))


def verified_words(verdict: Verdict) -> str:
    """Return what verified, in one line: the game, its result, the turns, and who played or won."""
    replay, standing = verdict.replay, verdict.standing
    assert replay is not None
    table, names = table_of(replay.game), [harmless(player.name) for player in replay.players]
    figure = next(iter(standing.figures))
    score = f"{_(table.FIGURES[figure])}: {decimal(standing.score)}"
    turns = ngettext("{count} turn", "{count} turns", standing.turns).format(count=standing.turns)
    result = (turns, score) if standing.unit == "turns" else (score, turns)
    who = names[0] if len(names) == 1 else _("Winner: {name}").format(name=names[standing.seat - 1])
    return " · ".join([table.kind(replay.options), *result, who])


def result_words(standing: Standing) -> str:
    """Return a result as people say it: a score as its number, turns in words."""
    if standing.unit == "turns":
        return ngettext("{count} turn", "{count} turns", standing.turns).format(count=standing.turns)
    return decimal(standing.value)


def _facts(replay: Replay, steps: Sequence[Step], standing: Standing) -> list[str]:
    """Return what else there is to say: turns (or points, where the result is in turns), and what the game counts."""
    game, table = steps[-1].game, table_of(replay.game)
    if standing.unit == "turns":
        first = counted_points(round(2 * standing.score))
    else:
        first = ngettext("{count} turn", "{count} turns", standing.turns).format(count=standing.turns)
    events = [event for step in steps for event in step.outcome.events]
    counts = game.counts(game.result(), standing.seat, events)
    assisted = any(step.action == "hint" for step in steps)
    hinted = [_("with hints")] * assisted
    return [first, *(table.count(name, number) for name, number in counts.items()), *hinted, _company(replay, standing)]


def _company(replay: Replay, standing: Standing) -> str:
    """Return which bots played, won or lost, or how many people played; nothing where one played alone."""
    count = len(replay.players)
    bots = [harmless(player.name) for player in replay.players if player.bot is not None]
    if not bots:
        return ngettext("{count} player", "{count} players", count).format(count=count) if count > 1 else ""
    if len(bots) == count:
        text = ngettext("played by the bot {names}", "played by the bots {names}", len(bots))
    elif replay.players[standing.seat - 1].bot is not None:  # what is shared is the winner's
        text = ngettext("won by the bot {names}", "won by a bot; bots: {names}", len(bots))
    else:
        text = ngettext("against the bot {names}", "against the bots {names}", len(bots))
    return text.format(names=", ".join(bots))


def command(replay: Replay) -> str:
    """Return the command that plays the same dice, with the same levels as opponents."""
    chosen = [f"--{option.name} {replay.options[option.name]}" for option in games.load(replay.game).OPTIONS]
    bots = [player.bot for player in replay.players]
    opponents = [f"--bot {bot}" for bot in bots if None in bots and bot in levels(replay.game)]
    return " ".join(["cubiri play", replay.game, *chosen, *opponents, "--seed", shlex.quote(replay.seed)])


def news_lines(game: str, news: News) -> list[str]:
    """Return what is new about a game, a line each."""
    best = {"best-ever": _("Your best result ever!"), "best-today": _("Your best result today!")}
    feats = table_of(game).FEATS
    first = [_(feats[feat]) for feat in news.feats if feat in feats]
    return [*([best[news.best]] if news.best else []), *first]
