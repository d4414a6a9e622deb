"""Word order as trees of permutations."""
