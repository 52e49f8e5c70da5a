"""Machinery of compiled batches, independent of any game.

`env` has Gymnasium's vector environment and `engine` the games of a batch, from which a
game derives its own; `engine` also says what its kernels are given. `observers`, `info`
and `arguments` serve these two, `xla` lets JAX programs step a batch, and `sb3` agents
of Stable-Baselines3. For kernels there are `jit`, `work_queue`, `random` and `memory`.
"""

try:
    import numba as _numba  # noqa: F401
except ImportError as error:
    raise ImportError(
        "The batched engine needs numba: pip install 'crafter[vector]'. "
        "Without it, gymnasium.make_vec(..., vectorization_mode='sync') works."
    ) from error
