"""`cubiri analyze`: finished games judged decision by decision."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cubiri_cli.commands.inputs import find_game, standard_input
from cubiri_cli.commands.options import format_named
from cubiri_cli.commands.output import DONE, NO, USAGE, answering, message, write_for_programs
from cubiri_cli.commands.parameters import Argument, CommandOption
from cubiri_cli.games.problem import Problem
from cubiri_cli.replays.folders import is_missing
from cubiri_cli.replays.names import harmless
from cubiri_cli.replays.reading import read, read_bytes
from cubiri_cli.replays.replay import ReplayError
from cubiri_cli.table.language import N_, _
from cubiri_cli.table.messages import explain, explain_at, table_of
from cubiri_cli.table.naming import names_shown
from cubiri_cli.table.style import STYLE
from cubiri_cli.terminal.printing import page_width, print_lines, print_texts, table_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cubiri_cli.commands.analyzing import JudgedFile
    from cubiri_cli.table.analysis import JudgedRow

FORMATS = ("text", "json", "markdown")


def analyze(
    paths: Annotated[
        list[str] | None,
        Argument(metavar="[PATH...]", help=_("Replays, and folders of them; by default the game finished last.")),
    ] = None,
    retry: Annotated[
        bool,
        CommandOption("--retry", help=_("Decide the marked moments again; without a PATH those of all your games.")),
    ] = False,
    format: Annotated[str, CommandOption("--format", metavar="|".join(FORMATS), help=_("The output format."))] = "text",
) -> int:
    """Judge finished games, decision by decision."""
    format = format_named(format, FORMATS)
    if retry:
        from cubiri_cli.commands.retrying import retry_moments

        return retry_moments(paths or [])
    named = [path if path == "-" else str(find_game(path)) for path in paths or [_latest()]]
    # Standard input is there once, however often it is named.
    found = [path for at, path in enumerate(named) if path != "-" or "-" not in named[:at]]
    missing = [path for path in found if path != "-" and is_missing(path)]
    for path in missing:
        message(f"cubiri: {path}: " + _("there is no such file or folder"))
    found = [path for path in found if path not in missing]
    status = DONE
    if found:
        with answering():
            if format == "text" and len(found) == 1 and not Path(found[0]).is_dir():
                status = _one(found[0])
            else:
                status = _many(found, format)
    return USAGE if missing else status


HELP = (
    N_("Judge finished games, decision by decision."),
    N_(
        "start + luck - mistakes + correction = result. Luck is what a roll was worth more than the mean of all rolls; "
        "a mistake is what a choice was worth less than the best one, by the same look; the correction is what that "
        "deeper look says otherwise than the first. Nothing looks at dice to come. Several files make a table."
    ),
    N_(
        "Marks: ?! loses more than the error of the values; ? more than 3 times that, and more than 4 points, 0.1 "
        "turns or 0.03 of the chance to win; ?? more than 6 times, and more than 12 points, 0.3 turns or 0.1 of the "
        "chance. What is within the error is right, and what was no choice does not count."
    ),
)

COMMAND = analyze


def _latest() -> str:
    from cubiri_cli.commands.share import latest

    return str(latest())


def _one(path: str) -> int:
    """Show the analysis of one game."""
    from cubiri_cli.players.advice import NoAdviceError
    from cubiri_cli.players.analysis import analyze as judge
    from cubiri_cli.replays.history import history
    from cubiri_cli.table.analysis import analysis_lines
    from cubiri_cli.table.hindsight import hindsights, looked_back
    from cubiri_cli.table.transcript import Recording

    try:
        played = history(read(standard_input() if path == "-" else read_bytes(path)))
    except ReplayError as error:
        message(f"cubiri: {path}: {explain_at(error.problem)}")
        return NO
    verdict = played.verdict
    if verdict.status != "verified":
        message(f"cubiri: {path}: {explain_at(verdict.problem, verdict.game)}")
        return NO
    recording = Recording(played)
    recording.names = names_shown(recording.names)
    try:
        analysis = judge(played.beginning, played.steps)
    except NoAdviceError as error:
        message(f"cubiri: {explain(error.problem)}")
        return NO
    possible = hindsights(played.replay)
    print_lines(analysis_lines(recording, analysis, page_width(), STYLE.plain, possible))
    if possible:
        print_texts(["", looked_back(played.replay, possible)])
    return DONE


def _many(paths: Sequence[str], format: str) -> int:
    """Show the analyses of many games: each as data, or a table of all."""
    files = _each(paths, format == "json")
    if format == "json":
        return _write_json(files, paths)
    judged: list[JudgedFile] = []
    failed = 0
    for one in files:
        if one.is_judged:
            judged.append(one)
        elif _fails(one, paths):
            failed += 1
            _complain(one)
    _write_table(judged, format)
    return NO if failed else DONE


def _each(paths: Sequence[str], with_data: bool) -> Iterator[JudgedFile]:
    from cubiri_cli.commands.analyzing import judge_file, judged_files

    for is_input, some in groupby(paths, "-".__eq__):
        if is_input:
            yield judge_file("-", None, with_data, standard_input())
        else:
            yield from judged_files(list(some), with_data)


def _fails(one: JudgedFile, paths: Sequence[str]) -> bool:
    """Tell whether it is a failure that a file was not judged; an unfinished game in a folder is none."""
    return not one.is_judged and (one.status != "unfinished" or one.path in paths)


def _complain(one: JudgedFile) -> None:
    """Say why a file was not judged."""
    path = harmless(one.path, longest=4096)
    if one.status == "verified":
        message(f"cubiri: {path}: {explain(Problem('no-advice', {'game': one.verdict.game}))}")
    else:
        message(f"cubiri: {path}: {explain_at(one.verdict.problem, one.verdict.game)}")


def _write_json(files: Iterable[JudgedFile], paths: Sequence[str]) -> int:
    """Write an array with an object a file, each on a line of its own."""
    write_for_programs()
    failed = count = 0
    for count, one in enumerate(files, 1):
        print("[" if count == 1 else ",")
        print(one.data, end="")
        failed += _fails(one, paths)
    print("\n]" if count else "[]")
    return NO if failed else DONE


def _write_table(judged: Sequence[JudgedFile], format: str) -> None:
    from cubiri_cli.table.analysis import table_markdown, table_text

    rows = _rows(judged)
    if not rows:
        message("cubiri: " + _("no finished game (*.toml) there"))
    elif format == "markdown":
        write_for_programs()
        print("\n".join(table_markdown(rows)))
    else:
        print_texts(table_text(rows, table_width()))


def _rows(judged: Sequence[JudgedFile]) -> list[JudgedRow]:
    from cubiri_cli.commands.analyzing import totals_of
    from cubiri_cli.table.analysis import JudgedRow

    rows = []
    for (player, game, options, _alone), total in totals_of(judged).items():
        kind = table_of(game).kind(dict(options))
        count, lost = total.games, total.loss / max(1, total.unforced)
        means = total.result / count, total.luck / count
        rows.append(JudgedRow(harmless(player), kind, total.unit, count, *means, lost, total.marks))
    return rows
