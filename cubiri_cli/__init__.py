"""CUBIRI dice games for the shell: MAGDAGDON and MISHIMASH, with replays that can be verified."""

__version__ = "1.0.0"
