"""The batched engine for accelerators: the game as pure functions in JAX."""

try:
    import jax as _jax  # noqa: F401
except ImportError as error:
    raise ImportError(
        "The JAX engine needs jax: pip install 'crafter[jax]'. For a GPU also "
        "pip install 'jax[cuda12]'."
    ) from error

from crafter.batch.jax import exchange, levels
from crafter.batch.jax.env import Env, EnvParams, make
from crafter.batch.jax.levels import Level
from crafter.batch.jax.state import Config, State
from crafter.batch.jax.vector import VectorEnv
from crafter.batch.jax.wrappers import (
    OptimisticResetVecEnvWrapper,
    WorldPoolVecEnvWrapper,
)

__all__ = [
    "Config",
    "Env",
    "EnvParams",
    "Level",
    "OptimisticResetVecEnvWrapper",
    "State",
    "VectorEnv",
    "WorldPoolVecEnvWrapper",
    "exchange",
    "levels",
    "make",
]
