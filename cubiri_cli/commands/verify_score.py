"""`cubiri verify-score`: verdicts on replays, for people and for machines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from cubiri_cli.commands.options import (
    format_named,
    game_named,
    parse_decimal,
    parse_seed,
    parse_whole,
    required_options,
    with_game_options,
)
from cubiri_cli.commands.output import UsageError
from cubiri_cli.commands.parameters import Argument, CommandOption
from cubiri_cli.commands.reports import REPORTS
from cubiri_cli.replays.requirements import Requirements
from cubiri_cli.table.language import N_, _

_SHARD = re.compile(r"([1-9][0-9]{0,8})/([1-9][0-9]{0,8})")
MOST_JOBS = 1024


@with_game_options
def verify_score(
    paths: Annotated[
        list[str],
        Argument(metavar="PATH...", help=_("Replays, and folders of them; - is one on standard input.")),
    ],
    format: Annotated[str, CommandOption("--format", metavar="|".join(REPORTS), help=_("The output format."))] = "text",
    jobs: Annotated[
        str | None, CommandOption("--jobs", metavar="N", help=_("How many processes; as many as there are cores."))
    ] = None,
    shard: Annotated[
        str | None, CommandOption("--shard", metavar="K/N", help=_("Only every N-th file, from the K-th on."))
    ] = None,
    verbose: Annotated[
        bool, CommandOption("--verbose", help=_("In text a line for each file, with its result."))
    ] = False,
    allow_unfinished: Annotated[
        bool, CommandOption("--allow-unfinished", help=_("Accept unfinished games too."))
    ] = False,
    game: Annotated[str | None, CommandOption("--game", metavar="GAME", help=_("Require this game."))] = None,
    seed: Annotated[
        str | None, CommandOption("--seed", metavar="TEXT", help=_("Require the dice of this seed."))
    ] = None,
    min_score: Annotated[
        str | None,
        CommandOption("--min-score", metavar="POINTS", help=_("Require this score; of several players, the winner's.")),
    ] = None,
    options: Mapping[str, str] | None = None,
) -> int:
    """Verify replays."""
    format = format_named(format, REPORTS)
    processes = parse_whole("jobs", jobs, 1, MOST_JOBS)
    from cubiri_cli.commands.judging import Criteria, judge_all  # not for a help page

    wanted = Requirements(
        game=None if game is None else game_named(game).NAME,
        options=required_options(game, options or {}),
        seed=None if seed is None else parse_seed(seed),
        min_score=None if min_score is None else _points(min_score),
    )
    return judge_all(paths, Criteria(format, allow_unfinished, wanted, is_verbose=verbose), processes, _shard(shard))


HELP = (N_("Verify replays."), N_("Dice, legality, turns and every claim are recomputed."))

COMMAND = verify_score


def _points(text: str) -> float:
    points = parse_decimal(text)
    if points is None:
        raise UsageError("--min-score: " + _("expected points such as 300 or 12.5, found {found}").format(found=text))
    return points


def _shard(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, 1
    match = _SHARD.fullmatch(text)
    if match is None or int(match[1]) > int(match[2]):
        wrong = _("expected K/N with K from 1 to N, such as 2/4, found {found}")
        raise UsageError("--shard: " + wrong.format(found=text))
    return int(match[1]), int(match[2])
