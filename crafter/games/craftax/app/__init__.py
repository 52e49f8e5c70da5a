"""App adapter of Craftax."""
