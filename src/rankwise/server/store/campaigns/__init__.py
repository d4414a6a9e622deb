"""Campaigns as rows: their texts, screens, judgments, standings and audit trail."""
