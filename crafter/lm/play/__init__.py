"""Playing with words: the interface itself, and what stands on it."""
