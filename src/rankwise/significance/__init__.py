"""significance."""
