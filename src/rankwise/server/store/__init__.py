"""Where a campaign is kept: tables, transactions, leases, people, backups."""
