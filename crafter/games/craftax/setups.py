"""Setups: the rules and masks under which agents are trained, by name.

A setup is a name of `Rules.variants`, or a mapping of single repairs and switches of
`data.yaml` to whether they are applied. `docs/setups.md` compares the setups.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from crafter.core.validation import brief, listed, one_of
from crafter.games.craftax.rules import Rules

#: Setup -> the kind of action masks that belongs to it.
_MASKS = {"puffer": "puffer"}
_SECTIONS = ("repairs", "switches")


def expand(setup: Any, rules: Any, action_masks: str | None) -> tuple[Any, str | None]:
    """Returns the rules and the kind of masks of a setup.

    Args:
      setup: A name, a mapping of repairs and switches to booleans, or `None`.
      rules: The argument `rules` of an environment; a mapping changes the setup.
      action_masks: The argument `action_masks`, which comes before that of the setup.

    Raises:
      ValueError: If there is no such setup, or `rules` choose others.
    """
    if setup is None:
        return rules, action_masks
    if rules != "published" and not isinstance(rules, Mapping):
        raise ValueError(
            "setup chooses the rules, so rules must be a mapping of further changes, "
            f"got {brief(rules)}."
        )
    changes = {} if isinstance(rules, str) else dict(rules)
    if isinstance(setup, Mapping):
        return {**_switched(setup), **changes}, action_masks
    name = one_of("setup", setup, Rules.variants)
    if "base" in changes:
        raise ValueError(f"setup is {name}, so rules cannot have base.")
    return {"base": name, **changes}, action_masks or _MASKS.get(name)


def _switched(setup: Mapping[str, Any]) -> dict[str, Any]:
    """Returns changes of the published rules that apply repairs and switches."""
    changes: dict[str, Any] = {}
    published = Rules.published
    for name, applied in setup.items():
        section = next((s for s in _SECTIONS if name in published[s]), None)
        if section is None:
            known = [entry for s in _SECTIONS for entry in published[s]]
            raise ValueError(f"setup: expected one of {listed(known)}, got {name!r}.")
        if not isinstance(applied, bool):
            raise ValueError(
                f"setup: {name} must be true or false, got {brief(applied)}."
            )
        changes.setdefault(section, {})[name] = {"applied": applied}
    return changes


@functools.lru_cache
def label(rules: Rules) -> str:
    """Returns what a setup is called where results are kept.

    Returns:
      The name of a set of rules; or what is applied, joined by `+`; with the digest at
      the end if the rules have other changes.
    """
    for name in Rules.variants:
        if rules == Rules.named(name):
            return name
    parts = ["published", *sorted(rules.applied)]
    changes = _switched(dict.fromkeys(rules.applied, True))
    if rules != Rules.named().changed(changes):
        parts.append(rules.digest)
    return "+".join(parts)
