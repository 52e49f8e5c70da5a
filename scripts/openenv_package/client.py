"""Client of the environment, where OpenEnv expects it."""

from crafter.lm.trainers.openenv import (
    CrafterAction,
    CrafterClient,
    CrafterObservation,
)

__all__ = ["CrafterAction", "CrafterClient", "CrafterObservation"]
