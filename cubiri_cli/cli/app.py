"""The command line as a whole: which commands there are, the global options, and what becomes of errors."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from typing import TYPE_CHECKING

from cubiri_cli import store
from cubiri_cli.cli.global_options import InvalidLanguageError, take_global_options
from cubiri_cli.commands.output import (
    DONE,
    INTERRUPTED,
    TO_MENU,
    UNANSWERED,
    USAGE,
    NotAnsweredError,
    UsageError,
    guarded,
    message,
)
from cubiri_cli.commands.progress import watched
from cubiri_cli.replays.clock import InvalidClockError
from cubiri_cli.table.drawing import degrade
from cubiri_cli.table.language import _
from cubiri_cli.table.messages import explain_at, why
from cubiri_cli.table.settings import complaints
from cubiri_cli.table.style import STYLE
from cubiri_cli.terminal.printing import is_terminal

if TYPE_CHECKING:
    from collections.abc import Sequence


def run(arguments: Sequence[str]) -> int:
    """Carry out a command line (without the program's name) and return the exit status. Never raises for bad input."""
    with guarded():
        try:
            _make_streams_safe()
            status = _carry_out(arguments)
            if sys.stdout is not None:
                sys.stdout.flush()  # here, where a full disk or a reader that left can still be answered
        except NotAnsweredError:
            return UNANSWERED
        except BrokenPipeError:
            return DONE
        except OSError as error:
            name = "" if error.filename is None else f"{error.filename}: "
            message(f"cubiri: {name}{why(error)}")
            return USAGE
        finally:
            _stop_printing()
    return status


def _carry_out(arguments: Sequence[str]) -> int:
    """Carry out a command line and return the exit status; raise `OSError` where the system refuses something."""
    try:
        rest = take_global_options(arguments)
        store.watched = watched
        if STYLE.plain:
            _make_streams_safe("ascii")
        for complaint in complaints():
            message(f"cubiri: {complaint}")
        if not rest and is_terminal():
            return _menu()
        if _is_plain_verification(rest):
            from cubiri_cli.commands.judging import judge_all

            return judge_all(rest[1:])
        # Not before it is needed: typer takes longer to load than a replay to verify.
        from cubiri_cli.cli.parsing import parse_and_call

        status = parse_and_call(rest or ["--help"])
        return _menu() if status == TO_MENU else status
    except (UsageError, InvalidLanguageError) as error:
        message(f"cubiri: {error}")
        return USAGE
    except InvalidClockError as error:
        message(f"cubiri: {explain_at(error.problem)}")
        return USAGE
    except (KeyboardInterrupt, EOFError):
        return INTERRUPTED
    except OSError:
        raise
    except Exception as error:
        if os.environ.get("CUBIRI_DEBUG"):
            raise
        text = _("unexpected {error} (CUBIRI_DEBUG=1 shows where; please report it)")
        message("cubiri: " + text.format(error=f"{type(error).__name__}: {error}"))
        return USAGE


def _menu() -> int:
    from cubiri_cli.commands.menu import menu

    return menu()


def _is_plain_verification(arguments: Sequence[str]) -> bool:
    """Tell whether this is `verify-score` with nothing but paths: then there are no options to be understood."""
    paths = arguments[1:]
    return arguments[:1] == ["verify-score"] and bool(paths) and all(one == "-" or one[:1] != "-" for one in paths)


def _make_streams_safe(encoding: str | None = None) -> None:
    """Keep printing from failing on characters that the terminal's encoding lacks, or the `encoding` given."""
    codecs.register_error("likeness", _alike)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(encoding=encoding, errors="likeness")  # type: ignore[union-attr]


def _alike(error: UnicodeError) -> tuple[str, int]:
    """Return what is printed for characters that the encoding lacks: their likes, `a` for `ä`, else a `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return degrade(error.object[error.start : error.end], error.encoding), error.end


def _stop_printing() -> None:
    """Print nothing more where that fails: Python would try it once more at exit, and end with a status of its own."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        except AttributeError:  # closed
            pass
