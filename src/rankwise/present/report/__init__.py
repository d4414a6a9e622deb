"""The report of a study: everything computed once, then one module per section of the page."""
