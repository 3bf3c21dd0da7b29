"""The house: which room may know which, read from the source."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cubiri_cli
from cubiri_cli import games

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

PACKAGE = Path(cubiri_cli.__file__).parent
TESTS = Path(__file__).parent
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


TERMINAL_LIBRARIES = {"curses", "prompt_toolkit", "pty", "questionary", "readline", "select", "termios", "tty"}
TERMINAL_CALLS = {"get_terminal_size", "getch", "getpass", "input", "isatty"}
"""What only those who know a terminal have a use for."""


def imports(path: Path, at_run_time: bool = False) -> list[str]:
    """Return the full names of all modules a file imports, at the top or inside functions.

    `at_run_time` leaves out what only the type checker sees.
    """
    found = []
    tree = ast.parse(path.read_text("utf-8"))
    unseen: set[ast.AST] = set()
    if at_run_time:
        ifs = [one for one in ast.walk(tree) if isinstance(one, ast.If) and "TYPE_CHECKING" in ast.unparse(one.test)]
        unseen = {node for one in ifs for part in one.body for node in ast.walk(part)}
    for node in ast.walk(tree):
        if node in unseen:
            continue
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


def files_imported() -> dict[str, set[str]]:
    """Return for each module of the package those of its modules that it imports when it runs, at whatever moment."""
    names = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        names[".".join(parts).removesuffix(".__init__")] = path
    return {
        name: {
            one if one in names else one.rpartition(".")[0]
            for one in imports(path, at_run_time=True)
            if one in names or one.rpartition(".")[0] in names
        }
        for name, path in names.items()
    }


def circles(imported: Mapping[str, Collection[str]]) -> list[str]:
    """Return the circles in which modules import one another, one for each module that closes one.

    >>> circles({"a": ["b"], "b": ["c"], "c": ["b"]})
    ['b > c > b']
    """
    found, done = [], set()

    def follow(way: list[str]) -> None:
        for name in sorted(imported[way[-1]]):
            if name in way:
                found.append(" > ".join([*way[way.index(name) :], name]))
            elif name not in done:
                follow([*way, name])
        done.add(way[-1])

    for name in sorted(imported):
        if name not in done:
            follow([name])
    return found


def test_no_files_import_one_another_in_a_circle() -> None:
    assert circles(files_imported()) == []


def test_one_name_is_one_thing() -> None:
    """No two classes share a name, but `Player`: who sat in a seat (replays/), and who chooses (players/)."""
    trees = [ast.parse(path.read_text("utf-8")) for path in FILES]
    names = [node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    shared = {name for name in names if names.count(name) > 1 and not name.startswith("_")}
    assert shared <= {"Player"}


def test_the_terminal_knows_no_game() -> None:
    own = tuple(f"cubiri_cli.{room}.{game}" for room in ("games", "table") for game in games.names())
    for path in FILES:
        if layer_of(path) == "terminal":
            for name in imports(path):
                assert not name.startswith(own), f"terminal/{path.name} imports {name}"


@pytest.mark.parametrize("layer", LAYERS[: LAYERS.index("terminal")])
def test_nothing_below_the_terminal_knows_one(layer: str) -> None:
    for path in FILES:
        if layer_of(path) != layer:
            continue
        known = {name.partition(".")[0] for name in imports(path)} & TERMINAL_LIBRARIES
        assert not known, f"{layer}/{path.name} imports {known}"
        calls = (node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
        called = {getattr(one, "attr", getattr(one, "id", "")) for one in calls} & TERMINAL_CALLS
        assert not called, f"{layer}/{path.name} calls {called}"


def test_only_the_command_line_knows_the_library_that_reads_it() -> None:
    known = {layer_of(path) for path in FILES if "typer" in {name.partition(".")[0] for name in imports(path)}}
    assert known == {"cli"}


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
    own = {PACKAGE / layer / f"{name}.py" for layer in ("games", "players", "table") for name in games.names()}
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


def test_no_test_module_knows_another() -> None:
    """What several need stands in `tests/support`: a test module can be changed, moved or deleted by itself."""
    for path in sorted(TESTS.rglob("*.py")):
        known = [name for name in imports(path) if name.startswith("tests.") and ".test_" in name]
        assert not known, f"{path.relative_to(TESTS)} imports {known}"
