"""Task files, the catalogue and difficulty levels."""
