"""Rules that the engine in JAX supports: those with other numbers.

Numbers are read when functions are compiled. Those are refused for which equality with
the object-oriented game to the bit is not proven.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from crafter.core.ruleset import thaw
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax import clock
from crafter.games.crafter.rules import Rules, RulesError

#: Weights of the noise: what is in doubt in single precision depends on them.
_WEIGHTS = ("start_weight", "water_weight", "offset")
#: Counters of the body are sums in single precision of multiples of this.
_UNIT = 2.0**-10
_LONGEST_DAY = 3000
_LARGEST = 2**15 - 1  # health has 16 bits


def check_rules(rules: Rules) -> None:
    """Checks that the engine reads all that rules change.

    Raises:
      RulesError: If something differs from the default rules that it does not read.
    """
    t.check_names(rules)
    unread = list(_unread(rules))
    if unread:
        raise RulesError(
            f"Crafter in JAX cannot play by these changes: {', '.join(unread)}. "
            "crafter.Env takes all rules; "
            "gymnasium.make_vec(..., vectorization_mode='sync') makes many."
        )


def _unread(rules: Rules) -> Iterator[str]:
    """Yields the paths of changes that the code does not read."""
    data, default = thaw(rules.data), thaw(t.RULES.data)
    frozen = [("light",), ("time", "dark"), ("terrain", "start")]
    frozen += [("terrain", name, w) for name in data["terrain"] for w in _WEIGHTS]
    frozen += [("do", kind, "verb") for kind in data["do"]]
    for path in frozen:
        if _entry(data, path) != _entry(default, path):
            yield ".".join(path)
    if [_kind(ore) for ore in data["terrain"]["ores"]] != [
        _kind(ore) for ore in default["terrain"]["ores"]
    ]:
        yield "terrain.ores"
    for name, rule in data["life"].items():
        for part, value in rule.items():
            if isinstance(value, (int, float)) and value % _UNIT:
                yield f"life.{name}.{part}"
    for kind, rule in data["creatures"].items():
        if rule.get("health", 0) > _LARGEST:
            yield f"creatures.{kind}.health"
    day = data["time"]["day"]
    if day > _LONGEST_DAY:
        yield "time.day"
    elif np.ptp(clock.target_table(rules, 40).reshape(40, day, -1), 0).any():
        yield "balance.kinds"  # the last bits of daylight would decide


def _kind(ore: dict[str, Any]) -> tuple[str, bool]:
    return ore["material"], "mountain" in ore


def _entry(data: object, path: tuple[str, ...]) -> object:
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data
