"""Benchmarks of Crafter: the protocol of the paper, and a longer one.

Source: Hafner 2022, "Benchmarking the Spectrum of Agent Capabilities", section 3.3.
"""

import dataclasses

from crafter.games.crafter import achievement_graph, constants
from crafter.scoring.benchmark import Benchmark

#: Protocol of the paper.
CRAFTER = Benchmark(
    tasks=("crafter_reward", "crafter_noreward"),
    achievements=tuple(constants.achievements),
    rewards=(1,) * len(constants.achievements),
    depths=tuple(achievement_graph.depths().values()),
    measure="success rates",
    budget=1_000_000,
    time_limit=10_000,
    name="crafter",
)

#: The same formula for symbolic observations and ten times the steps.
CRAFTER_SYMBOLIC_10M = dataclasses.replace(
    CRAFTER,
    tasks=("crafter_symbolic",),
    budget=10_000_000,
    name="crafter-symbolic-10m",
)

BENCHMARKS = (CRAFTER, CRAFTER_SYMBOLIC_10M)
