"""Metrics learned from human judgments: features, preferences, learners, the model file."""
