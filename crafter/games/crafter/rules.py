"""Rules of Crafter: typed, frozen, loaded from `data.yaml`.

`default()` returns the rules of the published game; `load` builds others from a file or
a mapping of changes. Everything that plays or renders a game takes its rules as an
argument, so games with different rules can coexist.

Example:
  >>> rules = load({"items": {"health": {"max": 5, "initial": 5}}})
  >>> rules.items["health"]["max"], default().items["health"]["max"]
  (5, 9)
  >>> load({"make": {"iron_sword": {"uses": {"irn": 1}}}})
  Traceback (most recent call last):
  ...
  crafter.core.ruleset.RulesError: make.iron_sword.uses.irn must be one of the items ...
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crafter.core import clock, ruleset
from crafter.core.ruleset import RulesError as RulesError  # re-exported
from crafter.core.ruleset import freeze, merge
from crafter.games.crafter import schema

#: Tables whose order is part of the game; the order of others does not matter.
ORDERED = ("items", "terrain.creatures", "balance.kinds")


class Rules(ruleset.Rules):
    """The rules of a game; they never change.

    Args:
      data: The sections of `data.yaml`, as plain data.

    Attributes:
      data: The sections, frozen; `ruleset.thaw` gives a copy that can be changed.
      digest: Hash of the data; equal for equal rules.
      applied: Names of the applied switches.
      actions: Names of the actions, by index.
      directions: Name -> (dx, dy).
      materials: Names of the materials, in id order.
      objects: Kinds of objects, in id order, after the materials.
      walkable: Materials that creatures may enter.
      walkable_by: Kind -> materials it may enter instead.
      deadly: Materials on which moving kills the player.
      items: Item -> `max` and `initial`, in the order of the inventory.
      collect: Material -> requirements, yield and remains of `do` on it.
      do: Kind -> effect of `do` on an object.
      place: Placeable thing -> costs and valid targets.
      make: Craftable item -> costs, stations and yield.
      achievements: Names of the achievements, in order.
      rewards: Terms of the reward.
      life: Body counter of the player -> rates and limits.
      damage: Item -> melee damage with it, and `unarmed`.
      creatures: Kind -> its parameters.
      balance: Spawning and despawning of creatures.
      world: Chunk size, and distances, in cells.
      time: Length and parts of the day; `moments` has the named steps.
      light: Appearance of frames at night and asleep.
      switches: Rule variants -> effect, and whether applied.
      terrain: World generation.
      symbols: Characters of hand-made maps.
      material_ids: Material -> id in map arrays; 0 stands for "no material".
      object_ids: Kind -> id in semantic maps, after the materials.
      semantic_names: Id in semantic maps -> name; 0 is `None`.
      walkable_ids: Kind -> ids of the materials it may enter.

    Raises:
      RulesError: If the data is invalid; the message has the path of the entry.
    """

    game = "crafter"
    published = schema.PUBLISHED
    ordered = ORDERED
    actions: tuple[str, ...]
    directions: Mapping[str, tuple[int, int]]
    materials: tuple[str, ...]
    objects: tuple[str, ...]
    walkable: tuple[str, ...]
    walkable_by: Mapping[str, tuple[str, ...]]
    deadly: tuple[str, ...]
    items: Mapping[str, Mapping[str, int]]
    collect: Mapping[str, Any]
    do: Mapping[str, Any]
    place: Mapping[str, Any]
    make: Mapping[str, Any]
    achievements: tuple[str, ...]
    rewards: Mapping[str, float]
    life: Mapping[str, Any]
    damage: Mapping[str, int]
    creatures: Mapping[str, Any]
    balance: Mapping[str, Any]
    world: Mapping[str, Any]
    time: Mapping[str, Any]
    light: Mapping[str, Any]
    switches: Mapping[str, Any]
    terrain: Mapping[str, Any]
    symbols: Mapping[str, Any]
    material_ids: Mapping[str, int]
    object_ids: Mapping[str, int]
    semantic_names: tuple[str | None, ...]
    walkable_ids: Mapping[str, frozenset[int]]

    def _check(self, data: Any) -> None:
        schema.check_data(data)
        schema.check_references(data)

    def _derive(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Derives ids from the order of materials and objects."""
        materials, objects = data["materials"], data["objects"]
        material_ids = {name: i for i, name in enumerate(materials, 1)}
        after = len(materials) + 1
        walkable = {
            kind: data["walkable_by"].get(kind, data["walkable"]) for kind in objects
        }
        return {
            "material_ids": freeze(material_ids),
            "object_ids": freeze({name: i for i, name in enumerate(objects, after)}),
            "semantic_names": (None, *materials, *objects),
            "walkable_ids": freeze(
                {
                    kind: frozenset(material_ids[name] for name in names)
                    for kind, names in walkable.items()
                }
            ),
            "time": freeze({**data["time"], "moments": clock.moments(data["time"])}),
        }

    def _merged(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Merges changes; actions and achievements follow the recipes.

        Entries of new recipes are appended, and those of removed recipes are removed,
        unless the changes give the whole list.
        """
        merged = merge(self.data, changes)
        schema.check_data(merged)
        schema.check_starts(merged["items"])
        for section, names in (
            ("actions", schema.recipe_actions),
            ("achievements", schema.reachable),
        ):
            if section in changes and not isinstance(changes[section], Mapping):
                continue  # the changes give the whole list
            before, after = names(self.data), names(merged)
            kept = [n for n in merged[section] if n in after or n not in before]
            new = [n for n in after if n not in before and n not in kept]
            merged[section] = kept + new
        return merged


default = Rules.named
load = Rules.load
