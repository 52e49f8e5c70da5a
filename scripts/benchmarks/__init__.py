"""Parts of scripts/benchmark.py.

- `turns`: subjects that take turns. `figures`: tables of what was measured, and ratios.
- `games`: one game, a batch, and a batch in a JAX program. `jax`: the engines in JAX.
"""
