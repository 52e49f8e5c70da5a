"""Shared parts of the programs that train in JAX.

- `networks`: encoders, a GRU, and the heads of actor and critic.
- `ppo`: the loss of PPO, advantages, and learning from batches.
- `rnd`, `icm` and `e3b`: bonuses for what is new, of the kind that `bonus` describes.
- `games`: the games on either engine. `rollouts`: playing them.
- `checkpoints`, `logs` and `options`: files and the command line.
- `loop`: training, which puts all of these together.
"""
