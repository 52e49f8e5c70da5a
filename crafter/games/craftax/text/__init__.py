"""What is told of Craftax: its rules for texts, and what its player sees."""
