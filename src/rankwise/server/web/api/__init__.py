"""``/api/v1`` for programs, and the page that explains it."""
