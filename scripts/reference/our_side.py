"""This package as one side of a comparison; published.py has the other."""

from pathlib import Path
from typing import Any

import crafter
from reference.trace import Moment, moment_of


class OurSide:
    """Our environment as a side of `trace.moments`.

    Args:
        arguments: Arguments of `crafter.Env`.
        textures: Folder of a texture pack; our own textures when None.

    Attributes:
        env: The environment.
        info: Info of the latest reset or step.
    """

    def __init__(self, arguments: dict[str, Any], textures: Path | str | None = None):
        self.env = crafter.Env(**arguments, textures=textures)
        self.info: dict[str, Any] = {}

    def reset(self) -> Moment:
        """Start the next episode and return its first moment."""
        observation, self.info = self.env.reset()
        return moment_of(self.env, observation, 0.0, False, self.info)

    def step(self, action: int) -> Moment:
        """Take an action and return the moment after it."""
        observation, reward, dead, over, self.info = self.env.step(action)
        return moment_of(self.env, observation, reward, dead or over, self.info)
