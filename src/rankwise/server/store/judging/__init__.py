"""Screens on their way to a judge and back: queue, leases, submissions."""
