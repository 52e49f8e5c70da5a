"""Refuses changes of rules that compiled functions would ignore."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import jax

from crafter.core.ruleset import RulesError, thaw


def leaves(data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values of rules by path, such as `light.noise.0`."""
    pairs = jax.tree_util.tree_leaves_with_path(thaw(data))
    keystr = jax.tree_util.keystr
    return {keystr(path, simple=True, separator="."): value for path, value in pairs}


def changed(
    own: Mapping[str, Any], default: Mapping[str, Any], pattern: str
) -> list[str]:
    """Returns the paths of values that differ, are new or are missing.

    Args:
      own: The rules, as from `leaves`.
      default: Those to compare with.
      pattern: Regular expression that the beginning of the paths matches.
    """
    paths = {**default, **own}
    matches = re.compile(pattern).match
    return [p for p in paths if matches(p) and own.get(p) != default.get(p)]


def refuse(title: str, env: str, unread: Collection[str]) -> None:
    """Refuses changes that a game does not read.

    Args:
      title: The game.
      env: The single environment, which reads all rules.
      unread: What is not read.

    Raises:
      RulesError: If there is anything.
    """
    if unread:
        raise RulesError(
            f"{title} in JAX is compiled for the default names and worlds, and cannot "
            f"play by these changes: {', '.join(unread)}. {env} takes all rules; "
            "gymnasium.make_vec(..., vectorization_mode='sync') makes many."
        )
