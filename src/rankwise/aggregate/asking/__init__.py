"""What to ask the judges next, and what asking so would have found."""
