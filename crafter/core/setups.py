"""Setups: named combinations of rules and action masks for training.

A setup is a name of `Rules.variants`, or a mapping from individual repairs and switches
of `data.yaml` to whether they are applied. `docs/setups.md` compares the setups.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from crafter.core.game import DEFAULT_SETUP
from crafter.core.ruleset import Rules
from crafter.core.validation import listed, one_of, short_repr


def expand(
    game: type[Rules], setup: Any, rules: Any, action_masks: str | None = None
) -> tuple[Any, str | None]:
    """Returns the rules and the kind of action masks of a setup.

    Args:
      game: The class of the rules.
      setup: A name, a mapping of repairs and switches to booleans, or `None`.
      rules: The argument `rules` of an environment; a mapping changes the setup.
      action_masks: The argument `action_masks`; takes precedence over the setup's.

    Raises:
      ValueError: If there is no such setup, or `rules` conflict with it.
    """
    if setup is None:
        return rules, action_masks
    if rules not in (None, DEFAULT_SETUP) and not isinstance(rules, Mapping):
        raise ValueError(
            "setup chooses the rules, so rules must be a mapping of further changes, "
            f"got {short_repr(rules)}."
        )
    changes = dict(rules) if isinstance(rules, Mapping) else {}
    if isinstance(setup, Mapping):
        return {**_setup_changes(game, setup), **changes}, action_masks
    name = one_of("setup", setup, game.variants)
    if "base" in changes:
        raise ValueError(f"setup is {name}, so rules cannot have base.")
    base = {} if name == DEFAULT_SETUP else {"base": name}
    return {**base, **changes}, action_masks or game.masks.get(name)


def _setup_changes(game: type[Rules], setup: Mapping[str, Any]) -> dict[str, Any]:
    """Returns changes to the published rules that apply repairs and switches."""
    changes: dict[str, Any] = {}
    published = game.published
    for name, applied in setup.items():
        section = next((s for s in game.choices if name in published[s]), None)
        if section is None:
            names = [entry for s in game.choices for entry in published[s]]
            raise ValueError(f"setup: expected one of {listed(names)}, got {name!r}.")
        if not isinstance(applied, bool):
            raise ValueError(
                f"setup: {name} must be true or false, got {short_repr(applied)}."
            )
        changes.setdefault(section, {})[name] = {"applied": applied}
    return changes


@functools.lru_cache
def label(rules: Rules) -> str:
    """Returns the name of a setup for stored results.

    Returns:
      The name of a rule set; or what is applied, joined by `+`; with the digest at the
      end if the rules have other changes.
    """
    for name in rules.variants:
        if rules == rules.named(name):
            return name
    parts = [DEFAULT_SETUP, *sorted(rules.applied)]
    changes = _setup_changes(type(rules), dict.fromkeys(rules.applied, True))
    if rules != rules.named().changed(changes):
        parts.append(rules.digest)
    return "+".join(parts)
