"""One HTML page: its frame, style and script."""
