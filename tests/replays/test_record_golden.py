"""Golden games: complete replays, pinned. A change of any die, rule, format or digest fails here, loudly.

They are never generated again: a new rules version gets games of its own beside these, and these stay as they are.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cubiri_cli import games
from cubiri_cli.replays.reading import read
from cubiri_cli.replays.session import Session
from cubiri_cli.replays.verifying import verify
from cubiri_cli.replays.writing import write
from tests.support import reference


def text_of(name: str) -> str:
    """Return a golden game as it is pinned."""
    return (Path(__file__).parents[1] / "goldens" / f"{name}.toml").read_bytes().decode("utf-8")


GOLDEN = {
    "peaceful": (text_of("peaceful"), "47e47157f276f320ce6a43aa9dfe1a8efc028cd34e1c674e5870334ad5ec0bc2"),
    "survival": (text_of("survival"), "a90018880f4fc9a643599e6637c914102ac7d6b0814e4580f5e28d907cf82380"),
    "nightmare": (text_of("nightmare"), "3e81ab7e93e97a51daf28cb88688bfa72340ef5e54b69375a3d3a3181b489d66"),
    "solo": (text_of("solo"), "0e5dc6f552138e4792eafc6634e4968a925f8cd13bf4bcf59883dff2a19ee915"),
    "sudden_death": (text_of("sudden_death"), "ff107592188cf8fcfad82d37ef37a971359b7a024a0cb866ff9c2d6c24b2647c"),
}


golden = pytest.mark.parametrize("name", GOLDEN)


def test_there_is_one_for_each_way_to_play() -> None:
    lacking = set(games.names()) - {read(text.encode()).game for text, _ in GOLDEN.values()}
    assert not lacking, f"no golden game of {lacking}"
    assert {"peaceful", "survival", "nightmare"} <= set(GOLDEN)


@golden
def test_it_verifies(name: str) -> None:
    text, digest = GOLDEN[name]
    assert verify(text.encode()).status == "verified"
    assert reference.judge_bytes(text.encode()).status == "verified"
    assert read(text.encode()).digest == digest


@golden
def test_it_is_written_as_it_was(name: str) -> None:
    text, _ = GOLDEN[name]
    assert write(read(text.encode())) == text


@golden
def test_its_actions_alone_lead_to_it_again(name: str) -> None:
    """Seed, options, names and actions: every die, every turn and every claim come out as they stand there."""
    text, digest = GOLDEN[name]
    old = read(text.encode())
    about = {"started": old.started, "comment": old.comment, "rules": old.rules}
    new = Session.begin(old.game, old.options, old.players, old.seed, **about)  # type: ignore[arg-type]
    assert old.result is not None
    new.finished = old.result["finished"]
    for turn in old.turns:
        for entry in turn.log:
            new.do(entry.partition(" -> ")[0])
    assert new.text() == text
    assert new.replay.digest == digest
