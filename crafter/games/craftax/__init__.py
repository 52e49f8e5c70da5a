"""Craftax: the larger game, nine floors deep.

`crafter.craftax.Env` plays it; `crafter.craftax.parity` steps, observes and
makes worlds on plain arrays, to compare engines.
"""

from crafter.games.craftax.env import Env
from crafter.games.craftax.snapshot import Snapshot

__all__ = ["Env", "Snapshot"]
