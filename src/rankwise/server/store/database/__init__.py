"""One database: connections, locks, tables, migrations, backups."""
