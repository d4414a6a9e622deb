"""Reading and writing: one module per format, sniffing in one place."""
