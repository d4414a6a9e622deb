"""What several formats are made of: lines, cells, tables, JSON values, XML events."""
