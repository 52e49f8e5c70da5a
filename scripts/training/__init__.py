"""What the programs that train share, whichever library they learn with.

- `run`: the folder of a training, with its lock, growing files and checkpoints; what is
  needed before, and seeds.
- `options`: tables of options.
- `success`: how often an agent does a task, on scenes that it was not trained on.

What is for JAX is in `baselines`.
"""
