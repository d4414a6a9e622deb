"""Formats of human rankings."""
