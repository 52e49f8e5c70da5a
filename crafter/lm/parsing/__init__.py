"""What is heard: from what a model writes to actions."""
