"""Shared parts of the training programs, for any learning library.

- `run`: run folders with lock, logs and checkpoints; checks before a run, and seeds.
- `options`: tables of options.
- `success`: success rates on a task, on held-out scenes.

JAX code is in `baselines`.
"""
