"""`cubiri completion`: what a shell needs to complete this command line, shown or installed."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Annotated

from cubiri_cli.commands import SHELLS
from cubiri_cli.commands.output import DONE, UsageError, message, write_for_programs
from cubiri_cli.commands.parameters import Argument, CommandOption
from cubiri_cli.table.language import N_, _

BASH = r"""# Completion of cubiri, for bash.
_cubiri() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <("$1" --complete bash "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
    case ${COMPREPLY[0]} in */) [ ${#COMPREPLY[@]} -gt 1 ] || compopt -o nospace 2>/dev/null ;; esac
}
complete -F _cubiri cubiri cubiri-cli
"""

ZSH = r"""#compdef cubiri cubiri-cli
# Completion of cubiri, for zsh.
_cubiri() {
    local -a found folders others
    local last=$PREFIX
    [[ -n $QIPREFIX ]] || last=${(Q)PREFIX}
    found=("${(@f)$("${(Q)words[1]}" --complete zsh "${(@Q)words[2,CURRENT-1]}" "$last" 2>/dev/null)}")
    folders=("${(@M)found:#*/}")
    others=("${(@)found:#(*/|)}")
    (( ${#folders} )) && compadd -U -S '' -- "${folders[@]}"
    (( ${#others} )) && compadd -U -- "${others[@]}"
}
if (( ! $+functions[compdef] )); then
    autoload -Uz compinit && compinit
fi
compdef _cubiri cubiri cubiri-cli
"""

FISH = r"""# Completion of cubiri, for fish.
function __cubiri_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct | string replace -r '^[\'"]' '')
    $words[1] --complete fish $words[2..-1] (string unescape -- $last; or echo -- $last) 2>/dev/null
end
complete -c cubiri -f -a '(__cubiri_complete)'
complete -c cubiri-cli -f -a '(__cubiri_complete)'
"""

POWERSHELL = r"""# Completion of cubiri, for PowerShell.
Register-ArgumentCompleter -Native -CommandName cubiri, cubiri-cli -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = $commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition }
    $words = @($typed | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { "$_" }
    })
    if ($wordToComplete -eq '') { $words += '' }
    $encoding = [Console]::OutputEncoding
    try {
        [Console]::OutputEncoding = [System.Text.UTF8Encoding]::new($false)
        $env:_CUBIRI_WORDS = ($words | Select-Object -Skip 1) -join "`n"
        & $words[0] --complete powershell 2>$null | ForEach-Object {
            $text = if ($_ -match '[\s''`"$&|;(){}@#,<>]') { "'" + $_.Replace("'", "''") + "'" } else { $_ }
            [System.Management.Automation.CompletionResult]::new($text, $_, 'ParameterValue', $_)
        }
    } finally {
        [Console]::OutputEncoding = $encoding
        Remove-Item Env:_CUBIRI_WORDS -ErrorAction SilentlyContinue
    }
}
"""

SCRIPTS = {"bash": BASH, "fish": FISH, "powershell": POWERSHELL, "zsh": ZSH}


def completion(
    shell: Annotated[
        str | None,
        Argument(metavar="[SHELL]", help=_("{shells}; by default your own.").format(shells=", ".join(SHELLS))),
    ] = None,
    install: Annotated[
        bool, CommandOption("--install", help=_("Install it for this user; new shells pick it up."))
    ] = False,
) -> int:
    """Show the script that completes cubiri, or install it."""
    name = shell.lower() if shell is not None else _own_shell()
    if name not in SHELLS:
        raise UsageError(_("name your shell: {shells}").format(shells=", ".join(SHELLS)))
    if not install:
        write_for_programs()
        print(SCRIPTS[name], end="")
        return DONE
    for path in install_for(name):
        message(_("written: {path}").format(path=path))
    message(_("New shells pick it up."))
    return DONE


HELP = (
    N_("Show the script that completes cubiri, or install it."),
    N_("Commands, options, games, difficulties, languages, formats, replays and seeds are then completed with Tab."),
)

COMMAND = completion


def _own_shell() -> str:
    """Return the name of the shell that is used here, as far as the system says."""
    default = "powershell" if os.name == "nt" else ""
    return os.path.basename(os.environ.get("SHELL", default)).removesuffix(".exe")  # noqa: PTH119


def install_for(shell: str) -> list[Path]:
    """Write the script where the shell finds it, and return the files written. Raises `OSError`.

    fish looks in its folder by itself; the others get a line in their start-up file, once.
    """
    try:
        path, startups = _places(shell)
    except RuntimeError:  # Path.home: nobody knows where that is
        raise UsageError(_("there is no home folder to install it in")) from None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SCRIPTS[shell], encoding="utf-8")
    return [path, *(startup for startup in startups if _add_line(startup, _line(shell, path)))]


def _line(shell: str, path: Path) -> str:
    """Return the line that reads a script, where it is there."""
    if shell == "powershell":
        quoted = "'" + str(path).replace("'", "''") + "'"
        return f"if (Test-Path {quoted}) {{ . {quoted} }}  # cubiri completion\n"
    quoted = shlex.quote(str(path))
    return f"[ -r {quoted} ] && . {quoted}  # cubiri completion\n"


def _add_line(startup: Path, line: str) -> bool:
    """Add a line to a start-up file unless it is there; tell whether it was added."""
    before = startup.read_text("utf-8", "surrogateescape") if startup.exists() else ""
    if line in before:
        return False
    startup.parent.mkdir(parents=True, exist_ok=True)
    with startup.open("a", encoding="utf-8") as file:
        file.write(line if before.endswith("\n") or not before else f"\n{line}")
    return True


def _places(shell: str) -> tuple[Path, list[Path]]:
    """Return where the script of a shell belongs, and the start-up files that have to name it."""
    home = Path.home()
    data = _folder("XDG_DATA_HOME", home / ".local" / "share")
    if shell == "fish":
        return _folder("XDG_CONFIG_HOME", home / ".config") / "fish" / "completions" / "cubiri.fish", []
    if shell == "zsh":
        return data / "zsh" / "site-functions" / "_cubiri", [_folder("ZDOTDIR", home) / ".zshrc"]
    if shell == "powershell":
        return data / "cubiri" / "completion.ps1", _profiles()
    return data / "bash-completion" / "completions" / "cubiri", [home / ".bashrc"]


def _profiles() -> list[Path]:
    """Return the start-up files of the PowerShells that are here; each is asked. Raises `UsageError` for none."""
    found = []
    for program in filter(None, map(shutil.which, ("pwsh", "powershell"))):
        command = [program, "-NoProfile", "-NonInteractive", "-Command", "$PROFILE"]
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
            found += [Path(said.stdout.strip())] if said.stdout.strip() else []
    if not found:
        raise UsageError(_("PowerShell was not found; cubiri completion powershell shows the script for its $PROFILE"))
    return found


def _folder(variable: str, default: Path) -> Path:
    """Return the folder that a variable of the environment names, where it is set."""
    return Path(os.environ.get(variable) or default)
