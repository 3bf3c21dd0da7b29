"""The terminal: how a game looks and asks, in words and on the screen."""
