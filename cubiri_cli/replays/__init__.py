"""The record: replays are read, written and verified here, and a game in progress is recorded."""
