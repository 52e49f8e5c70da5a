"""Scores of runs, by the protocol of the paper, and statistics over seeds.

Contents:

- `load_runs` reads runs from logs or score files; `Run`, `RunError`, `find_logs`,
  `read_log`, `find_scores`, `read_scores`, `write_scores`.
- One run: `success_rates`, `score`, `run_score`, `normalised_return`, `final_return`,
  `mean_length`; `offset_geometric_mean` is the formula of the score alone.
- Over seeds: `mean_std`, `iqm`, `bootstrap_interval`, `probability_of_improvement`;
  `wilson_interval` for success rates.
- Over training: `curve`. Along the game: `episode_depths`, `depth_shares`,
  `level_rates`.
- `Benchmark` says what is scored and how; `CRAFTER` is Crafter, and the default, and
  `find_benchmark` has those of `BENCHMARKS`, Craftax-1M and Craftax-1B among them.
- `crafter.scoring.graph` has what each achievement needs.

The protocol of Crafter: a run has 1,000,000 environment steps of training; the episodes
that end within them count, and the one that exceeds them is left out. The success rate
of an achievement is the percentage of these episodes that unlocked it. The score of a
run is the geometric mean of its 22 success rates, offset by one. Methods are compared
by the mean and the standard deviation over seeds.

The score of Craftax-1M and Craftax-1B is the mean return of these episodes in percent
of the largest possible one, 226; the budget is 1,000,000 or 1,000,000,000 steps.

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

from crafter.scoring.benchmark import CRAFTER, Benchmark
from crafter.scoring.benchmarks import NAMES as BENCHMARKS
from crafter.scoring.benchmarks import find as find_benchmark
from crafter.scoring.loading import load_runs
from crafter.scoring.logs import MADE_BY, find_logs, read_log
from crafter.scoring.runs import OtherStartWarning, Run, RunError, ShortRunWarning
from crafter.scoring.score_files import find_scores, read_scores, write_scores
from crafter.scoring.statistics import (
    CONVENTIONS,
    FINAL_STEPS,
    Convention,
    bootstrap_interval,
    curve,
    depth_shares,
    episode_depths,
    final_return,
    iqm,
    level_rates,
    mean_length,
    mean_std,
    normalised_return,
    offset_geometric_mean,
    probability_of_improvement,
    run_score,
    score,
    success_rates,
    wilson_interval,
)

#: Of Crafter, and the defaults: environment steps of a training that count, ...
BUDGET = CRAFTER.budget
#: ... steps after which an episode ends, ...
TIME_LIMIT = CRAFTER.time_limit
#: ... and the return by achievements of an episode that unlocks all.
OPTIMAL_RETURN = CRAFTER.optimal_return

__all__ = [
    "BENCHMARKS",
    "BUDGET",
    "CONVENTIONS",
    "CRAFTER",
    "FINAL_STEPS",
    "MADE_BY",
    "OPTIMAL_RETURN",
    "TIME_LIMIT",
    "Benchmark",
    "Convention",
    "OtherStartWarning",
    "Run",
    "RunError",
    "ShortRunWarning",
    "bootstrap_interval",
    "curve",
    "depth_shares",
    "episode_depths",
    "final_return",
    "find_benchmark",
    "find_logs",
    "find_scores",
    "iqm",
    "level_rates",
    "load_runs",
    "mean_length",
    "mean_std",
    "normalised_return",
    "offset_geometric_mean",
    "probability_of_improvement",
    "read_log",
    "read_scores",
    "run_score",
    "score",
    "success_rates",
    "wilson_interval",
    "write_scores",
]
