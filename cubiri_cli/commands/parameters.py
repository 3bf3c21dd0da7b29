"""How a command says what it takes: each parameter is annotated with one of these; the command line reads them."""

from __future__ import annotations


class Argument:
    """A word that stands for itself: what it is called in help pages, and what they say of it."""

    def __init__(self, *, metavar: str, help: str) -> None:
        self.metavar = metavar
        self.help = help


class CommandOption:
    """An option: its name where it is not the parameter's, what stands for its value, and what help pages say of it."""

    def __init__(self, *names: str, metavar: str | None = None, help: str) -> None:
        self.names = names
        self.metavar = metavar
        self.help = help
