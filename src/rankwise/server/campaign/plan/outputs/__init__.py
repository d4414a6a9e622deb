"""What is said about every output of a document besides its errors and its score."""
