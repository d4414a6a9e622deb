"""Asking an OpenAI-compatible endpoint: one request, many of them, and the file of answers."""
