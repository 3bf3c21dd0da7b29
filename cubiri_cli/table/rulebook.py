"""The rules pages: one file a game and language in `rules/`, set for the width at hand."""

from __future__ import annotations

from pathlib import Path

from cubiri_cli.table.language import spoken

FOLDER = Path(__file__).parent / "rules"


def rules_text(game: str) -> str:
    """Return the rules of a game in the language spoken now."""
    return (FOLDER / f"{game}.{spoken()}.md").read_text("utf-8").rstrip()
