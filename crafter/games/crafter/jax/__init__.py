"""Batched engine for accelerators: Crafter as pure JAX functions."""

import crafter.functional  # noqa: F401  # Raises an install hint if JAX is missing.
from crafter.functional.registry import make
from crafter.functional.vector import VectorEnv
from crafter.functional.wrappers import (
    AutoResetEnvWrapper,
    BatchEnvWrapper,
    LogWrapper,
    OptimisticResetVecEnvWrapper,
)
from crafter.games.crafter.jax import levels
from crafter.games.crafter.jax.env import Env, EnvParams
from crafter.games.crafter.jax.state import Config, State
from crafter.games.crafter.jax.worldgen import Level

__all__ = [
    "AutoResetEnvWrapper",
    "BatchEnvWrapper",
    "Config",
    "Env",
    "EnvParams",
    "Level",
    "LogWrapper",
    "OptimisticResetVecEnvWrapper",
    "State",
    "VectorEnv",
    "levels",
    "make",
]
