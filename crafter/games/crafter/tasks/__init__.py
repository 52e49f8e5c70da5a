"""What Crafter brings to tasks: words for goals, scenes, scores and players."""
