"""The batched engine for accelerators: Crafter as pure functions in JAX."""

import crafter.functional  # noqa: F401  # Says what to install if JAX is missing.
from crafter.batch.jax import convert, levels
from crafter.batch.jax.env import Env, EnvParams
from crafter.batch.jax.levels import Level
from crafter.batch.jax.registry import make
from crafter.batch.jax.state import Config, State
from crafter.batch.jax.vector import VectorEnv
from crafter.functional.wrappers import (
    AutoResetEnvWrapper,
    BatchEnvWrapper,
    LogWrapper,
    OptimisticResetVecEnvWrapper,
    WorldPoolVecEnvWrapper,
)

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
    "WorldPoolVecEnvWrapper",
    "convert",
    "levels",
    "make",
]
