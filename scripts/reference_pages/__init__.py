"""The pages of docs/reference that are written from the code, a module for each kind of page."""
