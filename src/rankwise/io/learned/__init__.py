"""What learning leaves on disk: models, and the features they were learned from."""
