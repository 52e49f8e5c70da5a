"""Text interface of Crafter: perception, hints, rules text."""
