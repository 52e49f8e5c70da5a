"""The tables of the game, read once from `data.yaml`.

Public names are the tables themselves: `actions`, `materials`, `walkable`,
`items`, `collect`, `place`, `make`, `achievements` (the names of the published
package) and the further sections of the file. An `Env` copies `items` when it is
made, so a change here reaches environments made later and none that exist.
"""

import pathlib
from typing import Any

import yaml

_PATH = pathlib.Path(__file__).parent / "data.yaml"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DATA: dict[str, Any] = yaml.load(_PATH.read_text(encoding="utf-8"), _LOADER)

actions: list[str] = _DATA["actions"]
directions: dict[str, tuple[int, int]] = {
    name: (dx, dy) for name, (dx, dy) in _DATA["directions"].items()
}
materials: list[str] = _DATA["materials"]
objects: list[str] = _DATA["objects"]
walkable: list[str] = _DATA["walkable"]
walkable_by: dict[str, list[str]] = _DATA["walkable_by"]
items: dict[str, dict[str, int]] = _DATA["items"]
collect: dict[str, dict[str, Any]] = _DATA["collect"]
place: dict[str, dict[str, Any]] = _DATA["place"]
make: dict[str, dict[str, Any]] = _DATA["make"]
achievements: list[str] = _DATA["achievements"]
life: dict[str, dict[str, Any]] = _DATA["life"]
damage: dict[str, int] = _DATA["damage"]
creatures: dict[str, dict[str, Any]] = _DATA["creatures"]
balance: dict[str, Any] = _DATA["balance"]
world: dict[str, Any] = _DATA["world"]
time: dict[str, Any] = _DATA["time"]
terrain: dict[str, Any] = _DATA["terrain"]
symbols: dict[str, dict[str, Any]] = _DATA["symbols"]

#: Material name -> id in map arrays; 0 stands for "no material".
material_ids: dict[str, int] = {name: i for i, name in enumerate(materials, 1)}
#: Object kind -> id in semantic maps; follows the materials.
object_ids: dict[str, int] = {
    name: i for i, name in enumerate(objects, len(materials) + 1)
}
#: Id in semantic maps -> name; 0 is `None`.
semantic_names: list[str | None] = [None, *materials, *objects]
