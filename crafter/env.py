"""Published name of `crafter.games.crafter.env`; the same module."""

import sys

from crafter.games.crafter import env as _module
from crafter.games.crafter.env import *  # noqa: F403

sys.modules[__name__] = _module
