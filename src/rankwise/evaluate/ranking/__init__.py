"""Rankings of systems from what people said, and how far to trust them."""
