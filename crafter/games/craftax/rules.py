"""Reads sets of rules: the published one, the repaired one, and changes to them.

Changes are a mapping of the shape of `data.yaml`, of which only what changes need be
said; `crafter.core.ruleset.merge` has the details. `base: repaired` in it says what
they change; otherwise it is the published game.
"""

from __future__ import annotations

import functools
import os
import pathlib
from collections.abc import Mapping
from typing import Any

from crafter.core import ruleset
from crafter.core.ruleset import RulesError as RulesError  # users catch it here
from crafter.core.short_repr import brief
from crafter.games.craftax.schema import check_rules

#: The file of the published rules.
PATH = pathlib.Path(__file__).parent / "data.yaml"

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
        raise RulesError(f"base: expected one of {list(NAMED)}, got {brief(base)}")
    data = ruleset.thaw(_published())
    if base == "repaired":
        for repair in data["repairs"].values():
            repair["applied"] = True
    data = ruleset.merge(data, changes)
    check_rules(data, _published())
    return data


@functools.cache
def _published() -> Any:
    return ruleset.read(PATH)


def _changes(rules: Any) -> dict[str, Any]:
    if isinstance(rules, str) and rules in NAMED:
        return {"base": rules}
    if isinstance(rules, (str, os.PathLike)):
        rules = ruleset.read(rules)
    if not isinstance(rules, Mapping):
        raise RulesError(
            f"Expected rules as one of {list(NAMED)}, the path of a YAML file or a "
            f"mapping of changes; got {brief(rules)}."
        )
    return dict(rules)
