"""`cubiri analyze --retry`: the marked moments of games, as questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.commands.inputs import find_game
from cubiri_cli.commands.output import DONE, INTERRUPTED, message
from cubiri_cli.commands.sitting import need_terminal
from cubiri_cli.players.advice import NoAdviceError
from cubiri_cli.players.analysis import analyze
from cubiri_cli.replays.folders import read_found, replays_of
from cubiri_cli.replays.history import history
from cubiri_cli.replays.reading import read, read_bytes
from cubiri_cli.replays.replay import ReplayError
from cubiri_cli.store.settings import default_name
from cubiri_cli.table.language import _, ngettext
from cubiri_cli.table.messages import explain_at
from cubiri_cli.table.transcript import Recording
from cubiri_cli.terminal.printing import print_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cubiri_cli.players.analysis import JudgedMoment


def retry_moments(paths: Sequence[str]) -> int:
    """Ask the marked moments of the games in these files, or of all one's own games, until the player has enough."""
    from cubiri_cli.terminal.retrying import retry
    from cubiri_cli.terminal.signals import SignalledError

    need_terminal(_("cubiri analyze FILE shows the moments"))
    moments = _moments_of_files(paths) if paths else _moments_at_home()
    try:
        asked, right = retry(moments)
    except (KeyboardInterrupt, EOFError, SignalledError):
        return INTERRUPTED
    if not asked:
        message("cubiri: " + _("no marked moment was decided again"))
        return DONE
    text = ngettext("{right} of {count} answer was right.", "{right} of {count} answers were right.", asked)
    print_texts([text.format(right=right, count=asked)])
    return DONE


def _moments_of_files(paths: Sequence[str]) -> Iterator[tuple[Recording, JudgedMoment, str]]:
    """Yield the marked moments of files and folders, of the seats in which people sat."""
    for path, folder in replays_of([str(find_game(path)) for path in paths]):
        try:
            yield from _moments(read_found(path, folder), None)
        except ReplayError as error:
            message(f"cubiri: {path}: {explain_at(error.problem)}")


def _moments_at_home() -> Iterator[tuple[Recording, JudgedMoment, str]]:
    """Yield the marked moments of the player of the settings in all games at home, the latest game first."""
    from cubiri_cli.store.played import games_played

    name = default_name()
    for one in games_played():
        if one.is_finished and name in one.players:
            yield from _moments(read_bytes(one.path), name)


def _moments(data: bytes, name: str | None) -> Iterator[tuple[Recording, JudgedMoment, str]]:
    """Yield the marked moments of a game that verified: of the player of this name, or of all people in it."""
    played = history(read(data))
    if played.verdict.status != "verified":
        return
    try:
        analysis = analyze(played.beginning, played.steps)
    except NoAdviceError:
        return
    recording = Recording(played)
    for moment in analysis.moments:
        player = played.replay.players[moment.seat - 1]
        if moment.mark and player.bot is None and name in (None, player.name):
            yield recording, moment, analysis.unit
