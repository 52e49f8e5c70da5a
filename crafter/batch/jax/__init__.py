"""The batched engine for accelerators: the game as pure functions in JAX."""
