"""`cubiri leaderboard`: best results."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cubiri_cli import games
from cubiri_cli.commands.options import (
    GAMES,
    chosen_seed,
    format_named,
    game_named,
    parse_whole,
    required_options,
    with_game_options,
)
from cubiri_cli.commands.output import DONE, NO, UsageError, message, write_for_programs
from cubiri_cli.commands.parameters import Argument, CommandOption
from cubiri_cli.games.problem import Problem
from cubiri_cli.replays.clock import written
from cubiri_cli.replays.folders import is_missing
from cubiri_cli.store.home import replays_folder
from cubiri_cli.store.leaderboard import LeaderboardError
from cubiri_cli.table.language import N_, _, ngettext
from cubiri_cli.table.messages import explain
from cubiri_cli.terminal.opening import can_draw
from cubiri_cli.terminal.printing import is_terminal, table_width
from cubiri_cli.terminal.signals import ending_signals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cubiri_cli.store.leaderboard.board import Leaderboard, Ranking, Row
    from cubiri_cli.store.leaderboard.entries import Judged, Refusal

    Found = list[tuple[Ranking, list[Row]]]
    """Tables with entries of theirs."""

FORMATS = ("text", "json", "markdown")

TOP = 10
"""How many entries of each table people are shown, unless they ask for another number."""
MOST_ROWS = 1_000_000_000
"""For how many they can ask."""


class Query(NamedTuple):
    """What is asked for: which tables, which entries in them, how many, and how to write them."""

    game: str | None
    options: Mapping[str, Any]
    seed: str | None
    assisted: bool
    limit: int | None
    format: str


@with_game_options
def leaderboard(
    words: Annotated[
        list[str] | None,
        Argument(metavar="[GAME]", help=_("{games}; all by default.").format(games=GAMES)),
    ] = None,
    seed: Annotated[str | None, CommandOption(metavar="TEXT", help=_("Only games with the dice of this seed."))] = None,
    daily: Annotated[bool, CommandOption("--daily", help=_("Only games with today's seed."))] = False,
    limit: Annotated[
        str | None,
        CommandOption(
            "--limit",
            metavar="N",
            help=_("At most this many of each table ({top} by default in text).").format(top=TOP),
        ),
    ] = None,
    assisted: Annotated[bool, CommandOption("--assisted", help=_("Also games with hints, marked."))] = False,
    format: Annotated[str, CommandOption("--format", metavar="|".join(FORMATS), help=_("The output format."))] = "text",
    add: Annotated[
        list[str] | None,
        CommandOption("--add", metavar="FILE...", help=_("Verify these replays and add them.")),
    ] = None,
    ranked: Annotated[
        list[str] | None,
        CommandOption(
            "--from", metavar="PATH...", help=_("Rank these replays and folders; the stored table stays as it is.")
        ),
    ] = None,
    rebuild: Annotated[bool, CommandOption("--rebuild", help=_("Rebuild the table from the stored replays."))] = False,
    site: Annotated[
        str | None,
        CommandOption(
            "--site",
            metavar="FOLDER",
            help=_("Write pages: the tables, a page a game and a feed, of the replays of --from, else of your own."),
        ),
    ] = None,
    options: Mapping[str, str] | None = None,
) -> int:
    """Show the best results."""
    format = format_named(format, FORMATS)
    if bool(add) + bool(ranked) + rebuild > 1:
        raise UsageError(_("{options} exclude each other").format(options="--add, --from, --rebuild"))
    if site is not None and (add or rebuild):
        raise UsageError(_("{options} exclude each other").format(options="--site, --add, --rebuild"))
    game, files = _sorted_out(words or [], takes_files=bool(add or ranked))
    seed = chosen_seed(seed, daily)
    if format != "text":
        write_for_programs()
    view = Query(
        game, required_options(game, options or {}), seed, assisted, parse_whole("limit", limit, 1, MOST_ROWS), format
    )
    chosen = _existing([*(ranked or add or []), *files])
    if site is not None:
        return _make_site(chosen, site, view)
    try:
        if ranked:
            return _rank(chosen, view)
        if chosen:
            return _add(chosen, view)
        if rebuild:
            return _rebuild(view)
        texts, found = _stored(view, say_problem)
    except LeaderboardError as error:
        raise UsageError(_cannot_be_used(error)) from None
    if format == "text" and found and is_terminal():
        with ending_signals():
            _browse(texts, found)
        if not can_draw():  # then they stand there already
            return DONE
    _show(texts)
    return DONE


HELP = (N_("Show the best results."),)

COMMAND = leaderboard


def _sorted_out(words: list[str], takes_files: bool) -> tuple[str | None, list[str]]:
    """Return the game that is named and the files: what the shell makes of `--add *.toml` comes as bare words."""
    named = [word for word in words if word.lower() in games.names()]
    others = [word for word in words if word not in named]
    if others and not takes_files:
        game_named(others[0])
    if len(named) > 1:
        raise UsageError(_("at most one game can be named"))
    return named[0].lower() if named else None, others


def _existing(names: list[str]) -> list[Path]:
    for name in names:
        if is_missing(name):
            raise UsageError(f"{name}: " + explain(Problem("missing")))
    return [Path(name) for name in names]


def _make_site(paths: list[Path], folder: str, view: Query) -> int:
    """Make a site of replays: of those given, else of all at home. What does not verify is listed there."""
    from cubiri_cli.commands.site import Wanted, make_site

    wanted = Wanted(view.game, view.options, view.seed, view.assisted, view.limit)
    make_site(paths or [replays_folder()], Path(folder), wanted)
    return DONE


def _rank(paths: list[Path], view: Query) -> int:
    """Rank replays without touching the stored table; what is not ranked is said. (Judging is `verify-score`'s.)"""
    from cubiri_cli.store.leaderboard.board import Leaderboard
    from cubiri_cli.store.leaderboard.entries import Refusal, judge_files

    board = Leaderboard.in_memory()
    with board.transaction():
        for judged in judge_files(paths):
            if isinstance(judged.outcome, Refusal):
                _say_why_not(judged.path, judged.outcome)
            else:
                board.add(judged.outcome)
    _show(_texts(board, view))
    return DONE


def _add(files: list[Path], view: Query) -> int:
    """Add files to the stored table, file by file, then show it."""
    from cubiri_cli.store.leaderboard.admitting import admit
    from cubiri_cli.store.leaderboard.entries import Refusal, judge_files
    from cubiri_cli.store.leaderboard.opening import use

    new, old, status = set(), 0, DONE
    for judged, is_new in admit(judge_files(files), say_problem):
        if isinstance(judged.outcome, Refusal):
            _say_why_not(judged.path, judged.outcome)
            status = NO
        elif is_new:
            new.add(judged.outcome.digest)
        else:
            old += 1
    message(_("{new} added, {old} there already").format(new=len(new), old=old))
    _show(use(lambda board: _texts(board, view, new), say_problem))
    return status


def _rebuild(view: Query) -> int:
    """Make the stored table again from the replays in the home folder, then show it."""
    from cubiri_cli.store.leaderboard.entries import judge_home
    from cubiri_cli.store.leaderboard.opening import rebuild

    def work(board: Leaderboard) -> tuple[int, list[str]]:
        return board.count(assisted=True), _texts(board, view)

    count, texts = rebuild(_saying_what_is_wrong(judge_home()), work, say_problem)
    message(ngettext("rebuilt: {count} entry", "rebuilt: {count} entries", count).format(count=count))
    _show(texts)
    return DONE


def _saying_what_is_wrong(judged: Iterable[Judged]) -> Iterator[Judged]:
    """Pass judged files on, and say what is wrong with one; an unfinished game is nothing of that kind."""
    from cubiri_cli.store.leaderboard.entries import Refusal

    for one in judged:
        if isinstance(one.outcome, Refusal) and not one.outcome.is_honest:
            _say_why_not(one.path, one.outcome)
        yield one


def _stored(view: Query, tell: Callable[[Problem], None]) -> tuple[list[str], Found]:
    """Return the tables of the stored leaderboard as texts, and what is in them.

    Where it cannot be used just now, they are made from the replays; `tell` is called with what was wrong.
    Raises `LeaderboardError` where there can be no table at all.
    """
    from cubiri_cli.store.leaderboard.opening import from_replays, use

    def work(board: Leaderboard) -> tuple[list[str], Found]:
        return _texts(board, view), _found(board, view)

    try:
        return use(work, tell)
    except LeaderboardError as error:
        tell(Problem("from-replays", {"reason": error.problem}))
        return work(from_replays())


NOTHING = N_("There are no results yet. Games with bots are not ranked; games with hints are with --assisted.")


def browse_all() -> None:
    """Show the best results of all games; those that are here can be watched."""
    said: list[str] = []
    try:
        view = Query(None, {}, None, False, None, "text")
        texts, found = _stored(view, lambda problem: said.append(explain(problem)))
        _browse([*said, *(texts or [_(NOTHING)])], found)
    except LeaderboardError as error:
        _browse([*said, _cannot_be_used(error)], [])


def _browse(texts: Sequence[str], found: Found) -> None:
    """Show tables, and let each of the games in them that is here be watched."""
    from cubiri_cli.commands.browsing import browse, folded
    from cubiri_cli.store.played import games_played
    from cubiri_cli.table.standings import describe_row

    here = {one.digest: one for one in games_played()}
    labels = {row.digest: describe_row(table, row) for table, rows in found for row in rows if row.digest in here}
    lines = partial(folded, "\n\n".join(texts).split("\n"))
    browse(_("Best results"), lines, [here[digest] for digest in labels], lambda played: labels[played.digest])


def _cannot_be_used(error: LeaderboardError) -> str:
    """Return in one line that the stored leaderboard cannot be used, and why."""
    return _("the leaderboard cannot be used: {reason}").format(reason=explain(error.problem))


def say_problem(problem: Problem) -> None:
    """Say what happened to the stored leaderboard."""
    message(f"cubiri: {explain(problem)}")


def _say_why_not(path: Path, refusal: Refusal) -> None:
    from cubiri_cli.table.standings import why_not_ranked

    text = _("{path}: not ranked: {reason}").format(path=path, reason=why_not_ranked(refusal))
    message(f"cubiri: {text}")


# Showing


def _texts(board: Leaderboard, view: Query, new: Collection[str] = ()) -> list[str]:
    """Return what is to be printed: one text in JSON, else one for each table that has entries."""
    if view.format == "json":
        tables = board.tables(view.game, view.options)
        rows = [
            _object(table, row) for table in tables for row in board.rows(table, view.seed, view.assisted, view.limit)
        ]
        return [json.dumps(rows, indent=2)]
    return [
        _table_text(table, rows, board.count(table, view.seed, view.assisted), view.format, new)
        for table, rows in _found(board, view)
    ]


def _found(board: Leaderboard, view: Query) -> Found:
    """Return the tables that are asked for and have entries, with as many of these as people are shown."""
    tables = board.tables(view.game, view.options)
    found = [(table, board.rows(table, view.seed, view.assisted, view.limit or TOP)) for table in tables]
    return [(table, rows) for table, rows in found if rows]


def _show(texts: list[str]) -> None:
    if not texts:
        message(_(NOTHING))
    for number, text in enumerate(texts):
        print(f"\n{text}" if number else text)


def _table_text(table: Ranking, rows: list[Row], total: int, format: str, new: Collection[str]) -> str:
    from cubiri_cli.table.standings import as_markdown, as_text, notes

    below = notes(rows, total)
    if format == "markdown":
        return "\n".join([*as_markdown(table, rows), *(["", *below] if below else [])])
    return "\n".join([*as_text(table, rows, table_width(), new), *below])


def _object(table: Ranking, row: Row) -> dict[str, Any]:
    """Return an entry as cli.md says."""
    return {
        "rank": row.rank,
        "game": table.game,
        "player": row.player,
        "date": written(row.date).replace(" ", "T") + "Z",
        "turns": row.turns,
        "seed": row.seed,
        "assisted": row.assisted,
        "digest": row.digest,
        **table.options,
        **row.figures,
    }
