"""The command line as a whole: which commands there are, the global options, and what becomes of errors."""

from __future__ import annotations

import contextlib
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cubiri_cli.commands.output import DONE, INTERRUPTED, NO, USAGE, UsageError, message
from cubiri_cli.replays.clock import InvalidClockError
from cubiri_cli.table.style import InvalidLanguageError, take_global_options

if TYPE_CHECKING:
    from collections.abc import Sequence

# Command → module in this folder. A module is imported when its command is called, or when all are listed.
COMMANDS = {
    "play": "play",
    "replay": "replay",
    "verify-score": "verify_score",
    "rules": "rules",
}


def run(arguments: Sequence[str]) -> int:
    """Carry out a command line (without the program's name) and return the exit status. Never raises for bad input."""
    _make_streams_safe()
    try:
        rest = take_global_options(arguments)
        status = build(rest)(args=list(rest), prog_name="cubiri", standalone_mode=False)
    except (UsageError, InvalidLanguageError, InvalidClockError) as error:
        message(f"cubiri: {error}")
        return USAGE
    except typer.TyperException as error:
        message(f"cubiri: {error.format_message()}")
        return error.exit_code
    except typer.Exit as error:
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return _reader_left()
    except Exception as error:
        if os.environ.get("CUBIRI_DEBUG"):
            raise
        message(f"cubiri: unexpected {type(error).__name__}: {error} (CUBIRI_DEBUG=1 shows where; please report it)")
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
    app.callback()(_main)
    named = [word for word in arguments if word in COMMANDS][:1]
    first = arguments[0] if arguments else ""
    for name in named if named and first == named[0] else COMMANDS:
        module = import_module(f"cubiri_cli.commands.{COMMANDS[name]}")
        app.command(name)(module.COMMAND)
    return typer.main.get_command(app)


def _show_version(asked: bool) -> None:
    if asked:
        from cubiri_cli import __version__

        print(f"cubiri {__version__}")
        raise typer.Exit


def _main(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
    lang: Annotated[str, typer.Option(metavar="en|fi|sk", help="The language of everything people read.")] = "",
    no_color: Annotated[
        bool, typer.Option("--no-color", help="No colour. The variable NO_COLOR does the same.")
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Plain text: ASCII, no animation, no cursor movement.")
    ] = False,
) -> None:
    """Play MAGDAGDON and MISHIMASH, two CUBIRI dice games, and verify recorded games."""


def _make_streams_safe() -> None:
    """Keep printing from failing on characters that the terminal's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace" if stream is sys.stderr else "replace")  # type: ignore[union-attr]


def _reader_left() -> int:
    """End quietly where nobody reads any more (`| head`); nothing may be flushed into the closed pipe at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return NO
