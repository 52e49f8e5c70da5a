"""The client of the environment, as OpenEnv looks for it."""

from crafter.lm.trainers.openenv import (
    CrafterAction,
    CrafterClient,
    CrafterObservation,
)

__all__ = ["CrafterAction", "CrafterClient", "CrafterObservation"]
