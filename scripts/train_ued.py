"""Train PPO on levels worth learning in: unsupervised environment design.

    python scripts/train_ued.py --preset plr
    python scripts/train_ued.py --preset accel-rswap --budget crafter-5m --seed 1
    python scripts/train_ued.py --levels my_levels:islands --mutate swap --edits 18

All games of a round play levels of one kind, from the beginning to the end of the
round, and an episode that ends starts anew in its level: `new` levels, which are drawn
at random or made by a function of yours; a `replay` of levels from a buffer, better
scored and longer unplayed ones more often; or, with --mutate, `changed` copies of the
levels that were just replayed. PPO learns after each rollout of the kinds that
--learn-from names.

A preset is a published method: domain randomization (`dr`), prioritized level replay
(`plr`), the same learning from replays only (`robust`), or ACCEL with one of three
mutations. Its settings are fixed, but for fewer --steps. The function of --levels takes
the environment and a key of `jax.random`, and returns a level.

Needs the extra 'jax'. Writes `curve.csv`, a line per round; `evaluation.csv`, a line
per level at each of ten evaluations; and `checkpoint.npz`, from which the same command
goes on.

Source: Matthews et al. 2024, "Craftax"; Jiang et al. 2021, "Prioritized Level Replay"
and "Replay-Guided Adversarial Environment Design"; Parker-Holder et al. 2022, "Evolving
Curricula with Regret-Based Environment Design".
"""

from baselines.ued import loop, options

if __name__ == "__main__":
    loop.train(options.read(__doc__ or ""))
