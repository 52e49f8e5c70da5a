"""Text interface of Crafter: perception, rules text."""
