"""Two systems as tables, and as a page to look through their segments."""
