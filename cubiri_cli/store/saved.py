"""Games on disk: the file of a game in progress is a valid replay after every action."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cubiri_cli.replays.writing import save
from cubiri_cli.store.home import new_game_path

if TYPE_CHECKING:
    from cubiri_cli.replays.session import Session


class Keeper:
    """Keeps the file of a session: `path` once there is one, in the home folder or where `output` says.

    `sync` waits for the disk after every action, so that even a power cut loses at most the action in flight; without
    it only `finish` does.
    """

    def __init__(self, session: Session, output: Path | None = None, sync: bool = True) -> None:
        self.session = session
        self.path = output
        self.sync = sync
        session.keep = self._keep

    def _keep(self, text: str) -> None:
        if self.path is None:
            self.path = new_game_path(self.session.replay)
        save(self.path, text, self.sync)

    def finish(self) -> None:
        """Store the record once more, now for good."""
        self.sync = True
        self.session.store()
