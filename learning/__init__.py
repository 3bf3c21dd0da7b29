"""How the tables of `cubiri_cli/players/` are made. Not in the package; the group `learn` is what it needs."""
