"""Game-independent machinery of compiled batches.

`env` has the Gymnasium vector environment and `engine` the batch engine, base classes
for each game; `engine` also documents the arguments of kernels. `observers`, `info` and
`arguments` support these two, `xla` steps a batch in JAX programs, and `sb3` adapts it
to Stable-Baselines3. Kernels use `jit`, `work_queue`, `random` and `memory`.
"""

try:
    import numba as _numba  # noqa: F401
except ImportError as error:
    raise ImportError(
        "The batched engine needs numba: pip install 'crafter[vector]'. "
        "Without it, gymnasium.make_vec(..., vectorization_mode='sync') works."
    ) from error
