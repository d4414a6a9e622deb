"""What to put before the judges next."""
