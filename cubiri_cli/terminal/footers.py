"""The line of keys at the bottom: as much of it in full as there is room for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cubiri_cli.table.drawing import Line, Span, cut_line, line, line_width, wrap_line
from cubiri_cli.table.language import _
from cubiri_cli.terminal.listing import POINTER
from cubiri_cli.terminal.prompter import QUIT, Offer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cubiri_cli.table.protocol import Question
    from cubiri_cli.terminal.prompter import Scene


def scene_footer(question: Question, scene: Scene, columns: int) -> list[Line]:
    """Return the keys beyond the choices in a line, as many of them in full as there is room for; none is left out."""
    way = _("quit") if scene.is_way_out else _("back")
    back = [Offer("Esc", way, way)] if scene.has_back else []
    others = [offer for offer in scene.offers if not (scene.is_way_out and offer.key == QUIT)]  # said once
    offers = [*others, *back]
    full = [key_label(offer.key, f" {offer.label}") for offer in offers]
    short = [key_label(offer.key, f" {offer.short}") for offer in offers]
    tight = [key_label(offer.key, offer.short) for offer in offers]
    partly = [[*short[:count], *full[count:]] for count in range(len(offers) + 1)]
    enter = key_label("Enter" if len(question.choices) == 1 else "←↑↓→ Enter", f" {POINTER}")
    ways = [joined([enter, *parts], "  ") for parts in partly]
    ways += [joined(parts, "  ") for parts in partly]
    bare = [key_label(offer.key) for offer in offers]
    ways += [joined([*tight[:count], *bare[count:]], " ") for count in range(len(offers), -1, -1)]
    return [first_that_fits(ways, columns)]


def refusal(name: str, question: Question, columns: int) -> list[Line]:
    """Return the answer to a key that does nothing here, for above the footer: the keys of the choices."""
    text = _("[{key}] does nothing here. Keys: {keys} and those below")
    return wrap_line(text.format(key=name, keys=" ".join(choice.key for choice in question.choices)), columns, "bold")


def page_footer(columns: int, offers: Sequence[Offer] = (), has_pages: bool = True) -> Line:
    """Return the line of the keys below a text; those that turn pages where there are any."""
    offered = [(offer.key, offer.label) for offer in offers]
    turning = (("Space", _("next page")), ("b", _("previous page"))) if has_pages else ()
    keys = (*offered, *turning, ("Esc", _("back")))
    ways = [joined([key_label(key, f" {label}") for key, label in keys], gap) for gap in ("  ", " ")]
    ways += [joined([key_label(*one) for one in keys], " "), joined([key_label(key) for key, _label in keys], " ")]
    return first_that_fits(ways, columns)


def key_label(key: str, label: str = "") -> Line:
    """Return a key in brackets, and its label."""
    return line(Span(f"[{key}]", "key"), label)


def first_that_fits(ways: Sequence[Line], columns: int) -> Line:
    """Return the first of several ways to say the same that fits; the last one, cut, where none does."""
    return next((one for one in ways if line_width(one) <= columns), cut_line(ways[-1], columns))


def joined(parts: Sequence[Line], gap: str) -> Line:
    """Return parts as one line with gaps between them."""
    return [span for number, part in enumerate(parts) for span in ([Span(gap), *part] if number else part)]
