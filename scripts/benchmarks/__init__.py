"""What scripts/benchmark.py measures, a module for each kind of environment."""
