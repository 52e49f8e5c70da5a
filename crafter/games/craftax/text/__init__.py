"""Text interface of Craftax: perception, hints, rules text."""
