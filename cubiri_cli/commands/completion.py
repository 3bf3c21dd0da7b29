"""`cubiri completion`: what a shell needs to complete this command line, shown or installed."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from cubiri_cli.commands import SHELLS
from cubiri_cli.commands.output import DONE, UsageError, message, write_for_programs
from cubiri_cli.table.language import N_, _

BASH = r"""# Completion of cubiri, for bash.
_cubiri() {
    local kind='' line
    COMPREPLY=()
    while IFS= read -r line; do
        if [ -z "$kind" ]; then kind=$line; else COMPREPLY+=("$line"); fi
    done < <("$1" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    if [ "$kind" = files ]; then
        compopt -o filenames 2>/dev/null
        case ${COMPREPLY[0]} in */) [ ${#COMPREPLY[@]} -gt 1 ] || compopt -o nospace 2>/dev/null ;; esac
    fi
}
complete -F _cubiri cubiri
"""

ZSH = r"""#compdef cubiri
# Completion of cubiri, for zsh.
_cubiri() {
    local -a found folders others
    found=("${(@f)$("${(Q)words[1]}" --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    local kind=${found[1]}
    found=("${(@)found[2,-1]}")
    folders=("${(@M)found:#*/}")
    others=("${(@)found:#*/}")
    [[ $kind == files ]] && (( ${#folders} )) && compadd -U -S '' -- "${folders[@]}"
    (( ${#others} )) && compadd -U -- "${others[@]}"
}
if (( ! $+functions[compdef] )); then
    autoload -Uz compinit && compinit
fi
compdef _cubiri cubiri
"""

FISH = r"""# Completion of cubiri, for fish.
function __cubiri_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] --complete $words[2..-1] 2>/dev/null | tail -n +2
end
complete -c cubiri -f -a '(__cubiri_complete)'
"""

SCRIPTS = {"bash": BASH, "fish": FISH, "zsh": ZSH}


def completion(
    shell: Annotated[
        str | None,
        typer.Argument(metavar="[SHELL]", help=_("{shells}; by default your own.").format(shells=", ".join(SHELLS))),
    ] = None,
    install: Annotated[
        bool, typer.Option("--install", help=_("Install it for this user, for every shell started from now on."))
    ] = False,
) -> int:
    """Show the script that completes cubiri, or install it."""
    name = shell.lower() if shell is not None else os.path.basename(os.environ.get("SHELL", ""))  # noqa: PTH119
    if name not in SHELLS:
        raise UsageError(_("name your shell: {shells}").format(shells=", ".join(SHELLS)))
    if not install:
        write_for_programs()
        print(SCRIPTS[name], end="")
        return DONE
    for path in install_for(name):
        message(_("written: {path}").format(path=path))
    message(_("It holds in shells that are started from now on."))
    return DONE


HELP = (
    N_("Show the script that completes cubiri, or install it."),
    N_("Commands, options, games, difficulties, languages, formats, replays and seeds are then completed with Tab."),
)

COMMAND = completion


def install_for(shell: str) -> list[Path]:
    """Write the script where the shell finds it, and return the files written. Raises `OSError`.

    fish looks in its folder by itself; bash and zsh get a line in their start-up file, once.
    """
    try:
        path, startup = _places(shell)
    except RuntimeError:  # Path.home: nobody knows where that is
        raise UsageError(_("there is no home folder to install it in")) from None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SCRIPTS[shell], encoding="utf-8")
    if startup is None:
        return [path]
    quoted = shlex.quote(str(path))
    line = f"[ -r {quoted} ] && . {quoted}  # cubiri completion\n"
    before = startup.read_text("utf-8", "surrogateescape") if startup.exists() else ""
    if line in before:
        return [path]
    with startup.open("a", encoding="utf-8") as file:
        file.write(line if before.endswith("\n") or not before else f"\n{line}")
    return [path, startup]


def _places(shell: str) -> tuple[Path, Path | None]:
    """Return where the script of a shell belongs, and the start-up file that has to name it."""
    home = Path.home()
    data = _folder("XDG_DATA_HOME", home / ".local" / "share")
    if shell == "fish":
        return _folder("XDG_CONFIG_HOME", home / ".config") / "fish" / "completions" / "cubiri.fish", None
    if shell == "zsh":
        return data / "zsh" / "site-functions" / "_cubiri", _folder("ZDOTDIR", home) / ".zshrc"
    return data / "bash-completion" / "completions" / "cubiri", home / ".bashrc"


def _folder(variable: str, default: Path) -> Path:
    """Return the folder that a variable of the environment names, where it is set."""
    return Path(os.environ.get(variable) or default)
