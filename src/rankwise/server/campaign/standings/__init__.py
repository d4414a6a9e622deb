"""How a campaign stands: leaderboards, agreement, coverage, people, items."""
