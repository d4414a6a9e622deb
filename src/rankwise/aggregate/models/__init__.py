"""Models of preference: judgments in, ratings of systems out."""
