"""Rules of Craftax: typed, frozen, loaded from `data.yaml`.

Changes are a mapping of the shape of `data.yaml`, of which only what changes need be
said; `crafter.core.ruleset.merge` has the details. `base: repaired` in it says what
they change; otherwise it is the published game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    masks = {"puffer": "puffer"}  # noqa: RUF012
    choices = ("repairs", "switches")

    if TYPE_CHECKING:

        def __getattr__(self, section: str) -> Any:
            """Returns a section."""

    def _check(self, data: Any) -> None:
        schema.check_data(data)


_ALL: Any = {
    section: dict.fromkeys(schema.PUBLISHED[section], {"applied": True})
    for section in Rules.choices
}
Rules.variants = {
    "published": {},
    "repaired": {"repairs": _ALL["repairs"]},
    "puffer": {
        "repairs": {"creature_bits": {"applied": True}},
        "switches": _ALL["switches"],
    },
}
