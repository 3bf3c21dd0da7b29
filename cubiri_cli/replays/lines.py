"""Where in the text of a replay a place is: the line of `turn 3, entry 2` or `result.score`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str | int, ...]

_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*+"{3,5}|' + r"'''(?:[^']|'(?!''))*+'{3,5}|"  # texts that may span lines
    r'"(?:[^"\\\n]|\\.)*+"|' + r"'[^'\n]*+'|"
    r"#[^\n]*|[^\s\[\]{},=.#\"']+|[\[\]{},=.\n]"
)
_TURN = re.compile(r"turn (\d+)(?:, entry (\d+))?")
_PLAYER = re.compile(r"player (\d+)")
_PARSER = re.compile(r"\(at line (\d+), column \d+\)")


def line_of(text: str, where: str | None) -> int:
    """Return the number, from 1, of the line on which a place of a replay stands.

    Where the place itself is missing, it is the line of what should hold it; 1 where that is missing too.

    >>> line_of('seed = "42"\\n[[turns]]\\nplayer = 1\\nlog = [\\n    "roll -> 1 2 3 4",\\n]\\n', "turn 1, entry 1")
    5
    """
    wanted = _path(where)
    best, found = 0, 1
    for path, line in _places(text):
        if best < len(path) <= len(wanted) and path == wanted[: len(path)]:
            best, found = len(path), line
            if best == len(wanted):
                break
    return found


def line_of_parser(message: str, text: str) -> int:
    """Return the line that a TOML parser's message names; the last one for `at end of document`."""
    named = _PARSER.search(message)
    return int(named[1]) if named else text.count("\n") + 1 if "end of document" in message else 1


def longest_key(text: str) -> int:
    """Return how many parts the longest dotted key of a text has.

    >>> longest_key("options.difficulty = 'a.b.c'  # a.b.c.d")
    2
    """
    longest = dots = 0
    for match in _TOKEN.finditer(text):
        if match[0] == ".":
            dots += 1
            longest = max(longest, dots)
        elif match[0] in "[]{},=\n":
            dots = 0
    return longest + 1


def _path(where: str | None) -> Path:
    if where is None:
        return ()
    if turn := _TURN.fullmatch(where):
        return ("turns", int(turn[1]) - 1, *(("log", int(turn[2]) - 1) if turn[2] else ()))
    if player := _PLAYER.fullmatch(where):
        return ("players", int(player[1]) - 1)
    return tuple(where.split("."))


class _Open:
    """A table or list that is open: its path, and the index of the item at hand (None: a table)."""

    def __init__(self, path: Path, index: int | None) -> None:
        self.path, self.index = path, index
        self.key: Path = ()
        self.valued = index is not None  # whether a value comes next, no key

    def here(self) -> Path:
        """Return the path of the key or item at hand."""
        return (*self.path, *self.key) if self.index is None else (*self.path, self.index)

    def next(self) -> None:
        """Go on to the next key or item."""
        self.key, self.valued = (), self.index is not None
        if self.index is not None:
            self.index += 1


def _places(text: str) -> Iterator[tuple[Path, int]]:
    """Yield the path and line of every table, key and item of a text, in order. Made for good TOML, safe for any."""
    tables: dict[Path, int] = {}
    stack = [_Open((), None)]
    header = ""
    line, counted = 1, 0
    for match in _TOKEN.finditer(text):
        token, at = match[0], match.start()
        line, counted = line + text.count("\n", counted, at), at
        top = stack[-1]
        if token == "\n" and len(stack) == 1:
            header = ""
            top.next()
        elif token == "[" and len(stack) == 1 and not top.valued and not top.key:
            header += "["
        elif token == "]" and header:
            if top.key:
                stack = [_Open(_table(top.key, header, tables), None)]
                yield top.key, line
                yield stack[0].path, line
            header = ""
        elif token[0] not in "\n#." and (path := _step(stack, token)) is not None:
            yield path, line


def _table(key: Path, header: str, tables: dict[Path, int]) -> Path:
    """Return the path of the table that a header begins; `[[key]]` counts those of the same key."""
    if header == "[":
        return key
    tables[key] = tables.get(key, -1) + 1
    return (*key, tables[key])


def _step(stack: list[_Open], token: str) -> Path | None:
    """Take one token of a key or value, and return the path of what begins with it, if anything does."""
    top = stack[-1]
    if token == "=":
        begun = None if top.valued else top.here()
        top.valued = True
        return begun
    if token == ",":
        top.next()
    elif token in "]}":
        del stack[max(1, len(stack) - 1) :]
    elif not top.valued:
        top.key = (*top.key, token.strip("\"'"))
    else:
        begun = None if top.index is None else top.here()
        if token in "[{":
            stack.append(_Open(top.here(), 0 if token == "[" else None))
        return begun
    return None
