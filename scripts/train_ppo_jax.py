"""Trains PPO inside JAX, optionally with an exploration bonus.

    python scripts/train_ppo_jax.py --network gru
    python scripts/train_ppo_jax.py --engine compiled --steps 1000000
    python scripts/train_ppo_jax.py --game craftax --bonus e3b
    python scripts/train_ppo_jax.py --preset craftax-1m --algorithm ppo-rnn

Environments, network and learning are compiled together. The agent is an MLP, a GRU or
a CNN; the bonus is random network distillation (`rnd`), intrinsic curiosity (`icm`) or
an elliptical episodic bonus (`e3b`). A preset is a published experiment with fixed
settings.

The environments are sharded over all devices, and gradients are averaged. For several
machines, run the same command on each with `--coordinator`, `--processes` and
`--process`; the first one writes the files.

`--engine compiled` steps the batched engine, which is faster than the JAX engine where
there is no GPU, and plays the worlds of `crafter.Env`.

Needs the extra 'jax', and for the compiled engine also 'vector'. Writes `stats.jsonl`,
one line per finished episode in the format of the Recorder, from which scores can be
computed; `curve.csv`; and `checkpoint.npz`, from which the same command resumes, also
with more `--steps`.

Source: Schulman et al. 2017, "Proximal Policy Optimization Algorithms"; the defaults
follow PureJaxRL and the Craftax baselines. The bonuses name their papers.
"""

from baselines import loop, options

if __name__ == "__main__":
    loop.train(options.read((__doc__ or "").partition("\n")[0]))
