"""Two systems side by side: how far apart, where, in which words, and how surely."""
