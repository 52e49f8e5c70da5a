"""Rules supported by the JAX engine: those that differ in numbers only.

Numbers are read at compile time. Numbers without proven bit-exact equality with the
object-oriented game are rejected.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from crafter.core.ruleset import changed, leaves, refuse
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax import clock
from crafter.games.crafter.rules import Rules

#: Entries of the default rules that are compiled in. They include the noise weights,
#: which determine the error bounds in single precision.
_COMPILED = (
    r"light\.|time\.dark$|terrain\.start\.|do\.\w+\.verb$|terrain\.ores\.\d+\.material$"
    r"|terrain\.\w+\.(start_weight|water_weight|offset)$"
)
#: Body counters are single-precision sums of multiples of this unit.
_UNIT = 2.0**-10
_LONGEST_DAY = 3000
_MOST_HEALTH = 2**15 - 1  # of a creature, in 16 bits


def check_rules(rules: Rules) -> None:
    """Checks that the engine supports all changes of the rules.

    Raises:
      RulesError: If the rules change something that is not supported.
    """
    t.check_names(rules)
    refuse("Crafter in JAX", "crafter.Env", list(_unread(rules)))


def _unread(rules: Rules) -> Iterator[str]:
    """Yields the paths of unsupported changes."""
    own = leaves(rules.data)
    yield from changed(own, leaves(t.RULES.data), _COMPILED)
    for path, value in own.items():
        if path.startswith("life.") and not isinstance(value, str) and value % _UNIT:
            yield path
    for kind, row in rules.creatures.items():
        if row.get("health", 0) > _MOST_HEALTH:
            yield f"creatures.{kind}.health"
    day = rules.time["day"]
    if day > _LONGEST_DAY:
        yield "time.day"
    elif np.ptp(clock.target_table(rules, 40).reshape(40, day, -1), 0).any():
        yield "balance.kinds"  # would depend on the last bits of daylight
