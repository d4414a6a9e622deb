"""Rankings by values as tables, by people alone and with a machine."""
