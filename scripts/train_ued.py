"""Trains PPO with unsupervised environment design (UED).

    python scripts/train_ued.py --preset plr
    python scripts/train_ued.py --preset accel-rswap --budget crafter-5m --seed 1
    python scripts/train_ued.py --levels my_levels:islands --mutate swap --edits 18

All environments of a round play levels of one kind from beginning to end, and restart a
level when its episode ends: `new` levels, drawn at random or made by your own function;
a `replay` of levels from a buffer, favouring high scores and staleness; or, with
--mutate, `changed` copies of the levels just replayed. PPO learns after each rollout of
the kinds that --learn-from names.

A preset is a published method: domain randomization (`dr`), prioritized level replay
(`plr`), the same learning from replays only (`robust`), or ACCEL with one of three
mutations. Its settings are fixed, except that --steps may be lower. The function of
--levels takes the environment and a key of `jax.random`, and returns a level.

Needs the extra 'jax'. Writes `curve.csv`, a line per round; at each of ten evaluations
`evaluation.csv`, a line per level, and `levels-<steps>.npz`, maps of levels likely to
be replayed; and `checkpoint.npz`, from which the same command resumes.

Source: Matthews et al. 2024, "Craftax"; Jiang et al. 2021, "Prioritized Level Replay"
and "Replay-Guided Adversarial Environment Design"; Parker-Holder et al. 2022, "Evolving
Curricula with Regret-Based Environment Design".
"""

from baselines.ued import loop, options

if __name__ == "__main__":
    loop.train(options.read(__doc__ or ""))
