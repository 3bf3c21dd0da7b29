"""One room a command: options in, exit status out; and what several commands share."""

# Command → module in this folder. A module is imported when its command is called, or when all are listed.
COMMANDS = {
    "play": "play",
    "resume": "resume",
    "replay": "replay",
    "verify-score": "verify_score",
    "leaderboard": "leaderboard",
    "daily": "daily",
    "stats": "stats",
    "share": "share",
    "hint": "hint",
    "analyze": "analyze",
    "simulate": "simulate",
    "match": "match",
    "bot": "bot",
    "rules": "rules",
    "settings": "settings",
    "help": "help",
    "completion": "completion",
}

SHELLS = ("bash", "fish", "powershell", "zsh")
"""The shells that can complete this command line."""
