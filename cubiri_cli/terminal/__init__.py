"""The screen and the keyboard: how people are asked and shown things. Knows no game."""
