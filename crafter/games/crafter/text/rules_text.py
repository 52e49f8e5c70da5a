"""What the rules text of Crafter says that stands in no table."""

from __future__ import annotations

import math

from crafter.lm.rendering.rules_text import Writer


class CrafterWriter(Writer):
    """Writes the rules of Crafter; arguments as for `Writer`."""

    @property
    def capacity(self) -> dict[str, int]:
        """Item -> the most that can be carried."""
        items = self._data["items"].items()
        return {n: row["max"] for n, row in items if n not in self._words.vitals}

    @property
    def strokes(self) -> dict[str, str]:
        """Creature -> hits that it takes with each sword, in words."""
        hits = {
            name if name == "unarmed" else f"with {name}": damage
            for name, damage in self._data["damage"].items()
        }
        return {
            kind: ", ".join(
                f"{math.ceil(row['health'] / damage)} {how}"
                for how, damage in hits.items()
            )
            for kind, row in self._data["creatures"].items()
        }
