"""What is said of bots: how strong the levels are, and what was found of a program that was tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli import games
from cubiri_cli.players import levels
from cubiri_cli.players.programs import GRACE
from cubiri_cli.players.strengths import strengths
from cubiri_cli.replays.names import harmless
from cubiri_cli.table.drawing import Line, Span, line, pad, width
from cubiri_cli.table.language import _, decimal, fixed, ngettext
from cubiri_cli.table.messages import explain_failure, table_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.players.checking import Finding
    from cubiri_cli.players.strengths import Strength


def levels_lines() -> list[Line]:
    """Return the levels of all games and how strong each is, as it was measured."""
    lines: list[Line] = []
    for name in games.names():
        lines += [*([[]] if lines else []), *_levels_of(name)]
    return lines


def _levels_of(name: str) -> list[Line]:
    measured = strengths(name)
    kinds = list(dict.fromkeys(tuple(one.options.values()) for one in measured))
    rows = [["", *(" ".join(map(str, kind)) for kind in kinds)]]
    for level in levels(name):
        found = {tuple(one.options.values()): one for one in measured if one.level == level}
        rows.append([level, *(_reached(found.get(kind)) for kind in kinds)])
    lines = [line(Span(table_of(name).TITLE, "title"))]
    if measured:
        unit = {one.unit for one in measured}
        lines[0] += [Span(" · " + (_("turns alone to the target, mean") if unit == {"turns"} else _("points, mean")))]
    return lines + _columns(rows)


def _reached(strength: Strength | None) -> str:
    """Return what a level reaches; of what was not measured a dash."""
    if strength is None:
        return "–"
    digits = 2 if strength.unit == "turns" else 1
    return f"{fixed(strength.mean, digits)} ± {fixed(strength.stderr, digits)}"


def _columns(rows: Sequence[Sequence[str]]) -> list[Line]:
    """Return rows as columns: the first to the left, the others to the right."""
    widths = [max(width(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        line(*(f"  {pad(cell, widths[number], '>' if number else '<')}" for number, cell in enumerate(row)))
        for row in rows
    ]


def finding_text(finding: Finding) -> str:
    """Return in one line what was found of a program."""
    mark = {True: _("right"), False: _("wrong"), None: _("does not play")}[finding.is_right]
    return f"{mark}: {_found(finding)}"


def _found(finding: Finding) -> str:
    if finding.code in ("plays", "other-game"):
        about = finding.details
        text = _("{game}: {games}, {answers}, the slowest after {seconds} s").format(
            game=table_of(about["game"]).TITLE,
            games=ngettext("{count} game", "{count} games", about["games"]).format(count=about["games"]),
            answers=ngettext("{count} answer", "{count} answers", about["answers"]).format(count=about["answers"]),
            seconds=fixed(about["seconds"], 2),
        )
        return text if finding.failure is None else explain_failure(table_of(about["game"]).TITLE, finding.failure)
    if finding.code == "endless":
        about = finding.details
        text = _("{game}: no game comes to its end; each was left after {count} answers")
        return text.format(game=table_of(about["game"]).TITLE, count=about["most"])
    text = {
        ("starts", True): _("it starts and answers"),
        ("starts", False): _("it does not start"),
        ("answers", False): _("it answers for no game"),
        ("any-order", True): _("asked in any order, it answers: it needs to remember nothing"),
        ("any-order", False): _("asked in another order, it fails"),
        ("twice", True): _("asked the same twice, it answers twice"),
        ("twice", False): _("asked the same twice, it fails"),
        ("extra", True): _("it says nothing without being asked"),
        ("extra", False): _("it says something without being asked"),
        ("ends", True): _("it ends when its input closes"),
        ("ends", False): _("it does not end within {seconds} seconds when its input closes").format(
            seconds=decimal(GRACE)
        ),
        ("alone", True): _("it leaves no process"),
        ("alone", False): _("it leaves processes behind; they have been ended"),
    }[finding.code, bool(finding.is_right)]
    if finding.failure is not None:
        return explain_failure(text, finding.failure)
    found = str(finding.details.get("found", ""))
    return f"{text}: {harmless(found)}" if found else text
