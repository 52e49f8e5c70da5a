"""The smaller game: Crafter."""
