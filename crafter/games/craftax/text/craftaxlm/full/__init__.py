"""The larger game: Craftax."""
