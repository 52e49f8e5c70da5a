"""Rules of Craftax: typed, frozen, loaded from `data.yaml`.

Changes are a mapping of the shape of `data.yaml`, of which only what changes need be
said; `crafter.core.ruleset.merge` has the details. `base: repaired` in it says what
they change; otherwise it is the published game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crafter.core import ruleset
from crafter.core.ruleset import RulesError as RulesError  # users catch it here
from crafter.games.craftax import schema


class Rules(ruleset.Rules):
    """The rules of a game; they never change.

    Args:
      data: The sections of `data.yaml`, as plain data.

    Attributes:
      data: The sections, frozen; `ruleset.thaw` gives a copy that can be changed.
        Every section is an attribute, too.
      digest: Text that two sets of rules share if they are equal.
      applied: Names of the repairs and switches that are applied.

    Raises:
      RulesError: If something in the data is wrong; the message has its path.
    """

    game = "craftax"
    published = schema.PUBLISHED
    added = ("switches",)
    applied: frozenset[str]

    def _check(self, data: Any) -> None:
        schema.check_data(data)

    def _hashed(self, data: dict[str, Any]) -> dict[str, Any]:
        # Rules without switches are the same as before there were any.
        applied = any(row["applied"] for row in data["switches"].values())
        return data if applied else {k: v for k, v in data.items() if k != "switches"}

    def _derive(self, data: Mapping[str, Any]) -> dict[str, Any]:
        rows = {**data["repairs"], **data["switches"]}.items()
        return {"applied": frozenset(name for name, row in rows if row["applied"])}


_ALL: Any = {
    section: dict.fromkeys(schema.PUBLISHED[section], {"applied": True})
    for section in ("repairs", "switches")
}
Rules.variants = {
    "published": {},
    "repaired": {"repairs": _ALL["repairs"]},
    "puffer": {
        "repairs": {"creature_bits": {"applied": True}},
        "switches": _ALL["switches"],
    },
}
