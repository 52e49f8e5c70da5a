"""Shared parts of the programs that train in JAX.

- `networks`: encoders, a GRU, and the heads of actor and critic.
- `presets`: settings of published experiments.
- `ppo`: the loss of PPO, advantages, and learning from batches.
- `bonuses`: rewards for what is new, RND, ICM and E3B, a file for each.
- `games`: the games on either engine. `rollouts`: playing them.
- `logs` and `options`: files and the command line.
- `loop`: training, which puts all of these together.
"""
