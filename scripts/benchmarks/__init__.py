"""Parts of scripts/benchmark.py.

- `turns`: subjects that take turns, and tables of their figures and ratios.
- `games`: one game, a batch, and a batch in a JAX program. `jax`: the engines in JAX.
"""
