"""Playing a game through text."""
