"""Base class of the structures of Crafter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from crafter.tasks.world import structures
from crafter.tasks.world.structures import Match as Match


class Structure(structures.Structure):
    """A kind of structure on the map.

    Attributes:
      mobile: Whether it also depends on where creatures and the player are, not only
        on the cells; class attribute.
    """

    mobile: ClassVar[bool] = False

    def moment(self, view: Any) -> Any:
        """Returns what it depends on: while that stays equal, so do its matches."""
        changes = len(view.provenance.changes)
        return (changes, view.labels.tobytes()) if self.mobile else changes

    def blocks(self) -> Mapping[str, int]:
        """Returns what the player has to have placed for it -> how many.

        Nothing, if that depends on the place.
        """
        return {}
