"""The language of goals: expressions, their normal form, and what visits it."""
