"""Published name of `crafter.games.crafter.worldgen`; the same module."""

import sys

from crafter.games.crafter import worldgen as _module
from crafter.games.crafter.worldgen import *  # noqa: F403

sys.modules[__name__] = _module
