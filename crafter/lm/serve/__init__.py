"""Games served to other programs."""
