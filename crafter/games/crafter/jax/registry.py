"""Environments in JAX by their names, of both games."""

from __future__ import annotations

from typing import Any

from crafter.games.crafter.jax.env import make as make_crafter

_LARGER_GAME = "Craftax-"


def make(name: str, auto_reset: bool = True, **kwargs: Any) -> Any:
    """Returns an environment.

    Args:
      name: `Crafter-Pixels-v1`, `Crafter-Symbolic-v1` or `Crafter-Compact-v1`, or the
        same with `Craftax`.
      auto_reset: Whether a step that ends an episode starts the next one.
      **kwargs: As for `crafter.batch.jax.Env`, or
      `crafter.games.craftax.jax.Env`.

    Raises:
      ValueError: If there is no such environment, or an argument is impossible.

    Example:
      >>> make("Craftax-Compact-v1").num_actions
      43
    """
    if name.startswith(_LARGER_GAME):
        from crafter.games.craftax.jax.env import make as make_craftax

        return make_craftax(name, auto_reset, **kwargs)
    return make_crafter(name, auto_reset, **kwargs)
