"""What goals are evaluated on: views of a game, conditions, structures."""
