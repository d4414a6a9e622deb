"""Packed files: how they are known and unpacked, and EvalSets that lie in archives."""
