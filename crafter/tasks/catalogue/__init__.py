"""Tasks: files, the catalogue, difficulties."""
