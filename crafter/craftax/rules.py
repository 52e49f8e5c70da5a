"""Reads sets of rules: the published one, the repaired one, and changes to them.

Changes are a mapping of the shape of `data.yaml`, of which only what changes need be
said. `base: repaired` in it says what they change; otherwise it is the published game.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
import pathlib
from collections.abc import Mapping
from typing import Any

import yaml

from crafter.craftax.rules_checks import check_rules
from crafter.craftax.schema import RulesError as RulesError  # users catch it from here

_PATH = pathlib.Path(__file__).parent / "data.yaml"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

#: Sets of rules that have a name.
NAMED = ("published", "repaired")


def read(rules: Any = "published") -> dict[str, Any]:
    """Returns a set of rules as plain values.

    Args:
      rules: One of `NAMED`, the path of a YAML file, or a mapping of changes.

    Raises:
      RulesError: If there are no such rules or they are impossible.
    """
    changes = _changes(rules)
    base = changes.pop("base", "published")
    if base not in NAMED:
        raise RulesError(f"base: expected one of {list(NAMED)}, got {base!r}.")
    published = _published()
    data = copy.deepcopy(published)
    if base == "repaired":
        for repair in data["repairs"].values():
            repair["applied"] = True
    data = _merged(data, changes)
    check_rules(data, published)
    return data


def digest(data: Mapping[str, Any]) -> str:
    """Returns a text that equal rules share, 16 hexadecimal digits."""
    text = json.dumps(data, sort_keys=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _published() -> dict[str, Any]:
    return yaml.load(_PATH.read_text(encoding="utf-8"), _LOADER)


def _changes(rules: Any) -> dict[str, Any]:
    if isinstance(rules, str) and rules in NAMED:
        return {"base": rules}
    if isinstance(rules, (str, os.PathLike)):
        rules = _read_file(pathlib.Path(rules))
    if not isinstance(rules, Mapping):
        raise RulesError(
            f"Expected rules as one of {list(NAMED)}, a path of a YAML file or a "
            f"mapping of changes; got {rules!r}."
        )
    return copy.deepcopy(dict(rules))


def _read_file(path: pathlib.Path) -> Any:
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _LOADER)
    except OSError as error:
        raise RulesError(
            f"Expected rules as one of {list(NAMED)} or a file; {path} cannot be read: "
            f"{error.strerror}."
        ) from error
    except yaml.YAMLError as error:
        raise RulesError(f"{path} is no YAML: {error}") from error


def _merged(old: Any, new: Any) -> Any:
    """Returns a value with changes; mappings are merged, all else is replaced."""
    if not (isinstance(old, Mapping) and isinstance(new, Mapping)):
        return new
    merged = dict(old)
    for key, value in new.items():
        merged[key] = _merged(old[key], value) if key in old else value
    return merged
