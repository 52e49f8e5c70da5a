"""Train PPO inside JAX, alone or with a bonus for exploration.

    python scripts/train_ppo_jax.py --network gru
    python scripts/train_ppo_jax.py --engine compiled --steps 1000000
    python scripts/train_ppo_jax.py --game craftax --bonus e3b
    python scripts/train_ppo_jax.py --preset craftax-1m --algorithm ppo-rnn

Games, network and learning are compiled together. The agent is an MLP, a GRU or a CNN;
the bonus is random network distillation (`rnd`), intrinsic curiosity (`icm`) or an
elliptical episodic bonus (`e3b`). A preset is a published experiment, whose settings
are fixed.

The games are spread over all devices, each of which plays its share, and gradients are
those of all. For several machines, run the same command on each with `--coordinator`,
`--processes` and `--process`; the first one writes the files.

With `--engine compiled` the program steps the batched engine, which is faster than the
games in JAX where there is no GPU, and plays the worlds of `crafter.Env`.

Needs the extra 'jax', and for the compiled engine also 'vector'. Writes `stats.jsonl`,
one line per finished episode in the format of the Recorder, so that scores can be
computed from it; `curve.csv`; and `checkpoint.npz`, from which the same command goes
on, also with more `--steps`.

Source: Schulman et al. 2017, "Proximal Policy Optimization Algorithms"; the defaults
follow PureJaxRL and the Craftax baselines. The bonuses name their papers.
"""

from baselines import loop, options

if __name__ == "__main__":
    loop.train(options.read((__doc__ or "").partition("\n")[0]))
