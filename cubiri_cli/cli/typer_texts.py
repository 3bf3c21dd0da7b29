"""What typer says by itself, in the language spoken: headings and notes of help pages, and refusals.

typer writes them in English, without a way to say otherwise; here each is known by its wording. What is not known stays
in English, and a test asks for every one of them.
"""

from __future__ import annotations

import re
from functools import cache
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import typer

from cubiri_cli.table.language import N_, _, spoken
from cubiri_cli.table.style import STYLE

if TYPE_CHECKING:
    from collections.abc import Sequence

HEADINGS = (N_("Arguments"), N_("Options"), N_("Commands"))

NOTES = (N_("Show this message and exit."),)

PLACEHOLDERS = (
    N_("ARGS"),
    N_("BOT"),
    N_("COMMAND"),
    N_("FACTOR"),
    N_("FILE"),
    N_("FOLDER"),
    N_("GAME"),
    N_("KEY"),
    N_("NAME"),
    N_("OPTIONS"),
    N_("PATH"),
    N_("POINTS"),
    N_("REPLAY"),
    N_("SECONDS"),
    N_("SHELL"),
    N_("TEXT"),
    N_("TOPIC"),
    N_("VALUE"),
)
"""The words that stand for what is to be typed."""

REFUSALS = (
    # The first that fits is meant.
    N_("No such option: {option} (Possible options: {options})"),
    N_("No such option: {option}"),
    N_("No such command {command}."),
    N_("Missing command."),
    N_("Missing argument {argument}."),
    N_("Missing option {option}."),
    N_("Invalid value for {argument}: {reason}"),
    N_("Option {option} does not take a value."),
    N_("Option {option} requires an argument."),
    N_("Got unexpected extra argument(s) ({arguments})"),
)

NARROWEST = 30
"""How many columns a help page has at least."""

_PLACEHOLDER = re.compile(rf"\b(?:{'|'.join(PLACEHOLDERS)})\b")
_DEFAULT = re.compile(r"\[default: (.*)\]$")


def refusal(text: str) -> str:
    """Return in the language spoken what typer refuses a command line with."""
    if spoken() == "en":
        return text
    for template in REFUSALS:
        found = _pattern(template).fullmatch(text)
        if found:
            return _(template).format(**{name: _part(name, part) for name, part in found.groupdict().items()})
    return text


def _part(name: str, text: str) -> str:
    """Return what stands in a refusal: another refusal, the placeholder of an argument, or what was typed."""
    return refusal(text) if name == "reason" else placeholders(text) if name == "argument" else text


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Return the expression for every text made of a template.

    >>> _pattern("No such option: {option}").fullmatch("No such option: --sed")["option"]
    '--sed'
    """
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(template)), re.DOTALL)


def placeholders(text: str) -> str:
    """Return a text with the words that stand for what is to be typed in the language spoken."""
    return _PLACEHOLDER.sub(lambda found: _(found[0]), text)


_HelpFormatter: Any = typer.Context.formatter_class


class _Formatter(_HelpFormatter):  # type: ignore[misc]
    """Writes help pages in the language spoken, as narrow as the terminal is (typer's have 50 columns at least)."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.width: int = min(self.width, max(NARROWEST, get_terminal_size().columns - 2))

    def getvalue(self) -> str:
        from cubiri_cli.table.drawing import degrade, screen_encoding

        return degrade(str(super().getvalue()), screen_encoding(STYLE.ascii))

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, placeholders(args), _("Usage:") + " ")

    def write_heading(self, heading: str) -> None:
        super().write_heading(_(heading))

    def write_dl(self, rows: Sequence[tuple[str, str]], *_arguments: Any, **_options: Any) -> None:
        shown = [(self._fitted(placeholders(term)), _note(text)) for term, text in rows]
        super().write_dl(shown, col_max=min(30, self.width // 3))

    def _fitted(self, term: str) -> str:
        """Return an option with what it takes on a line of its own where both do not fit on one."""
        return term if len(term) + 2 <= self.width else term.replace(" ", "\n" + " " * 6)


def _note(text: str) -> str:
    """Return what is said of an option or a command; what typer adds to it in the language spoken."""
    text = _(text) if text in NOTES else text
    text = _DEFAULT.sub(lambda found: "[" + _("default: {default}").format(default=found[1]) + "]", text)
    return text.replace("[required]", "[" + _("required") + "]")


class _Context(typer.Context):
    formatter_class = _Formatter


def speaking(command: Any) -> Any:
    """Return a command of typer whose help pages, and its subcommands', are in the language spoken."""
    for one in (command, *command.commands.values()):
        one.context_class = _Context
    return command
