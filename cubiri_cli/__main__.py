"""The command `cubiri`; `python -m cubiri_cli` is the same."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its status."""
    # Before anything is imported: scripts ask for the version often, and typer takes four times as long to load.
    if sys.argv[1:] == ["--version"]:
        from cubiri_cli import __version__

        print(f"cubiri {__version__}")
        return
    from cubiri_cli.commands.app import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
