"""What is kept from one run to the next in the user's cache folder."""
