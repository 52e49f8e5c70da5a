"""Published benchmarks of Craftax: the same tasks with two step budgets.

Source: Matthews et al. 2024, "Craftax: A Lightning-Fast Benchmark for Open-Ended
Reinforcement Learning": the score is the return in percent of the maximum; achievements
have four tiers.
"""

import dataclasses

from crafter.games.craftax.rules import Rules
from crafter.scoring.benchmark import Benchmark

_RULES = Rules.named().data
_TIERS = [name for name in _RULES["rewards"] if name != "health"]
_ACHIEVEMENTS = _RULES["achievements"]

#: One million environment steps.
CRAFTAX_1M = Benchmark(
    tasks=("craftax_symbolic", "craftax_puffer", "craftax_pixels"),
    achievements=tuple(_ACHIEVEMENTS),
    rewards=tuple(_RULES["rewards"][tier] for tier in _ACHIEVEMENTS.values()),
    depths=tuple(1 + _TIERS.index(tier) for tier in _ACHIEVEMENTS.values()),
    measure="return",
    budget=1_000_000,
    time_limit=_RULES["parameters"]["max_timesteps"],
    name="craftax-1m",
    levels=tuple(tier.replace("_", " ") for tier in _TIERS),
)

#: One billion environment steps.
CRAFTAX_1B = dataclasses.replace(CRAFTAX_1M, budget=1_000_000_000, name="craftax-1b")

BENCHMARKS = (CRAFTAX_1M, CRAFTAX_1B)
