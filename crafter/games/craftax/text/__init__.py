"""Text interface of Craftax: perception, rules text."""
