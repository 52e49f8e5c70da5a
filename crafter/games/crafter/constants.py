"""Tables of the default rules, under the names of the published package.

Public names are the tables themselves: `actions`, `materials`, `walkable`, `items`,
`collect`, `place`, `make`, `achievements` (the names of the published package) and the
other sections of `data.yaml`, as lists and dicts; `material_ids`, material name -> id
in map arrays, where 0 stands for "no material"; `object_ids`, object kind -> id in
semantic maps, after the materials; and `semantic_names`, id -> name, 0 is `None`. A
change to `items` affects environments created later without `rules`, but no existing
ones. Make all other changes with `Env(rules=...)`; see `crafter.games.crafter.rules`.
"""

import pathlib
from typing import Any

from crafter.core.ruleset import thaw
from crafter.games.crafter import rules

#: Folder of the package, with the images in `assets`.
root = pathlib.Path(__file__).parent

_DEFAULT = rules.default()
_DERIVED = ("material_ids", "object_ids", "semantic_names", "time")

globals().update(thaw(_DEFAULT.data))
globals().update({name: thaw(getattr(_DEFAULT, name)) for name in _DERIVED})
directions: dict[str, tuple[int, int]] = dict(_DEFAULT.directions)


def __getattr__(name: str) -> Any:
    """Declares the dynamic names to type checkers; all of them exist already."""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
