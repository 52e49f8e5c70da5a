"""What goals look at: views of a game, conditions on it, structures."""
