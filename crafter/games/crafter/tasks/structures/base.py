"""Base class of the structures of Crafter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from crafter.tasks.world import structures
from crafter.tasks.world.structures import Match as Match


class Structure(structures.Structure):
    """Kind of structure on the map.

    Attributes:
      mobile: Whether it also depends on the positions of creatures and the player;
        class attribute.
    """

    mobile: ClassVar[bool] = False

    def moment(self, view: Any) -> Any:
        """Returns what its matches depend on; they are cached while it is equal."""
        changes = len(view.provenance.changes)
        return (changes, view.labels.tobytes()) if self.mobile else changes

    def blocks(self) -> Mapping[str, int]:
        """Returns required own block -> count; empty if that depends on the place."""
        return {}
