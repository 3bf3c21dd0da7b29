"""Where in a text of TOML things are: the line of `turn 3, entry 2` or `result.score`, keys of too many parts.

Every expression here goes through a text once: what it has passed it never looks at again (`*+`, `++`), and a text that
does not end takes all that is left, as it does for a parser.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

Path = tuple[str | int, ...]

_TEXT = (
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*+"{3,5}|' + r"'''(?:[^']|'(?!''))*+'{3,5}|"  # these may span lines
    r'"(?!"")(?:[^"\\\n]|\\.)*+"|' + r"'(?!'')[^'\n]*+'|" + r"[\"'][\s\S]*+"
)
_COMMENT = r"#[^\n]*+"
_PART = rf"(?:{_TEXT}|[^\"'#=,.\[\]{{}}\n])*+"  # of a key, with the blanks around it; of a value too
_GAP = re.compile(rf"(?:\s|{_COMMENT})*+")
_KEY = re.compile(rf"{_PART}(?:\.{_PART})*+")
_KEY_PART = re.compile(rf"{_TEXT}|[^\"'.\s]++")
_HEADER = re.compile(rf"(\[\[?)({_KEY.pattern})\]{{0,2}}")
_SCALAR = re.compile(rf"(?:{_TEXT}|[^\"'#,\[\]{{}}\n])*+")
_TO_BRACKET = re.compile(rf"(?:{_TEXT}|{_COMMENT}|[^\"'#\[\]{{}}])*+([\[\]{{}}]?)")

_TURN = re.compile(r"turn ([0-9]+)(?:, entry ([0-9]+))?")
_PLAYER = re.compile(r"player ([0-9]+)")


def line_of(text: str, where: str | None, key: str | None = None) -> int:
    """Return the number, from 1, of the line on which a place of a replay stands.

    Where the place itself is missing, it is the line of what should hold it; 1 where that is missing too. `key` is the
    key that is unknown there, if that is what is wrong: one that is called as places are (`"turn 3" = 1`) is none.

    >>> line_of('seed = "42"\\n[[turns]]\\nplayer = 1\\nlog = [\\n    "roll -> 1 2 3 4",\\n]\\n', "turn 1, entry 1")
    5
    """
    wanted = _path(where, key)
    best = found = 0
    for path, at in _places(text, wanted) if wanted else ():
        if _is_it(path[: len(wanted)], wanted):
            found = at
            break
        if best < len(path) and path == wanted[: len(path)]:
            best, found = len(path), at
    return text.count("\n", 0, found) + 1


def long_key(text: str, most: int) -> int | None:
    """Return where the first key of more than so many parts begins; None where there is none.

    >>> long_key("a = 1\\noptions.difficulty.level = 'a.b.c'  # a.b.c.d", 2)
    6
    """
    key = rf"{_PART}(?:\.{_PART}){{0,{most - 1}}}+(?!\.)"
    short = re.compile(rf"(?:{key}(?:[=,\[\]{{}}\n]|{_COMMENT}))*+").match(text)
    assert short is not None  # it may be empty
    rest = re.compile(rf"{key}\Z").match(text, short.end())
    return None if rest else short.end()


def _is_it(path: Path, wanted: Path) -> bool:
    """Tell whether a path is the wanted one, of which the end may be cut off and marked by `…`."""
    last = str(wanted[-1])
    if path == wanted or last[-1:] != "…" or len(path) < len(wanted):
        return path == wanted
    return path[:-1] == wanted[:-1] and str(path[-1]).startswith(last[:-1])


def _path(where: str | None, key: str | None) -> Path:
    if where is None:
        return ()
    if where == key:
        return _split(where)
    if turn := _TURN.fullmatch(where):
        return ("turns", int(turn[1]) - 1, *(("log", int(turn[2]) - 1) if turn[2] else ()))
    if player := _PLAYER.fullmatch(where):
        return ("players", int(player[1]) - 1)
    return _split(where)


def _split(key: str) -> Path:
    """Return a key as places are named: one with dots in quotes is as good as one of several parts."""
    return tuple(key.split("."))


def _places(text: str, wanted: Path) -> Generator[tuple[Path, int], None, None]:
    """Yield tables, keys and items of a text on the way to what is wanted, in order: the path of each, and where it is.

    Made for good TOML, safe for any.
    """
    table: Path = ()
    lists: dict[Path, int] = {}
    at = _end(_GAP, text, 0)
    while at < len(text):
        if header := _HEADER.match(text, at):
            key = table = _parts(header[2])
            if header[1] == "[[":
                lists[key] = lists.get(key, -1) + 1
                yield key, at
                table = (*key, lists[key])
            yield table, at
            end = header.end()
        else:
            end = yield from _pair(text, at, table, wanted)
        at = _end(_GAP, text, max(end, at + 1))


def _pair(text: str, at: int, table: Path, wanted: Path) -> Generator[tuple[Path, int], None, int]:
    """Go through a key and its value and return where they end."""
    found = _KEY.match(text, at)
    assert found is not None  # it may be empty
    path = (*table, *_parts(found[0]))
    yield path, at
    return (yield from _value(text, _end(_GAP, text, found.end() + 1), path, wanted))


def _value(text: str, at: int, path: Path, wanted: Path) -> Generator[tuple[Path, int], None, int]:
    """Go through a value and return where it ends; into it only on the way to what is wanted."""
    opened = text[at : at + 1]
    if opened not in ("[", "{"):
        return _end(_SCALAR, text, at)
    if len(path) >= len(wanted) or path != wanted[: len(path)]:
        return _close(text, at)
    index, at = 0, _end(_GAP, text, at + 1)
    while at < len(text) and text[at] not in "]}":
        if opened == "{":
            end = yield from _pair(text, at, path, wanted)
        else:
            yield (*path, index), at
            end = yield from _value(text, at, (*path, index), wanted)
        at = _end(_GAP, text, max(end, at + 1))
        if text[at : at + 1] == ",":
            index, at = index + 1, _end(_GAP, text, at + 1)
    return at + 1


def _close(text: str, at: int) -> int:
    """Return where the list or table that is opened here ends."""
    depth = 0
    while True:
        found = _TO_BRACKET.match(text, at)
        assert found is not None  # it may be empty
        at = found.end()
        depth += 1 if found[1] in ("[", "{") else -1
        if depth <= 0 or not found[1]:
            return at


def _parts(key: str) -> Path:
    r"""Return a key as it is written as a path.

    >>> _parts(r'options . "a.b\u002ec" ')
    ('options', 'a', 'b', 'c')
    """
    return tuple(part for found in _KEY_PART.finditer(key) if found[0] for part in _split(_unquoted(found[0])))


def _unquoted(part: str) -> str:
    if part[:1] != '"' or "\\" not in part:
        return part.strip("\"'")
    import tomli  # late, because few keys hold such characters

    try:
        return str(tomli.loads(f"key = {part}")["key"])
    except ValueError:
        return part


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return where what `pattern` takes from here on ends."""
    found = pattern.match(text, at)
    return at if found is None else found.end()
