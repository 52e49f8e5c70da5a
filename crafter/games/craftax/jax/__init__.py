"""Craftax as pure JAX functions, with the rules of the object-oriented game."""

import crafter.functional  # noqa: F401  # Raises an install hint if JAX is missing.
from crafter.games.craftax.jax import levels, worldgen
from crafter.games.craftax.jax.env import (
    CraftaxPixelsEnv,
    CraftaxPixelsEnvNoAutoReset,
    CraftaxSymbolicEnv,
    CraftaxSymbolicEnvNoAutoReset,
    Env,
    make,
    make_craftax_env_from_name,
    make_craftax_env_from_params,
)
from crafter.games.craftax.jax.state import Config, EnvParams, State, StaticEnvParams
from crafter.games.craftax.jax.worldgen import Level

__all__ = [
    "Config",
    "CraftaxPixelsEnv",
    "CraftaxPixelsEnvNoAutoReset",
    "CraftaxSymbolicEnv",
    "CraftaxSymbolicEnvNoAutoReset",
    "Env",
    "EnvParams",
    "Level",
    "State",
    "StaticEnvParams",
    "levels",
    "make",
    "make_craftax_env_from_name",
    "make_craftax_env_from_params",
    "worldgen",
]
