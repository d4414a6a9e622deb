"""The judge's pages and the work on them."""
