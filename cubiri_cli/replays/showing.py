"""Replays in notebooks, shown by whoever has registered to do so: the record itself knows no pictures.

The entry point `replay` of the group `cubiri_cli.html` names a function that takes a replay, its history or a step of
it, and returns HTML. It is looked for when a notebook asks.
"""

from __future__ import annotations

GROUP, NAME = "cubiri_cli.html", "replay"


def to_html(thing: object) -> str | None:
    """Return a replay, its history or a step as HTML; None, and so its plain text, where nobody has registered."""
    from importlib.metadata import entry_points

    found = entry_points(group=GROUP, name=NAME)
    html: str | None = next(iter(found)).load()(thing) if found else None
    return html
