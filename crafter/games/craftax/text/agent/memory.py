"""What an object remembers, as data for JSON.

The players of `crafter.games.craftax.players` keep numbers, cells and sets in their
attributes, and are made of parts that do the same. This writes all of them down.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PLAIN = (bool, int, float, str, type(None))
#: Collections that JSON lacks -> what makes them.
_KINDS: dict[str, Any] = {kind.__name__: kind for kind in (tuple, set, frozenset, dict)}


def state(thing: Any) -> dict[str, Any]:
    """Returns the attributes of an object and of its parts."""
    return {
        name: state(value) if hasattr(value, "__dict__") else _packed(value)
        for name, value in vars(thing).items()
    }


def load(thing: Any, remembered: Mapping[str, Any]) -> None:
    """Gives an object and its parts the attributes that `state` returned."""
    for name, value in vars(thing).items():
        if hasattr(value, "__dict__"):
            load(value, remembered[name])
        else:
            setattr(thing, name, _unpacked(remembered[name]))


def _packed(value: Any) -> Any:
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, list):
        return [_packed(each) for each in value]
    items = value.items() if isinstance(value, dict) else value
    packed = [_packed(each) for each in items]
    # The order of a set depends on the process.
    ordered = (
        sorted(packed, key=repr) if isinstance(value, (set, frozenset)) else packed
    )
    return {type(value).__name__: ordered}


def _unpacked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpacked(each) for each in value]
    if isinstance(value, dict):
        ((kind, items),) = value.items()
        return _KINDS[kind](_unpacked(each) for each in items)
    return value
