"""A site of best results: its first page with all tables, and the feed of new records.

Whatever comes from a replay or the name of a file is text in them (`markup.safe`); links go to pages whose names are
digests. The same games make the same bytes: no clock plays a part.
"""

from __future__ import annotations

import hashlib
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from cubiri_cli.games.problem import Problem
from cubiri_cli.replays.clock import written
from cubiri_cli.replays.names import harmless
from cubiri_cli.table.language import _, ngettext, spoken
from cubiri_cli.table.markup import page, safe, section
from cubiri_cli.table.messages import explain, status_in_words, table_of
from cubiri_cli.table.sharing import standing_in_words
from cubiri_cli.table.standings import ASSISTED, columns, title
from cubiri_cli.table.transcript import player_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from cubiri_cli.replays.verifying import Verdict
    from cubiri_cli.store.leaderboard.board import Ranking, Row
    from cubiri_cli.store.leaderboard.entries import Entry

NEWEST = 20
"""How many games stand in the table of the newest."""
MOST_RECORDS = 50
"""How many records the feed holds: the newest."""
PLAYER = 1
"""Which of the columns of a table is the player's."""
MOST_OTHERS = 1000
"""How many files that did not verify are listed."""


class Shown(NamedTuple):
    """A verified game as the first page lists it: where its page is, what was played by whom, and what came of it."""

    page: str
    digest: str
    kind: str
    players: tuple[str, ...]
    result: str
    date: datetime
    seed: str
    note: str
    """Why it is not ranked, or that hints were asked for; empty for others."""


class NotShown(NamedTuple):
    """A file that did not verify: its path as it was found, its status, and what is wrong with it."""

    path: str
    status: str
    reason: str


class Standings(NamedTuple):
    """A table with the entries to show, in rank order."""

    table: Ranking
    rows: Sequence[Row]


def shown(verdict: Verdict, name: str) -> Shown:
    """Return how a verified game is listed, whose page has this name."""
    replay = verdict.replay
    assert replay is not None
    assert replay.result is not None
    bot = any(player.bot is not None for player in replay.players)
    note = explain(Problem("bot-played")) if bot else ASSISTED if replay.is_assisted else ""
    return Shown(
        name,
        replay.digest,
        table_of(replay.game).kind(replay.options),
        tuple(player_in_words(harmless(player.name), player.bot) for player in replay.players),
        standing_in_words(replay, verdict.standing),
        replay.result["finished"],
        replay.seed,
        note,
    )


def index_page(
    games: Mapping[str, Shown],
    tables: Sequence[Standings],
    days: Mapping[str, Sequence[Standings]],
    others: Sequence[NotShown],
    mark: str,
) -> str:
    """Return the first page: `games` by digest; `days` are the tables of each day's seed."""
    heading, feed = _("Best results"), _("New records")
    parts = [_head(heading, games, others), "<main>\n"]
    if games:
        parts.append(_newest(games))
    parts.append(_contents([title(one.table) for one in tables]))
    parts += [section(f"t{number}", title(one.table), _table(one, games)) for number, one in enumerate(tables, 1)]
    if days:
        parts.append(section("days", _("The games of the day"), "".join(_days(days, games))))
    if others:
        parts.append(_others(others))
    parts.append("</main>\n")
    links = f'<link rel=alternate type="application/atom+xml" title="{safe(feed)}" href=feed.xml>\n'
    return page(f"CUBIRI · {heading}", "".join(parts), "site", mark, links)


def _head(heading: str, games: Mapping[str, Shown], others: Sequence[NotShown]) -> str:
    """Return the heading, how many games there are, and the filters, which are hidden where no script runs."""
    count = len(games)
    told = ngettext("{count} verified game", "{count} verified games", count).format(count=count)
    note = _("Every die, action and result was computed again before it was listed. Names and dates are as written.")
    hints = [_("{mark} asked for hints").format(mark=ASSISTED)] if any(map(_is_assisted, games.values())) else []
    summary = " · ".join([told, *hints])
    player, seed, feed, matching = map(safe, (_("player"), _("seed"), _("New records"), _("games shown: {count}")))
    return (
        f"<header>\n<h1>CUBIRI · {safe(heading)}</h1>\n<p>{safe(summary)} · <a href=feed.xml>{feed}</a> (Atom)\n"
        f"<p>{safe(note)}\n"
        f"<div id=filters role=search hidden><label>{player} <input id=who type=search></label>"
        f"<label>{seed} <input id=which type=search></label>"
        f'<output id=count data-text="{matching}"></output></div>\n</header>\n'
    )


def _newest(games: Mapping[str, Shown]) -> str:
    latest = sorted(games.values(), key=lambda one: (one.date, one.digest), reverse=True)
    heads = (ngettext("player", "players", 2), _("game"), _("result"), _("date"), _("seed"))
    rows = []
    for number, one in enumerate(latest):
        cells = (
            f"<td class=who>{safe(', '.join(one.players))}<td>{_link(one, one.kind)}<td>{safe(one.result)}{_note(one)}"
            f"<td>{one.date.date().isoformat()}<td class=which>{safe(one.seed)}"
        )
        hidden = " class=more" if number >= NEWEST else ""
        rows.append(f"<tr{hidden}>{cells}\n")
    return section("newest", _("Newest games"), _framed([(one, False) for one in heads], rows))


def _contents(titles: Sequence[str]) -> str:
    """Return links to the tables."""
    links = "".join(f"<li><a href=#t{number}>{safe(text)}</a>" for number, text in enumerate(titles, 1))
    label = _("Tables")
    return f'<nav aria-label="{safe(label)}"><ul class=contents>{links}</ul></nav>\n' if links else ""


def _link(one: Shown, text: str) -> str:
    return f"<a href={one.page}>{safe(text)}</a>"


def _is_assisted(one: Shown) -> bool:
    return one.note == ASSISTED


def _note(one: Shown) -> str:
    return f" <small>{safe(one.note)}</small>" if one.note else ""


def _table(standings: Standings, games: Mapping[str, Shown], caption: str = "") -> str:
    """Return a table of best results; each player leads to the page of the game."""
    shown_columns = columns(standings.table, standings.rows, is_here=False)
    rows = []
    for index, row in enumerate(standings.rows):
        game = games[row.digest]
        cells = []
        for place, column in enumerate(shown_columns):
            text = safe(column.cells[index])
            if place == PLAYER:
                cells.append(f"<td class=who>{_link(game, column.cells[index])}")
            elif column is shown_columns[-1]:  # the seed
                cells.append(f"<td class=which>{text}")
            else:
                cells.append(f"<td class=n>{text}" if column.is_number else f"<td>{text}")
        several = f' data-who="{safe(", ".join(game.players))}"' if len(game.players) > 1 else ""
        rows.append(f"<tr{several}>{''.join(cells)}\n")
    heads = [(column.heading, column.is_number) for column in shown_columns]
    return _framed(heads, rows, caption)


def _framed(heads: Iterable[tuple[str, bool]], rows: Iterable[str], caption: str = "") -> str:
    """Return a table that can be scrolled where it is wider than the window; `heads` say which columns are numbers."""
    head = "".join(f"<th scope=col{' class=n' * is_number}>{safe(one)}" for one, is_number in heads)
    told = f"<caption>{safe(caption)}</caption>" if caption else ""
    return f"<div class=wide tabindex=0><table>{told}<thead><tr>{head}<tbody>\n{''.join(rows)}</table></div>\n"


def _days(days: Mapping[str, Sequence[Standings]], games: Mapping[str, Shown]) -> Iterator[str]:
    """Yield the tables of each day's seed, the latest day first and open."""
    for number, (seed, tables) in enumerate(sorted(days.items(), reverse=True)):
        inner = "".join(_table(one, games, title(one.table)) for one in tables)
        opened = "" if number else " open"
        yield f"<details{opened}><summary>{safe(seed)}</summary>\n{inner}</details>\n"


def _others(others: Sequence[NotShown]) -> str:
    """Return the files that did not verify, each with its status and what is wrong."""
    texts = [(harmless(one.path, longest=200), status_in_words(one.status), one.reason) for one in others[:MOST_OTHERS]]
    rows = ["".join(f"<td>{safe(text)}" for text in one) for one in texts]
    more = len(others) - MOST_OTHERS
    text = ngettext("{count} more", "{count} more", more).format(count=more) if more > 0 else ""
    heads = (_("file"), _("status"), _("what is wrong"))
    return section(
        "others",
        _("Not verified"),
        _framed([(one, False) for one in heads], [f"<tr>{one}\n" for one in rows])
        + (f"<p>{safe(text)}\n" if text else ""),
    )


# The feed


def records(entries: Iterable[Entry]) -> list[Entry]:
    """Return the games that were better than all before them in their table, the newest first."""

    def table_of_entry(one: Entry) -> tuple[str, str, bool, int]:
        return one.game, repr(dict(one.options)), one.seats == 1, one.rules

    found = []
    for _key, group in groupby(sorted(entries, key=table_of_entry), key=table_of_entry):
        best: tuple[int, ...] | None = None
        for one in sorted(group, key=lambda one: (one.date, one.digest)):
            if best is None or one.standing.key < best:
                best = one.standing.key
                found.append(one)
    return sorted(found, key=lambda one: (one.date, one.digest), reverse=True)


def feed_text(best: Sequence[Entry], games: Mapping[str, Shown], mark: str) -> str:
    """Return the feed of records (Atom), the newest first; `games` are by digest."""
    updated = _time(best[0].date) if best else "1970-01-01T00:00:00Z"
    name = _uuid("feed:" + (best[-1].digest if best else ""))
    heading = _("New records")
    head = (
        f'<?xml version="1.0" encoding="utf-8"?>\n{mark}\n'
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{spoken()}">\n'
        f"<title>CUBIRI · {safe(heading)}</title>\n<id>{name}</id>\n<updated>{updated}</updated>\n"
        '<link rel="self" href="feed.xml"/>\n<link href="index.html"/>\n'
    )
    return head + "".join(_record(one, games[one.digest]) for one in best[:MOST_RECORDS]) + "</feed>\n"


def _record(entry: Entry, game: Shown) -> str:
    seed = _("seed {seed}").format(seed=entry.seed)
    text = f"{entry.player}: {game.kind}, {game.result}"
    return (
        f"<entry>\n<title>{safe(text)}</title>\n<id>{_uuid(entry.digest)}</id>\n<updated>{_time(entry.date)}</updated>\n"
        f'<author><name>{safe(entry.player)}</name></author>\n<link href="{game.page}"/>\n'
        f"<summary>{safe(seed)}</summary>\n</entry>\n"
    )


def _time(moment: datetime) -> str:
    return written(moment).replace(" ", "T") + "Z"


def _uuid(text: str) -> str:
    """Return a name for the feed's readers that is always the same for the same text."""
    return UUID(bytes=hashlib.sha256(text.encode()).digest()[:16], version=5).urn
