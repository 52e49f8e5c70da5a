"""Parts of scripts/benchmark.py.

- `alternating`: runs subjects in alternating rounds.
- `figures`: tables of results and ratios.
- `games`: single games, batches, and batches in JAX programs. `jax`: the JAX engines.
"""
