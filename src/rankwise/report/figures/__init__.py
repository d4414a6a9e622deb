"""Pictures for papers: pure functions from numbers to matplotlib figures."""
