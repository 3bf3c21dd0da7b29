"""Reading a replay: bytes in, a `Replay` of the right form out. Whatever the bytes are, the answer is an answer."""

from __future__ import annotations

import gc
import os
import re
import stat
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cubiri_cli.replays.form import replay_of
from cubiri_cli.replays.replay import LARGEST, MalformedReplayError, Turn, UnreadableReplayError

if TYPE_CHECKING:
    from cubiri_cli.replays.replay import Replay

_PIECE = 1 << 16
# O_BINARY: without it Windows takes byte 0x1A for the end and drops carriage returns.
_FLAGS = sum({getattr(os, name, 0) for name in ("O_RDONLY", "O_BINARY", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY")})
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LONGEST_KEY = 4
"""How many parts a key may have; those of replays have one or two. What the parser remembers of a key grows with the
square of its parts: a file of 1 MiB could take gigabytes and minutes."""


def read_bytes(path: str | os.PathLike[str], inside: str | None = None) -> bytes:
    """Return the bytes of a file of at most 1 MiB.

    Only regular files are read: a device or a pipe could go on for ever. Where `inside` names a folder, by its real
    path, the file must be no link, and lie in there when it is open: a folder on the way may become a link meanwhile.
    Raises `UnreadableReplayError`.
    """
    try:
        # Not blocking, so that opening a pipe nobody writes to does not hang before its kind is known.
        handle = os.open(path, _FLAGS if inside is None else _FLAGS | getattr(os, "O_NOFOLLOW", 0))
    except (OSError, ValueError) as error:
        raise UnreadableReplayError(None, "cannot-open", error=_os_message(error)) from None
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise UnreadableReplayError(None, "no-file")
        if inside is not None and not is_inside(_real_path(handle, path), inside):
            raise UnreadableReplayError(None, "outside")
        data = os.read(handle, _PIECE)
        while len(data) != found.st_size and len(data) <= LARGEST and (more := os.read(handle, _PIECE)):
            data += more
    except OSError as error:
        raise UnreadableReplayError(None, "cannot-open", error=_os_message(error)) from None
    finally:
        os.close(handle)
    if len(data) > LARGEST:
        raise UnreadableReplayError(None, "too-large", largest=LARGEST)
    return data


def is_inside(path: str, folder: str) -> bool:
    """Tell whether a path leads into a folder; both are real paths.

    >>> is_inside("/games/a/1.toml", "/games"), is_inside("/games-2/1.toml", "/games"), is_inside("/1.toml", "/")
    (True, False, True)
    """
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _real_path(handle: int, path: str | os.PathLike[str]) -> str:
    """Return the real path of an open file: from the system, which cannot be deceived, where it says so."""
    try:
        return os.readlink(f"/proc/self/fd/{handle}")  # noqa: PTH115 - for every file
    except OSError:
        return os.path.realpath(path)


def parse(data: bytes) -> dict[str, Any]:
    """Return the TOML document in `data`, unchecked. One leading byte-order mark and CRLF line ends are accepted.

    Of a replay that is spelled as it is written, the turns are `Turn`s already.

    Raises `UnreadableReplayError` for more than 1 MiB, `MalformedReplayError` for whatever the parser cannot take.
    """
    if len(data) > LARGEST:
        raise UnreadableReplayError(None, "too-large", largest=LARGEST)
    try:
        text = data.removeprefix(_BYTE_ORDER_MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedReplayError(None, "not-utf-8", position=error.start) from None
    return _parse_canonical(text) or _load(text)


def _load(text: str) -> dict[str, Any]:
    """Return what `tomli` reads from a text. Raises `MalformedReplayError` for whatever it cannot take."""
    import tomli  # late, because nothing of a canonical replay is left for it

    _check_keys(text)
    # What has been parsed is no garbage; looking for some in it again and again would take longer than all the rest.
    collects = gc.isenabled()
    gc.disable()
    try:
        return tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise MalformedReplayError(None, "not-toml", error=error.msg, line=error.lineno, column=error.colno) from None
    # What is beyond the parser; it does not say where.
    except RecursionError:
        raise MalformedReplayError(None, "too-deep") from None
    except (ValueError, OverflowError, MemoryError):
        raise MalformedReplayError(None, "too-long-number") from None
    finally:
        if collects:
            gc.enable()


def _check_keys(text: str) -> None:
    """Raise `MalformedReplayError` for a key of too many parts, before the parser takes its time with it."""
    if text.count(".") >= _LONGEST_KEY:
        from cubiri_cli.replays.lines import long_key  # late, because few texts have so many dots

        at = long_key(text, _LONGEST_KEY)
        if at is not None:
            line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
            raise MalformedReplayError(None, "long-key", most=_LONGEST_KEY, line=line, column=column)


# What stands in these texts needs no unescaping, and these numbers are those of Python. (`*+` and `++` never go back,
# so the time does not grow with the square of anything.)
_TEXT = r'"[^"\\\x00-\x1f\x7f]*+"'
_WHOLE = r"-?(?:0|[1-9][0-9]{0,17}+)"
_TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2} (?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\+00:00"
_NUMBERS = rf"\[\n(?:    {_WHOLE}(?:\.[0-9]++)?,\n)++\]"
_HEAD = re.compile(
    rf"format = ({_TEXT})\nversion = ({_WHOLE})\ngame = ({_TEXT})\nrules = ({_WHOLE})\ndice = ({_TEXT})\n"
    rf"seed = ({_TEXT})\n(?:started = ({_TIME})\n)?(?:comment = ({_TEXT})\n)?"
    rf"players = \[\n((?:    \{{ name = {_TEXT}(?:, bot = {_TEXT})? \}},\n)++)\]\n"
    rf"\n\[options\]\n((?:[a-z_]++ = (?:{_TEXT}|{_WHOLE})\n)++)"
)
_PLAYER = re.compile(rf"name = ({_TEXT})(?:, bot = ({_TEXT}))? ")
_RESULT = re.compile(rf"\n\[result\]\nfinished = ({_TIME})\n((?:[a-z_]++ = (?:{_WHOLE}|{_NUMBERS})\n)++)")
_PAIR = re.compile(rf"([a-z_]++) = (?:({_TEXT})|({_WHOLE})|({_NUMBERS}))\n")

_ENTRY = "[a-z0-9 >+-]++"
_TURN = re.compile(rf'\n\[\[turns\]\]\nplayer = ([1-8])\nlog = \[\n    "({_ENTRY}(?:",\n    "{_ENTRY})*+)",\n\]\n')


def _parse_canonical(text: str) -> dict[str, Any] | None:
    """Return the document that `tomli` reads from a text, where its turns are spelled as they are written; else None.

    The turns are `Turn`s, of a player from 1 to 8 and with texts.

    Nine tenths of a replay are turns; taking them apart here is a quarter faster than parsing them, and what stands
    before and after them takes a fifth of the time. That is parsed where it is spelled otherwise: each has to be a
    document of its own, so no turn can be hidden in a text that spans lines; and the three name different keys, so
    together they are what they are one by one.
    """
    begin = text.find("\n\n[[turns]]\n") + 1
    turns: list[Turn] = []
    end = begin
    while match := _TURN.match(text, end):
        turns.append(Turn(int(match[1]), match[2].split('",\n    "')))
        end = match.end()
    if not turns or not (end == len(text) or text.startswith("\n[result]\n", end)):
        return None
    try:
        head, tail = _head(text, begin) or _load(text[:begin]), _tail(text, end) or _load(text[end:])
    except ValueError:
        return None  # to be said with the place in the whole text
    if not head or "turns" in head or "result" in head or not tail.keys() <= {"result"}:
        return None
    return {**head, "turns": turns, **tail}


def _head(text: str, end: int) -> dict[str, Any] | None:
    """Return what stands before the turns, where it is spelled as it is written."""
    match = _HEAD.fullmatch(text, 0, end)
    options = _pairs(match[10]) if match else None
    if match is None or options is None:
        return None
    head: dict[str, Any] = {
        "format": match[1][1:-1],
        "version": int(match[2]),
        "game": match[3][1:-1],
        "rules": int(match[4]),
        "dice": match[5][1:-1],
        "seed": match[6][1:-1],
    }
    if match[7]:
        head["started"] = datetime.fromisoformat(match[7])
    if match[8]:
        head["comment"] = match[8][1:-1]
    head["players"] = [
        {"name": name[1:-1], "bot": bot[1:-1]} if bot else {"name": name[1:-1]}
        for name, bot in _PLAYER.findall(match[9])
    ]
    head["options"] = options
    return head


def _tail(text: str, begin: int) -> dict[str, Any] | None:
    """Return what stands after the turns, where it is spelled as it is written and more than nothing."""
    match = _RESULT.fullmatch(text, begin)
    claims = _pairs(match[2]) if match else None
    if match is None or claims is None or "finished" in claims:
        return None
    return {"result": {"finished": datetime.fromisoformat(match[1]), **claims}}


def _pairs(text: str) -> dict[str, Any] | None:
    """Return the keys and values of some lines; None where a key stands twice."""
    found = _PAIR.findall(text)
    pairs = {
        key: word[1:-1] if word else int(number) if number else [_number(one) for one in numbers[1:-1].split(",")[:-1]]
        for key, word, number, numbers in found
    }
    return pairs if len(pairs) == len(found) else None


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def read(data: bytes) -> Replay:
    """Return the replay in `data`, its form checked (but its dice, actions and claims not: that is `verify`).

    Raises `UnreadableReplayError`, `MalformedReplayError` or `UnsupportedReplayError`.
    """
    return replay_of(parse(data))


def read_file(path: str | os.PathLike[str]) -> Replay:
    """Return the replay in a file; see `read`."""
    return read(read_bytes(path))


def _os_message(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
