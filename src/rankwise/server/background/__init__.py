"""The work behind the pages: standings, the queue of screens, backups."""
