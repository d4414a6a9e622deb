"""What people said: single rankings, many of them as columns, scalar judgments."""
