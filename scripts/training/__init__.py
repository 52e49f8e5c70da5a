"""Shared parts of the training programs, for any learning library.

- `run`: run folders with locks, logs and checkpoints; checks before a run, and seeds.
- `success`: success rates on a task, on held-out scenes.

JAX code is in `baselines`.
"""
