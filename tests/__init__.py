"""Tests of cubiri_cli."""
