"""Who may come in: accounts, judges, sessions, tokens."""
