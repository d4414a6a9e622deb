"""Pictures, sounds and videos that stand in place of a source text, or beside it."""
