"""What is kept: folders, saved games, settings and the leaderboard index."""
