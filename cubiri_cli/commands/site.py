"""The work of `leaderboard --site`: each replay judged and made a page by several processes, then the tables of all."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cubiri_cli.commands.judging import FEW, LONGEST, TOO_LONG, so_far
from cubiri_cli.commands.output import UsageError, message
from cubiri_cli.commands.processes import cores, in_processes
from cubiri_cli.commands.progress import Progress
from cubiri_cli.commands.time_limit import BY_THE_CLOCK, TookTooLongError, within
from cubiri_cli.replays.clock import day_of_seed
from cubiri_cli.replays.folders import read_found, replays_of
from cubiri_cli.replays.history import history
from cubiri_cli.replays.replay import ReplayError
from cubiri_cli.replays.verifying import refused, verify
from cubiri_cli.store.leaderboard.board import Leaderboard
from cubiri_cli.store.leaderboard.entries import Entry, judge
from cubiri_cli.store.site import FEED, INDEX, MARK, ForeignFileError, SiteFolder, digest_of, page_name
from cubiri_cli.table.language import _, ngettext, speak, spoken
from cubiri_cli.table.markup import BY, back_link
from cubiri_cli.table.messages import explain_at, why
from cubiri_cli.table.replay_page import replay_page
from cubiri_cli.table.site_pages import NotShown, Shown, Standings, feed_text, index_page, records, shown
from cubiri_cli.table.transcript import Recording

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cubiri_cli.replays.verifying import Verdict


PROGRAM = Path(__file__).parents[1]


class Wanted(NamedTuple):
    """Which games are to be shown, and how many of each table."""

    game: str | None
    options: Mapping[str, Any]
    seed: str | None
    assisted: bool
    limit: int | None


class Found(NamedTuple):
    """A replay to make a page of: its path, the real path of the folder it was found in (if any), its name there."""

    path: str
    folder: str | None
    name: str


class Published(NamedTuple):
    """What came of a replay: how it is listed (None: it is not wanted), its entry where it is ranked, and its page."""

    listed: Shown | NotShown | None
    entry: Entry | None = None
    digest: str = ""
    """That of the page."""
    is_written: bool = False


def make_site(paths: Sequence[Path], folder: Path, wanted: Wanted) -> None:
    """Make the pages of all replays that verify, and the tables of them. Raises `UsageError`."""
    site = SiteFolder(folder, f"{BY} {spoken()} {_program()}")
    try:
        site.prepare()
        published = _publish_all(_found(paths), site, wanted)
        written = _write_tables(site, published, wanted)
        pages = {one.listed.page: one.digest for one in published if isinstance(one.listed, Shown)}
        removed = site.remove_others(pages)
        site.remember(pages)
    except ForeignFileError as error:
        text = _("{path} is not a page of such a site; nothing is written over it")
        raise UsageError(text.format(path=error.path)) from None
    except OSError as error:
        raise UsageError(f"{error.filename or folder}: {why(error)}") from None
    others = sum(isinstance(one.listed, NotShown) for one in published)
    count = ngettext("{count} game", "{count} games", len(pages)).format(count=len(pages))
    text = _("{games}, {others} not verified; {written} files written, {removed} removed: {index}")
    written += sum(one.is_written for one in published)
    message(text.format(games=count, others=others, written=written, removed=removed, index=folder / INDEX))


def _program() -> str:
    """Return the digest of this program: of all that can make a page another one."""
    parts = sorted(path for path in PROGRAM.rglob("*") if path.suffix in (".py", ".css", ".js", ".mo"))
    return digest_of(b"".join(digest_of(path.read_bytes()).encode() for path in parts))


def _found(paths: Sequence[Path]) -> Iterator[Found]:
    """Yield the replays; what is found in a folder is called as it is in there, so no path of a machine is shown."""
    for given in paths:
        for path, folder in replays_of([str(given)]):
            name = given.name if folder is None else Path(os.path.relpath(path, given)).as_posix()
            yield Found(path, folder, name)


def _publish_all(found: Iterable[Found], site: SiteFolder, wanted: Wanted) -> list[Published]:
    """Make the pages of all replays, in several processes where there are many; return what came of each, in order."""
    tasks = list(found)
    if len(tasks) < FEW or cores() == 1:
        return [_publish(one, site, wanted) for one in tasks]
    work = partial(_publish_some, site=site, wanted=wanted)
    patience = (BY_THE_CLOCK + 1) * LONGEST
    progress, published = Progress(), list[Published]()
    begin = partial(speak, spoken())
    for some in in_processes(work, iter(tasks), cores(), begin, lambda one: [_late(one)], patience):
        published += some
        progress.show(partial(so_far, len(published)))
    progress.clear()
    return published


def _publish_some(tasks: list[Found], site: SiteFolder, wanted: Wanted) -> list[Published]:
    return [_publish(one, site, wanted) for one in tasks]


def _publish(one: Found, site: SiteFolder, wanted: Wanted) -> Published:
    try:
        return within(LONGEST, partial(_publish_unbounded, one, site, wanted))
    except TookTooLongError:
        return _late(one)


def _late(one: Found) -> Published:
    return Published(_not_shown(one, TOO_LONG))


def _not_shown(one: Found, verdict: Verdict) -> NotShown:
    return NotShown(one.name, verdict.status, explain_at(verdict.problem, verdict.game))


def _publish_unbounded(one: Found, site: SiteFolder, wanted: Wanted) -> Published:
    try:
        data = read_found(one.path, one.folder)
    except ReplayError as error:
        return Published(_not_shown(one, refused(error)))
    verdict = verify(data)
    replay = verdict.replay
    if replay is None or verdict.status != "verified":
        return Published(_not_shown(one, verdict))
    is_wanted = wanted.game in (None, replay.game) and wanted.seed in (None, replay.seed)
    if not is_wanted or not wanted.options.items() <= replay.options.items():
        return Published(None)
    entry, name = judge(verdict), page_name(digest_of(data))
    digest, is_written = site.unchanged(name), False
    if not digest:
        page = replay_page(Recording(history(replay)), data, back_link(), MARK).encode()
        digest, is_written = digest_of(page), site.put(name, page)
    return Published(shown(verdict, name), entry if isinstance(entry, Entry) else None, digest, is_written)


def _write_tables(site: SiteFolder, published: Sequence[Published], wanted: Wanted) -> int:
    """Write the first page and the feed; return how many of them were written. Of the same game the first is listed."""
    games: dict[str, Shown] = {}
    entries: dict[str, Entry] = {}
    others = []
    for one in published:
        if isinstance(one.listed, NotShown):
            others.append(one.listed)
        elif one.listed is not None and one.listed.digest not in games:
            games[one.listed.digest] = one.listed
            if one.entry is not None and (wanted.assisted or not one.entry.assisted):
                entries[one.listed.digest] = one.entry
    board = Leaderboard.in_memory()
    board.admit(entries.values())
    tables = _standings(board, wanted, wanted.seed)
    seeds = sorted({entry.seed for entry in entries.values() if day_of_seed(entry.seed)})
    days = {seed: _standings(board, wanted, seed) for seed in seeds}
    best = records(entries.values())
    files = {INDEX: index_page(games, tables, days, others, MARK), FEED: feed_text(best, games, MARK)}
    return sum(site.put(name, text.encode()) for name, text in files.items())


def _standings(board: Leaderboard, wanted: Wanted, seed: str | None) -> list[Standings]:
    found = (Standings(one, board.rows(one, seed, wanted.assisted, wanted.limit)) for one in board.tables())
    return [one for one in found if one.rows]
