"""The rules of Crafter as a value.

`default()` has the rules of the published game, read from `data.yaml`; `load` makes
others from a file or from a mapping of changes. Everything that plays or shows a game
takes its rules as an argument, so that games with different rules live side by side.

Example:
  >>> rules = load({"items": {"health": {"max": 5, "initial": 5}}})
  >>> rules.items["health"]["max"], default().items["health"]["max"]
  (5, 9)
  >>> load({"make": {"iron_sword": {"uses": {"irn": 1}}}})
  Traceback (most recent call last):
  ...
  crafter.core.ruleset.RulesError: make.iron_sword.uses.irn: no such item; items are ...
"""

from __future__ import annotations

import functools
import os
import pathlib
from collections.abc import Mapping
from typing import Any, NoReturn

from crafter.core import clock
from crafter.core.ruleset import RulesError, digest, freeze, merge, read, thaw
from crafter.games.crafter.schema import (
    check_references,
    check_starts,
    check_tables,
    reachable,
    recipe_actions,
)

__all__ = ["ORDERED", "PATH", "Rules", "RulesError", "default", "load"]

#: The file of the default rules.
PATH = pathlib.Path(__file__).parent / "data.yaml"
#: Tables whose order is part of the game; that of all others does not matter.
ORDERED = ("items", "terrain.creatures", "balance.kinds")


class Rules:
    """The rules of a game; they never change.

    Args:
      data: The sections of `data.yaml`, as plain data.

    Attributes:
      data: The sections, frozen; `ruleset.thaw` gives a copy that can be changed.
      digest: Hash of the data; equal for equal rules.
      actions: Names of the actions, by index.
      directions: Name -> (dx, dy).
      materials: Names of the materials; ids follow from the order.
      objects: Kinds of objects; ids follow from the order, after the materials.
      walkable: Materials that creatures may enter.
      walkable_by: Kind -> the materials that it may enter instead.
      deadly: Materials on which a player who moves dies.
      items: Item -> `max` and `initial`, in the order of the inventory.
      collect: Material -> what `do` on it needs, gives and leaves.
      do: Kind -> what `do` on an object does.
      place: What can be placed -> costs and where.
      make: What can be made -> costs, stations and how many.
      achievements: Names of the achievements, in order.
      rewards: What the reward is made of.
      life: Counter of the player's body -> rates and limits.
      damage: Item -> damage of a stroke with it, and `unarmed`.
      creatures: Kind -> its numbers.
      balance: How creatures appear and vanish.
      world: Size of chunks, and reaches, in cells.
      time: Length and parts of the day; `moments` has the steps that have a name.
      light: What pictures look like by night and asleep.
      terrain: World generation.
      symbols: Characters of hand-made maps.
      material_ids: Material -> id in map arrays; 0 stands for "no material".
      object_ids: Kind -> id in semantic maps; follows the materials.
      semantic_names: Id in semantic maps -> name; 0 is `None`.
      walkable_ids: Kind -> ids of the materials that it may enter.

    Raises:
      RulesError: If something in the data is wrong; the message has its path.
    """

    data: Mapping[str, Any]
    digest: str
    actions: tuple[str, ...]
    directions: Mapping[str, tuple[int, int]]
    materials: tuple[str, ...]
    objects: tuple[str, ...]
    walkable: tuple[str, ...]
    walkable_by: Mapping[str, tuple[str, ...]]
    deadly: tuple[str, ...]
    items: Mapping[str, Mapping[str, int]]
    collect: Mapping[str, Mapping[str, Any]]
    do: Mapping[str, Mapping[str, Any]]
    place: Mapping[str, Mapping[str, Any]]
    make: Mapping[str, Mapping[str, Any]]
    achievements: tuple[str, ...]
    rewards: Mapping[str, float]
    life: Mapping[str, Mapping[str, Any]]
    damage: Mapping[str, int]
    creatures: Mapping[str, Mapping[str, Any]]
    balance: Mapping[str, Any]
    world: Mapping[str, Any]
    time: Mapping[str, Any]
    light: Mapping[str, Any]
    terrain: Mapping[str, Any]
    symbols: Mapping[str, Mapping[str, Any]]
    material_ids: Mapping[str, int]
    object_ids: Mapping[str, int]
    semantic_names: tuple[str | None, ...]
    walkable_ids: Mapping[str, frozenset[int]]

    def __init__(self, data: Mapping[str, Any]) -> None:
        plain = thaw(data)
        check_tables(plain)
        check_references(plain)
        frozen = freeze(plain)
        time = {**plain["time"], "moments": clock.moments(plain["time"])}
        derived = {
            **_ids(plain),
            "time": freeze(time),
            "digest": digest(plain, ORDERED),
        }
        vars(self).update(frozen, data=frozen, **derived)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(
            f"Rules cannot be changed, so {name} cannot be set; "
            "make others with changed()."
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Rules {self.digest}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Rules:
        return self

    def changed(self, changes: Mapping[str, Any]) -> Rules:
        """Returns these rules with changes.

        Mappings are merged at every depth, and an entry that is `None` is removed; see
        `crafter.core.ruleset.merge`. What a new recipe needs is added automatically,
        its action and its achievement at the end; those of a removed recipe are
        removed. A change that gives the whole list of actions or achievements is taken
        literally.

        Args:
          changes: Section -> what to change in it.

        Raises:
          RulesError: If the changes, or the rules that they lead to, are wrong.
        """
        if not isinstance(changes, Mapping):
            raise RulesError(f"rules: expected a mapping by section, got {changes!r}")
        merged = merge(self.data, changes)
        check_tables(merged)
        check_starts(merged["items"])
        _follow(self.data, changes, merged)
        return Rules(merged)


@functools.cache
def default() -> Rules:
    """Returns the rules of the published game."""
    return Rules(read(PATH))


def load(source: Any = None, base: Rules | None = None) -> Rules:
    """Returns rules from a file, a mapping of changes, or rules.

    Args:
      source: `Rules`; a mapping of changes; the path of a YAML file, which holds all
        sections of `data.yaml`, or else changes; or `None` for the base.
      base: What is changed; the default rules by default.

    Raises:
      RulesError: If the source is something else, cannot be read or is wrong.
    """
    base = default() if base is None else base
    if source is None:
        return base
    if isinstance(source, Rules):
        return source
    if isinstance(source, Mapping):
        return base.changed(source)
    if isinstance(source, (str, os.PathLike)):
        return _load_file(source, base)
    raise RulesError(
        "rules: expected the path of a file, a mapping of changes or Rules, "
        f"got a {type(source).__name__}"
    )


def _load_file(path: str | os.PathLike, base: Rules) -> Rules:
    data = read(path)
    try:
        whole = isinstance(data, Mapping) and set(default().data) <= set(data)
        rules = Rules(data) if whole else base.changed(data)
        check_starts(rules.items)
    except RulesError as error:
        raise RulesError(f"{os.fspath(path)}: {error}") from error
    return rules


def _ids(data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what follows from the order of materials and objects."""
    materials, objects = data["materials"], data["objects"]
    material_ids = {name: i for i, name in enumerate(materials, 1)}
    return {
        "material_ids": freeze(material_ids),
        "object_ids": freeze({n: i for i, n in enumerate(objects, len(materials) + 1)}),
        "semantic_names": (None, *materials, *objects),
        "walkable_ids": freeze(
            {
                kind: frozenset(
                    material_ids[name]
                    for name in data["walkable_by"].get(kind, data["walkable"])
                )
                for kind in objects
            }
        ),
    }


def _follow(
    base: Mapping[str, Any], changes: Mapping[str, Any], merged: dict[str, Any]
) -> None:
    """Lets actions and achievements follow recipes that were added and removed."""
    for section, names in (("actions", recipe_actions), ("achievements", reachable)):
        if section in changes and not isinstance(changes[section], Mapping):
            continue  # the whole list is given
        before, after = names(base), names(merged)
        kept = [n for n in merged[section] if n in after or n not in before]
        new = [n for n in after if n not in before and n not in kept]
        merged[section] = kept + new
