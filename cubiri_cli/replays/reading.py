"""Reading a replay: bytes in, a `Replay` of the right form out. Whatever the bytes are, the answer is an answer."""

from __future__ import annotations

import gc
import os
import re
import stat
from typing import TYPE_CHECKING, Any

import tomli

from cubiri_cli.replays.form import replay_of
from cubiri_cli.replays.replay import LARGEST, MalformedReplayError, UnreadableReplayError

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

    Raises `UnreadableReplayError` for more than 1 MiB, `MalformedReplayError` for whatever the parser cannot take.
    """
    if len(data) > LARGEST:
        raise UnreadableReplayError(None, "too-large", largest=LARGEST)
    try:
        text = data.removeprefix(_BYTE_ORDER_MARK).decode("utf-8")
        return _parse_canonical(text) or _load(text)
    except UnicodeDecodeError as error:
        raise MalformedReplayError(None, "not-utf-8", position=error.start) from None
    except tomli.TOMLDecodeError as error:
        raise MalformedReplayError(None, "not-toml", error=error.msg, line=error.lineno, column=error.colno) from None
    # What is beyond the parser; it does not say where.
    except RecursionError:
        raise MalformedReplayError(None, "too-deep") from None
    except (ValueError, OverflowError, MemoryError):
        raise MalformedReplayError(None, "too-long-number") from None


def _load(text: str) -> dict[str, Any]:
    """Return what `tomli` reads from a text. Keys of too many parts are no TOML that it would have to read."""
    if text.count(".") >= _LONGEST_KEY:
        from cubiri_cli.replays.lines import long_key  # late, because few texts have so many dots

        at = long_key(text, _LONGEST_KEY)
        if at is not None:
            raise tomli.TOMLDecodeError(f"A key of more than {_LONGEST_KEY} parts", text, at)
    # What has been parsed is no garbage; looking for some in it again and again would take longer than all the rest.
    collects = gc.isenabled()
    gc.disable()
    try:
        return tomli.loads(text)
    finally:
        if collects:
            gc.enable()


# One turn without a comment as it is written. What stands in its texts needs no unescaping. (`*+` and `++` never go
# back, so the time does not grow with the square of anything.)
_ENTRY = "[a-z0-9 >+-]++"
_TURN = re.compile(rf'\n\[\[turns\]\]\nplayer = ([1-8])\nlog = \[\n    "({_ENTRY}(?:",\n    "{_ENTRY})*+)",\n\]\n')


def _parse_canonical(text: str) -> dict[str, Any] | None:
    """Return the document that `tomli` reads from a text, where its turns are spelled as they are written; else None.

    Nine tenths of a replay are turns; taking them apart here is a quarter faster than parsing them. The rest is parsed:
    what stands before the first turn, and `[result]`. Each has to be a document of its own, so no turn can be hidden in
    a text that spans lines; and the three name different keys, so together they are what they are one by one.
    """
    begin = text.find("\n\n[[turns]]\n") + 1
    turns: list[dict[str, Any]] = []
    end = begin
    while match := _TURN.match(text, end):
        turns.append({"player": int(match[1]), "log": match[2].split('",\n    "')})
        end = match.end()
    if not turns or not (end == len(text) or text.startswith("\n[result]\n", end)):
        return None
    try:
        head, tail = _load(text[:begin]), _load(text[end:])
    except (ValueError, RecursionError, OverflowError, MemoryError):
        return None  # to be said with the place in the whole text
    if not head or "turns" in head or "result" in head or not tail.keys() <= {"result"}:
        return None
    return {**head, "turns": turns, **tail}


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
