"""Tasks of Craftax."""
