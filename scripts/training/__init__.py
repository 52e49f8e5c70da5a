"""What the programs that train share, whichever library they learn with.

- `starts`: the packages that a program needs, and seeds.
- `files`: files that grow while training, checkpoints, and the notes beside them.
- `archives`: checkpoints that are one file of arrays.
- `success`: how often an agent does a task, on scenes that it was not trained on.

What is for JAX is in `baselines`.
"""
