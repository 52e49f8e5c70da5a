"""Unsupervised environment design: training on levels worth learning in.

- `options` and `presets.yaml`: the command line, and settings of published experiments.
- `levels`: games in given levels. `buffer`: levels to replay. `scores`: their scores.
- `evaluation`: the levels of every evaluation. `logs`: files.
- `loop`: training, which puts all of these together.
"""
