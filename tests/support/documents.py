"""Documents that are run: their code blocks, a shell to run these in, and a copy of the repository to run them on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
PATH = f"{BIN}{os.pathsep}{os.environ['PATH']}"
"""The search path of somebody who has installed what is here."""


def blocks(text: str, language: str = r"\w+") -> list[str]:
    """Return the code blocks of this language, in order; all, where none is named."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def consoles(text: str) -> list[tuple[str, str]]:
    """Return the commands of the `console` blocks, each with the output shown under it."""
    parts = [part for block in blocks(text, "console") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def shell(
    command: str, folder: Path, stderr: int = subprocess.STDOUT, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command as a person would type it, where there is no terminal; both streams are one, unless said."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        encoding="utf-8",
        check=False,
        timeout=300,
    )


def copy_of(folder: Path, *names: str) -> Path:
    """Copy files and folders of the repository into a folder, which is made, and return that."""
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, target)
    return folder
