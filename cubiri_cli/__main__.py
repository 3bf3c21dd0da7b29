"""The command `cubiri`; `python -m cubiri_cli` is the same."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and exit with its status."""
    # Before anything is imported: scripts ask for the version often, and typer takes four times as long to load.
    if sys.argv[1:] == ["--version"]:
        from cubiri_cli import __version__

        try:
            print(f"cubiri {__version__}", flush=True)
        except OSError:
            pass  # a full disk, or nobody reads: said below, as it is for every command
        else:
            return
    # Loading makes many objects and no garbage; looking for it after every 700 would take a twentieth of the start.
    gc.set_threshold(50_000)
    if sys.argv[1:2] == ["--complete"]:  # a shell asks, at each tab
        from cubiri_cli.cli.completing import main as complete

        complete(sys.argv[2:])
        return
    from cubiri_cli.cli.app import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
