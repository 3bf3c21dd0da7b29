"""The command line as a whole: which commands there are, the global options, and what becomes of errors."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cubiri_cli.commands.output import DONE, INTERRUPTED, NO, USAGE, UsageError, message
from cubiri_cli.commands.wording import refusal, speaking
from cubiri_cli.replays.clock import InvalidClockError
from cubiri_cli.table.language import LANGUAGES, _
from cubiri_cli.table.style import InvalidLanguageError, complaints, is_terminal, take_global_options

if TYPE_CHECKING:
    from collections.abc import Sequence

# Command → module in this folder. A module is imported when its command is called, or when all are listed.
COMMANDS = {
    "play": "play",
    "resume": "resume",
    "replay": "replay",
    "verify-score": "verify_score",
    "leaderboard": "leaderboard",
    "rules": "rules",
    "settings": "settings",
}


def run(arguments: Sequence[str]) -> int:
    """Carry out a command line (without the program's name) and return the exit status. Never raises for bad input."""
    _make_streams_safe()
    try:
        status = _carry_out(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where a full disk or a reader that left can still be answered
    except BrokenPipeError:
        _stop_printing()
        return NO
    except OSError as error:
        _stop_printing()
        name = "" if error.filename is None else f"{error.filename}: "
        message(f"cubiri: {name}{error.strerror or error}")
        return USAGE
    return status


def _carry_out(arguments: Sequence[str]) -> int:
    """Carry out a command line and return the exit status; raise `OSError` where the system refuses something."""
    try:
        rest = take_global_options(arguments)
        for complaint in complaints():
            message(f"cubiri: {complaint}")
        if not rest and is_terminal():
            from cubiri_cli.commands.menu import menu

            return menu()
        rest = rest or ["--help"]
        status = build(rest)(args=list(rest), prog_name="cubiri", standalone_mode=False)
    except (UsageError, InvalidLanguageError, InvalidClockError) as error:
        message(f"cubiri: {error}")
        return USAGE
    except typer.TyperException as error:
        message(f"cubiri: {refusal(error.format_message())}")
        return error.exit_code
    except typer.Exit as error:
        return error.exit_code
    except (KeyboardInterrupt, EOFError, typer.Abort):
        return INTERRUPTED
    except OSError:
        raise
    except Exception as error:
        if os.environ.get("CUBIRI_DEBUG"):
            raise
        text = _("unexpected {error} (CUBIRI_DEBUG=1 shows where; please report it)")
        message("cubiri: " + text.format(error=f"{type(error).__name__}: {error}"))
        return USAGE
    return status if isinstance(status, int) else DONE


def build(arguments: Sequence[str] = ()) -> Any:
    """Return the command line as an object to call; only the command that `arguments` name, where they name one."""
    app = typer.Typer(
        name="cubiri",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    app.callback(help=_("Play CUBIRI dice games, and verify recorded games."))(_main)
    named = [word for word in arguments if word in COMMANDS][:1]
    first = arguments[0] if arguments else ""
    for name in named if named and first == named[0] else COMMANDS:
        module = import_module(f"cubiri_cli.commands.{COMMANDS[name]}")
        app.command(name, help="\n\n".join(map(_, module.HELP)))(module.COMMAND)
    return speaking(typer.main.get_command(app))


def _show_version(asked: bool) -> None:
    if asked:
        from cubiri_cli import __version__

        print(f"cubiri {__version__}")
        raise typer.Exit


def _main(
    version: Annotated[
        bool, typer.Option("--version", help=_("Show the version."), callback=_show_version, is_eager=True)
    ] = False,
    lang: Annotated[
        str, typer.Option(metavar="|".join(LANGUAGES), help=_("The language of everything people read."))
    ] = "",
    no_color: Annotated[
        bool, typer.Option("--no-color", help=_("No colour. The variable NO_COLOR does the same."))
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help=_("Plain text: ASCII, no animation, no cursor movement."))
    ] = False,
) -> None:
    """Take the global options, which have been applied before."""


def _make_streams_safe() -> None:
    """Keep printing from failing on characters that the terminal's encoding lacks."""
    codecs.register_error("likeness", _alike)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="likeness")  # type: ignore[union-attr]


def _alike(error: UnicodeError) -> tuple[str, int]:
    """Return what is printed for characters that the encoding lacks: their likes, `a` for `ä`, else a `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from cubiri_cli.table.drawing import degrade

    return degrade(error.object[error.start : error.end], error.encoding), error.end


def _stop_printing() -> None:
    """Print nothing more: what could not be printed must not be tried once more at exit."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
