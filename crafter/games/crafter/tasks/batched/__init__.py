"""Many attempts at one task at once, on the batched engine; see `env`."""
