"""What is told: from a moment of the game to words, JSON, characters and rules text."""
