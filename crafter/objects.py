"""The published name of `crafter.games.crafter.objects`, which is the same module."""

import sys

from crafter.games.crafter import objects as _module
from crafter.games.crafter.objects import *  # noqa: F403

sys.modules[__name__] = _module
