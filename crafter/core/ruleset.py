"""Rules as values: read, changed, frozen, hashed and checked. Names no game.

A game keeps its rules in a YAML file of plain data: mappings, lists, texts, numbers and
booleans. This module reads such data, merges changes into it, freezes it and hashes it.
What the data of a game must look like, the game says with the checks at the end of this
module: a check takes a path such as `make.iron_sword.uses` and a value, and raises
`RulesError` with the path of what is wrong.
"""

from __future__ import annotations

import hashlib
import json
import math
import numbers
import os
import pathlib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NoReturn

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

#: Names that a mapping of changes uses for lists.
_ADD, _REMOVE = "add", "remove"


class RulesError(ValueError):
    """Rules cannot be read, or something in them is wrong; the message says where."""


class FrozenDict(dict):
    """A dict that cannot be changed; otherwise it behaves, and is as fast, as one."""

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("Rules cannot be changed; make others with Rules.changed().")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)

    def __copy__(self) -> FrozenDict:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> FrozenDict:
        return self


def freeze(value: Any) -> Any:
    """Returns plain data that cannot be changed: frozen dicts and tuples."""
    if isinstance(value, Mapping):
        return FrozenDict({name: freeze(part) for name, part in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(map(freeze, value))
    return value


def thaw(value: Any) -> Any:
    """Returns a copy of data that can be changed: dicts and lists.

    Sequences of other types become lists, and numbers of NumPy those of Python.
    """
    if isinstance(value, Mapping):
        return {name: thaw(part) for name, part in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [thaw(part) for part in value]
    return value


def digest(value: Any, ordered: Collection[str] = ()) -> str:
    """Returns a hash of plain data, 16 hexadecimal digits.

    It is the same in every process and on every machine. Whether a whole number is
    written as 1 or 1.0 does not matter.

    Args:
      value: The data.
      ordered: Paths of the mappings whose order counts.
    """
    text = json.dumps(_canonical(value, ordered, ""), separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _canonical(value: Any, ordered: Collection[str], path: str) -> Any:
    if isinstance(value, Mapping):
        names = list(value) if path in ordered else sorted(value, key=str)
        return [[str(n), _canonical(value[n], ordered, join(path, n))] for n in names]
    if isinstance(value, (list, tuple)):
        return [_canonical(part, ordered, path) for part in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def read(path: str | os.PathLike) -> Any:
    """Reads a YAML file.

    Raises:
      RulesError: If it cannot be read or is not YAML.
    """
    place = pathlib.Path(path).expanduser()
    try:
        return yaml.load(place.read_text(encoding="utf-8"), _LOADER)
    except OSError as error:
        raise RulesError(
            f"Cannot read the rules {str(place)!r}: {error.strerror or error}."
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise RulesError(
            f"The rules {str(place)!r} are not valid YAML: {error}"
        ) from error


def merge(base: Any, changes: Any, path: str = "") -> Any:
    """Returns plain data with changes.

    A mapping changes a mapping entry by entry, at every depth; an entry that is
    `None` is removed. A mapping changes a list too: `add` and `remove` hold the
    values to add at the end and to remove, and an index changes that entry. Everything
    else replaces what was there.

    Args:
      base: Plain data; left as it is.
      changes: What to change.
      path: Where in the rules this is; for messages.

    Raises:
      RulesError: If what should be removed or changed does not exist.

    Example:
      >>> merge({"a": 1, "b": {"c": [1, 2]}}, {"b": {"c": {"add": [3]}}, "a": None})
      {'b': {'c': [1, 2, 3]}}
    """
    if isinstance(changes, Mapping) and isinstance(base, Mapping):
        return _merge_mapping(base, changes, path)
    if isinstance(changes, Mapping) and isinstance(base, (list, tuple)):
        return _merge_list(base, changes, path)
    return thaw(changes)


def _merge_mapping(
    base: Mapping[str, Any], changes: Mapping[str, Any], path: str
) -> dict[str, Any]:
    merged = thaw(base)
    for name, change in changes.items():
        if change is None and name not in base:
            raise RulesError(
                f"{join(path, name)}: cannot remove what does not exist; "
                f"entries are {_listed(base)}"
            )
        if change is None:
            del merged[name]
        else:
            merged[name] = merge(base.get(name), change, join(path, name))
    return merged


def _merge_list(
    base: Sequence[Any], changes: Mapping[Any, Any], path: str
) -> list[Any]:
    merged = thaw(base)
    for name, change in changes.items():
        if name in (_ADD, _REMOVE):
            continue
        if type(name) is not int or not 0 <= name < len(merged):
            raise RulesError(
                f"{join(path, name)}: a list is changed by a list, or by a mapping "
                f"with add, remove or an index in 0 ... {len(merged) - 1}"
            )
        merged[name] = merge(merged[name], change, join(path, name))
    for name in _values(changes, _REMOVE, path):
        if name not in merged:
            raise RulesError(
                f"{join(path, _REMOVE)}: cannot remove {name!r}; "
                f"entries are {_listed(merged)}"
            )
        merged.remove(name)
    return merged + _values(changes, _ADD, path)


def _values(changes: Mapping[Any, Any], name: str, path: str) -> list[Any]:
    values = thaw(changes.get(name, []))
    if not isinstance(values, list):
        raise RulesError(f"{join(path, name)}: expected a list, got {values!r}")
    return values


def join(path: str, name: Any) -> str:
    """Returns the path of an entry."""
    return f"{path}.{name}" if path else str(name)


def _listed(names: Collection[Any]) -> str:
    return ", ".join(map(str, names)) or "none"


# Checks.

Check = Callable[[str, Any], None]


def _fail(path: str, expected: str, value: Any) -> NoReturn:
    raise RulesError(f"{path or 'rules'}: expected {expected}, got {value!r}")


def _range(low: float | None, high: float | None) -> str:
    parts = [] if low is None else [f"at least {low}"]
    parts += [] if high is None else [f"at most {high}"]
    return f" of {' and '.join(parts)}" if parts else ""


def _within(value: Any, low: float | None, high: float | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def integer(low: int | None = None, high: int | None = None) -> Check:
    """Checks for an integer in a range."""

    def check(path: str, value: Any) -> None:
        whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
        if not whole or not _within(value, low, high):
            _fail(path, f"an integer{_range(low, high)}", value)

    return check


def number(low: float | None = None, high: float | None = None) -> Check:
    """Checks for a finite number in a range."""

    def check(path: str, value: Any) -> None:
        real = isinstance(value, numbers.Real) and not isinstance(value, bool)
        if not real or not math.isfinite(value) or not _within(value, low, high):
            _fail(path, f"a number{_range(low, high)}", value)

    return check


def positive(path: str, value: Any) -> None:
    """Checks for a number above 0."""
    number(0)(path, value)
    if not value:
        _fail(path, "a number above 0", value)


def truth(path: str, value: Any) -> None:
    """Checks for true or false."""
    if not isinstance(value, bool):
        _fail(path, "true or false", value)


def name(path: str, value: Any) -> None:
    """Checks for a name: letters, digits and underscores."""
    if not (isinstance(value, str) and value.isascii() and value.isidentifier()):
        _fail(path, "a name of letters, digits and underscores", value)


def symbol(path: str, value: Any) -> None:
    """Checks for a single character."""
    if not (isinstance(value, str) and len(value) == 1):
        _fail(path, "a single character", value)


def one_of(kind: str, names: Collection[Any], plural: str = "") -> Check:
    """Checks for one of the names that there are.

    Args:
      kind: What they are names of, such as `item`.
      names: The names.
      plural: By default the kind with an s.
    """

    def check(path: str, value: Any) -> None:
        known = isinstance(value, (str, int)) and value in names
        if not known:
            place = path if path.split(".")[-1] == str(value) else f"{path}: {value!r}"
            raise RulesError(
                f"{place}: no such {kind}; {plural or kind + 's'} are {_listed(names)}"
            )

    return check


def sequence(check: Check, length: int | None = None, distinct: bool = False) -> Check:
    """Checks for a list whose entries pass a check.

    Args:
      check: For every entry.
      length: How many there must be.
      distinct: Whether they must differ.
    """

    def check_all(path: str, value: Any) -> None:
        if not isinstance(value, (list, tuple)):
            _fail(path, "a list", value)
        if length is not None and len(value) != length:
            _fail(path, f"a list of {length}", value)
        for index, entry in enumerate(value):
            check(join(path, index), entry)
            if distinct and entry in value[:index]:
                raise RulesError(f"{join(path, index)}: {entry!r} appears twice")

    return check_all


def names(path: str, value: Any) -> None:
    """Checks for a list of different names."""
    sequence(name, distinct=True)(path, value)


def table(check: Check, keys: Check = name) -> Check:
    """Checks for a mapping of any names to values that pass a check.

    Args:
      check: For every value.
      keys: For every name.
    """

    def check_all(path: str, value: Any) -> None:
        if not isinstance(value, Mapping):
            _fail(path, "a mapping", value)
        for key, entry in value.items():
            keys(join(path, key), key)
            check(join(path, key), entry)

    return check_all


def record(
    required: Mapping[str, Check], optional: Mapping[str, Check] | None = None
) -> Check:
    """Checks for a mapping with certain entries.

    Args:
      required: Name -> check, of what must be there.
      optional: Name -> check, of what may be there.
    """
    checks = {**required, **(optional or {})}
    check_present = partly(checks, required)

    def check_all(path: str, value: Any) -> None:
        check_present(path, value)
        for key in value:
            if key not in checks:
                raise RulesError(
                    f"{join(path, key)}: no such entry; entries are {_listed(checks)}"
                )

    return check_all


def partly(
    checks: Mapping[str, Check], required: Collection[str] | None = None
) -> Check:
    """Checks certain entries of a mapping that may have others.

    Args:
      checks: Name -> check.
      required: Which of them must be there; all by default.
    """
    needed = checks if required is None else required

    def check_some(path: str, value: Any) -> None:
        if not isinstance(value, Mapping):
            _fail(path, f"a mapping with {_listed(needed)}", value)
        for key in needed:
            if key not in value:
                raise RulesError(f"{join(path, key)}: missing")
        for key, check in checks.items():
            if key in value:
                check(join(path, key), value[key])

    return check_some
