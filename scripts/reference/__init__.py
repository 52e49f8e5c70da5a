"""Crafter 1.8.3 beside this package: the same games on both sides, compared."""
