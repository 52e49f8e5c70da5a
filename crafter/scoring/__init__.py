"""Scores of runs, by the protocol of the paper, and statistics over seeds.

Contents:

- Runs and their files, `crafter.scoring.runs`: `load_runs`, `read_log`, `read_scores`,
  `write_scores`, `Run`, `RunError`.
- Statistics, `crafter.scoring.statistics`. One run: `success_rates`, `score`,
  `run_score`, `final_return`, `mean_length`; `offset_geometric_mean` is the formula of
  the score alone. Over seeds: `mean_std`, `iqm`, `bootstrap_interval`,
  `probability_of_improvement`. Over training: `curve`. Along the achievement graph:
  `episode_depths`, `depth_shares`.
- What each achievement needs, `crafter.scoring.graph`: `requirements`, `depths`.

The protocol: a run has 1,000,000 environment steps of training; the episodes that end
within them count, and the one that exceeds them is left out. The success rate of an
achievement is the percentage of these episodes that unlocked it. The score of a run is
the geometric mean of its 22 success rates, offset by one. Methods are compared by the
mean and the standard deviation over seeds.

Needs NumPy; `bootstrap_interval` also needs SciPy: `pip install crafter[analysis]`.

Source: Hafner 2022, "Benchmarking the Spectrum of Agent Capabilities", section 3.3,
and Crafter 1.8.3.

Example:
  >>> import numpy as np
  >>> rates = np.zeros(22)
  >>> rates[:2] = 100, 3
  >>> round(float(score(rates)), 3)
  0.314
"""

from crafter.scoring.runs import (
    BUDGET,
    MADE_BY,
    TIME_LIMIT,
    Run,
    RunError,
    ShortRunWarning,
    find_logs,
    find_scores,
    load_runs,
    read_log,
    read_scores,
    write_scores,
)
from crafter.scoring.statistics import (
    CONVENTIONS,
    FINAL_STEPS,
    OPTIMAL_RETURN,
    Convention,
    bootstrap_interval,
    curve,
    depth_shares,
    episode_depths,
    final_return,
    iqm,
    mean_length,
    mean_std,
    offset_geometric_mean,
    probability_of_improvement,
    run_score,
    score,
    success_rates,
)

__all__ = [
    "BUDGET",
    "CONVENTIONS",
    "Convention",
    "FINAL_STEPS",
    "MADE_BY",
    "OPTIMAL_RETURN",
    "TIME_LIMIT",
    "Run",
    "RunError",
    "ShortRunWarning",
    "bootstrap_interval",
    "curve",
    "depth_shares",
    "episode_depths",
    "final_return",
    "find_logs",
    "find_scores",
    "iqm",
    "load_runs",
    "mean_length",
    "mean_std",
    "offset_geometric_mean",
    "probability_of_improvement",
    "read_log",
    "read_scores",
    "run_score",
    "score",
    "success_rates",
    "write_scores",
]
