"""The ending of a game as it is printed: its result in full, where its replay is, and how to go on from there."""

from __future__ import annotations

import os
import shlex
from itertools import zip_longest
from typing import TYPE_CHECKING

from cubiri_cli.replays.names import harmless
from cubiri_cli.store.home import short_name
from cubiri_cli.table.drawing import Line, Span, cut_line, fold, line, line_width, pad, width, wrap
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import table_of, why
from cubiri_cli.table.naming import names_shown
from cubiri_cli.table.style import STYLE
from cubiri_cli.terminal.printing import print_lines, print_texts, table_width
from cubiri_cli.terminal.prompter import Scene
from cubiri_cli.terminal.questions import quit_offer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cubiri_cli.replays.session import Session


def print_result(session: Session) -> None:
    """Print the breakdown of a finished game, or where an unfinished one stands."""
    if not session.replay.turns:
        print(_("Nothing was played, so nothing was saved."))
        return
    if STYLE.plain:
        print_texts(table_of(session.replay.game).breakdown_words(session.game, _names(session)))
    else:
        print_lines(_breakdown(session))
    print()


def _breakdown(session: Session) -> list[Line]:
    return table_of(session.replay.game).breakdown(session.game, _names(session))


def _names(session: Session) -> list[str]:
    return names_shown([player.name for player in session.replay.players])


def ending_scene(session: Session, notes: Sequence[str]) -> Scene:
    """Return the scene of a finished game: its breakdown and what is new; notes may still be added.

    In words only what was added: the others were printed before.
    """
    printed = len(notes)

    def picture(columns: int, height: int, pointed: object) -> list[Line]:
        below = [part for note in notes for part in fold(line(Span(note, "good")), columns)]
        lines = [cut_line(one, columns) for one in _breakdown(session)]
        if len(lines) + len(below) + 1 > height:
            lines = _beside(lines, columns)
        if len(lines) + len(below) + 1 > height:
            lines = [one for one in lines if one]
        return [*lines[-max(1, height - len(below) - 1) :], [], *below][:height]

    return Scene(picture, lambda: list(notes[printed:]), offers=(quit_offer(),), changes=True)


def _beside(lines: Sequence[Line], columns: int) -> list[Line]:
    """Return lines with their last part, behind an empty line, beside the one before it, where there is room."""
    empty = [number for number, one in enumerate(lines) if not one]
    if len(empty) < 2:
        return list(lines)
    left, right = lines[empty[-2] + 1 : empty[-1]], lines[empty[-1] + 1 :]
    widest = max(map(line_width, left)) + 4
    if widest + max(map(line_width, right)) > columns:
        return list(lines)
    nothing: Line = []
    pairs = zip_longest(left, right, fillvalue=nothing)
    joined = [[*one, Span(" " * (widest - line_width(one))), *other] for one, other in pairs]
    return [*lines[: empty[-2] + 1], *joined]


def print_whereabouts(session: Session, path: Path | None) -> None:
    """Print where a game is kept and what can be done with it; where it could not be kept, its whole text."""
    if not session.replay.turns:
        return
    print(_("Seed: {seed}").format(seed=session.replay.seed))
    if session.failure is not None or path is None:
        reason = why(session.failure) if session.failure else ""
        print(_("The replay could not be stored ({reason}). Keep this text:").format(reason=reason))
        print()
        print(session.text(), end="")
        return
    shown, short = harmless(shlex.quote(str(path)), longest=4096), harmless(shlex.quote(short_name(path)), longest=4096)
    lines = [(_("Replay:"), shown)]
    if session.game.over:
        lines.append((_("Verify:"), f"cubiri verify-score {short}"))
        lines.append((_("Again:"), f"cubiri play {session.replay.game} --like {short}"))
    else:
        lines.append((_("Continue:"), f"cubiri resume {short}"))
    labels = max(width(label) for label, _text in lines)
    columns = table_width()
    for label, text in lines:
        if columns is None or labels + 1 + width(text) <= columns:
            print_texts([f"{pad(label, labels)} {text}"])
        else:
            print_texts([label, *_broken(text, columns)])


def _broken(text: str, columns: int) -> list[str]:
    """Return a command in lines that are broken between words, and can be pasted as they are; a path stays whole."""
    if width(text) <= columns:
        return [text]
    *lines, last = wrap(text, columns - len(_GOES_ON)) if " " in text and "'" not in text else [text]
    return [*(line + _GOES_ON for line in lines), last]


_GOES_ON = "" if os.name == "nt" else " \\"
"""What tells the shell that a command goes on in the next line."""
