"""The house: which room may know which, read from the source."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import cubiri_cli
from cubiri_cli import games

PACKAGE = Path(cubiri_cli.__file__).parent
LAYERS = ["games", "replays", "store", "players", "table", "terminal", "commands", "cli"]
"""From the ground up: nothing imports upwards."""

PURE = {
    "__future__",
    "abc",
    "bisect",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "importlib",  # the list of games loads a game's module when it is asked for; nothing else does
    "itertools",
    "math",
    "operator",
    "re",
    "typing",
}
"""What the rules may import: nothing that reads a file, a clock, a random number, or the environment."""

FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)


def imports(path: Path) -> list[str]:
    """Return the full names of all modules a file imports, at the top or inside functions."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def layer_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_imports_upwards(path: Path) -> None:
    layer = layer_of(path)
    assert layer in LAYERS, f"{layer}/ is no room of this house"
    above = LAYERS[LAYERS.index(layer) + 1 :]
    for name in imports(path):
        parts = name.split(".")
        assert not (parts[0] == "cubiri_cli" and parts[1] in above), f"{layer}/{path.name} imports {name}"


def test_the_rules_are_pure() -> None:
    for path in FILES:
        if layer_of(path) != "games":
            continue
        for name in imports(path):
            top = name.split(".")[0]
            assert top in PURE or name.startswith("cubiri_cli.games") or name == "cubiri_cli.games", f"{path}: {name}"
            assert top != "importlib" or path.name == "__init__.py", f"{path}: {name}"
        called = {
            node.func.id
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"open", "print", "input", "exec", "eval", "__import__", "hash", "id"}, path


def test_only_a_game_s_own_modules_know_its_name() -> None:
    """No `if game == "magdagdon"`: the third game adds files and edits none."""
    own = {PACKAGE / layer / f"{name}.py" for layer in ("games", "table") for name in games.names()}
    names = set(games.names())
    for path in FILES:
        if path in own:
            continue
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare):
                values = [node.left, *node.comparators]
            elif isinstance(node, ast.MatchValue):
                values = [node.value]
            else:
                continue
            literals = {
                leaf.value for value in values for leaf in ast.walk(value) if isinstance(leaf, ast.Constant)
            } & names
            assert not literals, f"{path.relative_to(PACKAGE)}:{node.lineno} compares with {literals}"


def test_no_year_is_written_without_its_zeros() -> None:
    """`%Y` leaves out those before the year 1000 on some systems: `clock.written` does not."""
    for path in FILES:
        texts = [node.value for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant)]
        assert not [text for text in texts if isinstance(text, str) and "%Y" in text and "\n" not in text], path


def test_every_room_says_what_lives_there() -> None:
    for layer in LAYERS:
        docstring = ast.get_docstring(ast.parse((PACKAGE / layer / "__init__.py").read_text("utf-8")))
        assert docstring, layer
        assert "\n" not in docstring.split("\n\n")[0], layer
