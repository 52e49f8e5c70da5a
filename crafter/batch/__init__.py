"""Batched engines: thousands of worlds stepped by one call."""
