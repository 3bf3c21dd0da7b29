"""Tests of the rules and the dice."""
