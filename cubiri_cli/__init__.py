"""CUBIRI dice games for the shell: MAGDAGDON and MISHIMASH, with replays that can be verified."""

__version__ = "0.1.0"
