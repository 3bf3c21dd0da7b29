"""Makes `cubiri_cli/cli/option_table.py` from the commands themselves: `python -m tests.option_table`."""

from __future__ import annotations

from pathlib import Path
from pprint import pformat
from typing import Any

import cubiri_cli
from cubiri_cli import games

PATH = Path(cubiri_cli.__file__).parent / "cli" / "option_table.py"

TEMPLATE = '''"""Commands, options and arguments, as completion needs them.

Made by `python -m tests.option_table`: not to be edited. The options that games bring are not here: games are asked.
"""

from __future__ import annotations

OPTIONS: dict[str, dict[str, str]] = {options}
"""Command (none: all of them) → option → what it takes, as the help shows it; nothing for a switch."""

ARGUMENTS: dict[str, tuple[str, ...]] = {arguments}
"""Command → what its arguments stand for; the last may be repeated where it ends in dots."""

OF_GAMES = {of_games}
"""The commands that take the options of games."""
'''


def parameters(command: Any) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the options of a command with what they take, and what its arguments stand for."""
    options: dict[str, str] = {}
    arguments: list[str] = []
    for one in command.params:
        if one.param_type_name == "argument":
            dots = "..." if one.nargs == -1 and not one.metavar.endswith("...") else ""
            arguments.append(one.metavar.strip("[]{}") + dots)
        else:
            metavar = "" if one.is_flag else one.metavar or one.type.name.upper()
            options |= dict.fromkeys(one.opts, metavar)
    return {**options, "--help": ""}, tuple(arguments)


def source() -> str:
    """Return the module's text for the commands as they are."""
    from cubiri_cli.cli.parsing import build

    group = build()
    of_games = {f"--{option.name}" for name in games.names() for option in games.load(name).OPTIONS}
    options, arguments, with_games = {"": parameters(group)[0]}, {}, []
    for name, command in group.commands.items():
        found, arguments[name] = parameters(command)
        if of_games & set(found):
            with_games.append(name)
        options[name] = {option: metavar for option, metavar in found.items() if option not in of_games}
    parts = {"options": options, "arguments": arguments, "of_games": tuple(with_games)}
    return TEMPLATE.format(**{name: pformat(part, width=116, sort_dicts=False) for name, part in parts.items()})


def formatted() -> str:
    """Return the module's text as it is kept, in the style of the house."""
    import subprocess
    import sys

    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(PATH), "-"]
    return subprocess.run(command, input=source(), capture_output=True, text=True, check=True, timeout=60).stdout


if __name__ == "__main__":
    PATH.write_text(formatted(), encoding="utf-8")
