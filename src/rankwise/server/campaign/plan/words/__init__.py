"""What judges read of a plan, in other languages."""
