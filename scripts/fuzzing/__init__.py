"""What `scripts/fuzz.py` feeds with hostile input: one module for each kind of it."""
