"""Craftax: the larger game, nine floors deep."""
