"""The larger game: names as data; it has no text interface."""
