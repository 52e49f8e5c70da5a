"""The tables of the default rules, under the names of the published package.

Public names are the tables themselves: `actions`, `materials`, `walkable`, `items`,
`collect`, `place`, `make`, `achievements` (the names of the published package) and the
further sections of `data.yaml`, as lists and dicts. A change to `items` reaches
environments made later that are not given rules of their own, and none that exist. All
other changes of the rules go through `Env(rules=...)`; see
`crafter.games.crafter.rules`.
"""

import pathlib
from typing import Any

from crafter.core.ruleset import thaw
from crafter.games.crafter import rules

#: Folder of the package, with the images in `assets`.
root = pathlib.Path(__file__).parent

_DEFAULT = rules.default()
_DATA: dict[str, Any] = thaw(_DEFAULT.data)

actions: list[str] = _DATA["actions"]
directions: dict[str, tuple[int, int]] = dict(_DEFAULT.directions)
materials: list[str] = _DATA["materials"]
objects: list[str] = _DATA["objects"]
walkable: list[str] = _DATA["walkable"]
walkable_by: dict[str, list[str]] = _DATA["walkable_by"]
deadly: list[str] = _DATA["deadly"]
items: dict[str, dict[str, int]] = _DATA["items"]
collect: dict[str, dict[str, Any]] = _DATA["collect"]
do: dict[str, dict[str, Any]] = _DATA["do"]
place: dict[str, dict[str, Any]] = _DATA["place"]
make: dict[str, dict[str, Any]] = _DATA["make"]
achievements: list[str] = _DATA["achievements"]
rewards: dict[str, float] = _DATA["rewards"]
life: dict[str, dict[str, Any]] = _DATA["life"]
damage: dict[str, int] = _DATA["damage"]
creatures: dict[str, dict[str, Any]] = _DATA["creatures"]
balance: dict[str, Any] = _DATA["balance"]
world: dict[str, Any] = _DATA["world"]
time: dict[str, Any] = thaw(_DEFAULT.time)
light: dict[str, Any] = _DATA["light"]
terrain: dict[str, Any] = _DATA["terrain"]
symbols: dict[str, dict[str, Any]] = _DATA["symbols"]

#: Material name -> id in map arrays; 0 stands for "no material".
material_ids: dict[str, int] = dict(_DEFAULT.material_ids)
#: Object kind -> id in semantic maps; follows the materials.
object_ids: dict[str, int] = dict(_DEFAULT.object_ids)
#: Id in semantic maps -> name; 0 is `None`.
semantic_names: list[str | None] = list(_DEFAULT.semantic_names)
