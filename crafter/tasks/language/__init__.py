"""Goal language: expressions, their normal form, and its visitors."""
