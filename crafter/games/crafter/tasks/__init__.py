"""Tasks of Crafter: goal language, scenes, scores and agents."""
