"""Tests of screen and keyboard."""
