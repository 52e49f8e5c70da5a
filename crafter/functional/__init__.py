"""Game-independent parts of the JAX engines.

`env` has the environment base class, `wrappers` batching and cheaper resets, `vector`
the Gymnasium vector environment, `spaces` gymnax spaces. Helpers for the rules of games
are in `states`, `random`, `precision`, `sparse` and `arrays`.
"""

try:
    import jax as _jax
except ImportError as error:
    raise ImportError(
        "The JAX engines need jax: pip install 'crafter[jax]'. For a GPU also "
        "pip install 'jax[cuda12]'."
    ) from error

if not hasattr(_jax, "enable_x64"):
    raise ImportError(
        f"The JAX engines need jax 0.10 or newer, found {_jax.__version__}: "
        "pip install 'crafter[jax]', with Python 3.11 or newer."
    )
