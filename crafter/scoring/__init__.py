"""Scores of runs and statistics over seeds.

Contents:

- `load_runs` reads runs from logs or score files; `Run`, `RunError`, `find_scores`,
  `read_scores`, `write_scores`.
- One run: `success_rates`, `score`, `run_score`, `final_return`;
  `offset_geometric_mean` is the formula of the score alone.
- Over seeds: `mean_std`, `iqm`, `bootstrap_interval`, `probability_of_improvement`;
  `wilson_interval` for success rates.
- Over training: `curve`. Along the game: `episode_depths`, `depth_shares`,
  `level_rates`.
- `Benchmark` defines what is scored and how; `find_benchmark` returns one by name, from
  `benchmark_names`, or the default one.

A run is a training of a number of environment steps, the budget of its benchmark.
Episodes that end within the budget count; the one that exceeds it is left out. The
success rate of an achievement is the percentage of these episodes that unlocked it.
Depending on the benchmark, the score of a run is the geometric mean of its success
rates, offset by one, or the mean return as a percentage of the maximum. Methods are
compared by mean and standard deviation over seeds.

Needs NumPy; `iqm` and `bootstrap_interval` also need SciPy:
`pip install crafter[analysis]`.

Source: Hafner 2022, "Benchmarking the Spectrum of Agent Capabilities", section 3.3,
and Crafter 1.8.3.

Example:
  >>> import numpy as np
  >>> rates = np.zeros(22)
  >>> rates[:2] = 100, 3
  >>> round(float(score(rates)), 3)
  0.314
"""

from crafter.scoring.benchmark import Benchmark, benchmark_names, find_benchmark
from crafter.scoring.files import (
    MADE_BY,
    find_scores,
    load_runs,
    read_scores,
    write_scores,
)
from crafter.scoring.runs import OtherStartWarning, Run, RunError, ShortRunWarning
from crafter.scoring.statistics import (
    CONVENTIONS,
    bootstrap_interval,
    curve,
    depth_shares,
    episode_depths,
    final_return,
    iqm,
    level_rates,
    mean_std,
    offset_geometric_mean,
    probability_of_improvement,
    run_score,
    score,
    success_rates,
    wilson_interval,
)

__all__ = [
    "CONVENTIONS",
    "MADE_BY",
    "Benchmark",
    "OtherStartWarning",
    "Run",
    "RunError",
    "ShortRunWarning",
    "benchmark_names",
    "bootstrap_interval",
    "curve",
    "depth_shares",
    "episode_depths",
    "final_return",
    "find_benchmark",
    "find_scores",
    "iqm",
    "level_rates",
    "load_runs",
    "mean_std",
    "offset_geometric_mean",
    "probability_of_improvement",
    "read_scores",
    "run_score",
    "score",
    "success_rates",
    "wilson_interval",
    "write_scores",
]
