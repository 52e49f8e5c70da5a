"""Unsupervised environment design: training on levels worth learning in.

- `options` and `presets.yaml`: the command line, and settings of published experiments.
- `levels`: games in given levels. `buffer`: levels to replay. `scores`: level scores.
- `evaluation`: evaluation on fixed levels. `logs`: files.
- `loop`: the training loop.
"""
