"""Interface of the published package 1.8.3, for programs written against it.

`from crafter import legacy as crafter` is the one change that such a program needs. It
gives:

- `Env`, with the four-value `step`, a `reset` that returns the image alone, and the
  private names that agents read and write; and the ids `CrafterReward-v1` and
  `CrafterNoReward-v1` in the old `gym`, if that is installed.
- `Recorder`, `constants` and the modules `engine`, `objects` and `recorder`.

What is written to a private name has the effect that it had, or is an `AttributeError`.
"""

from crafter import recorder
from crafter.games.crafter import constants, objects
from crafter.games.crafter.legacy import engine
from crafter.games.crafter.legacy.env import Env
from crafter.recorder import Recorder

__all__ = ["Env", "Recorder", "constants", "engine", "objects", "recorder"]
