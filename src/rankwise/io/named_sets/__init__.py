"""Test sets by name: where they are published, fetching them, and the texts in them."""
