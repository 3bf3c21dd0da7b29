"""The command line as typer reads it: the commands with their options, and what typer refuses."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from cubiri_cli.cli.typer_texts import refusal, speaking
from cubiri_cli.commands import COMMANDS
from cubiri_cli.commands.output import DONE, INTERRUPTED, message
from cubiri_cli.table.language import LANGUAGES, _

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Choices = Callable[[typer.Context, str, str, str], list[str]]


def parse_and_call(arguments: Sequence[str]) -> int:
    """Carry out the command that the arguments name and return the exit status; say in one line what is refused."""
    try:
        status = build(arguments)(args=list(arguments), prog_name="cubiri", standalone_mode=False)
    except typer.TyperException as error:
        message(f"cubiri: {refusal(error.format_message())}")
        return error.exit_code
    except typer.Exit as error:
        return error.exit_code
    except typer.Abort:
        return INTERRUPTED
    return status if isinstance(status, int) else DONE


def build(arguments: Sequence[str] = (), choices: Choices | None = None) -> Any:
    """Return the command line as an object to call; only the command that `arguments` name, where they name one.

    With `choices`, which answers what a parameter can be, it is one to be completed: without commands where none is
    named, and global options may stand after the command.
    """
    app = typer.Typer(
        name="cubiri",
        add_completion=choices is not None,  # else typer does not load how it speaks to shells
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    app.callback(help=_("Play CUBIRI dice games, and verify recorded games."))(_main)
    named = [word for word in arguments[:1] if word in COMMANDS]
    wanted = named or (() if choices else COMMANDS)
    modules = {name: import_module(f"cubiri_cli.commands.{COMMANDS[name]}") for name in wanted}
    for name, module in modules.items():
        app.command(name, help="\n\n".join(map(_, module.HELP)))(module.COMMAND)
    if choices is None:
        return speaking(typer.main.get_command(app))
    for command in (_main, *(module.COMMAND for module in modules.values())):
        _complete(command, choices)
    group: Any = typer.main.get_command(app)
    group.params = [one for one in group.params if "completion" not in one.name]  # ours is a command
    for command in group.commands.values():
        command.params += [one for one in group.params if one.name != "version"]
    return group


def _complete(command: Callable[..., Any], choices: Choices) -> None:
    """Give each parameter of a command what typer calls for its choices."""

    def completing(name: str, metavar: str) -> Callable[[typer.Context, str], list[str]]:
        def complete(ctx: typer.Context, incomplete: str) -> list[str]:
            return choices(ctx, name, metavar, incomplete)

        return complete

    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        command.__annotations__[name] = parameter.annotation  # evaluated: else typer would make another
        for info in get_args(parameter.annotation)[1:]:
            info.autocompletion = completing(name, info.metavar or "")


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
