"""Rules of a game in the form that texts and parser need."""

from __future__ import annotations

import collections
import dataclasses
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Recipe(NamedTuple):
    """Costs and conditions of an action that places or makes something.

    Attributes:
      uses: Item -> amount that is used up.
      near: Stations that must be near.
      where: Materials on which it can be placed.
      gives: Item -> amount that is made, where it is more than one.
    """

    uses: Mapping[str, int]
    near: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    gives: Mapping[str, int] = {}


class Source(NamedTuple):
    """What `do` gets from a material.

    Attributes:
      gives: Item or vital -> amount.
      needs: Tools that are needed.
      chance: Probability of success.
      leaves: Material that remains, or `None` for the same.
    """

    gives: Mapping[str, int]
    needs: tuple[str, ...] = ()
    chance: float = 1.0
    leaves: str | None = None


@dataclasses.dataclass(frozen=True, eq=False)
class Rulebook:
    """The rules of a game as texts and parser need them.

    Attributes:
      folder: Where its words are: `words.yaml`, `rules.yaml`, `synonyms.yaml`.
      rules: The rules themselves, as the environment has them.
      actions: Names of the actions, by index.
      moves: Direction -> action that goes there.
      achievements: Names, in table order.
      recipes: Action -> what it takes, if it places or makes something.
      sources: Material -> what is got from it.
      plantable: Materials on which plants and blocks can be placed.
      vitals: Items that measure the body.
      tools: Items that are made and kept.
      groups: Name -> further items that are told together.
      ores: Materials worth finding.
      stations: Materials that crafting needs nearby.
      creatures: Kinds that can be hit.
      materials: All materials of the map.
      kinds: All kinds of objects on it, the player not included.
      walkable: Materials on which one can walk safely.
      symbols: Name -> character of hand-made maps.
      reach: Cells within which a station is near.
      rewards: Reward for each achievement.
      tiers: Name -> achievements of one difficulty, where the game has that.
      time: The section `time` of the rules, as `crafter.core.clock` takes it.
    """

    folder: pathlib.Path
    rules: Any
    actions: tuple[str, ...]
    moves: Mapping[str, str]
    achievements: tuple[str, ...]
    recipes: Mapping[str, Recipe]
    sources: Mapping[str, Source]
    plantable: tuple[str, ...]
    vitals: tuple[str, ...]
    tools: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]]
    ores: tuple[str, ...]
    stations: tuple[str, ...]
    creatures: frozenset[str]
    materials: tuple[str, ...]
    kinds: tuple[str, ...]
    walkable: frozenset[str]
    symbols: Mapping[str, str]
    reach: int
    rewards: tuple[float, ...]
    tiers: Mapping[str, tuple[str, ...]]
    time: Mapping[str, Any]

    def uses(self, action: str) -> Mapping[str, int]:
        """Returns the items that an action uses up."""
        return self.recipes.get(action, Recipe({})).uses

    def total_uses(self, actions: Iterable[str]) -> dict[str, int]:
        """Returns the items that some actions use up together."""
        used = map(collections.Counter, map(self.uses, actions))
        return dict(sum(used, collections.Counter()))
