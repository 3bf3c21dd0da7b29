"""Tests of what games look like and say."""
