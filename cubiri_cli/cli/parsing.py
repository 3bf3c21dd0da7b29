"""The command line as typer reads it: the commands with their options, and what typer refuses."""

from __future__ import annotations

import inspect
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from cubiri_cli import __version__
from cubiri_cli.cli.typer_texts import refusal, speaking
from cubiri_cli.commands import COMMANDS
from cubiri_cli.commands.output import DONE, INTERRUPTED, message
from cubiri_cli.commands.parameters import Argument, CommandOption
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
    app.callback(help=_("Play CUBIRI dice games, and verify recorded games."))(_for_typer(_main, choices))
    named = [word for word in arguments[:1] if word in COMMANDS]
    wanted = named or (() if choices else COMMANDS)
    modules = {name: import_module(f"cubiri_cli.commands.{COMMANDS[name]}") for name in wanted}
    for name, module in modules.items():
        texts = [_(text) for text in module.HELP]
        # A short help that is given is whole in the list of commands; typer cuts what it takes from the help.
        app.command(name, help="\n\n".join(texts), short_help=texts[0])(_for_typer(module.COMMAND, choices))
    if choices is None:
        return speaking(typer.main.get_command(app))
    group: Any = typer.main.get_command(app)
    group.params = [one for one in group.params if "completion" not in one.name]  # ours is a command
    for command in group.commands.values():
        command.params += [one for one in group.params if one.name != "version"]
    return group


def _for_typer(command: Callable[..., Any], choices: Choices | None) -> Callable[..., Any]:
    """Return a command as typer takes it: what it says of its parameters in typer's words, and what they can be."""

    @wraps(command)
    def called(**arguments: Any) -> Any:
        return command(**arguments)

    signature = inspect.signature(command, eval_str=True)
    parameters = [one.replace(annotation=_annotation(one, choices)) for one in signature.parameters.values()]
    called.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    return called


def _annotation(parameter: inspect.Parameter, choices: Choices | None) -> Any:
    """Return the annotation of a parameter, as typer reads it."""
    kind, said = get_args(parameter.annotation)
    given: dict[str, Any] = {"metavar": said.metavar, "help": said.help}
    if choices is not None:
        given["autocompletion"] = _completing(choices, parameter.name, said.metavar or "")
    if isinstance(said, Argument):
        return Annotated[kind, typer.Argument(**given)]
    if parameter.name == "version":
        given |= {"callback": _show_version, "is_eager": True}
    return Annotated[kind, typer.Option(*said.names, **given)]


def _completing(choices: Choices, name: str, metavar: str) -> Callable[[typer.Context, str], list[str]]:
    """Return what typer calls for the choices of a parameter."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        return choices(ctx, name, metavar, incomplete)

    return complete


def _show_version(asked: bool) -> None:
    if asked:
        print(f"cubiri {__version__}")
        raise typer.Exit


def _main(
    version: Annotated[bool, CommandOption("--version", help=_("Show the version."))] = False,
    lang: Annotated[str, CommandOption(metavar="|".join(LANGUAGES), help=_("The program's language."))] = "",
    no_color: Annotated[
        bool, CommandOption("--no-color", help=_("No colour. The variable NO_COLOR does the same."))
    ] = False,
    plain: Annotated[
        bool, CommandOption("--plain", help=_("Plain text: ASCII, no animation, no cursor movement."))
    ] = False,
) -> None:
    """Take the global options, which have been applied before."""
