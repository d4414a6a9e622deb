"""Campaigns that other tools have: what their files say, as a plan and a test set."""
