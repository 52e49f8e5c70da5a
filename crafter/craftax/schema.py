"""What a set of rules must be like, so that a wrong one is refused with its place.

A check is called as `check(value, path, data)` with the value, where it stands, such as
`recipes.iron_sword.uses`, and all the rules. It raises `RulesError` or returns nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Data = Mapping[str, Any]
Check = Callable[[Any, str, Data], None]


class RulesError(ValueError):
    """A set of rules is unknown, unreadable or impossible."""


# Values.


def real(low: float = 0, high: float = math.inf) -> Check:
    """Checks that a value is a number from `low` to `high`."""

    def check(value: Any, path: str, data: Data) -> None:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not low <= value <= high or math.isinf(value):
            raise RulesError(
                f"{path}: expected a number of {_range(low, high)}, got {value!r}"
            )

    return check


def whole(low: int = 0, high: float = math.inf) -> Check:
    """Checks that a value is an integer from `low` to `high`."""

    def check(value: Any, path: str, data: Data) -> None:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole or not low <= value <= high:
            raise RulesError(
                f"{path}: expected an integer of {_range(low, high)}, got {value!r}"
            )

    return check


def _range(low: float, high: float) -> str:
    if math.isinf(low):
        return "any size" if math.isinf(high) else f"at most {high}"
    return f"at least {low}" if math.isinf(high) else f"{low} ... {high}"


def truth(value: Any, path: str, data: Data) -> None:
    """Checks that a value is true or false."""
    if not isinstance(value, bool):
        raise RulesError(f"{path}: expected true or false, got {value!r}")


def text(value: Any, path: str, data: Data) -> None:
    """Checks that a value is a text."""
    if not isinstance(value, str):
        raise RulesError(f"{path}: expected a text, got {value!r}")


def one_of(*names: str) -> Check:
    """Checks that a value is one of some names."""

    def check(value: Any, path: str, data: Data) -> None:
        if value not in names:
            raise RulesError(f"{path}: expected one of {list(names)}, got {value!r}")

    return check


def name_in(*place: str) -> Check:
    """Checks that a value is a name in a section of the rules."""

    def check(value: Any, path: str, data: Data) -> None:
        names = _at(data, place)
        if not isinstance(value, str) or value not in names:
            what = ".".join(place)
            raise RulesError(
                f"{path}: no such name {value!r}; {what} has {list(names)}"
            )

    return check


def _at(data: Data, place: Sequence[str]) -> Any:
    for name in place:
        data = data[name]
    return data


# Containers.


def list_of(item: Check, length: int | None = None) -> Check:
    """Checks that a value is a list of `length` values that pass a check."""

    def check(value: Any, path: str, data: Data) -> None:
        if not isinstance(value, (list, tuple)):
            raise RulesError(f"{path}: expected a list, got {value!r}")
        if length is not None and len(value) != length:
            raise RulesError(f"{path}: expected {length} values, got {value!r}")
        for number, entry in enumerate(value):
            item(entry, f"{path}[{number}]", data)

    return check


def span(least: int) -> Check:
    """Checks that a value is a range of integers [low, high]."""

    def check(value: Any, path: str, data: Data) -> None:
        list_of(whole(least), 2)(value, path, data)
        if value[0] > value[1]:
            raise RulesError(f"{path}: expected [low, high], got {value!r}")

    return check


def table(key: Check, value: Check) -> Check:
    """Checks that a value is a mapping of keys and values that pass checks."""

    def check(mapping: Any, path: str, data: Data) -> None:
        _mapping(mapping, path)
        for name, entry in mapping.items():
            inner = f"{path}.{name}"
            key(name, inner, data)
            value(entry, inner, data)

    return check


def record(optional: Mapping[str, Check] | None = None, /, **required: Check) -> Check:
    """Checks that a value is a mapping with these names, each with its own check."""
    known = {**required, **(optional or {})}

    def check(mapping: Any, path: str, data: Data) -> None:
        _mapping(mapping, path)
        prefix = f"{path}." if path else ""
        for name in mapping:
            if name not in known:
                raise RulesError(
                    f"{prefix}{name}: no such name; there are {list(known)}"
                )
        for name in required:
            if name not in mapping:
                raise RulesError(f"{path}: {name} is missing")
        for name, entry in mapping.items():
            known[name](entry, f"{prefix}{name}", data)

    return check


def _mapping(value: Any, path: str) -> None:
    if not isinstance(value, Mapping):
        raise RulesError(f"{path}: expected a mapping, got {value!r}")


def every(*checks: Check) -> Check:
    """Checks several things, one after the other."""

    def check(value: Any, path: str, data: Data) -> None:
        for each in checks:
            each(value, path, data)

    return check


def like(pattern: Any) -> Check:
    """Checks that a value has the shape of another one.

    Mappings must have the same names, lists entries like the first one, and texts must
    be names of blocks, as in the generation of worlds.
    """
    if isinstance(pattern, Mapping):
        return record(**{name: like(entry) for name, entry in pattern.items()})
    if isinstance(pattern, list):
        fixed = len(pattern) if not isinstance(pattern[0], Mapping) else None
        return list_of(like(pattern[0]), fixed)
    if isinstance(pattern, bool):
        return truth
    if isinstance(pattern, str):
        return name_in("blocks")
    return whole(-1) if isinstance(pattern, int) and pattern > 1 else real(-1)
