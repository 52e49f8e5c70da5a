"""App adapter of Crafter."""
