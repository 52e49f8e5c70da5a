"""Rules that the engine in JAX supports: those with other numbers.

Numbers are read when functions are compiled. Those are refused for which equality with
the object-oriented game to the bit is not proven.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from crafter.core.ruleset import changed, leaves, refuse
from crafter.games.crafter import tables as t
from crafter.games.crafter.jax import clock
from crafter.games.crafter.rules import Rules

#: What the code has of the default rules. Among it are weights of the noise: what is in
#: doubt in single precision depends on them.
_COMPILED = (
    r"light\.|time\.dark$|terrain\.start\.|do\.\w+\.verb$|terrain\.ores\.\d+\.material$"
    r"|terrain\.\w+\.(start_weight|water_weight|offset)$"
)
#: Counters of the body are sums in single precision of multiples of this.
_UNIT = 2.0**-10
_LONGEST_DAY = 3000
_MOST_HEALTH = 2**15 - 1  # of a creature, in 16 bits


def check_rules(rules: Rules) -> None:
    """Checks that the engine reads all that rules change.

    Raises:
      RulesError: If something differs from the default rules that it does not read.
    """
    t.check_names(rules)
    refuse("Crafter in JAX", "crafter.Env", list(_unread(rules)))


def _unread(rules: Rules) -> Iterator[str]:
    """Yields the paths of changes that the code does not read."""
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
        yield "balance.kinds"  # the last bits of daylight would decide
