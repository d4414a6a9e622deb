"""What a model as judge said, for people to look at."""
