"""Environments with a goal, single and in batches."""
