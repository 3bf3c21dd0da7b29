"""Tests of players that are programs."""
