"""Commands, options and arguments, as completion needs them.

Made by `python -m tests.option_table`: not to be edited. The options that games bring are not here: games are asked.
"""

from __future__ import annotations

OPTIONS: dict[str, dict[str, str]] = {
    "": {"--version": "", "--lang": "en|fi|sk", "--no-color": "", "--plain": "", "--help": ""},
    "play": {
        "--player": "NAME",
        "--seed": "TEXT",
        "--daily": "",
        "--like": "REPLAY",
        "--script": "FILE",
        "--output": "FILE",
        "--help": "",
    },
    "resume": {"--help": ""},
    "replay": {"--turn": "N", "--format": "text|json|svg|cast", "--speed": "FACTOR", "--step": "", "--help": ""},
    "verify-score": {
        "--format": "text|jsonl|junit|github",
        "--jobs": "N",
        "--shard": "K/N",
        "--allow-unfinished": "",
        "--game": "GAME",
        "--seed": "TEXT",
        "--min-score": "POINTS",
        "--help": "",
    },
    "leaderboard": {
        "--seed": "TEXT",
        "--daily": "",
        "--limit": "N",
        "--assisted": "",
        "--format": "text|json|markdown",
        "--add": "FILE...",
        "--from": "PATH...",
        "--rebuild": "",
        "--help": "",
    },
    "stats": {"--player": "NAME", "--format": "text|json", "--help": ""},
    "share": {"--help": ""},
    "rules": {"--help": ""},
    "settings": {"--reset": "", "--help": ""},
    "help": {"--help": ""},
    "completion": {"--install": "", "--help": ""},
}
"""Command (none: all of them) → option → what it takes, as the help shows it; nothing for a switch."""

ARGUMENTS: dict[str, tuple[str, ...]] = {
    "play": ("GAME",),
    "resume": ("FILE",),
    "replay": ("FILE",),
    "verify-score": ("PATH...",),
    "leaderboard": ("GAME...",),
    "stats": ("GAME",),
    "share": ("FILE",),
    "rules": ("GAME",),
    "settings": ("KEY", "VALUE"),
    "help": ("TOPIC",),
    "completion": ("SHELL",),
}
"""Command → what its arguments stand for; the last may be repeated where it ends in dots."""

OF_GAMES = ("play", "verify-score", "leaderboard")
"""The commands that take the options of games."""
