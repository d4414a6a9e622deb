"""Panels of the dashboard: pace, domains, every judge in detail."""
