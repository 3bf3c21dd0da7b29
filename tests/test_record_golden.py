"""Golden games: complete replays, pinned. A change of any die, rule, format or digest fails here, loudly.

They are never generated again: a new rules version gets games of its own beside these, and these stay as they are.
"""

from __future__ import annotations

import pytest

from cubiri_cli import games
from cubiri_cli.replays.reading import read
from cubiri_cli.replays.session import Session
from cubiri_cli.replays.verifying import verify
from cubiri_cli.replays.writing import write
from tests import reference

PEACEFUL = """\
format = "cubiri-replay"
version = 1
game = "magdagdon"
rules = 1
dice = "sha256-d6/1"
seed = "golden"
started = 2026-11-30 18:02:11+00:00
comment = "A game that must be judged the same for ever."
players = [
    { name = "Ada" },
]

[options]
difficulty = "peaceful"

[[turns]]
player = 1
log = [
    "roll -> 1 4 4 2",
    "power reroll 1 2 -> 2 4",
    "place 4 d3",
    "power +1 2",
    "place 4 d4",
    "place 3 d2",
    "place 4 c2",
    "hint",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 5 5 1 3",
    "place 5 c4",
    "place 5 c3",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 5 3 2 2",
    "place 5 c1",
    "return c1",
    "place 5 b4",
    "return b4",
    "power reroll 2 2 -> 2 6",
    "place 3 c1",
    "place 2 b1",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 5 1 2 6",
    "place 6 b4",
    "return b4",
    "place 5 b3",
    "place 6 b4",
    "place 1 a1",
    "place 2 a2",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 1 1 5 3",
    "place 3 d1",
    "return d1",
    "place 5 a4",
    "place 3 d1",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 1 3 6 5",
    "ruin b2",
]

[[turns]]
player = 1
log = [
    "roll -> 3 3 6 5",
    "ruin a3",
]

[result]
finished = 2026-11-30 18:09:40+00:00
score = 24
base = 104
bonuses = 20
ruin_penalty = 30
power_penalty = 70
turns = 7
ruins = 2
powers = 3
"""

SURVIVAL = """\
format = "cubiri-replay"
version = 1
game = "magdagdon"
rules = 1
dice = "sha256-d6/1"
seed = "golden-609"
started = 2026-11-30 18:02:11+00:00
players = [
    { name = "Ada" },
]

[options]
difficulty = "survival"

[[turns]]
player = 1
log = [
    "roll -> 4 5 5 4",
    "place 4 c4",
    "power -1 4",
    "place 5 b4",
    "place 5 c3",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 4 6 3 6",
    "place 4 a4",
    "place 6 d3",
    "place 6 d2",
    "place 3 a3",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 5 4 4 2",
    "place 5 c2",
    "place 4 b2",
    "place 4 b3",
    "return b3",
    "place 4 c1",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 3 3 3 2",
    "place 3 b1",
    "return b1",
    "place 3 b1",
    "place 3 a1",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 1 4 4 3",
    "place 3 a2",
    "place 4 b3",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 4 5 6 3",
    "ruin d1",
]

[[turns]]
player = 1
log = [
    "roll -> 4 2 1 3",
    "ruin d4",
]

[result]
finished = 2026-11-30 18:09:40+00:00
score = 158
base = 118
bonuses = 140
ruin_penalty = 30
power_penalty = 70
turns = 7
ruins = 2
powers = 1
"""

NIGHTMARE = """\
format = "cubiri-replay"
version = 1
game = "magdagdon"
rules = 1
dice = "sha256-d6/1"
seed = "golden-41"
started = 2026-11-30 18:02:11+00:00
players = [
    { name = "Ada" },
]

[options]
difficulty = "nightmare"

[[turns]]
player = 1
log = [
    "roll -> 4 2 2 6",
    "ruin a4",
]

[[turns]]
player = 1
log = [
    "roll -> 4 2 3 1",
    "place 4 a2",
    "place 3 b2",
    "place 2 b3",
    "place 1 c3",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 1 4 5 2",
    "place 2 c4",
    "place 1 d3",
    "place 5 a1",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 5 2 2 2",
    "place 2 d2",
    "place 2 b4",
    "place 2 d4",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 5 3 4 4",
    "hint",
    "place 4 b1",
    "return b1",
    "place 3 a3",
    "place 4 b1",
    "place 4 c1",
    "return c1",
    "place 5 c1",
    "confirm",
]

[[turns]]
player = 1
log = [
    "roll -> 2 3 2 3",
    "ruin c2",
]

[[turns]]
player = 1
log = [
    "roll -> 4 2 4 5",
    "ruin d1",
]

[result]
finished = 2026-11-30 18:09:40+00:00
score = 27
base = 72
bonuses = 0
ruin_penalty = 45
power_penalty = 0
turns = 7
ruins = 3
powers = 0
"""

SOLO = """\
format = "cubiri-replay"
version = 1
game = "mishimash"
rules = 1
dice = "sha256-d6/1"
seed = "golden-936"
started = 2026-11-30 18:02:11+00:00
players = [
    { name = "Ada" },
]

[options]
target = 25

[[turns]]
player = 1
log = [
    "roll -> 1 2 6 1 1 5",
    "take 5",
    "roll -> 6 5 2 5 5",
    "take 5 5 5",
    "roll -> 5 1",
    "take 5",
    "roll -> 1",
    "take 1",
    "roll -> 6 6 5 1 3 2",
    "take 5",
    "roll -> 2 1 6 6 1",
    "take 1",
    "bank",
]

[result]
finished = 2026-11-30 18:09:40+00:00
winner = 1
scores = [
    34.5,
]
turns = [
    1,
]
"""

SUDDEN_DEATH = """\
format = "cubiri-replay"
version = 1
game = "mishimash"
rules = 1
dice = "sha256-d6/1"
seed = "golden-334"
started = 2026-11-30 18:02:11+00:00
players = [
    { name = "Ada" },
    { name = "Väinö", bot = "cautious" },
    { name = "Ľudmila" },
]

[options]
target = 10

[[turns]]
player = 1
log = [
    "roll -> 5 2 6 1 1 5",
    "take 1 5 5",
    "bank",
]

[[turns]]
player = 2
log = [
    "roll -> 6 3 5 5 3 6",
    "take 3 3 5 5 6 6",
    "hint",
    "bank",
]

[[turns]]
player = 3
log = [
    "roll -> 2 1 1 6 6 2",
    "take 1 1 2 2 6 6",
    "bank",
]

[[turns]]
player = 2
log = [
    "roll -> 6 5 4 1 5 1",
    "take 1 5",
    "bank",
]

[[turns]]
player = 3
log = [
    "roll -> 1 2 3 5 2 1",
    "take 1 5",
    "bank",
]

[[turns]]
player = 2
log = [
    "roll -> 2 2 4 6 4 3",
]

[[turns]]
player = 3
log = [
    "roll -> 2 5 3 2 2 4",
    "take 2 2 2 5",
    "bank",
]

[result]
finished = 2026-11-30 18:09:40+00:00
winner = 3
scores = [
    2.0,
    21.5,
    24.0,
]
turns = [
    1,
    3,
    3,
]
"""

GOLDEN = {
    "peaceful": (PEACEFUL, "47e47157f276f320ce6a43aa9dfe1a8efc028cd34e1c674e5870334ad5ec0bc2"),
    "survival": (SURVIVAL, "a90018880f4fc9a643599e6637c914102ac7d6b0814e4580f5e28d907cf82380"),
    "nightmare": (NIGHTMARE, "3e81ab7e93e97a51daf28cb88688bfa72340ef5e54b69375a3d3a3181b489d66"),
    "solo": (SOLO, "0e5dc6f552138e4792eafc6634e4968a925f8cd13bf4bcf59883dff2a19ee915"),
    "sudden_death": (SUDDEN_DEATH, "ff107592188cf8fcfad82d37ef37a971359b7a024a0cb866ff9c2d6c24b2647c"),
}


golden = pytest.mark.parametrize("name", GOLDEN)


def test_there_is_one_for_each_way_to_play() -> None:
    assert {read(text.encode()).game for text, _ in GOLDEN.values()} == set(games.names())
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
