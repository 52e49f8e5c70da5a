"""Rules of Craftax: typed, frozen, loaded from `data.yaml`.

Changes are a partial mapping in the shape of `data.yaml`, with only the changed
entries; `crafter.core.ruleset.merge` has the details. The entry `base: repaired`
selects the rules to change; the default is the published game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crafter.core import ruleset
from crafter.core.ruleset import RulesError as RulesError  # re-exported
from crafter.games.craftax import schema


class Rules(ruleset.Rules):
    """The rules of a game; they never change.

    Args:
      data: The sections of `data.yaml`, as plain values.

    Attributes:
      data: The sections, frozen; `ruleset.thaw` gives a copy that can be changed.
        Every section is an attribute, too.
      digest: Hash of the rules; equal rules have equal digests.
      applied: Names of the applied repairs and switches.

    Raises:
      RulesError: If the data is invalid; the message has the path of the entry.
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
