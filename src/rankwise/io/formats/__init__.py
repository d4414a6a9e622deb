"""The formats, a module each: a reader, where it can be written a writer, and nothing else."""
