"""What judges marked: how far they agree on it, and where it lies."""
