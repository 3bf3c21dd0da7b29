"""CUBIRI dice games for the shell: MAGDAGDON and MISHIMASH, with replays that can be verified."""

__all__ = ["__version__"]

__version__ = "1.0.0"
