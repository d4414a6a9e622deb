"""What is asked of a model and how its answers are read: values in, values out."""
