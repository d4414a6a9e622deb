"""Judgments out of a campaign and into it."""
