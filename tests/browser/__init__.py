"""Pages in a real browser: Chromium without a window. Skipped where it, or the group `browser`, is not installed."""
