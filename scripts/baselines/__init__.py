"""Shared code of the JAX training programs.

- `networks`: encoders, a GRU, and the heads of actor and critic.
- `presets`: settings of published experiments.
- `ppo`: PPO loss, advantages, and updates from batches.
- `bonuses`: novelty rewards RND, ICM and E3B, one file each.
- `games`: games on either engine. `rollouts`: collecting experience.
- `logs` and `options`: files and the command line.
- `loop`: the training loop.
"""
