"""What JAX engines of games share, and that names no game.

`env` has the base class of an environment, `wrappers` batches with cheaper resets,
`vector` Gymnasium's interface, `spaces` what gymnax calls spaces. For the rules of
games there are `random`, `precision`, `sparse` and `arrays`.
"""

try:
    import jax as _jax  # noqa: F401
except ImportError as error:
    raise ImportError(
        "The JAX engines need jax: pip install 'crafter[jax]'. For a GPU also "
        "pip install 'jax[cuda12]'."
    ) from error
